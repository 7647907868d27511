import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runsOf } from "../../../test/support/values/law-runs.ts";
import { formatMarker, markerBytes, parseMarkerText, textInRdata } from "./marker-value.ts";

describe("formatMarker: external-dns §3.1, byte for byte", () => {
  test.each([
    [{ owner: "owner" }, '"heritage=external-dns,external-dns/owner=owner"'],
    [
      { resource: "ingress/default/my-ingress", owner: "owner" },
      '"heritage=external-dns,external-dns/owner=owner,external-dns/resource=ingress/default/my-ingress"',
    ],
    [
      { resource: "r", owner: "o", ownedRecord: "x", "key-id": "1" },
      '"heritage=external-dns,external-dns/key-id=1,external-dns/ownedRecord=x,external-dns/owner=o,external-dns/resource=r"',
    ],
    [{ owner: "a\\c" }, String.raw`"heritage=external-dns,external-dns/owner=a\\c"`],
  ])("%o", (labels, text) => {
    expect(formatMarker(labels)).toBe(text);
  });

  test("what the format cannot carry is refused", () => {
    expect(formatMarker({ owner: "a,b" })).toBeNull();
    expect(formatMarker({ owner: 'a"b' })).toBeNull();
    expect(formatMarker({ owner: "bücher" })).toBeNull();
  });

  test("bytes are counted without quotes and escapes", () => {
    expect(markerBytes(String.raw`"a\"b\065" "c"`)).toBe(5);
  });
});

describe("parseMarkerText", () => {
  test.each<[string, Record<string, string> | null]>([
    [
      '"heritage=external-dns,,external-dns/owner=bar-owner,external-dns/resource=bar-resource,external-dns/new-key=bar-new-key,random=stuff,no-equal-sign,,"',
      { owner: "bar-owner", resource: "bar-resource", "new-key": "bar-new-key" },
    ],
    ['"heritage=external-dns,external-dns/owner=team=platform"', { owner: "team=platform" }],
    ['"external-dns/owner=me,heritage=external-dns"', { owner: "me" }],
    ["heritage=external-dns,external-dns/owner=me", { owner: "me" }],
    [String.raw`"\"heritage=external-dns,external-dns/owner=me\""`, { owner: "me" }],
    ['"heritage=external-dns," "external-dns/owner=me"', { owner: "me" }],
    [String.raw`"heritage=external\045dns,external-dns/owner=me"`, { owner: "me" }],
    ['"heritage=external-dns"', {}],
    ['"external-dns/owner=x"', null],
    ['"heritage=mate,external-dns/owner=x"', null],
    ['"heritage=mate,heritage=external-dns,external-dns/owner=x"', null],
    ['"heritage=external-dns,heritage=mate,external-dns/owner=x"', null],
    ['"v=spf1 -all"', null],
    ['""', null],
    // Encrypted (external-dns §3.7): foreign text for now.
    [
      '"h8UQ6jelUFUsEIn7SbFktc2MYXPx/q8lySqI4VwfVtVaIbb2nkHWV/88KKbuLtu7fJNzMir8ELVeVnRSY01KdiIuj7ledqZe5ailEjQaU5Z6uEKd5pgs6sH8"',
      null,
    ],
  ])("%s", (text, labels) => {
    expect(parseMarkerText(textInRdata(text))).toEqual(labels);
  });

  test("law: parse(format(x)) = x", () => {
    const labelText = fc.stringMatching(/^[a-zA-Z0-9_./:~\\ -]+$/);
    const key = fc.stringMatching(/^[a-z][a-z0-9-]*$/).filter((one) => one !== "constructor");
    fc.assert(
      fc.property(fc.dictionary(key, labelText, { noNullPrototype: true }), (labels) => {
        const text = formatMarker(labels);
        expect(text === null ? null : parseMarkerText(textInRdata(text))).toEqual(labels);
      }),
      { numRuns: runsOf(2000) },
    );
  });

  // Found by the fuzzer: quadratic time, a second for one record.
  test.each([
    ["strings without an end", '\\"xwner='.repeat(200_000)],
    ["a backslash at the end", `"${'\\"x'.repeat(400_000)}\\`],
    ["quotes that others follow", `"${'\\"'.repeat(500_000)}x"`],
  ])("%s are read in a time that follows their length", (_name, rdata) => {
    expect(parseMarkerText(textInRdata(rdata))).toBeNull();
  });

  test.each([
    ['"a" "b', "a"],
    ['"a" "b\\', "a"],
    ['a "b"', "b"],
    ['"a\\"', '"a"'],
    ["a\\044b", "a,b"],
    ['"" "a\\\\" x "b\\"c"', 'a\\b"c'],
  ])("character-strings of %s", (rdata, text) => {
    expect(textInRdata(rdata)).toBe(text);
  });

  test("law: any text is read without throwing", () => {
    fc.assert(
      fc.property(fc.string(), (text) => parseMarkerText(textInRdata(text)) === null || true),
      { numRuns: runsOf(2000) },
    );
  });
});
