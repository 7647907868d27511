/** Two `dnsentry-source` that copy into what the other one copies: no copy of a copy returns. */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { COPIED_FROM_ANNOTATION } from "../../model/annotation-keys.ts";
import { CLASS_ANNOTATION, classOf, type DnsClasses } from "../../model/dns-class.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const SPEC = { dnsName: "web.example.org", targets: ["192.0.2.1"] };
/** Nobody publishes: as `--dns-class` of a class that no object has. */
const UNSERVED: DnsClasses = ["nobody"];

function world(controllers: readonly string[] = ["dnsentry-source"]) {
  const made = programWorld({ controllers });
  const second = new MemoryCluster("c2", () => made.clock.nowMs());
  const third = new MemoryCluster("c3", () => made.clock.nowMs());
  const entry = (dnsClass: string, cluster = made.cluster) => {
    const metadata = { annotations: { [CLASS_ANNOTATION]: dnsClass } };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "web", { metadata, spec: SPEC }));
  };
  const copying = (from: string, to: string) =>
    made.start(null, { dnsClasses: UNSERVED, sourceClasses: [from], targetClass: to });
  const between = (source: MemoryCluster, target: MemoryCluster, dnsClasses = UNSERVED) =>
    made.start(null, { source, target, sourceClasses: ["x"], targetClass: "x", dnsClasses });
  const rest = () => made.clock.advance(60_000);
  return { ...made, second, third, entry, copying, between, rest };
}

function entriesOf(cluster: MemoryCluster): readonly KubeObject[] {
  const list = cluster.list(DNS_ENTRY);
  return list.state === "value" ? list.value : [];
}

const chainOf = (entry: KubeObject | undefined) =>
  entry?.metadata.annotations?.[COPIED_FROM_ANNOTATION];
const messageOf = (entry: KubeObject | undefined) => fieldsOf(entry?.["status"])["message"];
const stopAll = async (running: readonly { stop(): Promise<void> }[]) => {
  for (const one of running) await one.stop();
};

const REFUSED =
  "not copied from c1/y to c1/x: it is a copy that comes from there; give the process that copies from c1/y another --source-dns-class, --dns-target-class or --target, or stop its dnsentry-source";

describe("within one cluster", () => {
  test("x to y and y to x: one copy, and it says why it is not copied", async () => {
    const { cluster, entry, copying, rest } = world();
    const running = [copying("x", "y"), copying("y", "x")];
    entry("x");
    await rest();
    expect(entriesOf(cluster).map(classOf).toSorted()).toEqual(["x", "y"]);
    const copy = entriesOf(cluster).find((one) => classOf(one) === "y");
    expect(chainOf(copy)).toBe("c1/x");
    expect(fieldsOf(copy?.["status"])).toMatchObject({ state: "Invalid", message: REFUSED });
    const about = cluster.events.filter(({ object }) => object.endsWith(copy?.metadata.name ?? ""));
    expect(about.map(({ note }) => [note.type, note.message])).toEqual([
      ["Warning", expect.stringContaining(REFUSED)],
    ]);
    // Its original hears it, too.
    expect(messageOf(cluster.now(DNS_ENTRY, "default", "web") ?? undefined)).toBe(REFUSED);
    const writes = cluster.writes.length;
    await rest();
    expect(cluster.writes).toHaveLength(writes);
    await stopAll(running);
  });

  test("a ring of three ends where it began", async () => {
    const { cluster, entry, copying, rest } = world();
    const running = [copying("x", "y"), copying("y", "z"), copying("z", "x")];
    entry("x");
    await rest();
    expect(entriesOf(cluster).map(chainOf).toSorted()).toEqual(["c1/x", "c1/x,c1/y", undefined]);
    await stopAll(running);
  });

  test("a chain of three is published at its end, and goes with its first entry", async () => {
    const { cluster, entry, copying, start, values, rest } = world(["compound", "dnsentry-source"]);
    const copies = { sourceClasses: ["y"], targetClass: "gardendns" } as const;
    const running = [copying("x", "y"), start(null, copies)];
    entry("x");
    await rest();
    expect(values("web.example.org")).toEqual(["192.0.2.1"]);
    expect(messageOf(cluster.now(DNS_ENTRY, "default", "web") ?? undefined)).toBe(
      "dns entry active",
    );
    cluster.delete(DNS_ENTRY, "default", "web");
    await rest();
    expect([entriesOf(cluster), values("web.example.org")]).toEqual([[], []]);
    await stopAll(running);
  });

  test("a copy that another program made, without the annotation, does not return", async () => {
    const { cluster, entry, copying, rest } = world();
    entry("x");
    const uid = cluster.now(DNS_ENTRY, "default", "web")?.metadata.uid;
    const owner = { apiVersion: API, kind: "DNSEntry", name: "web", uid, controller: true };
    const annotations = { [CLASS_ANNOTATION]: "y" };
    const metadata = { annotations, ownerReferences: [owner] };
    cluster.apply(
      DNS_ENTRY,
      objectOf(API, "DNSEntry", "web-dnsentry-ab12", { metadata, spec: SPEC }),
    );
    const running = copying("y", "x");
    await rest();
    expect(entriesOf(cluster)).toHaveLength(2);
    expect(messageOf(cluster.now(DNS_ENTRY, "default", "web-dnsentry-ab12") ?? undefined)).toBe(
      REFUSED,
    );
    await running.stop();
  });

  test("copies of an earlier version get the annotation, and the loop ends", async () => {
    const { cluster, entry, copying, rest } = world();
    entry("x");
    const first = copying("x", "y");
    await rest();
    await first.stop();
    const copy = entriesOf(cluster).find((one) => classOf(one) === "y");
    const { [COPIED_FROM_ANNOTATION]: _, ...annotations } = copy?.metadata.annotations ?? {};
    if (copy !== undefined)
      await cluster.patch(
        { kind: DNS_ENTRY, namespace: "default", name: copy.metadata.name },
        { metadata: { annotations: { ...annotations, [COPIED_FROM_ANNOTATION]: null } } },
      );
    const running = [copying("y", "x"), copying("x", "y")];
    await rest();
    const count = entriesOf(cluster).length;
    expect(count).toBeLessThan(6);
    await rest();
    expect(entriesOf(cluster)).toHaveLength(count);
    expect(chainOf(entriesOf(cluster).find((one) => classOf(one) === "y"))).toBe("c1/x");
    await stopAll(running);
  });
});

