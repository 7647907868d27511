import { beforeEach, describe, expect, test } from "vitest";
import {
  type Answer,
  ENTRIES,
  entry,
  TestApi,
} from "../../../../test/support/clients/control-plane-api.ts";
import { textAt, valueAt } from "./json/json.ts";

let api: TestApi;
let version: string;
beforeEach(async () => {
  api = await TestApi.open();
  const made = await api.made(api.post(ENTRIES, entry("www", { ttl: 60 })));
  version = textAt(made, "metadata", "resourceVersion");
});

const WWW = `${ENTRIES}/www`;
const odd = (name: string): string => JSON.stringify(entry(name, { odd: 1, ttl: 2 }));
/** A PUT of a custom object names the version that it replaces. */
const versioned = (text: string): string =>
  text.replace('"name":"www"', `"name":"www","resourceVersion":"${version}"`);
const typed = (method: string, path: string, type: string, body: unknown): Promise<Answer> =>
  api.request(method, path, { body, headers: { "content-type": `application/${type}` } });

type Send = (query: string) => Promise<Answer>;
const TYPE = 'DNSEntry in version "v1alpha1" cannot be handled as a DNSEntry';
const CASES: readonly (readonly [string, Send, number, string, readonly string[]])[] = [
  [
    "POST",
    (query) => api.post(`${ENTRIES}?${query}`, odd("new")),
    400,
    `${TYPE}: strict decoding error: unknown field "spec.odd"`,
    ['unknown field "spec.odd"'],
  ],
  [
    "PUT",
    (query) => api.put(`${WWW}?${query}`, versioned(odd("www"))),
    400,
    `${TYPE}: strict decoding error: unknown field "spec.odd"`,
    ['unknown field "spec.odd"'],
  ],
  [
    "merge patch",
    (query) => typed("PATCH", `${WWW}?${query}`, "merge-patch+json", '{"spec":{"ttl":2,"odd":1}}'),
    422,
    ' "" is invalid: patch: Invalid value: "<omitted>": strict decoding error: unknown field "spec.odd"',
    ['unknown field "spec.odd"'],
  ],
  [
    "JSON patch",
    (query) =>
      typed(
        "PATCH",
        `${WWW}?${query}`,
        "json-patch+json",
        '[{"op":"add","path":"/spec/odd","value":1}]',
      ),
    422,
    ' "" is invalid: patch: Invalid value: "<omitted>": strict decoding error: unknown field "spec.odd"',
    ['unknown field "spec.odd"'],
  ],
];

describe("fieldValidation", () => {
  test.each(CASES)("%s with Strict", async (_name, send, status, message) => {
    const answer = await send("fieldValidation=Strict");
    expect(textAt(answer.body, "message")).toBe(message);
    expect(answer.status).toBe(status);
    expect(valueAt(await api.made(api.get(WWW)), "spec", "ttl")).toBe(60);
  });

  test.each(CASES)("%s warns unless told otherwise", async (_name, send, _status, _m, faults) => {
    for (const query of ["", "fieldValidation=Warn"]) {
      const answer = await send(`${query}&dryRun=All`);
      expect(answer.status).toBeLessThan(300);
      expect(answer.headers["warning"]).toBe(
        faults.map((fault) => `299 - ${JSON.stringify(fault)}`).join(", "),
      );
    }
  });

  test.each(CASES)("%s with Ignore says nothing", async (_name, send) => {
    const answer = await send("fieldValidation=Ignore");
    expect(answer.status).toBeLessThan(300);
    expect(answer.headers["warning"]).toBeUndefined();
    expect(answer.body["spec"]).not.toHaveProperty("odd");
  });

  test("a warning is a header that can be sent, whatever the field is called", async () => {
    const long = "x".repeat(5000);
    const answer = await api.post(ENTRIES, entry("new", { "tüte\u007f\n": 1, [long]: 1 }));
    const header = answer.headers["warning"] ?? "";
    expect(header).toMatch(/^[\t\x20-\x7e\x80-\xff]*$/);
    expect(Buffer.from(header, "latin1").toString("utf8")).toContain("spec.tüte");
    expect(header.length).toBeLessThan(700);
  });
});

describe("an address", () => {
  test.each([
    [{ metadata: { name: "x" } }, "the name of the object (x) does not match the name on the URL"],
    [{ metadata: { name: null } }, "www based on URL) was undeterminable: name must be provided"],
    [{ metadata: { namespace: "x" } }, "the namespace of the provided object does not match"],
  ])("is not what a patch can change: %j", async (patch, message) => {
    const answer = await api.patch(WWW, patch);
    expect(answer.status).toBe(400);
    expect(textAt(answer.body, "message")).toContain(message);
  });
});
