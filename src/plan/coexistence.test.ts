import { expect, test } from "vitest";
import { parseZone } from "../../test/support/values/zone-text.ts";
import type { RecordSet } from "../model/record-set.ts";
import { blocksCreate, KNOWN_TYPES, mayCoexist } from "./coexistence.ts";

const set = (text: string): RecordSet => {
  const [found] = parseZone(`www 300 ${text}`);
  if (found === undefined) throw new Error(text);
  return found;
};

test.each([
  ["A 192.0.2.1", "AAAA 2001:db8::1", true],
  ["A 192.0.2.1", "A 192.0.2.2", false],
  ["A 192.0.2.1", "CNAME x", false],
  ['TXT "a"', "CNAME x", false],
  ["RRSIG x", "CNAME x", true],
  ["NSEC x", "CNAME x", true],
  ["NSEC3 x", "CNAME x", true],
  ["KEY x", "CNAME x", true],
  ["ALIAS x", "A 192.0.2.1", false],
  ["ALIAS x", "AAAA 2001:db8::1", false],
  ["ALIAS x", 'TXT "a"', true],
  ["ALIAS x", "CNAME x", false],
  ["A 192.0.2.1 ; id=a policy=w", "A 192.0.2.2 ; id=b policy=w", true],
  ["A 192.0.2.1 ; id=a policy=w", "A 192.0.2.2 ; id=a policy=w", false],
  ["A 192.0.2.1 ; id=a policy=w", "A 192.0.2.2 ; id=b policy=geo", false],
  ["A 192.0.2.1 ; id=a policy=w", "A 192.0.2.2", false],
  ["A 192.0.2.1 ; id=a", "A 192.0.2.2", false],
  ["A 192.0.2.1 ; id=a", "A 192.0.2.2 ; id=b", true],
])("%s beside %s: %s, whichever comes first", (a, b, together) => {
  expect(mayCoexist(set(a), set(b))).toBe(together);
  expect(mayCoexist(set(b), set(a))).toBe(together);
});

test.each([
  ["AAAA 2001:db8::1", "A 192.0.2.1", true],
  ["AAAA 2001:db8::1", 'TXT "a"', true],
  ["MX 10 mx", "A 192.0.2.1", false],
  ["MX 10 mx", "CNAME x", true],
  ["CNAME x", "RRSIG x", true],
  ["ALIAS x", 'TXT "a"', true],
  ["A 192.0.2.1 ; id=a policy=w", "A 192.0.2.2 ; id=b policy=w", false],
])("a foreign %s blocks creating %s: %s", (other, wanted, blocks) => {
  expect(blocksCreate(set(other), set(wanted))).toBe(blocks);
});

test("Z-8 a CNAME in the place of ours asserts the absence of each of these types, and of no other", () => {
  const types = "A AAAA CAA CNAME DNAME DS HTTPS LOC MX NAPTR NS PTR SRV SSHFP SVCB TLSA TXT URI";
  expect(KNOWN_TYPES).toEqual(types.split(" "));
});

test.each([
  ["CNAME x", 'TXT "a"', true],
  ["CNAME x", "NS ns.example.com", true],
  ["CNAME x", "A 192.0.2.1", false],
  ["CNAME x", "ALIAS x", false],
  ["CNAME x", "CNAME y", false],
  ["A 192.0.2.1", "AAAA 2001:db8::1", true],
])("where a CNAME is flattened, %s beside %s: %s", (a, b, coexist) => {
  expect(mayCoexist(set(a), set(b), true)).toBe(coexist);
  expect(mayCoexist(set(b), set(a), true)).toBe(coexist);
});
