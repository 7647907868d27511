import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { GardenerWorld } from "../../../test/support/worlds/gardener-world.ts";
import { DNS_ANNOTATION, DNS_ENTRY } from "../../model/kinds.ts";

async function started(): Promise<GardenerWorld> {
  const world = new GardenerWorld();
  world.start();
  await world.withProvider();
  return world;
}

async function published(): Promise<GardenerWorld> {
  const world = await started();
  world.service("web", "www.example.org");
  await world.pass();
  expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.1"]);
  return world;
}

const entries = (world: GardenerWorld): readonly KubeObject[] => world.cluster.all(DNS_ENTRY);
const names = (world: GardenerWorld): readonly unknown[] =>
  entries(world).map((entry) => fieldsOf(entry["spec"])["dnsName"]);
const events = (world: GardenerWorld): readonly string[] =>
  world.cluster.events
    .filter((event) => event.note.reason === "dns-annotation")
    .map((event) => `${event.object} ${event.note.type} ${event.note.message} x${event.count}`);

describe("a service's life", () => {
  test("one entry for each name, linked to the service", async () => {
    const world = await started();
    world.service("web", "a.example.org,b.example.org");
    await world.pass();
    const [first] = entries(world);
    expect(first?.metadata.name).toMatch(/^web-service-[0-9a-v]{10}$/);
    expect(first?.metadata.ownerReferences).toEqual([
      { apiVersion: "v1", kind: "Service", name: "web", uid: expect.any(String), controller: true },
    ]);
    expect([...names(world)].sort()).toEqual(["a.example.org", "b.example.org"]);
    expect(world.zone()).toEqual([
      "a.example.org 300 A 192.0.2.1",
      "b.example.org 300 A 192.0.2.1",
    ]);
  });

  test("Events tell the service, each once", async () => {
    const world = await published();
    const name = entries(world)[0]?.metadata.name;
    await world.pass(600_000);
    expect(events(world)).toEqual([
      `service/default/web Normal www.example.org: created dns entry object default/${name} x1`,
      "service/default/web Normal www.example.org: dns entry active x1",
    ]);
  });

  test("a new address, a new name, no name", async () => {
    const world = await published();
    world.service("web", "www.example.org", "192.0.2.2");
    await world.pass();
    expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.2"]);
    world.service("web", "new.example.org", "192.0.2.2");
    await world.pass();
    expect(world.zone()).toEqual(["new.example.org 300 A 192.0.2.2"]);
    world.service("web", "", "192.0.2.2");
    await world.pass();
    expect([world.zone(), entries(world)]).toEqual([[], []]);
  });

  test("deleting the service takes entry and record along", async () => {
    const world = await published();
    world.cluster.delete(SERVICE, "default", "web");
    await world.pass();
    expect([world.zone(), entries(world)]).toEqual([[], []]);
  });

  test("no LoadBalancer any more is intent", async () => {
    const world = await published();
    await world.cluster.patch(
      { kind: SERVICE, namespace: "default", name: "web" },
      { spec: { type: "ClusterIP" } },
    );
    await world.pass();
    expect([world.zone(), entries(world)]).toEqual([[], []]);
  });

  test("a restart writes nothing and says nothing", async () => {
    const world = await published();
    await world.crash();
    const [writes, recorded] = [world.cluster.writes.length, events(world)];
    world.start();
    await world.pass();
    expect(world.cluster.writes.slice(writes)).toEqual([]);
    expect(events(world)).toEqual(recorded);
  });
});

