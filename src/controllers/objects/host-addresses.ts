/**
 * Which addresses stand for the host names of one name, from what a resolver answered and what the
 * zone has. A look-up changes addresses and never ends a record set (Z-31). Pure.
 */
import { canonicalValues } from "@zonekeeper/dns/rdata/canonical-values";
import { isInternalAddress } from "../../model/internal-address.ts";
import type { HostAddresses } from "../../ports/resolver.ts";

/** What the addresses are made from. */
export interface AddressInput {
  /** The last answer of each host that had an address; null = there was none yet. */
  readonly answers: readonly (HostAddresses | null)[];
  /** What was published before these answers. */
  readonly before: HostAddresses;
  /** The list of host names was changed since: a kind of address may go with it. */
  readonly isEdited: boolean;
}

/**
 * Addresses of all hosts, sorted. While a host has never answered, those of before stay beside the
 * new ones; a kind of address that no host has any more stays as it was.
 */
export function addressesFor(input: AddressInput): HostAddresses {
  return { a: kindFor(input, "a"), aaaa: kindFor(input, "aaaa") };
}

/** True when every host has answered. */
export function isCertain({ answers }: Pick<AddressInput, "answers">): boolean {
  return answers.every((answer) => answer !== null);
}

/** Kinds that stay although no host has one any more. */
export function keptKinds(input: AddressInput): readonly ("A" | "AAAA")[] {
  if (!isCertain(input) || input.isEdited) return [];
  const isKept = (kind: keyof HostAddresses): boolean =>
    input.before[kind].length > 0 && freshOf(input, kind).length === 0;
  return [...(isKept("a") ? (["A"] as const) : []), ...(isKept("aaaa") ? (["AAAA"] as const) : [])];
}

/**
 * The addresses that may be published. A filter of names answers 0.0.0.0 or loopback for a name
 * that it hides; no host of a network is there.
 */
export function credible({ a, aaaa }: HostAddresses): HostAddresses {
  const isCredible = (address: string): boolean => !isInternalAddress(address);
  return { a: a.filter(isCredible), aaaa: aaaa.filter(isCredible) };
}

/** True for a host without any address. */
export function isEmpty({ a, aaaa }: HostAddresses): boolean {
  return a.length === 0 && aaaa.length === 0;
}

function kindFor(input: AddressInput, kind: keyof HostAddresses): readonly string[] {
  const { before, isEdited } = input;
  const fresh = freshOf(input, kind);
  // clause: addresses-stay-until-hosts-answer
  if (!isCertain(input)) return canonicalValues([...before[kind], ...fresh]);
  // clause: address-kind-stays-for-same-hosts
  return fresh.length > 0 || /* clause: edited-hosts-change-address-kinds */ isEdited
    ? fresh
    : before[kind];
}

function freshOf({ answers }: AddressInput, kind: keyof HostAddresses): readonly string[] {
  return canonicalValues(answers.flatMap((answer) => answer?.[kind] ?? []));
}
