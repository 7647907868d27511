import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { ROUTING_ANNOTATION } from "../../model/annotation-keys.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const BLUE = { type: "weighted", setIdentifier: "blue", parameters: { weight: "10" } };

/** A Service with the annotation; what its generated entry asks for. */
async function entryOf(annotation: string) {
  const world = new SpineWorld();
  world.start();
  world.provider();
  world.service("s", "s.example.org", "192.0.2.5");
  const annotate = (text: string): void =>
    world.annotate(SERVICE, "s", {
      "dns.gardener.cloud/dnsnames": "s.example.org",
      ...(text === "" ? {} : { [ROUTING_ANNOTATION]: text }),
    });
  annotate(annotation);
  await world.pass(60_000);
  const policy = (): unknown =>
    world.cluster.all(DNS_ENTRY).map((entry) => fieldsOf(entry["spec"])["routingPolicy"]);
  return { world, annotate, policy };
}

test("the annotation of a Service reaches its entry, changes it, and goes from it", async () => {
  const { world, annotate, policy } = await entryOf(JSON.stringify(BLUE));
  expect(policy()).toEqual([BLUE]);
  const writes = world.cluster.writes.length;
  annotate(
    JSON.stringify({ setIdentifier: "blue", parameters: { weight: "10" }, type: "weighted" }),
  );
  await world.pass(60_000);
  const entries = world.cluster.writes.slice(writes).filter((text) => /DNSEntr/i.test(text));
  expect(entries, "another order of keys is no change").toEqual([]);
  annotate(JSON.stringify({ ...BLUE, parameters: { weight: "20" } }));
  await world.pass(60_000);
  expect(policy()).toEqual([{ ...BLUE, parameters: { weight: "20" } }]);
  annotate("");
  await world.pass(60_000);
  expect(policy()).toEqual([undefined]);
  expect(world.zone()).toEqual(["s.example.org 300 A 192.0.2.5"]);
});

test.each([
  ["{", /is not JSON; write/],
  ['{"type":"weighted"}', /weighted has no setIdentifier/],
])("an annotation that cannot be read (%s) makes no entry, and is told", async (text, message) => {
  const { world, annotate, policy } = await entryOf(text);
  expect(policy()).toEqual([]);
  const events = world.cluster.events.map(({ note }) => note.message);
  expect(events).toContainEqual(expect.stringMatching(message));
  annotate("");
  await world.pass(60_000);
  expect(world.zone()).toEqual(["s.example.org 300 A 192.0.2.5"]);
});

test("a provider without policies holds the entry and says so", async () => {
  const { world } = await entryOf(JSON.stringify(BLUE));
  expect(world.zone()).toEqual([]);
  const [state] = Object.values(world.entries());
  expect(state).toMatch(/policies/);
});