describe("Z-1, Z-4: not knowing keeps the entry", () => {
  test.each([
    ["a lost status", "www.example.org", null],
    ["a garbage status", "www.example.org", "banana banana"],
    ["a bad name beside", "bad..example.org", "192.0.2.1"],
  ])("%s", async (_, annotation, address) => {
    const world = await published();
    const before = entries(world)[0]?.["spec"];
    world.service("web", annotation, address);
    await world.pass();
    expect(entries(world)[0]?.["spec"]).toEqual(before);
    expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.1"]);
  });

  test("a service that is missing from a broken or forbidden watch is not gone", async () => {
    const world = await published();
    world.cluster.breakWatch(SERVICE);
    world.cluster.setKindState(SERVICE, "forbidden");
    await world.pass();
    world.cluster.setKindState(SERVICE, "absent");
    await world.pass();
    expect(names(world)).toEqual(["www.example.org"]);
  });

  test("bad annotations become Warnings with the remedy", async () => {
    const world = await started();
    world.service("web", "ok.example.org,bad..example.org");
    await world.pass();
    expect(world.zone()).toEqual(["ok.example.org 300 A 192.0.2.1"]);
    expect(events(world).filter((text) => text.includes("Warning"))).toEqual([
      'service/default/web Warning "bad..example.org": not a DNS name: the name has an empty label (two dots in a row, or a leading dot) (metadata.annotations[dns.gardener.cloud/dnsnames]) x1',
    ]);
  });
});

describe("F05, F06: crashes and lost answers make no twins", () => {
  test("the answer of a create is lost", async () => {
    const world = await started();
    world.cluster.breakWatch(DNS_ENTRY);
    world.cluster.relist(DNS_ENTRY);
    world.cluster.fail({ on: "create", code: "UnknownOutcome", applied: true });
    world.service("web", "www.example.org");
    await world.pass(10_000);
    expect(names(world)).toEqual(["www.example.org"]);
    expect(world.shown(entries(world)[0]?.metadata.name ?? "")).toBe("Ready: dns entry active");
  });

  test("the watch has not shown the entry yet", async () => {
    const world = await published();
    const blind = world.cluster;
    const name = entries(world)[0]?.metadata.name ?? "";
    blind.breakWatch(DNS_ENTRY);
    world.service("web", "www.example.org", "192.0.2.2");
    await world.pass(10_000);
    blind.relist(DNS_ENTRY);
    await world.pass();
    expect(entries(world).map((entry) => entry.metadata.name)).toEqual([name]);
    expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.2"]);
  });

  test("one entry that cannot be written does not stop the others", async () => {
    const world = await started();
    world.cluster.fail({ on: "create", code: "Invalid", applied: false });
    world.service("web", "a.example.org,b.example.org");
    await world.pass(1_000);
    expect(names(world)).toHaveLength(2);
    const called = (name: string): string =>
      `default/${entries(world).find((e) => fieldsOf(e["spec"])["dnsName"] === name)?.metadata.name}`;
    expect(world.cluster.writes.filter((write) => write.startsWith("create dnse"))).toEqual(
      ["b.example.org", "a.example.org"].map(
        (n) => `create dnsentries.dns.gardener.cloud ${called(n)}`,
      ),
    );
  });

  test("twins that came from elsewhere are cleaned up, strangers are not touched", async () => {
    const world = await published();
    const [entry] = entries(world);
    if (entry === undefined) throw new Error("no entry");
    const { ownerReferences, labels } = entry.metadata;
    const second = {
      name: "web-service-0123456789",
      namespace: "default",
      ...{ labels },
      ...(ownerReferences && { ownerReferences }),
    };
    world.cluster.apply(DNS_ENTRY, { ...entry, metadata: second });
    world.entry("stranger", { dnsName: "other.example.org", targets: ["192.0.2.9"] });
    await world.pass();
    expect(
      entries(world)
        .map((e) => e.metadata.name)
        .sort(),
    ).toEqual(["stranger", entry.metadata.name]);
  });

  test("a service that is deleted and made again ends with one entry and its record", async () => {
    const world = await published();
    world.cluster.delete(SERVICE, "default", "web");
    world.service("web", "www.example.org", "192.0.2.3");
    await world.pass(10_000);
    expect(names(world)).toEqual(["www.example.org"]);
    expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.3"]);
  });

  test("an entry object of a stranger that has our name is left alone, and the service is told", async () => {
    const world = await published();
    const name = entries(world)[0]?.metadata.name ?? "";
    world.service("web", "", "192.0.2.1");
    await world.pass();
    world.entry(name, { dnsName: "other.example.org", targets: ["192.0.2.9"] });
    world.service("web", "www.example.org");
    await world.pass(10_000);
    expect(names(world)).toEqual(["other.example.org"]);
    expect(events(world).at(-1)).toBe(
      `service/default/web Warning www.example.org: the dns entry object default/${name} exists and belongs to another object; rename or delete it x1`,
    );
  });

  test("entries whose service vanished while we were down go", async () => {
    const world = await published();
    await world.crash();
    const [entry] = entries(world);
    await world.cluster.patch(
      { kind: DNS_ENTRY, namespace: "default", name: entry?.metadata.name ?? "" },
      {
        metadata: {
          ownerReferences: null,
          annotations: { "resources.gardener.cloud/owners": "/Service/default/web" },
        },
      },
    );
    world.cluster.delete(SERVICE, "default", "web");
    expect(entries(world)).toHaveLength(1);
    world.start();
    await world.pass();
    expect([entries(world), world.zone()]).toEqual([[], []]);
  });
});

