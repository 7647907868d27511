// The import rules of docs/architecture.md, "Layers". A rule that fails means the code is in the wrong folder;
// growing an exemption needs an ADR.
export const may = {
  model: [],
  ports: ["model"],
  config: ["model"],
  wire: ["model"],
  plan: ["model"],
  ownership: ["model", "ports", "plan"],
  sources: ["model", "ports"],
  inbound: ["model", "ports"],
  timing: ["model", "ports"],
  cluster: ["model", "ports", "config", "timing"],
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
    "sync",
    "controllers",
    "gardener",
    "sources/source[.]ts",
  ],
  embedded: ["model", "ports", "wire"],
};
const pure = "^src/(model|plan|sources|inbound)/";
const test = "[.]test[.]ts$";
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
const layers = Object.entries(may).map(([folder, to]) =>
  rule(
    `${folder}-imports`,
    `src/${folder} may import only: ${to.join(", ") || "itself"}`,
    { path: `^src/${folder}/`, pathNot: test },
    {
      path: "^src/",
      pathNot: `^src/(${[`${folder}/`, ...to.map((t) => (t.includes("[.]") ? t : `${t}/`))].join("|")})`,
    },
  ),
);
// The rooms of a folder, lowest first: each may import itself and those before it.
export const rooms = {
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
  cluster: ["requests", "access", "queue", "watch", "write", "preview", "state", "lease"],
  controllers: ["objects", "accounts", "zone-choice", "publication"],
  gardener: ["dns-provider", "dns-entry"],
  app: ["ports", "compose", "api", "commands", "cli"],
  "app/commands": ["process", "run", "dev", "check", "ask"],
  "embedded/control-plane": [
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
};
const floors = Object.entries(rooms).flatMap(([folder, names]) =>
  names.map((name, index) =>
    rule(
      `${folder}-${name}-is-below`,
      `src/${folder}/${name} may import only: ${names.slice(0, index).join(", ") || "itself"}`,
      { path: `^src/${folder}/${name}/`, pathNot: test },
      {
        path: `^src/${folder}/`,
        pathNot: `^src/${folder}/(${names.slice(0, index + 1).join("|")})/`,
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

export default {
  forbidden: [
    ...layers,
    ...floors,
    ...strangers,
    rule(
      "pure-no-node",
      "pure folders do no I/O",
      { path: pure, pathNot: test },
      { dependencyTypes: ["core"] },
    ),
    rule(
      "pure-no-npm",
      "pure folders use types only from packages",
      { path: `${pure}|^src/(ports|timing|wire|ownership)/`, pathNot: test },
      { path: "node_modules", dependencyTypesNot: ["type-only", "core"] },
    ),
    rule(
      "only-app-does-io",
      "real sockets, files, clocks and random numbers are made in app; elsewhere they are ports",
      { path: "^src/", pathNot: `^src/app/|${test}` },
      { dependencyTypes: ["core"] },
    ),
    rule("no-circular", "a cycle means two files are one", {}, { circular: true }),
    rule(
      "no-import-of-tests",
      "what tests share lives in test/support",
      { path: "^src/", pathNot: test },
      { path: `^test/|${test}` },
    ),
    rule(
      "no-dev-dependency",
      "breaks a production install",
      { path: "^src/", pathNot: test },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    ),
    rule("no-unresolved", "declare it in package.json", {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
};
