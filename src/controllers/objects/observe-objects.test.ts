import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { CONFIG_MAP, NODE, POD, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { HOST, HOST_SOURCES, NODE_NAME } from "../../../test/support/sources/host-sources.ts";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { hashedName } from "../../model/provenance.ts";
import type { ClusterIdentity } from "../../ports/cluster-identity.ts";
import { openSource } from "../../sources/index.ts";
import { closedGate, omitsName, stateOf } from "../../sync/contract/object-observation.ts";
import { WatchedObjects } from "./observe-objects.ts";

const CLOCK = new VirtualClock();

function stage() {
  const [one, two] = [new MemoryCluster("c1"), new MemoryCluster("c2")];
  for (const cluster of [one, two])
    cluster.apply(SERVICE, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: `web-${cluster.clusterId}`, namespace: "default" },
    });
  const observer = new WatchedObjects(
    [
      { view: one, kind: DNS_ENTRY },
      { view: one, kind: SERVICE },
      { view: two, kind: SERVICE },
    ],
    CLOCK,
  );
  return { one, two, observer };
}

describe("objects in markers", () => {
  test.each([
    ["c1", "service/default/web-c1", "alive"],
    ["c1", "service/default/web-c2", "absent"],
    [null, "service/default/web-c2", "alive"],
    [null, "service/default/nope", "absent"],
    ["c3", "service/default/web-c1", "unknown"],
    ["c1", "ingress/default/web", "unknown"],
    ["c1", "nonsense", "unknown"],
    ["c1", "service/default/~abc", "absent"],
    ["c1", `service/default/${hashedName("web-c1")}`, "alive"],
    ["c1", `service/default/${hashedName("web-c2")}`, "absent"],
    ["c1", "dnsentry/default/x", "absent"],
  ])("%s %s is %s", (cluster, resource, answer) => {
    expect(stateOf(stage().observer.observe(cluster, resource))).toBe(answer);
  });

  test("Z-3: a kind that is not live says nothing", () => {
    const { one, two, observer } = stage();
    one.breakWatch(SERVICE);
    expect(stateOf(observer.observe("c1", "service/default/web-c1"))).toBe("unknown");
    expect(stateOf(observer.observe(null, "service/default/nope"))).toBe("unknown");
    expect(stateOf(observer.observe("c1", "service/default/~abc"))).toBe("unknown");
    two.setKindState(SERVICE, "absent");
    expect(stateOf(observer.observe("c2", "service/default/web-c2"))).toBe("unknown");
  });
});

const WWW = trustedDnsName("www.example.org");
const options = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null };
const source = openSource("service-dns", options);

describe("Z-2 originals that omit a name", () => {
  function omits(names: string | null): boolean {
    const view = new MemoryCluster("c1");
    const annotations = names === null ? {} : { "dns.gardener.cloud/dnsnames": names };
    view.apply(SERVICE, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", namespace: "default", annotations },
      spec: { type: "LoadBalancer" },
    });
    const observer = new WatchedObjects([{ view, kind: SERVICE, source }], CLOCK);
    return omitsName(observer.observe("c1", "service/default/web"), WWW);
  }

  test.each([
    ["other.example.org", true],
    [null, true],
    ["www.example.org", false],
    ["other.example.org,not a name", false],
  ])("a Service that lists %s: %s", (names, answer) => expect(omits(names)).toBe(answer));

  test("nobody knows while the kind is not live, or where no source reads it", () => {
    const { one, observer } = stage();
    expect(omitsName(observer.observe("c1", "service/default/web-c1"), WWW)).toBe(false);
    one.breakWatch(SERVICE);
    expect(omitsName(observer.observe("c1", "service/default/web-c1"), WWW)).toBe(false);
  });
});

