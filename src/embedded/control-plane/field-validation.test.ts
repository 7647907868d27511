import { beforeEach, describe, expect, test } from "vitest";
import {
  type Answer,
  ENTRIES,
  entry,
  TestApi,
} from "../../../test/support/clients/control-plane-api.ts";
import { textAt, valueAt } from "./json/json.ts";

let api: TestApi;
let version: string;
beforeEach(async () => {
  api = await TestApi.open();
  const made = await api.made(api.post(ENTRIES, entry("www", { ttl: 60 })));
  version = textAt(made, "metadata", "resourceVersion");
});

const WWW = `${ENTRIES}/www`;
/** `ttl` twice and an unknown field. */
const twice = (name: string): string =>
  JSON.stringify(entry(name, { odd: 1, ttl: 1 })).replace('"ttl":1', '"ttl":1,"ttl":2');
const YAML = `apiVersion: dns.gardener.cloud/v1alpha1
kind: DNSEntry
metadata: {name: www}
spec:
  dnsName: www.example.org
  targets: [192.0.2.1]
  ttl: 61
  ttl: 62
`;
/** A PUT of a custom object names the version that it replaces. */
const versioned = (text: string): string =>
  text
    .replace('"name":"www"', `"name":"www","resourceVersion":"${version}"`)
    .replace("{name: www}", `{name: www, resourceVersion: "${version}"}`);
const typed = (method: string, path: string, type: string, body: unknown): Promise<Answer> =>
  api.request(method, path, { body, headers: { "content-type": `application/${type}` } });

type Send = (query: string) => Promise<Answer>;
const TYPE = 'DNSEntry in version "v1alpha1" cannot be handled as a DNSEntry';
const CASES: readonly (readonly [string, Send, number, string, readonly string[]])[] = [
  [
    "POST",
    (query) => api.post(`${ENTRIES}?${query}`, twice("new")),
    400,
    `${TYPE}: strict decoding error: duplicate field "spec.ttl", unknown field "spec.odd"`,
    ['duplicate field "spec.ttl"', 'unknown field "spec.odd"'],
  ],
  [
    "PUT",
    (query) => api.put(`${WWW}?${query}`, versioned(twice("www"))),
    400,
    `${TYPE}: strict decoding error: duplicate field "spec.ttl", unknown field "spec.odd"`,
    ['duplicate field "spec.ttl"', 'unknown field "spec.odd"'],
  ],
  [
    "PUT of YAML",
    (query) => typed("PUT", `${WWW}?${query}`, "yaml", versioned(YAML)),
    400,
    `${TYPE}: strict decoding error: yaml: unmarshal errors:\n  line 8: key "ttl" already set in map`,
    ['yaml: unmarshal errors:\n  line 8: key "ttl" already set in map'],
  ],
  [
    "merge patch",
    (query) =>
      typed("PATCH", `${WWW}?${query}`, "merge-patch+json", '{"spec":{"ttl":1,"ttl":2,"odd":1}}'),
    422,
    ' "" is invalid: patch: Invalid value: "<omitted>": strict decoding error: duplicate field "spec.ttl", unknown field "spec.odd"',
    ['duplicate field "spec.ttl"', 'unknown field "spec.odd"'],
  ],
  [
    "JSON patch",
    (query) =>
      typed(
        "PATCH",
        `${WWW}?${query}`,
        "json-patch+json",
        '[{"op":"add","path":"/spec/odd","value":1,"extra":1,"op":"add"}]',
      ),
    422,
    ' "" is invalid: patch: Invalid value: "<omitted>": strict decoding error: json patch duplicate field "[0].op", json patch unknown field "[0].extra", unknown field "spec.odd"',
    [
      'json patch duplicate field "[0].op"',
      'json patch unknown field "[0].extra"',
      'unknown field "spec.odd"',
    ],
  ],
  [
    "apply",
    (query) =>
      typed("PATCH", `${WWW}?fieldManager=me&force=true&${query}`, "apply-patch+yaml", YAML),
    400,
    'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 8: key "ttl" already set in map',
    [
      'error converting YAML to JSON: yaml: unmarshal errors:\n  line 8: key "ttl" already set in map',
    ],
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
