import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { GardenerWorld } from "../../../test/support/worlds/gardener-world.ts";

const PARENT = "example.org";
const CHILD = "sub.example.org";
const MESSAGE = `zone ${CHILD} lies below ${PARENT}, which does not delegate it to the name servers of ${CHILD}, and serves no names: add its NS records to ${PARENT}, or exclude it by spec.zones.exclude: [${CHILD}]`;

async function started(zones: readonly string[], spec: object = {}): Promise<GardenerWorld> {
  const world = new GardenerWorld();
  world.accounts.zones = [...zones];
  world.start();
  await world.withProvider("p", spec);
  await world.pass();
  return world;
}

const messageOf = (world: GardenerWorld) => world.provider()?.["status"];
const eventsOf = (world: GardenerWorld) =>
  world.cluster.events
    .filter(({ note }) => note.reason === "ZoneNotDelegated")
    .map(({ object, note }) => `${object} ${note.type} ${note.message}`);

test("Z-18 a zone that the one above it does not delegate is told on the DNSProvider", async () => {
  const world = await started([PARENT, CHILD, "example.net"]);
  const message = `provider operational; ${MESSAGE}`;
  expect(messageOf(world)).toMatchObject({ state: "Ready", message });
  expect(eventsOf(world)).toContain(`dnsprovider/default/p Warning ${MESSAGE}`);
  world.engine.cut(PARENT, CHILD, { at: trustedDnsName(CHILD), servers: ["ns.elsewhere.net"] });
  await world.pass();
  expect(messageOf(world)).toMatchObject({ message });
  world.engine.cut(PARENT, CHILD, { at: trustedDnsName(CHILD), servers: [`ns.${CHILD}`] });
  await world.pass();
  expect(messageOf(world)).toMatchObject({ state: "Ready", message: "provider operational" });
});

test.each([
  ["excluded", { zones: { exclude: [CHILD] } }],
  ["named", { zones: { include: [PARENT, CHILD] } }],
])("a zone that is %s needs no word", async (_, spec) => {
  const world = await started([PARENT, CHILD], spec);
  expect(messageOf(world)).toMatchObject({ message: "provider operational" });
  expect(eventsOf(world)).toEqual([]);
});