describe("Z-2 asked now", () => {
  test.each([
    ["c1", "service/default/web-c1", "alive"],
    ["c1", "service/default/web-c2", "absent"],
    [null, "service/default/web-c2", "alive"],
    [null, "service/default/nope", "absent"],
    ["c1", "service/default/~abc", "unknown"],
    ["c3", "service/default/web-c1", "unknown"],
    ["c1", "dnsentry/default/web", "unknown"],
  ])("%s %s is %s", async (cluster, resource, state) => {
    const { one, two } = stage();
    // The caches know nothing.
    for (const view of [one, two]) view.setKindState(SERVICE, "syncing");
    const observer = new WatchedObjects(
      [
        { view: one, kind: DNS_ENTRY },
        { view: one, kind: SERVICE, reader: one },
        { view: two, kind: SERVICE, reader: two },
      ],
      CLOCK,
    );
    expect(stateOf(await observer.observeNow(cluster, resource))).toBe(state);
  });

  test("what is found says in which generation it is, and nothing of the object that was heard of where that is another one", async () => {
    const cluster = new MemoryCluster("c1");
    const entry = {
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSEntry",
      metadata: { name: "web", namespace: "default", uid: "one", generation: 7 },
    };
    cluster.apply(DNS_ENTRY, entry);
    const cached = { view: cluster, kind: DNS_ENTRY, reader: cluster };
    const asked = () =>
      new WatchedObjects([cached], CLOCK).observeNow("c1", "dnsentry/default/web");
    const { generation } = cluster.all(DNS_ENTRY)[0]?.metadata ?? {};
    expect(await asked()).toMatchObject([{ state: "alive", cluster: "c1", generation }]);
    const metadata = { ...entry.metadata, uid: "two" };
    cached.reader = { read: async () => ({ ...entry, metadata }) } as unknown as MemoryCluster;
    expect(await asked()).toMatchObject([{ state: "alive", cluster: "c1", generation: null }]);
  });

  test("an object that contributes through others is asked for the names that it lists now", async () => {
    const view = new MemoryCluster("c1");
    const apply = (names: string): void => {
      const annotations = { "dns.gardener.cloud/dnsnames": names };
      view.apply(SERVICE, {
        ...{ apiVersion: "v1", kind: "Service", spec: { type: "LoadBalancer" } },
        metadata: { name: "web", namespace: "default", annotations },
      });
    };
    const observer = new WatchedObjects([{ view, kind: SERVICE, source, reader: view }], CLOCK);
    const omits = async (): Promise<boolean> =>
      omitsName(await observer.observeNow("c1", "service/default/web"), WWW);
    apply("other.example.org");
    expect(await omits()).toBe(true);
    apply("www.example.org");
    expect(await omits()).toBe(false);
  });

  test.each([
    ["Forbidden", "KindGone"],
    ["NotFound", "KindGone"],
    ["Unavailable", "NotSynced"],
    ["TooManyRequests", "NotSynced"],
  ])("a call that ends in %s says nothing: %s", async (code, held) => {
    const { one, two } = stage();
    one.fail({ on: "read", code, applied: false });
    const observer = new WatchedObjects(
      [
        { view: one, kind: SERVICE, reader: one },
        { view: two, kind: SERVICE, reader: two },
      ],
      CLOCK,
    );
    const answer = await observer.observeNow(null, "service/default/nope");
    expect(answer.at(-1)).toMatchObject({ state: "unknown", code: held });
  });
});

/** A record whose marker names no cluster. */
const ANY = { cluster: null, listing: new Set<string>(), isMarked: () => false };