describe("an old view removes no entry (two processes for a while, or an API server that lags)", () => {
  /** Another process has seen more of the source and made the entry of a second name. */
  function otherMakes(world: GardenerWorld, dnsName: string): void {
    const [first] = entries(world);
    if (first?.metadata.ownerReferences === undefined) throw new Error("no entry");
    const { ownerReferences, labels, namespace = "" } = first.metadata;
    world.cluster.apply(DNS_ENTRY, {
      ...first,
      metadata: { name: "web-service-0123456789", namespace, ownerReferences, labels },
      spec: { dnsName, targets: ["192.0.2.1"] },
    });
  }

  test("F13 seed 4: the entry is seen before the change of the source that it was made for", async () => {
    const world = await published();
    world.cluster.holdWatch(SERVICE);
    world.service("web", "www.example.org,api.example.org");
    otherMakes(world, "api.example.org");
    await world.pass(10_000);
    const wanted = ["api.example.org", "www.example.org"];
    expect([...names(world)].sort()).toEqual(wanted);
    world.cluster.relist(SERVICE);
    await world.pass(10_000);
    expect([...names(world)].sort()).toEqual(wanted);
    expect(world.zone()).toHaveLength(2);
  });

  test("what the new view does not want either goes without a further event", async () => {
    const world = await published();
    world.cluster.holdWatch(SERVICE);
    world.service("web", "www.example.org", "192.0.2.2");
    otherMakes(world, "api.example.org");
    await world.pass(10_000);
    expect(names(world)).toContain("api.example.org");
    world.cluster.relist(SERVICE);
    await world.pass(10_000);
    expect(names(world)).toEqual(["www.example.org"]);
  });

  test("an entry that was changed since stays until the change is seen, and nothing fails", async () => {
    const world = await published();
    const [entry] = entries(world);
    world.cluster.holdWatch(DNS_ENTRY);
    await world.cluster.patch(
      { kind: DNS_ENTRY, namespace: "default", name: entry?.metadata.name ?? "" },
      { metadata: { labels: { changed: "yes" } } },
    );
    world.service("web", "");
    await world.pass(10_000);
    expect(names(world)).toEqual(["www.example.org"]);
    expect(world.queues.failures).toEqual([]);
    expect(events(world).filter((text) => text.includes("deleted"))).toEqual([]);
    world.cluster.relist(DNS_ENTRY);
    await world.pass(10_000);
    expect([entries(world), world.zone()]).toEqual([[], []]);
    expect(events(world).filter((text) => text.includes("deleted"))).toHaveLength(1);
  });
});

