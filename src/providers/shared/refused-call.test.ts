/** Words of APIs as people may read them: without what changes with each try. */
import { expect, test } from "vitest";
import { RefusedCall } from "./refused-call.ts";

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
