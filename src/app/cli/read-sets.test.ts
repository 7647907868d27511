/** `--set FILE` from its files to the configuration: what each set is, and all that is wrong. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/ports/temp-folder.ts";
import { withSets } from "../../config/run-sets.ts";
import { OWN_ROWS } from "../plugins/rows.ts";
import { spokenLine } from "./dialect.ts";
import { resolveArgs } from "./given-options.ts";

const folder = makeTempFolder("read-sets");
afterAll(() => folder.remove());

function file(name: string, content: unknown): string {
  const path = join(folder.path, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const ARGS = [
  ...["--provider=rfc2136", "--rfc2136-host=192.0.2.53", "--rfc2136-zone=example.org"],
  ...["--rfc2136-insecure", "--source=service", "--policy=sync"],
];

function deployment(name: string, ...args: readonly string[]) {
  const containers = [
    { name: "sidecar", image: "webhook" },
    { name: "external-dns", args: [...ARGS, ...args], env: [{ name: "OWNER", value: name }] },
  ];
  const metadata = { name, namespace: "dns" };
  return { kind: "Deployment", metadata, spec: { template: { spec: { containers } } } };
}

/** Throws with all that is wrong. */
async function configOf(files: readonly string[], ...more: readonly string[]) {
  const given = ["run", "--dialect=external-dns", ...files.flatMap((one) => ["--set", one])];
  const { sets, rows, remarks } = await spokenLine([...given, ...more], {}, OWN_ROWS);
  const read = withSets(
    sets.map(({ name, args, config }) => ({
      ...{ name, externalDns: config },
      options: resolveArgs("run", args, { environment: {}, rows }),
    })),
  );
  if (!read.ok)
    throw new Error(read.error.map((one) => `${one.subject}: ${one.message}`).join("\n"));
  return { config: read.value, remarks };
}

test("Deployments of a list, and arguments alone: each has its own id, filters and provider", async () => {
  const list = {
    kind: "List",
    items: [
      deployment("in", "--txt-owner-id=$(OWNER)"),
      deployment("out", "--txt-owner-id=b", "--interval=1m"),
    ],
  };
  const plain = ["- --source=node", "- --txt-owner-id=c", ...ARGS.map((one) => `- ${one}`)];
  const release = `kind: ServiceAccount\n---\n${plain.join("\n")}\n`;
  const { config, remarks } = await configOf(
    [file("list.yaml", list), file("nodes.yml", release)],
    ...["--domain-filter=example.org", "--lease-name=fleet"],
  );
  const all = [config, ...config.sets];
  expect(all.map(({ set, owner }) => [set, owner])).toEqual([
    ["dns/in", "in"],
    ["dns/out", "b"],
    ["nodes", "c"],
  ]);
  expect(all.map(({ lease }) => lease?.name)).toEqual(["fleet", "fleet", "fleet"]);
  expect(config.sets[1]?.controllers).toEqual(new Set(["compound", "node", "service"]));
  expect(all.map(({ externalDns }) => externalDns?.rules.scope.include)).toEqual(
    all.map(() => ["example.org"]),
  );
  expect(remarks).toContainEqual(expect.stringMatching(/^set dns\/out: --interval: no effect/));
});

test("everything that is wrong with files is told at once", async () => {
  const files = [
    ...[file("twice.yaml", deployment("one")), file("again.yaml", deployment("one"))],
    ...[file("broken.yaml", "a: [1"), file("map.yaml", "kind: ConfigMap"), `${folder.path}/none`],
  ];
  const failed = await configOf(files).catch(String);
  for (const text of [
    "dns/one: is there twice",
    "broken.yaml: cannot be read as YAML",
    "map.yaml: has neither a Deployment nor a list of arguments",
    "none: cannot be read: ENOENT",
  ])
    expect(failed).toContain(text);
});

test("flags that are refused are listed for each set at once", async () => {
  const files = [deployment("a", "--source=gloo-proxy"), deployment("b", "--frob=1")];
  const failed = await configOf(files.map((one) => file(`${one.metadata.name}.yaml`, one))).catch(
    String,
  );
  expect(failed).toMatch(/set dns\/a: --source: "gloo-proxy" is not here/);
  expect(failed).toMatch(/set dns\/b: --frob/);
});

const two = (first: readonly string[], second: readonly string[]) =>
  configOf([
    file("first.yaml", deployment("first", "--txt-owner-id=me", ...first)),
    file("second.yaml", deployment("second", "--txt-owner-id=me", ...second)),
  ]).then(() => "", String);

test.each([
  ["one zone", [], [], true],
  [
    "a domain below that of the other",
    ["--domain-filter=example.org"],
    ["--domain-filter=a.example.org"],
    true,
  ],
  ["other domains", ["--domain-filter=a.example.org"], ["--domain-filter=b.example.org"], false],
  ["patterns, which may meet", ["--regex-domain-filter=a"], ["--regex-domain-filter=b"], true],
])("one owner id and %s", async (_what, first, second, isRefused) => {
  const failed = await two(first, second);
  if (isRefused)
    expect(failed).toMatch(/set dns\/second: --txt-owner-id: is me in set dns\/first, too/);
  else expect(failed).toBe("");
});

