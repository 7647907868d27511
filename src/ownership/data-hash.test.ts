import { expect, test } from "vitest";
import { parseZone } from "../../test/support/values/zone-text.ts";
import type { RecordSet } from "../model/record-set.ts";
import { dataHash } from "./data-hash.ts";

const [BASE] = parseZone("www 300 A 192.0.2.1") as readonly [RecordSet];
const policy = (parameters: Readonly<Record<string, string>>) => ({ type: "weighted", parameters });

test.each<[string, Partial<RecordSet>, Partial<RecordSet>]>([
  ["the TTL", {}, { ttlSeconds: 60 }],
  [
    "the order of values",
    { values: ["192.0.2.1", "192.0.2.2"] },
    { values: ["192.0.2.2", "192.0.2.1"] },
  ],
  [
    "the spelling of values",
    { type: "AAAA", values: ["2001:db8::1"] },
    { type: "AAAA", values: ["2001:DB8:0::1"] },
  ],
  [
    "the order of properties",
    { properties: { a: "1", b: "2", c: "3" } },
    { properties: { c: "3", a: "1", b: "2" } },
  ],
  [
    "the order of parameters",
    { routingPolicy: policy({ weight: "1", zone: "a" }) },
    { routingPolicy: policy({ zone: "a", weight: "1" }) },
  ],
])("%s does not count", (_, one, other) => {
  expect(dataHash({ ...BASE, ...one })).toBe(dataHash({ ...BASE, ...other }));
});

test.each<[string, Partial<RecordSet>]>([
  ["a value", { values: ["192.0.2.2"] }],
  ["a value that cannot be read", { values: ["not an address"] }],
  ["another one", { values: ["no address either"] }],
  ["the type", { type: "AAAA" }],
  ["the set identifier", { setIdentifier: "one" }],
  ["a property", { properties: { alias: "true" } }],
  ["what a property says", { properties: { alias: "false" } }],
  ["a policy", { routingPolicy: policy({}) }],
  ["a parameter", { routingPolicy: policy({ weight: "1" }) }],
  ["the kind of policy", { routingPolicy: { type: "latency", parameters: {} } }],
])("%s counts", (_, other) => {
  const hashes = COUNTING.map((one) => dataHash({ ...BASE, ...one }));
  expect(hashes.filter((hash) => hash === dataHash({ ...BASE, ...other }))).toHaveLength(1);
});

const COUNTING: readonly Partial<RecordSet>[] = [
  {},
  { values: ["192.0.2.2"] },
  { values: ["not an address"] },
  { values: ["no address either"] },
  { type: "AAAA" },
  { setIdentifier: "one" },
  { properties: { alias: "true" } },
  { properties: { alias: "false" } },
  { routingPolicy: policy({}) },
  { routingPolicy: policy({ weight: "1" }) },
  { routingPolicy: { type: "latency", parameters: {} } },
];

test("it is the same in every version: markers and rows out there carry it", () => {
  const properties = { a: "1", B: "2", c: "3" };
  const full = { ...BASE, properties, routingPolicy: policy({ zone: "a", weight: "1" }) };
  expect([dataHash(BASE), dataHash(full)]).toEqual(["638d00dd8035b59c", "1a2034ad446ef3ce"]);
});
