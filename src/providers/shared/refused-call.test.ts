/** Words of APIs as people may read them: without what changes with each try. */
import { expect, test } from "vitest";
import { create, recordSet } from "../../../test/conformance/provider-harness.ts";
import { outcomesOfCall, type RefusalTable, RefusedCall } from "./refused-call.ts";

const shown = (text: string): string =>
  new RefusedCall({ status: 409, text, retryAfterMs: null }).message;

test.each([
  ["Unexpected error. (Request-ID: req-6d2b0b1e-62a0-4d1f-9b0c-5f6d6f2a7c11)", "Unexpected error"],
  ["Zone not found. CorrelationId: '0b7c1e2f-aaaa-4bbb-8ccc-0123456789ab'", "Zone not found"],
  ["Too large [request_id=abc123def4], try less", "Too large, try less"],
  ['Denied, "requestId": "4711-0815", for the zone', "Denied, for the zone"],
  ["Error 1015, Ray ID: 8f1c2d3e4f5a6b7c", "Error 1015"],
  ["the tracking id is 8f1c2d3e-4f5a; ask support", "the; ask support"],
])("%s", (text, wanted) => {
  expect(shown(text)).toBe(wanted);
});

test.each([
  "etcdserver: request timed out",
  "invalid request identifier www.example.org",
  "the request id is missing",
  "record 023e105f4ecef8ad9ca31a8372d0c353 does not exist",
])("what is no id of a call stays: %s", (text) => {
  expect(shown(text)).toBe(text);
});

const TABLE: RefusalTable = {
  keyRemedy: "correct it",
  rows: [
    { text: /permission/, is: "key" },
    { reason: /^odd$/, is: "unsure" },
    { status: /^4/, is: "refused" },
  ],
};
const GROUPS = ["a", "b"].map((label) =>
  create(recordSet(`${label}.example.org`, "A", "192.0.2.1")),
);

test.each([
  ["a wrong key", { status: 403, text: "no permission" }, ["retry", "retry"]],
  [
    "what a proxy makes of an answer",
    { status: 502, text: "no permission" },
    ["unknown", "unknown"],
  ],
  ["what the call holds", { status: 400, text: "a is bad" }, ["rejected", "rejected"]],
  [
    "what the call holds, perhaps made",
    { status: 400, text: "a is bad", reason: "odd" },
    ["unknown", "unknown"],
  ],
  ["no word of it", { status: 500, text: "a is bad" }, ["unknown", "unknown"]],
])("%s", (_title, refusal, wanted) => {
  const call = new RefusedCall({ retryAfterMs: null, ...refusal });
  const outcomes = outcomesOfCall(call, GROUPS, { what: "not made", refusals: TABLE });
  expect(outcomes.map(({ status }) => status)).toEqual(wanted);
});
