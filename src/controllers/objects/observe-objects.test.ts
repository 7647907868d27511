import { describe, expect, test } from "vitest";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { trustedDnsName } from "../../model/dns-name.ts";
import { DNS_ENTRY, SERVICE } from "../../model/kinds.ts";
import { openSource } from "../../sources/index.ts";
import { closedGate, omitsName, stateOf } from "../../sync/contract/object-observation.ts";
import { WatchedObjects } from "./observe-objects.ts";

function stage() {
  const [one, two] = [new MemoryCluster("c1"), new MemoryCluster("c2")];
  for (const cluster of [one, two])
    cluster.apply(SERVICE, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: `web-${cluster.clusterId}`, namespace: "default" },
    });
  const observer = new WatchedObjects([
    { view: one, kind: DNS_ENTRY },
    { view: one, kind: SERVICE },
    { view: two, kind: SERVICE },
  ]);
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
    ["c1", "service/default/~abc", "unknown"],
    ["c1", "service/empty/~abc", "absent"],
    ["c1", "dnsentry/default/x", "absent"],
  ])("%s %s is %s", (cluster, resource, answer) => {
    expect(stateOf(stage().observer.observe(cluster, resource))).toBe(answer);
  });

  test("Z-3: a kind that is not live says nothing", () => {
    const { one, two, observer } = stage();
    one.breakWatch(SERVICE);
    expect(stateOf(observer.observe("c1", "service/default/web-c1"))).toBe("unknown");
    expect(stateOf(observer.observe(null, "service/default/nope"))).toBe("unknown");
    two.setKindState(SERVICE, "absent");
    expect(stateOf(observer.observe("c2", "service/default/web-c2"))).toBe("unknown");
  });
});

const WWW = trustedDnsName("www.example.org");
const options = { dnsClass: "gardendns", toAscii: null, targetNamespace: null };
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
    const observer = new WatchedObjects([{ view, kind: SERVICE, source }]);
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
    const observer = new WatchedObjects([
      { view: one, kind: DNS_ENTRY },
      { view: one, kind: SERVICE, reader: one },
      { view: two, kind: SERVICE, reader: two },
    ]);
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
    const asked = () => new WatchedObjects([cached]).observeNow("c1", "dnsentry/default/web");
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
    const observer = new WatchedObjects([{ view, kind: SERVICE, source, reader: view }]);
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
    const observer = new WatchedObjects([
      { view: one, kind: SERVICE, reader: one },
      { view: two, kind: SERVICE, reader: two },
    ]);
    const answer = await observer.observeNow(null, "service/default/nope");
    expect(answer.at(-1)).toMatchObject({ state: "unknown", code: held });
  });
});

describe("the gate", () => {
  test("is open when every kind is live or proven not to exist", () => {
    const { two, observer } = stage();
    expect(closedGate(observer.kinds())).toBeNull();
    two.setKindState(SERVICE, "absent");
    expect(closedGate(observer.kinds())).toBeNull();
  });

  test.each(["syncing", "forbidden", "stale"] as const)("is closed while one is %s", (state) => {
    const { two, observer } = stage();
    if (state === "stale") two.breakWatch(SERVICE);
    else two.setKindState(SERVICE, state);
    expect(closedGate(observer.kinds())).toBe(
      `Removals wait until services of cluster c2 are listed and watched; now they are ${state}`,
    );
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
