/** Objects whose class goes to another set of controllers, or to nobody. */
import { SECRET, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { CLASS_ANNOTATION } from "../../model/dns-class.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const NAMES = "dns.gardener.cloud/dnsnames";
const OTHER = { dnsClasses: ["other"], owner: "you" } as const;

function world() {
  const made = programWorld();
  const { cluster, clock } = made;
  const ofClass = (dnsClass: string) => ({ [CLASS_ANNOTATION]: dnsClass });
  const entry = (dnsClass: string, target = "192.0.2.1") => {
    const metadata = { annotations: ofClass(dnsClass) };
    const spec = { dnsName: "www.example.org", targets: [target] };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "www", { metadata, spec }));
  };
  const service = (dnsClass: string) => {
    const annotations = { ...ofClass(dnsClass), [NAMES]: "web.example.org" };
    const fields = { metadata: { annotations }, spec: { type: "LoadBalancer" } };
    cluster.apply(SERVICE, objectOf("v1", "Service", "web", fields));
    const loadBalancer = { ingress: [{ ip: "192.0.2.9" }] };
    cluster.setStatus(SERVICE, "default", "web", { loadBalancer });
  };
  cluster.apply(SECRET, objectOf("v1", "Secret", "s2", {}));
  const spec = { type: "memory", secretRef: { name: "s2" } };
  const provider = { metadata: { annotations: ofClass("other") }, spec };
  cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p2", provider));
  const now = () => cluster.now(DNS_ENTRY, "default", "www");
  const rest = () => clock.advance(60_000);
  return { ...made, entry, service, now, rest };
}

test("an entry of a class that nobody serves says so and keeps its record; back again it is Ready", async () => {
  const { start, entry, now, rest, values, cluster } = world();
  const one = start();
  entry("gardendns");
  await rest();
  entry("else");
  await rest();
  expect(now()?.["status"]).toMatchObject({
    state: "Stale",
    message: expect.stringContaining("its class is else"),
    conditions: expect.arrayContaining([
      expect.objectContaining({ type: "Ready", status: "False", reason: "NotSelected" }),
    ]),
  });
  expect(now()?.metadata.finalizers).toEqual([]);
  expect(values("www.example.org")).toEqual(["192.0.2.1"]);
  const { resourceVersion } = now()?.metadata ?? {};
  await rest();
  expect(now()?.metadata.resourceVersion).toBe(resourceVersion);
  expect(cluster.events.map(({ note }) => note.reason)).toContain("DNSEntryStale");
  entry("gardendns", "192.0.2.2");
  await rest();
  expect(now()?.["status"]).toMatchObject({ state: "Ready" });
  expect(values("www.example.org")).toEqual(["192.0.2.2"]);
  await one.stop();
});

/** What the two sets and the zone say of `www` once an entry has gone from `me` to `you`. */
function expectHandedOver({ now, zone }: ReturnType<typeof world>, target: string): void {
  expect(now()?.["status"]).toMatchObject({ state: "Ready", targets: [target] });
  expect(now()?.metadata.finalizers).toEqual(["other.dns.gardener.cloud/compound"]);
  expect(zone()).toContain(`www 300 A ${target}`);
  expect(zone()).toContain("external-dns/owner=you,external-dns/resource=dnsentry/default/www");
  expect(zone()).not.toContain("_permit");
}

test("an entry that goes to another set has its record there, without a gap, and back again", async () => {
  const made = world();
  const { start, entry, now, rest, values, clock, zone } = made;
  const both = [start(), start(undefined, OTHER)];
  entry("gardendns");
  await rest();
  entry("other");
  for (let ms = 0; ms < 60_000; ms += 500) {
    await clock.advance(500);
    expect(values("www.example.org")).toEqual(["192.0.2.1"]);
  }
  expectHandedOver(made, "192.0.2.1");
  const { resourceVersion } = now()?.metadata ?? {};
  await rest();
  expect(now()?.metadata.resourceVersion).toBe(resourceVersion);
  entry("other", "192.0.2.2");
  await rest();
  expectHandedOver(made, "192.0.2.2");
  entry("gardendns", "192.0.2.2");
  await rest();
  expect(now()?.["status"]).toMatchObject({ state: "Ready" });
  expect(now()?.metadata.finalizers).toEqual(["dns.gardener.cloud/compound"]);
  expect(zone()).toContain("external-dns/owner=me");
  for (const each of both) await each.stop();
});

test.each([
  ["to a set that is there", true],
  ["to a set that starts later", false],
])(
  "an entry that goes %s while its own is down is handed over when that is back",
  async (_, isThere) => {
    const made = world();
    const { start, entry, now, rest, values, clock } = made;
    const one = start();
    entry("gardendns");
    const running = isThere ? [start(undefined, OTHER)] : [];
    await rest();
    await one.stop();
    entry("other", "192.0.2.2");
    if (!isThere) running.push(start(undefined, OTHER));
    await clock.advance(isThere ? 1_000 : 5_000);
    const message = expect.stringMatching(/"me"|owned by me/);
    expect(now()?.["status"]).toMatchObject({ state: "Error", message });
    expect(values("www.example.org")).toEqual(["192.0.2.1"]);
    running.push(start());
    await rest();
    expectHandedOver(made, "192.0.2.2");
    for (const each of running) await each.stop();
  },
);

