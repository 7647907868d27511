/**
 * A plug-in module of tests, as text of plain JavaScript that needs nothing installed: a source of
 * Websites and a type of DNSProviders, each of which breaks as the object or its settings say.
 */

/** The kind of its source, for `kubectl apply`. */
export const WEBSITES = JSON.stringify({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "websites.acme.example.org" },
  spec: {
    group: "acme.example.org",
    names: { kind: "Website", plural: "websites" },
    scope: "Namespaced",
    versions: [
      {
        ...{ name: "v1", served: true, storage: true, subresources: { status: {} } },
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    ],
  },
});

/**
 * A Website; `how`: `throws`, `garbage`, `promises`, `loops`, or `also` (with the addresses of
 * --acme-also); default: it works.
 */
export function website(name: string, host: string, address: string, how = "works"): string {
  return JSON.stringify({
    ...{ apiVersion: "acme.example.org/v1", kind: "Website" },
    ...{ metadata: { name, namespace: "default" }, spec: { host, address, how } },
  });
}

/** As a loop that never ends, for whoever waits, but for the CPU: one test has a real one. */
export const LOOP = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";

/** The module; its provider `acme-dns` breaks as `how` of `providerConfig` says. */
export const BROKEN_PLUGIN = `
const answers = {
  works: (object, view) => {
    const { host, address } = object.spec;
    const { namespace, name } = object.metadata;
    const item = {
      name: host, type: "A", setIdentifier: null, ttlSeconds: null, values: [address],
      properties: {}, routingPolicy: null, owner: null, createdAtMs: 0,
      provenance: { cluster: view.clusterId, kind: "website", namespace, name },
    };
    return { items: [item], waiting: [], problems: [], complete: true };
  },
  also: (object, view, options) => {
    const { items, ...found } = answers.works(object, view);
    const values = [object.spec.address, ...options["acme-also"]].sort();
    return { ...found, items: items.map((item) => ({ ...item, values })) };
  },
  throws: () => { throw new Error("no luck"); },
  garbage: () => ({ items: [{ name: "WWW." }], waiting: [], problems: [], complete: true }),
  promises: async () => ({ items: [], waiting: [], problems: [], complete: true }),
  loops: () => { for (;;); },
};
const assertions = { absent: "implied", exact: "implied" };
const capabilities = {
  types: new Set(["A", "TXT"]), atomicity: "zone", cnameConflicts: "refused",
  preconditions: { written: assertions, others: assertions }, batch: { groupsMax: 10 },
  ttl: { minSeconds: 0, maxSeconds: 86400 },
  rate: null,
};
const zones = {
  throws: async () => { throw new Error("no luck"); },
  garbage: async () => [{ id: 7 }],
  never: () => new Promise(() => undefined),
  loops: () => { ${LOOP} },
};
const session = (how) => ({
  capabilities, zones: zones[how], records: zones[how], audit: () => [],
  normalize: (set) => set, apply: async function* () {}, close: () => undefined,
});
export const plugin = {
  api: 1,
  name: "acme",
  callTimeoutMs: 1000,
  options: [
    { name: "acme-also", type: "list", doc: "Further addresses of each Website." },
    { name: "acme-wait", type: "duration", doc: "How long it waits.", default: "5s" },
  ],
  sources: [{
    name: "website-dns",
    primary: {
      group: "acme.example.org", version: "v1", kind: "Website", plural: "websites",
      namespaced: true,
    },
    secondary: [], isDefault: true, inDev: true, publishes: "direct", writesStatus: true,
    doc: "the host of each Website",
    open: ({ pluginOptions }) => ({
      endpoints: (object, view) => answers[object.spec.how](object, view, pluginOptions),
    }),
  }],
  providers: [{
    type: "acme-dns",
    open: ({ config }) => {
      if (config.how === "opens") throw new Error("no luck");
      return { ok: true, value: config.how === "empty" ? {} : session(config.how) };
    },
  }],
};
`;