describe("between clusters", () => {
  test("A to B and B to A: one copy of each original, in the other cluster", async () => {
    const { cluster, second, entry, between, rest } = world();
    const running = [between(cluster, second), between(second, cluster)];
    entry("x");
    await rest();
    expect([entriesOf(cluster).length, entriesOf(second).length]).toEqual([1, 1]);
    expect(messageOf(entriesOf(second)[0])).toContain("not copied from c2/x to c1/x");
    await stopAll(running);
  });

  test("what is published has the status of its publisher, and no second one", async () => {
    const { cluster, second, entry, between, values, rest } = world([
      "compound",
      "dnsentry-source",
    ]);
    const running = [between(second, cluster, ["x"]), between(cluster, second)];
    entry("x", second);
    await rest();
    expect([entriesOf(cluster).length, entriesOf(second).length]).toEqual([1, 1]);
    expect(messageOf(entriesOf(second)[0])).not.toContain("not copied");
    expect(values("web.example.org")).toEqual([]);
    const writes = [cluster.writes.length, second.writes.length];
    await rest();
    expect([cluster.writes.length, second.writes.length]).toEqual(writes);
    await stopAll(running);
  });

  test("an original that is published itself has the status of its publisher alone", async () => {
    const { cluster, second, start, rest } = world();
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "web", { spec: SPEC }));
    const copies = { sourceClasses: ["gardendns"], targetClass: "gardendns" } as const;
    const running = [
      start(null, { runs: ["compound"] }),
      start(null, { target: second, dnsClasses: UNSERVED, ...copies }),
    ];
    await rest();
    const [copy] = entriesOf(second);
    const status = { state: "Error", message: "nobody serves it there" };
    const { name = "", generation } = copy?.metadata ?? {};
    second.setStatus(DNS_ENTRY, "default", name, { ...status, observedGeneration: generation });
    await rest();
    expect(messageOf(entriesOf(cluster)[0])).toBe("dns entry active");
    await stopAll(running);
  });

  test("A to B and A to C: the status is that of one copy, and is seldom written", async () => {
    const { cluster, second, third, entry, between, rest } = world();
    const running = [between(cluster, second), between(cluster, third)];
    entry("x");
    await rest();
    for (const target of [second, third]) {
      const { name = "", generation } = entriesOf(target)[0]?.metadata ?? {};
      const status = { state: "Error", message: `of ${target.clusterId}` };
      target.setStatus(DNS_ENTRY, "default", name, { ...status, observedGeneration: generation });
    }
    await rest();
    expect(messageOf(entriesOf(cluster)[0])).toMatch(/^of c[23]$/);
    const writes = cluster.writes.length;
    expect(writes).toBeLessThan(60);
    await rest();
    expect(cluster.writes.length - writes).toBeLessThan(15);
    // A copy with a new status is shown.
    const { name = "", generation } = entriesOf(third)[0]?.metadata ?? {};
    const status = { state: "Ready", message: "published", observedGeneration: generation };
    third.setStatus(DNS_ENTRY, "default", name, status);
    await stopAll(running.slice(0, 1));
    await rest();
    expect(messageOf(entriesOf(cluster)[0])).toBe("published");
    await stopAll(running);
  });

  test("A to B to C is copied on", async () => {
    const { cluster, second, third, entry, between, rest } = world();
    const running = [between(cluster, second), between(second, third)];
    entry("x");
    await rest();
    expect([second, third].map((one) => entriesOf(one).map(chainOf))).toEqual([
      ["c1/x"],
      ["c1/x,c2/x"],
    ]);
    expect(entriesOf(third)[0]?.["spec"]).toEqual(SPEC);
    await stopAll(running);
  });
});

test("a DNSEntry of a Service is copied, once", async () => {
  const { cluster, copying, start, rest } = world();
  const metadata = {
    annotations: { [CLASS_ANNOTATION]: "s", "dns.gardener.cloud/dnsnames": "web.example.org" },
  };
  const service = { metadata, spec: { type: "LoadBalancer" } };
  cluster.apply(SERVICE, objectOf("v1", "Service", "web", service));
  const loadBalancer = { ingress: [{ ip: "192.0.2.1" }] };
  cluster.setStatus(SERVICE, "default", "web", { loadBalancer });
  const generating = {
    runs: ["service-dns"],
    sourceClasses: ["s"],
    targetClass: "x",
    dnsClasses: UNSERVED,
  } as const;
  const running = [start("entries", generating), copying("x", "y"), copying("y", "x")];
  await rest();
  expect(entriesOf(cluster).map(chainOf)).toEqual([undefined, "c1/x"]);
  expect(entriesOf(cluster).map(classOf)).toEqual(["x", "y"]);
  await stopAll(running);
});
