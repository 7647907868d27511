/** `--target-namespace` is changed between two starts: what is there stays until a person acts. */
import { SECRET, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { NAMES_ANNOTATION } from "../../model/annotation-keys.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

const NAME = "web.example.org";

const within = (namespace: string, object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace },
});

function world() {
  const { cluster, clock, values, start } = programWorld();
  for (const namespace of ["dns", "dns2"]) {
    cluster.apply(SECRET, within(namespace, objectOf("v1", "Secret", "s", {})));
    const spec = { type: "memory", secretRef: { name: "s" } };
    const provider = objectOf("dns.gardener.cloud/v1alpha1", "DNSProvider", "p", { spec });
    cluster.apply(DNS_PROVIDER, within(namespace, provider));
  }
  const service = (ip: string) => {
    const metadata = { annotations: { [NAMES_ANNOTATION]: NAME } };
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", "web", { metadata, spec }));
    cluster.setStatus(SERVICE, "default", "web", { loadBalancer: { ingress: [{ ip }] } });
  };
  const run = (targetNamespace: string | null) =>
    start(undefined, { publish: { targetNamespace }, runs: ["compound", "service-dns"] });
  const deleteEntries = async () => {
    for (const { metadata } of cluster.all(DNS_ENTRY)) {
      const { namespace = "", name } = metadata;
      await cluster.remove({ kind: DNS_ENTRY, namespace, name }, {});
    }
  };
  const namespaces = () => cluster.all(DNS_ENTRY).map(({ metadata }) => metadata.namespace);
  const references = () => cluster.all(DNS_ENTRY).map((entry) => entry.metadata.ownerReferences);
  const answer = () => values(NAME).join(" ");
  return { cluster, clock, service, run, deleteEntries, namespaces, references, answer };
}

test.each([
  ["dns", "dns2"],
  ["dns", null],
  [null, "dns"],
])(
  "from %s to %s: DNSEntries that are deleted are made anew there, without a gap",
  async (from, to) => {
    const { cluster, clock, service, run, deleteEntries, namespaces, references, answer } = world();
    const before = run(from);
    service("192.0.2.9");
    await clock.advance(60_000);
    await before.stop();
    const after = run(to);
    await clock.advance(60_000);
    expect([answer(), namespaces()]).toEqual(["192.0.2.9", [from ?? "default"]]);
    // The garbage collector deletes objects with references to other namespaces.
    if (from !== null) expect(references()).toEqual([undefined]);
    await deleteEntries();
    for (let tenths = 0; tenths < 100; tenths += 1) {
      await clock.advance(100);
      expect(answer()).toBe("192.0.2.9");
    }
    service("192.0.2.10");
    await clock.advance(60_000);
    expect([answer(), namespaces()]).toEqual(["192.0.2.10", [to ?? "default"]]);
    cluster.delete(SERVICE, "default", "web");
    await clock.advance(60_000);
    expect([answer(), namespaces()]).toEqual(["", []]);
    await after.stop();
  },
);
