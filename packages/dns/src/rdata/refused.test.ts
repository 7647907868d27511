import { expect, test } from "vitest";
import { parseRdata, unknownBytes } from "./index.ts";
import { nameLabels } from "./name-text.ts";
import { nextSerial } from "./soa.ts";
import { txtToText } from "./txt.ts";

const LONG = "x".repeat(64);

test.each([
  ["MX", `10 ${LONG}.example.org`],
  ["SRV", `0 5 5060 ${LONG}.example.org`],
  ["SRV", "0 5 70000 sip.example.org"],
  ["SOA", `${LONG}.e. h.e. 1 3600 600 86400 60`],
  ["SOA", `ns1.e. ${LONG}.e. 1 3600 600 86400 60`],
  ["SOA", "ns1.e. h.e. 1 3600 600 86400"],
  ["CNAME", "a\\\u0001b.example.org"],
  ["CNAME", "a\\"],
  ["CNAME", "a\\999.example.org"],
])("%s %j is refused with a reason", (type, text) => {
  expect(parseRdata(type, text)).toMatchObject({ ok: false, error: expect.stringMatching(/\w/) });
});

test("a record has at most 65535 bytes", () => {
  expect(unknownBytes(`\\# 65536 ${"00".repeat(65_536)}`)).toMatchObject({
    ok: false,
    error: expect.stringContaining("65535"),
  });
});

test("the root has no labels", () => {
  expect([nameLabels("."), nameLabels("")]).toEqual([
    { ok: true, value: [] },
    { ok: true, value: [] },
  ]);
});

test("0 is no serial: the one after the last is 1", () => {
  expect([nextSerial(0xffff_ffff), nextSerial(7)]).toEqual([1, 8]);
});

test("what is no TXT rdata has no text", () => {
  expect([txtToText('"open'), txtToText('"a" "b"')]).toEqual([null, "ab"]);
});