test("an entry that no class served in between is handed over, too, also after a restart", async () => {
  const made = world();
  const { start, entry, rest, values } = made;
  const one = start();
  entry("gardendns");
  await rest();
  entry("else");
  await rest();
  await one.stop();
  const running = [start(undefined, OTHER)];
  entry("other", "192.0.2.2");
  await rest();
  expect(values("www.example.org")).toEqual(["192.0.2.1"]);
  running.push(start());
  await rest();
  expectHandedOver(made, "192.0.2.2");
  for (const each of running) await each.stop();
});

test("an entry that is deleted while it is handed over leaves no record", async () => {
  const { start, entry, now, clock, rest, values, zone, cluster } = world();
  const both = [start(), start(undefined, OTHER)];
  for (const waitMs of [0, 200, 1_000, 5_000, 12_000]) {
    entry("gardendns");
    await rest();
    entry("other");
    await clock.advance(waitMs);
    cluster.delete(DNS_ENTRY, "default", "www");
    await rest();
    expect([waitMs, now() ?? null, values("www.example.org")]).toEqual([waitMs, null, []]);
    expect(zone()).not.toContain("www");
  }
  for (const each of both) await each.stop();
});

test("an entry that leaves permits nothing that another entry has", async () => {
  const { start, entry, rest, values, zone, cluster } = world();
  const one = start();
  const metadata = { annotations: { [CLASS_ANNOTATION]: "gardendns" } };
  const spec = { dnsName: "www.example.org", targets: ["192.0.2.7"] };
  cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "first", { metadata, spec }));
  await rest();
  entry("gardendns");
  await rest();
  const other = start(undefined, OTHER);
  entry("other");
  await rest();
  expect(values("www.example.org")).toEqual(["192.0.2.7"]);
  expect(zone()).not.toContain("_permit");
  for (const each of [one, other]) await each.stop();
});

test("an entry that goes to nobody while its set is down says so when that is back", async () => {
  const { start, entry, now, rest, values, clock } = world();
  const one = start();
  entry("gardendns");
  await rest();
  await one.stop();
  entry("else");
  const again = start();
  await clock.advance(5_000);
  const message = expect.stringContaining("its class is else");
  expect(now()?.["status"]).toMatchObject({ state: "Stale", message });
  expect(now()?.metadata.finalizers).toEqual([]);
  await rest();
  expect(values("www.example.org")).toEqual(["192.0.2.1"]);
  await again.stop();
});

test("a Service that goes to another set gets its entry there within seconds, and its record", async () => {
  const { start, service, rest, values, clock, cluster } = world();
  const both = [start(), start(undefined, OTHER)];
  service("gardendns");
  await rest();
  expect(values("web.example.org")).toEqual(["192.0.2.9"]);
  service("other");
  await clock.advance(4_000);
  expect(values("web.example.org")).toEqual(["192.0.2.9"]);
  await clock.advance(2_000);
  expect(cluster.all(DNS_ENTRY).map(({ metadata }) => metadata.annotations)).toEqual([
    expect.objectContaining({ [CLASS_ANNOTATION]: "other" }),
  ]);
  await clock.advance(10_000);
  expect(values("web.example.org")).toEqual(["192.0.2.9"]);
  // The former entry goes by itself: nobody is asked to do anything about it.
  await rest();
  const notes = cluster.events.map(({ note }) => note.message);
  expect(notes.filter((message) => message.includes("it is left as it is"))).toEqual([]);
  for (const each of both) await each.stop();
});

test("a Service whose entry got another class is told; its entry back again follows it", async () => {
  const { start, service, rest, values, cluster } = world();
  const one = start();
  service("gardendns");
  await rest();
  const [made] = cluster.all(DNS_ENTRY);
  const ref = { kind: DNS_ENTRY, namespace: "default", name: made?.metadata.name ?? "" };
  const give = (dnsClass: string | null) =>
    cluster.patch(ref, { metadata: { annotations: { [CLASS_ANNOTATION]: dnsClass } } });
  await give("else");
  await rest();
  const warnings = cluster.events.filter(
    ({ object, note }) => object === "service/default/web" && note.type === "Warning",
  );
  expect(warnings.map(({ note }) => note.message)).toEqual([
    expect.stringContaining("is of class else, and gardendns is wanted"),
  ]);
  expect(warnings.map(({ count }) => count)).toEqual([1]);
  const loadBalancer = { ingress: [{ ip: "192.0.2.10" }] };
  cluster.setStatus(SERVICE, "default", "web", { loadBalancer });
  await rest();
  expect(values("web.example.org")).toEqual(["192.0.2.9"]);
  await give(null);
  await rest();
  expect(values("web.example.org")).toEqual(["192.0.2.10"]);
  await one.stop();
});
