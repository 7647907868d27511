/** Which record sets can coexist at one name. Facts of DNS only: no owners, no policies. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { numberOfType } from "@zonekeeper/dns/rdata/type-numbers";
import type { RecordSet, RecordSetKey } from "../model/record-set.ts";
import type { TypeAnswer, TypeAnswers } from "../model/type-answers.ts";

/** Types that we write and whose answer is an address, or leads to one. */
export const ADDRESS_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "ALIAS"]);

/** RFC 1035 §3.3.1, §3.4.1, RFC 3596 §2.1. */
const STANDARD: TypeAnswers = { A: "addresses", AAAA: "addresses", CNAME: "cname" };
const FLATTENED: TypeAnswers = { CNAME: "alias" };
/** RFC 6895 §3.1: types from this number on are for private use. */
const FIRST_PRIVATE_NUMBER = 0xff_00;

/** Facts about a zone's back end; absent = it answers as the standards say. */
export interface AnsweringZone {
  readonly apex: DnsName;
  readonly flattensApex?: boolean;
  readonly ownTypes?: TypeAnswers;
}

/** Answers of types at this name. A CNAME at an apex may be flattened: it is an alias there. */
export function answersAt(
  name: DnsName,
  { apex, flattensApex = false, ownTypes = {} }: AnsweringZone,
): TypeAnswers {
  return flattensApex && name === apex ? { ...ownTypes, ...FLATTENED } : ownTypes;
}

/**
 * How the type answers a query for an address: with addresses, as a CNAME, with either (`alias`),
 * or not at all (`other`). A private type that the provider does not describe may do anything.
 */
function answerOf(type: string, answers: TypeAnswers): TypeAnswer {
  const known = /* clause: provider-types-count */ answers[type] ?? STANDARD[type];
  if (known !== undefined) return known;
  const number = numberOfType(type);
  // clause: unknown-type-is-an-alias
  return number !== null && number < FIRST_PRIVATE_NUMBER ? "other" : "alias";
}

/** Types that can coexist with a CNAME, RFC 4034 §3, §4 and RFC 2181 §10.1. */
const COEXISTING_WITH_CNAME: ReadonlySet<string> = new Set(["RRSIG", "NSEC", "NSEC3", "KEY"]);

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
 * `answers`: of `answersAt`.
 */
export function mayCoexist(a: Kind, b: Kind, answers: TypeAnswers = {}): boolean {
  if (a.type === b.type) return isSamePolicyMember(a, b);
  const [one, other] = [answerOf(a.type, answers), answerOf(b.type, answers)];
  if (one === "cname") return COEXISTING_WITH_CNAME.has(b.type);
  if (other === "cname") return COEXISTING_WITH_CNAME.has(a.type);
  return one === "other" || other === "other" || (one === "addresses" && other === "addresses");
}

/** True when one type can answer in place of the other: equal types, or both are address types. */
export function canSubstitute(one: string, other: string): boolean {
  return one === other || (ADDRESS_TYPES.has(one) && ADDRESS_TYPES.has(other));
}

/**
 * True when the foreign record `other` blocks the create of `wanted` at the name (Z-7); `answers`
 * as above.
 */
export function blocksCreate(other: Kind, wanted: Kind, answers: TypeAnswers = {}): boolean {
  if (other.type === wanted.type) return !isSamePolicyMember(other, wanted);
  return answerOf(other.type, answers) !== "other" || !mayCoexist(other, wanted, answers);
}

/** Two set identifiers of one type under one kind of routing policy. */
function isSamePolicyMember(a: Kind, b: Kind): boolean {
  if (a.setIdentifier === null || b.setIdentifier === null) return false;
  return a.setIdentifier !== b.setIdentifier && a.routingPolicy?.type === b.routingPolicy?.type;
}
