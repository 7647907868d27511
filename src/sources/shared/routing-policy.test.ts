import { expect, test } from "vitest";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { ROUTING_ANNOTATION } from "../../model/annotation-keys.ts";
import { DNS_ENTRY, SERVICE } from "../../model/kinds.ts";
import { fieldsOf } from "../../model/object-fields.ts";
import { readRoutingPolicy, routingPolicyFields } from "./routing-policy.ts";

const BLUE = { type: "weighted", setIdentifier: "blue", parameters: { weight: "10" } };

test.each([undefined, null, {}])("%o is no policy", (value) => {
  expect(readRoutingPolicy(value)).toEqual({ ok: true, value: null });
});

test("a policy is read, its parameters in one order, and written as an API server shows it", () => {
  const parameters = { location: "a", collection: "b" };
  const read = readRoutingPolicy({ ...BLUE, type: "ip-based", parameters });
  const sorted = { collection: "b", location: "a" };
  const routingPolicy = { type: "ip-based", parameters: sorted };
  expect(read).toEqual({ ok: true, value: { setIdentifier: "blue", routingPolicy } });
  const text = JSON.stringify(routingPolicyFields({ setIdentifier: "blue", routingPolicy }));
  expect(text).toBe(
    '{"parameters":{"collection":"b","location":"a"},"setIdentifier":"blue","type":"ip-based"}',
  );
});

test.each<[unknown, string, RegExp]>([
  ["weighted", "", /is an object with type, setIdentifier, parameters/],
  [[], "", /is an object/],
  [{ ...BLUE, weight: "1" }, "", /has no field weight/],
  [{ ...BLUE, type: "" }, "type", /has no type/],
  [{ ...BLUE, setIdentifier: undefined }, "setIdentifier", /weighted has no setIdentifier/],
  [{ ...BLUE, setIdentifier: 7 }, "setIdentifier", /has no setIdentifier/],
  [{ ...BLUE, parameters: { weight: 10 } }, "parameters", /weight .* is no text; write it in quo/],
])("%o is refused", (value, field, message) => {
  const error = { field, message: expect.stringMatching(message) };
  expect(readRoutingPolicy(value)).toEqual({ ok: false, error });
});

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
