import { expect, test } from "vitest";
import { readRoutingPolicy, routingPolicyFields } from "./record-attributes.ts";

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
