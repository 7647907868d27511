/**
 * Each import rule of .dependency-cruiser.mjs catches what it is there for, and lets pass what
 * docs/architecture.md#layers allows.
 */
import { copyFileSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { run } from "../support/programs/run.ts";
import { seededTree } from "../support/values/seeded-tree.ts";

const PACKAGES = {
  "package.json": JSON.stringify({
    name: "seeded",
    type: "module",
    dependencies: { "real-package": "1.0.0" },
    devDependencies: { "dev-package": "1.0.0" },
  }),
  "node_modules/real-package/package.json": '{"name":"real-package","main":"index.js"}',
  "node_modules/real-package/index.js": "exports.x = 1;",
  "node_modules/dev-package/package.json": '{"name":"dev-package","main":"index.js"}',
  "node_modules/dev-package/index.js": "exports.x = 1;",
  "packages/kube/package.json": '{"name":"@zonekeeper/kube"}',
};

/** The rooms of .dependency-cruiser.mjs by folder, lowest first. */
const { may, packages, rooms, ownImports, folderOf } = (await import(
  resolve(".dependency-cruiser.mjs")
)) as {
  may: Readonly<Record<string, readonly string[]>>;
  packages: Readonly<Record<string, readonly string[]>>;
  rooms: Readonly<Record<string, readonly string[]>>;
  ownImports: Readonly<Record<string, readonly string[]>>;
  folderOf: (key: string) => string;
};

const PLAIN = "export const x = 1;\n";
const imports = (from: string): string => `import { x } from "${from}";\nexport const y = x;\n`;

/** Each room imports the file that stands above all rooms of its folder. */
const ROOM_SEEDS = Object.entries(rooms).flatMap(([folder, names]) =>
  names.map(
    (name) =>
      [`${folder}-${name}-is-below`, `${folderOf(folder)}/${name}/up.ts`, "../top.ts"] as const,
  ),
);

/** Rule → the file that breaks it → what that file imports. */
const SEEDS: readonly (readonly [rule: string, file: string, from: string])[] = [
  ...[...Object.keys(may), ...Object.keys(packages)].map(
    (folder) =>
      [
        `${folder}-imports`,
        `${folderOf(folder)}/bad.ts`,
        relative(folderOf(folder), "src/app/app.ts"),
      ] as const,
  ),
  ...ROOM_SEEDS,
  ["sync-cache-is-below", "src/sync/cache/zone.ts", "../zone/zone.ts"],
  ["providers-imports", "src/providers/planner.ts", "../plan/plan-name.ts"],
  ["sync-imports", "src/sync/concrete.ts", "../providers/one/one.ts"],
  ["sources-imports", "src/sources/dns-state.ts", "../plan/plan-name.ts"],
  ["cluster-imports", "src/cluster/planner.ts", "../plan/plan-name.ts"],
  ["sources-imports", "src/sources/bytes.ts", "../../packages/dns/src/wire/wire.ts"],
  ["kube-imports", "packages/kube/src/names.ts", "../../dns/src/names/names.ts"],
  [
    "client-and-control-plane-are-strangers",
    "packages/kube/src/control-plane/asks.ts",
    "../client/client.ts",
  ],
  ["packages-by-name", "src/app/by-path.ts", "../../packages/dns/src/wire/wire.ts"],
  ["own-dependencies", "packages/kube/src/undeclared.ts", "real-package"],
  ["sources-are-strangers", "src/sources/two/two.ts", "../one/one.ts"],
  ["providers-are-strangers", "src/providers/two/two.ts", "../one/one.ts"],
  ["ownership-are-strangers", "src/ownership/two/two.ts", "../one/one.ts"],
  ["sources-live-by-exports", "src/sources/three/kept.ts", "../kept-fields.ts"],
  ["providers-live-by-exports", "src/providers/three/store.ts", "../../ports/stores.ts"],
  ["pure-no-node", "src/plan/reads.ts", "node:fs"],
  ["only-app-does-io", "packages/dns/src/wire/reads.ts", "node:fs"],
  ["pure-no-npm", "src/inbound/package.ts", "real-package"],
  ["pure-no-npm", "packages/dns/src/wire/package.ts", "real-package"],
  ["no-import-of-tests", "src/sync/tested.ts", "../../test/support/fake.ts"],
  ["no-dev-dependency", "src/app/dev.ts", "dev-package"],
  ["page-imports", "page/asks.ts", "../src/app/app.ts"],
  ["page-is-no-part", "src/app/shows.ts", "../../page/page.ts"],
  ["no-unresolved", "src/app/lost.ts", "./nowhere.ts"],
];

const TARGETS = [
  "src/app/app.ts",
  "src/plan/plan-name.ts",
  "src/plan/changes.ts",
  "src/providers/provider.ts",
  "src/providers/one/one.ts",
  "src/sources/one/one.ts",
  "src/sources/kept-fields.ts",
  "src/ports/stores.ts",
  "src/ownership/one/one.ts",
  "packages/dns/src/names/names.ts",
  "packages/dns/src/wire/wire.ts",
  "packages/kube/src/client/client.ts",
  "test/support/fake.ts",
  "page/page.ts",
  "src/sync/zone/zone.ts",
  ...Object.keys(rooms).map((folder) => `${folderOf(folder)}/top.ts`),
];

const SLOW = { timeout: 120_000 };

test("every seeded import is caught by its rule", SLOW, async () => {
  const files = Object.fromEntries(SEEDS.map(([, file, from]) => [file, imports(from)]));
  const found = await violations({
    ...files,
    "src/app/circle.ts": imports("./round.ts").replaceAll("y", "x2"),
    "src/app/round.ts": 'import { x2 } from "./circle.ts";\nexport const x = x2;\n',
  });
  for (const [rule, file] of SEEDS) expect(found).toContain(`${rule}: ${file}`);
  expect(found).toContain("no-circular: src/app/circle.ts");
  const rules = new Set(found.map((line) => line.split(":")[0]));
  expect(await allRules()).toEqual([...rules].sort());
});

test("what our own sources and providers alone may import is still there", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" });
  const gone = Object.values(ownImports)
    .flat()
    .flatMap((pattern) =>
      pattern
        .replace(/^(.*)[(](.*)[)](.*)$/, (_, before, names, after) =>
          names
            .split("|")
            .map((name: string) => before + name + after)
            .join(" "),
        )
        .split(" "),
    )
    .filter((pattern) => !files.some((file) => new RegExp(`^${pattern}`).test(file)));
  expect(gone).toEqual([]);
});

