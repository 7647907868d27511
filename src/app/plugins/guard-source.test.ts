/** What cannot be an answer of a source; what it is then is shown by test/real/plugins.test.ts. */
import { expect, test } from "vitest";
import { HOST_SOURCES } from "../../../test/support/sources/host-sources.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { objectOf } from "../../../test/support/worlds/program-world.ts";
import type { Found } from "../../sources/source.ts";
import { guardSource } from "./guard-source.ts";

const OBJECT = objectOf("v1", "Pod", "web", {});
const VIEW = new MemoryCluster("c1", () => 0);
const ITEM = {
  ...{ name: "www.example.org", type: "A", setIdentifier: null, ttlSeconds: null },
  ...{ values: ["192.0.2.1"], properties: {}, routingPolicy: null, owner: null, createdAtMs: 0 },
  provenance: { cluster: "c1", kind: "pod", namespace: "default", name: "web" },
};
const ANSWER = { items: [ITEM], waiting: [], problems: [], complete: true };

function asked(answer: unknown, more: { leftOff?: string } = {}): Found<unknown> {
  const row = { ...HOST_SOURCES["a zone source"], open: () => ({ endpoints: () => answer }) };
  const plugin = { name: "acme", given: "./acme.js", file: "/acme.js", ...more };
  const options = { dnsClasses: ["gardendns"] as const, targetNamespace: null };
  return guardSource(row as never, plugin)
    .open(options, [])
    .endpoints(OBJECT, VIEW);
}

test("a right answer is as it is", () => {
  expect(asked(ANSWER)).toBe(ANSWER);
});

test.each([
  ["items[0].name must be a DNS name in lower case", { name: "WWW.example.org" }],
  ["items[0].type must be a record type", { type: "ADDRESS" }],
  ["items[0].ttlSeconds must be a number of seconds or null", { ttlSeconds: 2 ** 31 }],
  ["items[0].values must be canonical A data", { values: ["192.0.2.01"] }],
  ["items[0].values must be canonical A data", { values: ["192.0.2.2", "192.0.2.1"] }],
  ["items[0].values must be canonical A data", { values: [] }],
  [
    "items[0].provenance must be the object that was handed in",
    { provenance: { ...ITEM.provenance, name: "another" } },
  ],
])("%s", (message, change) => {
  const { complete, items, problems } = asked({ ...ANSWER, items: [{ ...ITEM, ...change }] });
  expect({ complete, items }).toEqual({ complete: false, items: [] });
  expect(problems[0]?.message).toContain(
    `the plug-in acme (./acme.js) answered garbage: ${message}`,
  );
});

test("one that is left off is not asked, and its object says why", () => {
  const { complete, items, problems } = asked(ANSWER, { leftOff: "is left off: it loops" });
  expect({ complete, items }).toEqual({ complete: false, items: [] });
  expect(problems[0]?.message).toBe(
    "the plug-in acme (./acme.js) is left off: it loops. Records of the object stay as they are; mend the plug-in",
  );
});