test("an owner id may be that of another server, another kind of zone, and of other ids of zones", async () => {
  const other = (...args: readonly string[]) =>
    [
      ...["- --source=service", "- --policy=sync", "- --txt-owner-id=me"],
      ...args.map((one) => `- ${one}`),
    ].join("\n");
  const aws = (zone: string, type: string) =>
    other("--provider=aws", `--zone-id-filter=${zone}`, `--aws-zone-type=${type}`);
  const server = (host: string) =>
    other(
      "--provider=rfc2136",
      `--rfc2136-host=${host}`,
      "--rfc2136-zone=example.org",
      "--rfc2136-insecure",
    );
  const files = [
    aws("Z1", "public"),
    aws("Z2", "public"),
    aws("Z1", "private"),
    server("192.0.2.1"),
    server("192.0.2.2"),
  ];
  const paths = files.map((text, at) => file(`other-${at}.yaml`, text));
  expect((await configOf(paths)).config.sets).toHaveLength(4);
  const again = file("other-again.yaml", aws("Z1", "public"));
  expect(await configOf([...paths, again]).catch(String)).toContain(
    "set other-again: --txt-owner-id",
  );
});

test("dev takes sources and filters, and has a provider, ports and an id of its own", async () => {
  const given = ["--dialect", "external-dns", "--provider=aws", "--aws-zone-type=public"];
  const filter = ["--source=node", "--annotation-filter=a=b", "--policy=sync"];
  const line = await spokenLine(["dev", ...given, ...filter, "--zone=example.net"], {}, OWN_ROWS);
  const own = ["--policy=sync", "--disable-namespace-restriction=true", "--zone=example.net"];
  expect(line.commandLine).toEqual(["dev", ...own]);
  expect(line.externalDns?.rules.annotationFilter).toHaveLength(1);
  const inDev = line.rows.sources.filter((one) => one.inDev).map(({ name }) => name);
  expect(inDev).toEqual(["node"]);
  const bare = await spokenLine(["dev", "--dialect=external-dns"], {}, OWN_ROWS);
  expect(bare.remarks.join()).not.toContain("owner id");
  const shared = ["dev", "--dialect=external-dns", "--txt-owner-id=default"];
  const { commandLine, remarks } = await spokenLine(shared, {}, OWN_ROWS);
  expect([commandLine, remarks.join()]).toEqual([
    expect.arrayContaining(["--owner=default"]),
    expect.stringContaining("the owner id is default"),
  ]);
  const names = bare.rows.sources.filter((one) => one.inDev).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["service", "ingress"]));
});

test("plan is a shadow where the dialect is written, and asks the instance where a Pod has it", async () => {
  const args = [...ARGS, "--txt-owner-id=me"];
  const written = await spokenLine(["plan", "--dialect=external-dns", ...args], {}, OWN_ROWS);
  expect([written.commandLine[0], written.isPlan]).toEqual(["shadow", true]);
  const ofPod = { ZONEKEEPER_DIALECT: "external-dns" };
  const asked = await spokenLine(["plan", "--limit=1"], ofPod, OWN_ROWS);
  expect(asked.commandLine).toEqual(["plan", "--limit=1"]);
  expect((await spokenLine(["run", ...args], ofPod, OWN_ROWS)).externalDns).not.toBeNull();
});

test("--set counts with the dialect, and on the command line alone", () => {
  const args = ["--owner=me", "--set=a.yaml"];
  const options = resolveArgs("run", args, { environment: {}, rows: OWN_ROWS });
  const read = withSets([{ name: "", options, externalDns: null }]);
  expect(read.ok ? "" : read.error[0]?.message).toContain("--dialect external-dns");
});

test("what a process has once is the same in each set", async () => {
  const files = [
    deployment("x", "--txt-owner-id=x"),
    deployment("y", "--txt-owner-id=y", "--once", "--dry-run", "--namespace=web"),
  ];
  const failed = await configOf(files.map((one) => file(`${one.metadata.name}.yaml`, one))).catch(
    String,
  );
  for (const flag of ["--once", "--dry-run", "--namespace"])
    expect(failed).toContain(`set dns/y: ${flag}: is another one than in set dns/x`);
});

test("each container that names a provider is a set, unless one is meant", async () => {
  const operator = deployment("zones");
  const of = (name: string, id: string) => ({
    name,
    args: [...ARGS.slice(0, 2), `--rfc2136-zone=${id}.example`, ...ARGS.slice(3)],
    env: [{ name: "EXTERNAL_DNS_TXT_OWNER_ID", value: id }],
  });
  const { containers } = operator.spec.template.spec;
  const all = [...containers.slice(0, 1), of("private", "a"), of("public", "b")];
  const zones = { ...operator, spec: { template: { spec: { containers: all } } } };
  const files = [file("zones.yaml", zones)];
  const { config } = await configOf(files);
  expect([config, ...config.sets].map(({ set, owner }) => [set, owner])).toEqual([
    ["dns/zones/private", "a"],
    ["dns/zones/public", "b"],
  ]);
  const shadow = ["shadow", "--set", ...files, "--container=public"];
  const { sets } = await spokenLine(shadow, {}, OWN_ROWS);
  expect(sets.map(({ name, args: [owner] }) => [name, owner])).toEqual([
    ["dns/zones", "--owner=b"],
  ]);
});
