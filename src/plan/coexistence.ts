/** Which record sets may stand at one name together. Facts of DNS only: no owners, no policies. */
import type { RecordSet, RecordSetKey } from "../model/record-set.ts";

/**
 * Types whose foreign presence bars any create at the name (Z-7); `ALIAS` is what providers call an
 * apex alias.
 */
export const ADDRESS_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "ALIAS"]);

/** Types that may stand beside a CNAME, RFC 4034 §3, §4 and RFC 2181 §10.1. */
const COEXISTING_WITH_CNAME: ReadonlySet<string> = new Set(["RRSIG", "NSEC", "NSEC3", "KEY"]);

/** Types that an ALIAS stands in for; the provider synthesises them. */
const SYNTHESISED_FROM_ALIAS: ReadonlySet<string> = new Set(["A", "AAAA"]);

/**
 * Types a zone may hold at a name, sorted. A CNAME that replaces ours asserts the absence of each
 * of them, because RFC 2136 cannot say "nothing else stands here" (Z-8).
 */
export const KNOWN_TYPES: readonly string[] = [
  "A",
  "AAAA",
  "CAA",
  "CNAME",
  "DNAME",
  "DS",
  "HTTPS",
  "LOC",
  "MX",
  "NAPTR",
  "NS",
  "PTR",
  "SRV",
  "SSHFP",
  "SVCB",
  "TLSA",
  "TXT",
  "URI",
];

/** A record set as far as coexistence goes. */
export type Kind = RecordSetKey & Pick<RecordSet, "routingPolicy">;

/** True when both may stand at one name. Members of one routing policy may; equal keys never do. */
export function mayCoexist(a: Kind, b: Kind): boolean {
  if (a.type === b.type) return isSamePolicyMember(a, b);
  if (a.type === "CNAME") return COEXISTING_WITH_CNAME.has(b.type);
  if (b.type === "CNAME") return COEXISTING_WITH_CNAME.has(a.type);
  if (a.type === "ALIAS") return !SYNTHESISED_FROM_ALIAS.has(b.type);
  if (b.type === "ALIAS") return !SYNTHESISED_FROM_ALIAS.has(a.type);
  return true;
}

/**
 * True when one is an answer where the other was: both say where a name is, or they are of one
 * type.
 */
export function canSubstitute(one: string, other: string): boolean {
  return one === other || (ADDRESS_TYPES.has(one) && ADDRESS_TYPES.has(other));
}

/** True when a foreign `other` bars creating `wanted` at its name (Z-7). */
export function blocksCreate(other: Kind, wanted: Kind): boolean {
  if (other.type === wanted.type) return !isSamePolicyMember(other, wanted);
  return ADDRESS_TYPES.has(other.type) || !mayCoexist(other, wanted);
}

/** Two set identifiers of one type under one kind of routing policy. */
function isSamePolicyMember(a: Kind, b: Kind): boolean {
  if (a.setIdentifier === null || b.setIdentifier === null) return false;
  return a.setIdentifier !== b.setIdentifier && a.routingPolicy?.type === b.routingPolicy?.type;
}
