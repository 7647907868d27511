/** Generated DNSEntries out of a backup: their record passes to their Service (ADR 0069). */
import { SECRET, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const WWW = "www.example.org";
const UID = "6a1f0c1e-0000-4000-8000-00000000000a";

function world(clusterId = "c1") {
  const made = programWorld({ clusterId });
  const { clock, cluster, values } = made;
  const rest = () => clock.advance(60_000);
  /** Null = its load balancer has no address. */
  const service = (address: string | null) => {
    const metadata = { annotations: { "dns.gardener.cloud/dnsnames": WWW } };
    const spec = { type: "LoadBalancer" };
    cluster.apply(SERVICE, objectOf("v1", "Service", "web", { metadata, spec }));
    const ingress = address === null ? [] : [{ ip: address }];
    cluster.setStatus(SERVICE, "default", "web", { loadBalancer: { ingress } });
  };
  const entries = (): readonly KubeObject[] => {
    const list = cluster.list(DNS_ENTRY, "default");
    const all = list.state === "value" ? list.value : [];
    return all.filter(({ metadata: { name } }) => name.startsWith("web-"));
  };
  /** The generated entry, once its Service and its record are gone. */
  const backup = async (): Promise<KubeObject> => {
    service("192.0.2.1");
    await rest();
    const [entry] = entries();
    if (entry === undefined) throw new Error("no entry");
    cluster.delete(SERVICE, "default", "web");
    await rest();
    expect([entries(), values(WWW)]).toEqual([[], []]);
    return entry;
  };
  /** As a backup has it: no ownerReference, no finalizer, all written by one program. */
  const restore = ({ metadata, ...entry }: KubeObject) => {
    const { name, labels = {}, annotations = {} } = metadata;
    const kept = { name, labels, annotations, specManagers: ["velero"] };
    cluster.apply(
      DNS_ENTRY,
      objectOf(API, "DNSEntry", name, { metadata: kept, spec: entry["spec"] }),
    );
  };
  /** Records that stay, so that one that goes is not all that there is. */
  for (let number = 0; number < 12; number++) {
    const spec = { dnsName: `n${number}.example.org`, targets: ["192.0.2.9"] };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", `n${number}`, { spec }));
  }
  const states = () => entries().map((entry) => fieldsOf(entry["status"])["state"]);
  const messages = () => entries().map((entry) => fieldsOf(entry["status"])["message"]);
  return { ...made, rest, service, entries, backup, restore, states, messages };
}

type World = ReturnType<typeof world>;

/** What comes back, in which order; the Service gets the address at the end. */
const ORDERS: Readonly<Record<string, (world: World, entry: KubeObject) => Promise<void>>> = {
  "the entry alone": async ({ restore, service, rest }, entry) => {
    restore(entry);
    await rest();
    service("192.0.2.2");
  },
  "the entry first": async ({ restore, service, rest }, entry) => {
    restore(entry);
    await rest();
    service(null);
    await rest();
    service("192.0.2.2");
  },
  "the Service first": async ({ restore, service, rest }, entry) => {
    service(null);
    await rest();
    restore(entry);
    await rest();
    service("192.0.2.2");
  },
  "both at once": async ({ restore, service, rest }, entry) => {
    service(null);
    restore(entry);
    await rest();
    service("192.0.2.2");
  },
};

describe.each(["c1", UID])("Z-2 an entry out of a backup has its Service again (%s)", (id) => {
  test.each(Object.keys(ORDERS))("%s: its record follows, and goes with it", async (order) => {
    const made = world(id);
    const { start, rest, service, messages, values, zone, cluster, states } = made;
    const running = start();
    await ORDERS[order]?.(made, await made.backup());
    expect(values(WWW), "published as its own").toEqual(["192.0.2.1"]);
    await rest();
    expect([values(WWW), states()]).toEqual([["192.0.2.2"], ["Ready"]]);
    expect(zone()).toContain("resource=service/default/web");
    expect(zone()).not.toContain("dnsentry/default/web-");
    service("192.0.2.3");
    await rest();
    expect(values(WWW)).toEqual(["192.0.2.3"]);
    cluster.delete(SERVICE, "default", "web");
    await rest();
    expect([values(WWW), messages()]).toEqual([[], []]);
    await running.stop();
  });

  test.each(["192.0.2.1", "192.0.2.2"])(
    "a restart in between, and the address %s: the marker names the Service",
    async (address) => {
      const made = world(id);
      const { start, rest, service, messages, values, zone, cluster, states } = made;
      let running = start();
      made.restore(await made.backup());
      await rest();
      await running.stop();
      service(address);
      running = start();
      await rest();
      expect([values(WWW), states()]).toEqual([[address], ["Ready"]]);
      expect(zone()).toContain("resource=service/default/web");
      await running.stop();
      cluster.delete(SERVICE, "default", "web");
      running = start();
      await rest();
      expect([values(WWW), messages()]).toEqual([[], []]);
      await running.stop();
    },
  );

  test("its Service goes before the marker names it: the record goes, too", async () => {
    const made = world(id);
    const { start, rest, service, entries, messages, values, cluster, backup, restore } = made;
    let running = start();
    restore(await backup());
    await rest();
    await running.stop();
    // Entries are linked, and nobody publishes.
    const linking = start(null, { runs: ["service-dns"] });
    service("192.0.2.2");
    await rest();
    cluster.delete(SERVICE, "default", "web");
    await rest();
    await linking.stop();
    expect(entries()[0]?.metadata.ownerReferences).toMatchObject([{ name: "web" }]);
    running = start();
    await rest();
    expect([values(WWW), messages()]).toEqual([[], []]);
    await running.stop();
  });
});

describe("Z-28 whose the name is", () => {
  /** Another namespace with an entry that is older than what is restored. */
  function others(made: World) {
    const { cluster } = made;
    const metadata = { namespace: "other" };
    cluster.apply(SECRET, objectOf("v1", "Secret", "s", { metadata }));
    const spec = { type: "memory", secretRef: { name: "s" } };
    cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p", { metadata, spec }));
    const wants = (dnsName: string, more: object = {}) =>
      cluster.apply(
        DNS_ENTRY,
        objectOf(API, "DNSEntry", "mine", {
          metadata: { ...metadata, ...more },
          spec: { dnsName, targets: ["192.0.2.66"] },
        }),
      );
    const state = () => fieldsOf(cluster.now(DNS_ENTRY, "other", "mine")?.["status"]);
    return { wants, state };
  }

  test("an older entry of another namespace does not get it while it passes to the Service", async () => {
    const made = world();
    const { start, rest, service, values, backup, restore, zone } = made;
    const { wants, state } = others(made);
    const running = start();
    const entry = await backup();
    wants("free.example.org");
    await rest();
    restore(entry);
    await rest();
    wants(WWW);
    await rest();
    expect(values(WWW)).toEqual(["192.0.2.1"]);
    service("192.0.2.2");
    await rest();
    expect(values(WWW)).toEqual(["192.0.2.2"]);
    expect(zone()).toContain("resource=service/default/web");
    expect(state()["message"]).toContain("service/default/web");
    await running.stop();
  });

  test("signs that somebody wrote by hand give no right over the record of a Service", async () => {
    const made = world();
    const { start, rest, service, values, entries, zone, cluster } = made;
    const { wants, state } = others(made);
    const running = start();
    service("192.0.2.1");
    await rest();
    const { labels = {}, ownerReferences = [] } = entries()[0]?.metadata ?? {};
    const annotations = { "resources.gardener.cloud/owners": "/Service/default/web" };
    for (const signs of [
      { labels, annotations },
      { labels, ownerReferences },
      { labels, annotations, ownerReferences },
    ]) {
      wants("free.example.org", { labels });
      await rest();
      wants(WWW, signs);
      await rest();
      expect(values(WWW)).toEqual(["192.0.2.1"]);
      expect(state()["message"]).toContain("service/default/web");
      cluster.delete(DNS_ENTRY, "other", "mine");
      await rest();
      expect(values(WWW)).toEqual(["192.0.2.1"]);
    }
    expect(zone()).toContain("resource=service/default/web");
    await running.stop();
  });
});
