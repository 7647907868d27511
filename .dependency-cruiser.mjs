import { readFileSync } from "node:fs";

// The import rules of docs/architecture.md, "Layers". A rule that fails means the code is in the wrong folder;
// growing an exemption needs an ADR.

// What each package may import of the others; of npm only its own dependencies.
export const packages = {
  base: [],
  dns: ["base"],
  kube: ["base"],
};
// What each folder of src may import. A name is a folder of src or, in any package, of its sources.
export const may = {
  model: [],
  ports: ["model"],
  config: ["model", "yaml"],
  plan: ["model"],
  ownership: ["model", "ports", "plan"],
  sources: ["model", "ports"],
  inbound: ["model", "ports"],
  cluster: ["model", "ports", "client"],
  providers: ["model", "ports", "wire", "plan/changes[.]ts"],
  sync: [
    "model",
    "ports",
    "timing",
    "plan",
    "inbound",
    "ownership/ownership[.]ts",
    "sources/source[.]ts",
    "providers/provider[.]ts",
  ],
  controllers: [
    "model",
    "ports",
    "timing",
    "plan",
    "sync",
    "ownership/ownership[.]ts",
    "sources/source[.]ts",
    "providers/provider[.]ts",
  ],
  gardener: [
    "model",
    "ports",
    "plan",
    "inbound",
    "sync",
    "controllers",
    "ownership/ownership[.]ts",
    "sources/source[.]ts",
    "providers/provider[.]ts",
  ],
  "source-controllers": [
    "model",
    "ports",
    "timing",
    "inbound",
    "sync",
    "controllers",
    "gardener",
    "sources/source[.]ts",
  ],
};
// Values of the packages, which each folder of src may import: files of base itself, and these folders.
export const values = ["names", "rdata", "objects"];

const pure = "^src/(model|plan|sources|inbound)/";
const test = "[.]test[.]ts$";
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
const folderPattern = (name) => `(src|packages/[^/]+/src)/${name}/`;
const layers = Object.entries(may).map(([folder, to]) =>
  rule(
    `${folder}-imports`,
    `src/${folder} may import only: ${to.join(", ") || "itself"}`,
    { path: `^src/${folder}/`, pathNot: test },
    {
      path: "^(src|packages)/",
      pathNot: `^(${[
        folderPattern(folder),
        "packages/base/src/[^/]+[.]ts$",
        ...values.map(folderPattern),
        ...to.map((name) => (name.includes("[.]") ? `src/${name}` : folderPattern(name))),
      ].join("|")})`,
    },
  ),
);
const ofPackages = Object.entries(packages).map(([name, to]) =>
  rule(
    `${name}-imports`,
    `packages/${name} may import only: ${to.join(", ") || "itself"}`,
    { path: `^packages/${name}/`, pathNot: test },
    { path: "^(src|packages)/", pathNot: `^packages/(${[name, ...to].join("|")})/` },
  ),
);
// The rooms of a folder or package, lowest first: each may import itself and those before it.
export const rooms = {
  dns: ["names", "rdata", "wire", "name-server"],
  kube: ["objects", "ports", "yaml", "client", "control-plane"],
  "kube/client": ["requests", "access", "queue", "watch", "write", "preview", "lease"],
  "kube/control-plane": [
    "json",
    "errors",
    "schema",
    "objects",
    "kinds",
    "protobuf",
    "patch",
    "apply",
    "storage",
    "background",
    "crd",
    "http",
    "documents",
    "requests",
  ],
  sync: [
    "contract",
    "calls",
    "fence",
    "guards",
    "cache",
    "delegation",
    "absence",
    "zone",
    "between-zones",
    "report",
  ],
  controllers: ["objects", "accounts", "zone-choice", "publication"],
  gardener: ["dns-provider", "dns-entry"],
  app: ["ports", "plugins", "compose", "api", "commands", "cli", "library"],
  "app/commands": ["process", "run", "dev", "check", "ask"],
};
/** `src/sync` of `sync`, `packages/kube/src/client` of `kube/client`. */
export function folderOf(key) {
  const [name, ...inside] = key.split("/");
  return name in packages ? ["packages", name, "src", ...inside].join("/") : `src/${key}`;
}
const floors = Object.entries(rooms).flatMap(([key, names]) =>
  names.map((name, index) =>
    rule(
      `${key}-${name}-is-below`,
      `${folderOf(key)}/${name} may import only: ${names.slice(0, index).join(", ") || "itself"}`,
      { path: `^${folderOf(key)}/${name}/`, pathNot: test },
      {
        path: `^${folderOf(key)}/`,
        pathNot: `^${folderOf(key)}/(${names.slice(0, index + 1).join("|")})/`,
      },
    ),
  ),
);
const strangers = ["sources", "providers", "ownership"].map((folder) =>
  rule(
    `${folder}-are-strangers`,
    `plug-ins share through ${folder}/shared, never with one another`,
    { path: `^src/${folder}/([^/]+)/`, pathNot: test },
    { path: `^src/${folder}/[^/]+/`, pathNot: `^src/${folder}/($1|shared)/` },
  ),
);
// Our own sources and providers live by what the package `zonekeeper` exports, as those of others
// do (ADR 0109): the files of src/app/library, and these, which others do not get.
export const ownImports = {
  source: [
    // Annotations of Gardener and external-dns on objects of many kinds: a source of others reads its
    // own kind.
    "sources/shared/(annotat|external-annotations|original-object|transfer-annotations|lookup-request)",
    "sources/shared/(load-balancer|reported-targets|target-form|template-names)[.]ts",
    "model/(annotation-keys|annotation-slips|object-annotations|transfer-request)[.]ts",
    // Flags of external-dns.
    "model/(addresses|aws-alias-zones|external-dns-rules|source-rules)[.]ts",
    "model/go-template/",
    // Kinds of this program.
    "model/(kinds|dns-annotation|dns-class|imports|record-attributes)[.]ts",
  ],
  provider: [
    // Text, certificates, tokens and clients of the vendors: libraries have them.
    "model/(fingerprint|addresses|printable)[.]ts",
    // A table of one vendor.
    "model/aws-alias-zones[.]ts",
    "providers/shared/(clients|cut-text|named-fields|token-http|renewed-token)[.]ts",
    // What BatchSession and CallSession do for a session, which may do it itself, and a BatchSession
    // of records with ids.
    "providers/shared/(vendor|record)-session[.]ts",
  ],
};
const exported = (entry) =>
  [
    ...readFileSync(new URL(`src/app/library/${entry}.ts`, import.meta.url), "utf8").matchAll(
      /from "[.]{2}[/][.]{2}[/]([^"]+)"/g,
    ),
  ].map(([, path]) => path.replaceAll(".", "[.]"));