describe("Z-25: an entry is ours while it carries the signs that only we write", () => {
  const SERVICE_EVENT =
    "service/default/web Warning mine.example.org: the dns entry object default/NAME is left as it is: WHY; delete it to have one made that follows this object x1";
  const leftEvent = (name: string, why: string): string =>
    SERVICE_EVENT.replace("NAME", name).replace("WHY", why);

  /** Somebody else makes an entry that the Service is the controller of. */
  function strange(world: GardenerWorld, metadata: Partial<KubeObject["metadata"]>): void {
    const [first] = entries(world);
    if (first === undefined) throw new Error("no entry");
    const { ownerReferences = [], namespace = "" } = first.metadata;
    world.cluster.apply(DNS_ENTRY, {
      ...first,
      metadata: { name: "mine", namespace, ownerReferences, ...metadata },
      spec: { dnsName: "mine.example.org", targets: ["192.0.2.9"] },
    });
  }

  test("a stranger's entry with our ownerReference stays, and the Service is told once", async () => {
    const world = await published();
    strange(world, {});
    await world.pass(600_000);
    expect([...names(world)].sort()).toEqual(["mine.example.org", "www.example.org"]);
    expect(events(world).at(-1)).toBe(
      leftEvent("mine", "its name is not one that this program gives"),
    );
    expect(world.cluster.events.filter(({ note }) => note.message.includes("mine"))).toHaveLength(
      1,
    );
  });

  test("it stays when the Service goes, and is told itself", async () => {
    const world = await published();
    const annotations = { "resources.gardener.cloud/owners": "/Service/default/web" };
    strange(world, { ownerReferences: [], annotations });
    world.cluster.delete(SERVICE, "default", "web");
    await world.pass(10_000);
    expect(names(world)).toEqual(["mine.example.org"]);
    expect(events(world).at(-1)).toMatch(
      /^dnsentry\/default\/mine Warning .*: its name is not .*: delete it if it is not needed x1$/,
    );
  });

  test.each<[string, string, Partial<KubeObject["metadata"]>]>([
    ["without our label", "its label zonekeeper.dev/source is missing or names another object", {}],
    [
      "with the label of another object",
      "its label zonekeeper.dev/source is missing or names another object",
      { labels: { "zonekeeper.dev/source": "service-1" }, specManagers: ["zonekeeper"] },
    ],
    [
      "whose spec somebody has written",
      "kubectl-edit has written its spec",
      { specManagers: ["zonekeeper", "kubectl-edit"] },
    ],
  ])("an entry with a name like ours, %s", async (_, why, metadata) => {
    const world = await published();
    strange(world, { name: "web-service-0123456789", ...metadata });
    await world.pass(10_000);
    expect([...names(world)].sort()).toEqual(["mine.example.org", "www.example.org"]);
    expect(events(world).at(-1)).toBe(leftEvent("web-service-0123456789", why));
  });

  test("an entry of an earlier version is ours while its managers show only us", async () => {
    const world = await published();
    strange(world, { name: "web-service-0123456789", specManagers: ["zonekeeper"] });
    await world.pass(10_000);
    expect(names(world)).toEqual(["www.example.org"]);
  });

  /** As a backup has it: without ownerReferences and finalizers, all written by one program. */
  function restored(world: GardenerWorld, metadata: Partial<KubeObject["metadata"]> = {}): void {
    const [entry] = entries(world);
    if (entry === undefined) throw new Error("no entry");
    const { labels, annotations, name, namespace = "" } = entry.metadata;
    const kept = {
      name,
      namespace,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    };
    world.cluster.apply(DNS_ENTRY, {
      ...{ apiVersion: entry.apiVersion, kind: entry.kind, spec: entry["spec"] },
      metadata: {
        ...{ ...kept, ownerReferences: [], finalizers: [] },
        ...{ specManagers: ["velero-server"], ...metadata },
      },
    });
  }

  test("an entry out of a backup follows its Service again, and goes with it", async () => {
    const world = await published();
    restored(world);
    world.service("web", "www.example.org", "192.0.2.8");
    await world.pass(10_000);
    expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.8"]);
    expect(entries(world)[0]?.metadata.ownerReferences).toMatchObject([{ name: "web" }]);
    world.service("web", "www.example.org", "192.0.2.9");
    await world.pass(10_000);
    expect(world.zone(), "also the second time").toEqual(["www.example.org 300 A 192.0.2.9"]);
    world.cluster.delete(SERVICE, "default", "web");
    await world.pass(10_000);
    expect([names(world), world.zone()]).toEqual([[], []]);
  });

  test.each<[string, Partial<KubeObject["metadata"]>]>([
    ["the label of another object", { labels: { "zonekeeper.dev/source": "service-1" } }],
    ["no label", { labels: {} }],
    ["an editor beside us", { specManagers: ["zonekeeper", "kubectl-edit"] }],
  ])("one with our name and %s stays as it is", async (_, metadata) => {
    const world = await published();
    restored(world, metadata);
    world.service("web", "www.example.org", "192.0.2.8");
    await world.pass(10_000);
    expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.1"]);
    world.cluster.delete(SERVICE, "default", "web");
    await world.pass(10_000);
    expect(names(world)).toEqual(["www.example.org"]);
  });

  test("an edited entry is not changed back, and is made again once it is deleted", async () => {
    const world = await published();
    const [entry] = entries(world);
    if (entry === undefined) throw new Error("no entry");
    const { status: _, ...edited } = entry;
    world.cluster.apply(DNS_ENTRY, {
      ...edited,
      metadata: { ...entry.metadata, specManagers: ["zonekeeper", "kubectl-edit"] },
      spec: { dnsName: "www.example.org", targets: ["192.0.2.7"] },
    });
    await world.pass(10_000);
    world.service("web", "www.example.org", "192.0.2.8");
    await world.pass(10_000);
    expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.7"]);
    world.cluster.delete(DNS_ENTRY, "default", entry.metadata.name);
    await world.pass(10_000);
    expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.8"]);
  });
});

