import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { nameOf, parseZone } from "../../../test/support/values/zone-text.ts";
import type { NameExplanation } from "../../sync/contract/name-explanation.ts";
import { aliasEnd } from "./explain-api.ts";

const ZONE = parseZone(`
www 300 A 192.0.2.1
to 300 CNAME www.example.org.
twice 300 CNAME to.example.org.
dead 300 CNAME none.example.org.
text 300 TXT "x"
totext 300 CNAME text.example.org.
_dmarc 300 CNAME text.example.org.
round 300 CNAME round2.example.org.
round2 300 CNAME round.example.org.
out 300 CNAME lb.example.net.
cut 300 CNAME x.below.example.org.
_acme-challenge 300 CNAME token.example.net.
`);

const at = (name: DnsName): NameExplanation =>
  ({
    ...{ name, apex: nameOf("@"), current: ZONE.filter((set) => set.name === name) },
    ...(name.includes(".below.") ? { isDelegated: true } : {}),
  }) as unknown as NameExplanation;

const ends = async (name: string, has: boolean | null) => {
  const instance = {
    work: { explain: async (one: DnsName) => (one.endsWith("example.org") ? [at(one)] : []) },
    hasAddress: async () => has,
  };
  const end = await aliasEnd(instance, at(nameOf(name)));
  return end === null ? null : `${end.chain.length} ${end.is}`;
};

test.each([
  ["www", null, null],
  ["to", null, "1 answers"],
  ["twice", null, "2 answers"],
  ["dead", true, "1 nowhere"],
  ["totext", true, "1 nowhere"],
  ["_dmarc", null, "1 answers"],
  ["round", true, "9 nowhere"],
  ["out", true, "1 answers"],
  ["out", false, "1 nowhere"],
  ["out", null, "1 unknown"],
  ["cut", false, "1 nowhere"],
  ["_acme-challenge", false, "1 unknown"],
])("where %s leads, the resolver saying %s: %s", async (name, has, expected) => {
  expect(await ends(name, has)).toBe(expected);
});
