/** ServiceEntries of benches, and where an API has them. */

export const DEFINITIONS_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Of the namespace; with a name, of one object. */
export function entriesPath(namespace = "default", name = ""): string {
  const all = `/apis/networking.istio.io/v1/namespaces/${namespace}/serviceentries`;
  return name === "" ? all : `${all}/${name}`;
}

/** Host of the entry `index` of a cluster. */
export function hostOf(cluster: number, index: number): string {
  return `e${index}.c${cluster}.example.org`;
}

/** An entry that is published at 192.0.2.1. */
export function publishedEntry(cluster: number, index: number): object {
  return {
    ...{ apiVersion: "networking.istio.io/v1", kind: "ServiceEntry" },
    metadata: { name: `e${index}`, annotations: { "zonekeeper.dev/publish": "true" } },
    spec: {
      ...{ hosts: [hostOf(cluster, index)], addresses: ["192.0.2.1"], resolution: "STATIC" },
      ports: [{ number: 443, name: "https", protocol: "HTTPS" }],
    },
  };
}
