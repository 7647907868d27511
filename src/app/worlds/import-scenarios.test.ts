/** What an import does to a zone and its objects, change by change. */
import { fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { parseZone } from "../../../test/support/values/zone-text.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { addProvider, objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_PROVIDER, SERVICE_ENTRY } from "../../model/kinds.ts";

const POLL_MS = 30_000;

/** A zone whose lines are written by a stranger, and the addresses of its object at each write. */
async function importing(zone: string) {
  const world = programWorld({ zone, controllers: ["compound", "istio-serviceentry"] });
  const seen: string[] = [];
  const endpointsOf = (spec: unknown): string =>
    (listOf(fieldsOf(spec)["endpoints"]) ?? []).map((one) => fieldsOf(one)["address"]).join();
  world.cluster.subscribe(SERVICE_ENTRY, {
    onChange: ({ type, object }) =>
      seen.push(`${type} ${object.metadata.namespace} ${endpointsOf(object["spec"])}`),
    onState: () => undefined,
  });
  const imports = [{ zone: "example.org", namespace: "mesh" }];
  const { stop } = world.start(undefined, { imports });
  await world.clock.advance(2 * POLL_MS);
  const write = async (text: string): Promise<void> => {
    const next = parseZone(text);
    const gone = world.content.all().filter(({ type }) => type !== "SOA" && type !== "NS");
    const changes = [
      ...gone.map((key) => ({ key, next: null })),
      ...next.map((set) => ({ key: set, next: set })),
    ];
    world.content.write(changes, world.clock.nowMs());
    await world.clock.advance(POLL_MS);
  };
  return { ...world, seen, write, stop };
}

test("a name comes in once, with both families, and the zone stays as it is", async () => {
  const { seen, serial, clock, stop } = await importing(
    "db 60 A 10.0.0.5\ndb 60 AAAA 2001:db8::5\n*.any 60 A 192.0.2.1\n_acme-challenge.db 60 TXT x",
  );
  expect(seen).toEqual(["added mesh 10.0.0.5,2001:db8::5"]);
  const before = serial();
  await clock.advance(20 * POLL_MS);
  expect([seen.length, serial()]).toEqual([1, before]);
  await stop();
});

test("an address is changed in place; another order and another TTL change nothing", async () => {
  const { seen, write, stop } = await importing("db 60 A 10.0.0.5\ndb 60 A 10.0.0.6");
  await write("db 60 A 10.0.0.6\ndb 60 A 10.0.0.5");
  await write("db 300 A 10.0.0.5\ndb 300 A 10.0.0.6");
  await write("db 300 A 10.0.0.5\ndb 300 A 10.0.0.7");
  expect(seen).toEqual(["added mesh 10.0.0.5,10.0.0.6", "modified mesh 10.0.0.5,10.0.0.7"]);
  await stop();
});

test("an alias follows what it leads to, also through a loop and back", async () => {
  const { seen, write, stop } = await importing("a 60 CNAME b.example.org.\nb 60 A 192.0.2.1");
  expect(seen).toEqual(["added mesh 192.0.2.1", "added mesh 192.0.2.1"]);
  await write("a 60 CNAME b.example.org.\nb 60 A 192.0.2.2");
  expect(seen.slice(2)).toEqual(["modified mesh 192.0.2.2", "modified mesh 192.0.2.2"]);
  await write("a 60 CNAME b.example.org.\nb 60 CNAME a.example.org.");
  expect(seen).toHaveLength(4);
  await write("a 60 CNAME b.example.org.\nb 60 A 192.0.2.3");
  expect(seen.slice(4)).toEqual(["modified mesh 192.0.2.3", "modified mesh 192.0.2.3"]);
  await stop();
});

test("when no DNSProvider leads into the zone any more its objects stay, and that is told", async () => {
  const world = programWorld({ zone: "db 60 A 192.0.2.1" });
  const { cluster, clock, start } = world;
  const running = start(undefined, { imports: [{ zone: "example.org", namespace: "mesh" }] });
  await clock.advance(2 * POLL_MS);
  expect(running.imports()).toMatchObject([{ trouble: null, inSync: 1 }]);
  cluster.delete(DNS_PROVIDER, "default", "p");
  await clock.advance(2 * POLL_MS);
  const trouble = expect.stringMatching(/^no DNSProvider leads into a zone example\.org now/);
  expect(running.imports()).toMatchObject([{ trouble, inSync: 1 }]);
  expect(cluster.all(SERVICE_ENTRY)).toHaveLength(1);
  addProvider(cluster);
  await clock.advance(2 * POLL_MS);
  expect(running.imports()).toMatchObject([{ trouble: null, inSync: 1 }]);
  await running.stop();
});

test("a marker that names another namespace chooses none", async () => {
  const marker = "heritage=external-dns,external-dns/owner=x,external-dns/resource=service/pay/x";
  const { seen, stop } = await importing(`db 60 A 10.0.0.5\na-db 60 TXT "${marker}"`);
  expect(seen).toEqual(["added mesh 10.0.0.5"]);
  await stop();
});

/** A user's, which is published. */
function shop(addresses: readonly string[], annotations: Readonly<Record<string, string>> = {}) {
  const spec = { hosts: ["www.example.org"], addresses, ports: [{ number: 443, name: "https" }] };
  const metadata = { annotations: { "zonekeeper.dev/publish": "true", ...annotations } };
  const fields = { metadata, spec };
  return objectOf("networking.istio.io/v1", "ServiceEntry", "shop", fields);
}

test("an object with both families has both records, and a marker of each that says whose it is", async () => {
  const { cluster, values, clock, start } = programWorld({
    controllers: ["compound", "istio-serviceentry"],
  });
  cluster.apply(SERVICE_ENTRY, shop(["192.0.2.7", "2001:db8::7"]));
  const running = start();
  await clock.advance(POLL_MS);
  expect(values("www.example.org")).toEqual(["192.0.2.7", "2001:db8::7"]);
  for (const name of ["a-www.example.org", "aaaa-www.example.org"])
    expect(values(name)).toEqual([
      expect.stringMatching(
        /^"heritage=external-dns,external-dns\/cluster=c1,external-dns\/owner=me,external-dns\/resource=serviceentry\/default\/shop"$/,
      ),
    ]);
  await running.stop();
});

test("an object of a stranger's name is told whose it is, and takes it when it lists its data", async () => {
  const { cluster, zone, values, clock, start } = programWorld({
    zone: "www 60 A 192.0.2.7",
    controllers: ["compound", "istio-serviceentry"],
  });
  const before = zone();
  cluster.apply(SERVICE_ENTRY, shop(["192.0.2.7"]));
  const running = start(undefined, { adoption: { mode: "listed", keys: [] } });
  await clock.advance(POLL_MS);
  expect(zone()).toBe(before);
  expect(cluster.events.map(({ object, note }) => `${object} ${note.message}`)).toContainEqual(
    expect.stringMatching(
      /shop www\.example\.org: A 192\.0\.2\.7 exists and has no owner; delete it, or/,
    ),
  );
  cluster.apply(SERVICE_ENTRY, shop(["192.0.2.7"], { "zonekeeper.dev/adopt": "A 192.0.2.7" }));
  await clock.advance(POLL_MS);
  expect(values("www.example.org")).toEqual(["192.0.2.7"]);
  expect(values("a-www.example.org").join()).toContain("serviceentry/default/shop");
  await running.stop();
});

test("a cluster that only reads zones gets what others publish, goes on while they are down, and writes no zone", async () => {
  const marker = (cluster: string) =>
    `heritage=external-dns,external-dns/owner=me,external-dns/cluster=${cluster},external-dns/resource=service/default/x`;
  const world = programWorld({
    zone: `old 60 A 192.0.2.3\na-old 60 TXT "${marker("c2")}"\ndb 60 A 192.0.2.9`,
    controllers: ["compound", "istio-serviceentry"],
  });
  const { cluster, clock, content, start, breakWith, serial } = world;
  const far = new MemoryCluster("c2", () => clock.nowMs());
  addProvider(far);
  far.apply(SERVICE_ENTRY, { ...shop(["192.0.2.50"]), spec: { hosts: ["far.example.org"] } });
  cluster.apply(SERVICE_ENTRY, shop(["192.0.2.40"]));
  const primary = start();
  await clock.advance(POLL_MS);
  let calls = 0;
  breakWith({
    ...NO_FAULTS,
    apply: () => {
      calls += 1;
      return [];
    },
  });
  const imports = [{ zone: "example.org", namespace: "mesh" }];
  const where = { source: far, target: far, providers: far, runs: ["compound"] };
  const remote = start(undefined, { ...where, imports });
  const hosts = (): readonly string[] =>
    far
      .all(SERVICE_ENTRY)
      .filter(({ metadata }) => metadata.namespace === "mesh")
      .map(({ spec }) => String(listOf(fieldsOf(spec)["hosts"])))
      .sort();
  await clock.advance(2 * POLL_MS);
  expect(hosts()).toEqual(["db.example.org", "www.example.org"]);
  const before = serial();
  await primary.stop();
  await clock.advance(3_600_000);
  expect([hosts().length, serial(), calls]).toEqual([2, before, 0]);
  const next = parseZone("new 60 A 192.0.2.10");
  content.write(
    next.map((key) => ({ key, next: key })),
    clock.nowMs(),
  );
  await clock.advance(2 * POLL_MS);
  expect(hosts()).toEqual(["db.example.org", "new.example.org", "www.example.org"]);
  expect(calls).toBe(0);
  await remote.stop();
});
