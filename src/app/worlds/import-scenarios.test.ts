/** What an import does to a zone and its objects, change by change. */
import { fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { parseZone } from "../../../test/support/values/zone-text.ts";
import { programWorld } from "../../../test/support/worlds/program-world.ts";
import { SERVICE_ENTRY } from "../../model/kinds.ts";

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

test("a marker that names another namespace chooses none", async () => {
  const marker = "heritage=external-dns,external-dns/owner=x,external-dns/resource=service/pay/x";
  const { seen, stop } = await importing(`db 60 A 10.0.0.5\na-db 60 TXT "${marker}"`);
  expect(seen).toEqual(["added mesh 10.0.0.5"]);
  await stop();
});
