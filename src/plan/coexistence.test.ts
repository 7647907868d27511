import { expect, test } from "vitest";
import { parseZone } from "../../test/support/values/zone-text.ts";
import type { RecordSet } from "../model/record-set.ts";
import type { TypeAnswers } from "../model/type-answers.ts";
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
  // Types of back ends' own, whoever reads them.
  ["LUA x", "A 192.0.2.1", true],
  ["LUA x", "CNAME x", true],
  ["ANAME x", "AAAA 2001:db8::1", true],
  ["TYPE65402 x", "A 192.0.2.1", true],
  ["TYPE65280 x", 'TXT "a"', true],
  ["URL301 x", "A 192.0.2.1", true],
  // Types of standards, with a mnemonic or without.
  ["DNSKEY x", "A 192.0.2.1", false],
  ["TYPE261 x", "A 192.0.2.1", false],
  ["HTTPS x", "A 192.0.2.1", false],
])("Z-7 a foreign %s blocks creating %s: %s", (other, wanted, blocks) => {
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
  expect(mayCoexist(set(a), set(b), { CNAME: "alias" })).toBe(coexist);
  expect(mayCoexist(set(b), set(a), { CNAME: "alias" })).toBe(coexist);
});

test("Z-7 a provider says what its types answer: BIND's notes about signing bar nothing", () => {
  const answers: TypeAnswers = { TYPE65534: "other", MINE: "addresses" };
  const wanted = set("A 192.0.2.1");
  expect(blocksCreate(set("TYPE65534 x"), wanted)).toBe(true);
  expect(blocksCreate(set("TYPE65534 x"), wanted, answers)).toBe(false);
  expect(blocksCreate(set("MINE x"), wanted, answers)).toBe(true);
  expect(mayCoexist(set("MINE x"), wanted, answers)).toBe(true);
  expect(mayCoexist(set("MINE x"), set("ALIAS y"), answers)).toBe(false);
});