describe("the gate", () => {
  test("is open when every kind is live or proven not to exist", () => {
    const { two, observer } = stage();
    expect(closedGate(observer.kinds(), ANY)).toBeNull();
    two.setKindState(SERVICE, "absent");
    expect(closedGate(observer.kinds(), ANY)).toBeNull();
  });

  test.each(["syncing", "forbidden", "stale"] as const)("is closed while one is %s", (state) => {
    const { two, observer } = stage();
    if (state === "stale") two.breakWatch(SERVICE);
    else two.setKindState(SERVICE, state);
    expect(closedGate(observer.kinds(), ANY)?.message).toBe(
      `Removals wait until services of cluster c2 are listed and watched; now they are ${state}`,
    );
  });

  test("a kind is remembered once it was listed, also while its watch is broken", () => {
    const { two, observer } = stage();
    const remembered = () => observer.kinds().map(({ isRemembered }) => isRemembered);
    two.breakWatch(SERVICE);
    expect(remembered()).toEqual([true, true, true]);
    two.setKindState(SERVICE, "syncing");
    expect(remembered()).toEqual([true, true, false]);
  });

  test("Z-30 is closed while a cluster is not checked, or is not the one it was", () => {
    const view = new MemoryCluster("c1");
    const gateWith = (identity: ClusterIdentity) =>
      closedGate(new WatchedObjects([{ view, kind: SERVICE, identity }], CLOCK).kinds(), ANY);
    const checked = { isChecked: true, wasChecked: true, trouble: null };
    expect(gateWith(checked)).toBeNull();
    expect(gateWith({ ...checked, isChecked: false })?.code).toBe("NotSynced");
    const trouble = { message: "cluster c1 is not the one it was", hash: "1" };
    const changed = { code: "ClusterChanged", message: trouble.message };
    expect(gateWith({ ...checked, trouble })).toEqual(changed);
    const unchecked = new WatchedObjects(
      [{ view, kind: SERVICE, identity: { ...checked, isChecked: false, wasChecked: false } }],
      CLOCK,
    );
    expect(unchecked.kinds().map(({ isRemembered }) => isRemembered)).toEqual([false]);
  });

  test("tells when it may have moved", () => {
    const { one, observer } = stage();
    let reported = 0;
    const stop = observer.onGateChange(() => {
      reported += 1;
    });
    one.breakWatch(SERVICE);
    one.relist(SERVICE);
    stop();
    one.breakWatch(SERVICE);
    expect(reported).toBe(2);
  });
});

describe("secondary kinds", () => {
  const row = HOST_SOURCES["a zone source"];
  const hosts = openSource(row.name, options, [row]);
  const annotations = { [HOST]: "www.example.org", [NODE_NAME]: "n1" };
  const further = {
    apiVersion: "v1",
    kind: "ConfigMap",
    data: { for: "web", host: "a.example.org" },
  };

  function watched(state: "live" | "forbidden" = "live") {
    const cluster = new MemoryCluster("c1");
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "default" } };
    cluster.apply(POD, { ...pod, metadata: { ...pod.metadata, annotations } });
    const metadata = { name: "n1", labels: { ip: "192.0.2.1" } };
    cluster.apply(NODE, { apiVersion: "v1", kind: "Node", metadata });
    const common = { view: cluster, reader: cluster, source: hosts };
    const observer = new WatchedObjects(
      [
        { ...common, kind: POD },
        { ...common, kind: NODE, isSecondary: true },
        { ...common, kind: CONFIG_MAP, isSecondary: true },
      ],
      CLOCK,
    );
    if (state !== "live") cluster.setKindState(NODE, state);
    return { cluster, observer };
  }
  const name = trustedDnsName("a.example.org");

  test("Z-3: one that is not live gates removals, and no marker names its objects", () => {
    const { cluster, observer } = watched("forbidden");
    const gate = { ...ANY, cluster: "c1" };
    expect(closedGate(observer.kinds(), gate)?.message).toContain("nodes of cluster c1");
    cluster.relist(NODE);
    expect(closedGate(observer.kinds(), gate)).toBeNull();
    expect(stateOf(observer.observe("c1", "node//n1"))).toBe("unknown");
  });

  test("Z-2: the API server is asked for secondary objects, too", async () => {
    const { cluster, observer } = watched();
    const omits = async () => omitsName(await observer.observeNow("c1", "pod/default/web"), name);
    cluster.holdWatch(CONFIG_MAP);
    expect(await omits()).toBe(true);
    cluster.apply(CONFIG_MAP, { ...further, metadata: { name: "more", namespace: "other" } });
    expect(omitsName(observer.observe("c1", "pod/default/web"), name)).toBe(true);
    expect(await omits()).toBe(false);
    cluster.fail({ on: "read", kind: CONFIG_MAP, code: "Unavailable", applied: false });
    expect(stateOf(await observer.observeNow("c1", "pod/default/web"))).toBe("unknown");
  });

  test("Z-2: a Node that is gone from the API server is asked for by name", async () => {
    const { cluster, observer } = watched();
    cluster.holdWatch(NODE);
    cluster.delete(NODE, "", "n1");
    const [one] = await observer.observeNow("c1", "pod/default/web");
    const waiting = [{ name: "www.example.org", reason: "NoTargets" }];
    expect(one).toMatchObject({ state: "alive", found: { items: [], waiting } });
  });
});
