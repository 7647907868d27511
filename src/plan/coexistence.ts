/** Which record sets can coexist at one name. Facts of DNS only: no owners, no policies. */
import type { RecordSet, RecordSetKey } from "../model/record-set.ts";

/**
 * Types of which a foreign record blocks every create at the name (Z-7). `ALIAS` is the providers'
 * name of an apex alias.
 */
export const ADDRESS_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "ALIAS"]);

/** Types that can coexist with a CNAME, RFC 4034 §3, §4 and RFC 2181 §10.1. */
const COEXISTING_WITH_CNAME: ReadonlySet<string> = new Set(["RRSIG", "NSEC", "NSEC3", "KEY"]);

/** Types that the provider synthesises from an ALIAS. */
const SYNTHESISED_FROM_ALIAS: ReadonlySet<string> = new Set(["A", "AAAA"]);

/**
 * Types a zone may hold at a name, sorted. A CNAME that replaces ours asserts the absence of each
 * of them, because RFC 2136 has no precondition "no other type at this name" (Z-8).
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

/** The fields of a record set that decide about coexistence. */
export type Kind = RecordSetKey & Pick<RecordSet, "routingPolicy">;

/**
 * True when both can coexist at one name. Members of one routing policy can; equal keys cannot.
 * `flattens`: the back end answers with addresses in place of a CNAME there, as for an ALIAS.
 */
export function mayCoexist(a: Kind, b: Kind, flattens = false): boolean {
  if (a.type === b.type) return isSamePolicyMember(a, b);
  if (flattens) return mayCoexist(asFlattened(a), asFlattened(b));
  if (a.type === "CNAME") return COEXISTING_WITH_CNAME.has(b.type);
  if (b.type === "CNAME") return COEXISTING_WITH_CNAME.has(a.type);
  if (a.type === "ALIAS") return !SYNTHESISED_FROM_ALIAS.has(b.type);
  if (b.type === "ALIAS") return !SYNTHESISED_FROM_ALIAS.has(a.type);
  return true;
}

function asFlattened(kind: Kind): Kind {
  return kind.type === "CNAME" ? { ...kind, type: "ALIAS" } : kind;
}

/** True when one type can answer in place of the other: equal types, or both are address types. */
export function canSubstitute(one: string, other: string): boolean {
  return one === other || (ADDRESS_TYPES.has(one) && ADDRESS_TYPES.has(other));
}

/**
 * True when the foreign record `other` blocks the create of `wanted` at the name (Z-7); `flattens`
 * as above.
 */
export function blocksCreate(other: Kind, wanted: Kind, flattens = false): boolean {
  if (other.type === wanted.type) return !isSamePolicyMember(other, wanted);
  return ADDRESS_TYPES.has(other.type) || !mayCoexist(other, wanted, flattens);
}

/** Two set identifiers of one type under one kind of routing policy. */
function isSamePolicyMember(a: Kind, b: Kind): boolean {
  if (a.setIdentifier === null || b.setIdentifier === null) return false;
  return a.setIdentifier !== b.setIdentifier && a.routingPolicy?.type === b.routingPolicy?.type;
}