const livesByExports = Object.entries(ownImports).map(([entry, more]) =>
  rule(
    `${entry}s-live-by-exports`,
    `${entry}s import what zonekeeper/${entry} exports (src/app/library/${entry}.ts), as those of others do`,
    { path: `^src/${entry}s/(?!shared/)([^/]+)/`, pathNot: test },
    { path: "^src/", pathNot: `^src/(${entry}s/$1/|${[...exported(entry), ...more].join("|")})` },
  ),
);

export default {
  forbidden: [
    ...layers,
    ...ofPackages,
    ...floors,
    ...strangers,
    ...livesByExports,
    rule(
      "client-and-control-plane-are-strangers",
      "a client of its own server would share its errors",
      { path: "^packages/kube/src/control-plane/", pathNot: test },
      { path: "^packages/kube/src/client/" },
    ),
    rule(
      "packages-by-name",
      "the program imports packages by their name, as a stranger does",
      { path: "^(src|test|tools|bench)/" },
      { path: "^packages/", dependencyTypesNot: ["aliased-workspace"] },
    ),
    rule(
      "pure-no-node",
      "pure folders do no I/O",
      { path: pure, pathNot: test },
      { dependencyTypes: ["core"] },
    ),
    rule(
      "pure-no-npm",
      "pure folders use types only from packages",
      { path: `${pure}|^src/(ports|ownership)/|^packages/(base|dns)/`, pathNot: test },
      { path: "node_modules", dependencyTypesNot: ["type-only", "core"] },
    ),
    rule(
      "only-app-does-io",
      "real sockets, files, clocks and random numbers are made in app; elsewhere they are ports",
      { path: "^(src|packages)/", pathNot: `^src/app/|${test}` },
      { dependencyTypes: ["core"] },
    ),
    rule(
      "page-imports",
      "the page shows documents: of the program it takes their types, the words of the command line and values",
      { path: "^page/", pathNot: test },
      {
        path: "^(src|packages)/",
        pathNot:
          "^(src/app/(commands/(ask/(texts/|in-cluster/pod-way)|process/typed-commands)|ports/real-clock)|src/model/|src/plan/|packages/(base|dns)/|packages/kube/src/client/requests/)",
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "page-is-no-part",
      "the page is a program of its own, in a browser",
      { path: "^(src|packages|test|tools|bench)/" },
      { path: "^page/" },
    ),
    rule("no-circular", "a cycle means two files are one", {}, { circular: true }),
    rule(
      "no-import-of-tests",
      "what tests share lives in test/support",
      { path: "^(src|packages)/", pathNot: test },
      { path: `^test/|${test}` },
    ),
    rule(
      "no-dev-dependency",
      "breaks a production install",
      { path: "^(src|packages)/", pathNot: test },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "own-dependencies",
      "a package that its package.json does not name is not there when it is installed alone",
      { path: "^packages/", pathNot: test },
      { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    ),
    rule("no-unresolved", "declare it in package.json", {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      // Milliseconds; nothing changes while it runs.
      cachedInputFileSystem: { cacheDuration: 600_000 },
    },
  },
};