test("a namespace that the target cluster lacks is named in an Event, and the entry comes with it", async () => {
  const world = await started();
  world.cluster.fail({ on: "create", kind: DNS_ENTRY, code: "NotFound", applied: false });
  world.service("web", "www.example.org", "192.0.2.1");
  await world.pass(5_000);
  expect(entries(world)).toEqual([]);
  const notes = world.cluster.events.map(({ note }) => note.message);
  expect(notes.filter((one) => one.includes("there is no namespace default"))).toHaveLength(1);
  await world.pass(10_000);
  expect(entries(world)).toHaveLength(1);
});

describe("Z-2: an entry goes only if the DNSAnnotations as the API has them want it no more", () => {
  const annotate = (world: GardenerWorld, dnsName: string): void => {
    world.cluster.apply(DNS_ANNOTATION, {
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSAnnotation",
      metadata: { namespace: "default", name: "web" },
      spec: {
        resourceRef: { apiVersion: "v1", kind: "Service", name: "web" },
        annotations: { "dns.gardener.cloud/dnsnames": dnsName },
      },
    });
  };

  test("one that came back unseen keeps its entry; a deletion that is seen late takes it", async () => {
    const world = await started();
    world.service("web", "");
    annotate(world, "www.example.org");
    await world.pass();
    expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.1"]);
    world.cluster.delete(DNS_ANNOTATION, "default", "web");
    world.cluster.holdWatch(DNS_ANNOTATION);
    annotate(world, "www.example.org");
    await world.pass(60_000);
    expect(names(world)).toEqual(["www.example.org"]);
    world.cluster.delete(DNS_ANNOTATION, "default", "web");
    await world.pass(60_000);
    expect([names(world), world.zone()]).toEqual([[], []]);
  });
});
