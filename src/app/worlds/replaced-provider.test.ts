/** DNSEntries that are deleted after their DNSProvider was replaced by one that excludes them. */
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const MINUTE = 60_000;
const ADDRESS = ["192.0.2.1"];

interface Story {
  readonly restarts?: boolean;
  readonly blocked?: boolean;
  /** Further entries that go. */
  readonly more?: readonly string[];
}

/** Published entries; then p is replaced by q, and `going` is deleted. */
async function replaced(q: object, { restarts = false, blocked = false, more = [] }: Story = {}) {
  const { clock, cluster, start, values } = programWorld();
  let running = start();
  for (const name of ["going", "staying", "other", ...more]) {
    const spec = { dnsName: `${name}.example.org`, targets: ADDRESS };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { spec }));
  }
  await clock.advance(MINUTE);
  if (restarts) await running.stop();
  cluster.delete(DNS_PROVIDER, "default", "p");
  if (restarts) running = start(null, blocked ? { blockedZones: ["example.org"] } : {});
  await clock.advance(MINUTE);
  const spec = { type: "memory", secretRef: { name: "s" }, ...q };
  cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "q", { spec }));
  await clock.advance(MINUTE);
  expect(values("going.example.org"), "while it lives").toEqual(ADDRESS);
  for (const name of ["going", ...more]) cluster.delete(DNS_ENTRY, "default", name);
  await clock.advance(MINUTE);
  const entry = (name = "going") => cluster.now(DNS_ENTRY, "default", name);
  const events = () => cluster.events.map(({ note }) => note.reason);
  return { clock, cluster, values, entry, events, stop: () => running.stop() };
}

const EXCLUDED = { domains: { exclude: ["going.example.org", "staying.example.org"] } };

test.each([false, true])(
  "one that excludes it removes its record; the living keep theirs (restart: %s)",
  async (restarts) => {
    const { values, entry, events, stop } = await replaced(EXCLUDED, { restarts });
    expect(entry()).toBeNull();
    expect(values("going.example.org")).toEqual([]);
    for (const name of ["staying", "other"]) expect(values(`${name}.example.org`)).toEqual(ADDRESS);
    expect(events()).not.toContain("RecordsLeft");
    await stop();
  },
);

test.each([
  ["that serves it", {}],
  ["of other names of the zone", { domains: { include: ["other.example.org"] } }],
])("one %s removes its record", async (_, q) => {
  const { values, entry, stop } = await replaced(q, { restarts: true });
  expect([entry(), values("going.example.org")]).toEqual([null, []]);
  await stop();
});

test.each([
  ["that excludes the zone", { zones: { exclude: ["example.org"] } }, {}],
  ["of another type", { type: "second" }, {}],
  ["whose zone is blocked", EXCLUDED, { restarts: true, blocked: true }],
])(
  "Z-19 one %s leads nowhere: the entry goes after an hour, and says what it left",
  async (...[, q, options]) => {
    const { clock, values, entry, events, stop } = await replaced(q, options);
    expect(entry()).toMatchObject({ status: { state: "Deleting", provider: "default/p" } });
    await clock.advance(61 * MINUTE);
    expect([entry(), values("going.example.org")]).toEqual([null, ADDRESS]);
    expect(events()).toContain("RecordsLeft");
    await stop();
  },
);

test("Z-16, Z-19 the fuse holds many such removals, and q stays while they wait", async () => {
  const more = Array.from({ length: 12 }, (_, index) => `n${index}.more`);
  const excluded = { domains: { exclude: ["going.example.org", "more.example.org"] } };
  const { clock, cluster, values, entry, stop } = await replaced(excluded, { more });
  expect(entry("n11.more")).toMatchObject({ status: { state: "Deleting", provider: "default/q" } });
  expect(values("n11.more.example.org")).toEqual(ADDRESS);
  cluster.delete(DNS_PROVIDER, "default", "q");
  await clock.advance(10 * MINUTE);
  expect(cluster.now(DNS_PROVIDER, "default", "q")).not.toBeNull();
  await stop();
});