test("what docs/architecture.md#layers allows passes", SLOW, async () => {
  const allowed = {
    "src/app/main.ts": imports("../providers/one/one.ts"),
    "src/app/reads.ts": 'import { readFileSync } from "node:fs";\nexport const y = readFileSync;\n',
    "src/app/package.ts": imports("real-package"),
    "src/sync/actor.ts": imports("../providers/provider.ts"),
    "src/sync/report/explain.ts": imports("../zone/zone.ts"),
    "src/providers/one/convert.ts": imports("../../plan/changes.ts"),
    "src/plan/plan-name.test.ts": 'import { x } from "node:fs";\nexport const y = x;\n',
  };
  expect(await violations(allowed)).toEqual([]);
});

/** `rule: file` of every violation in a tree of the targets and `files`, sorted. */
async function violations(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const targets = Object.fromEntries(TARGETS.map((path) => [path, PLAIN]));
  const tree = seededTree({ ...PACKAGES, ...targets, ...files });
  try {
    copyFileSync("tsconfig.json", join(tree.path, "tsconfig.json"));
    const { stdout, stderr } = await run(
      resolve("node_modules/.bin/depcruise"),
      [
        "src",
        "packages",
        "page",
        "--config",
        resolve(".dependency-cruiser.mjs"),
        "--output-type",
        "json",
      ],
      { cwd: tree.path },
    );
    if (stdout === "") throw new Error(stderr);
    const { summary } = JSON.parse(stdout) as Report;
    expect(summary.totalCruised).toBeGreaterThan(TARGETS.length - 1);
    return summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`).sort();
  } finally {
    tree.remove();
  }
}

interface Report {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
    }[];
  };
}

async function allRules(): Promise<readonly string[]> {
  const { default: config } = (await import(resolve(".dependency-cruiser.mjs"))) as {
    default: { readonly forbidden: readonly { readonly name: string }[] };
  };
  return config.forbidden.map(({ name }) => name).sort();
}
