/**
 * Which addresses a record set gets whose targets are host names to be looked up, from the last
 * answers of a resolver and from what the zone has. A look-up changes addresses and never ends a
 * record set (Z-31). A kind here is A or AAAA. Pure.
 */
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import { isInternalAddress } from "../../model/addresses.ts";
import type { HostAddresses } from "../../ports/resolver.ts";

/** Everything that the addresses are made from. */
export interface AddressInput {
  /** The last answer of each host that had an address; null = there was none yet. */
  readonly answers: readonly (HostAddresses | null)[];
  /** The addresses that were published before these answers. */
  readonly before: HostAddresses;
  /**
   * True = the list of host names was edited since `before`: then a kind of address may be removed.
   */
  readonly isEdited: boolean;
}

/**
 * Addresses of all hosts, sorted. While a host has never answered, the addresses of `before` are
 * published with the new ones. A kind that no host has any more keeps the addresses of `before`.
 */
export function addressesFor(input: AddressInput): HostAddresses {
  return { a: kindFor(input, "a"), aaaa: kindFor(input, "aaaa") };
}

/** True when every host has answered. */
export function isCertain({ answers }: Pick<AddressInput, "answers">): boolean {
  return answers.every((answer) => answer !== null);
}

/**
 * Kinds that keep the addresses of `before` because no host has an address of the kind any more.
 */
export function keptKinds(input: AddressInput): readonly ("A" | "AAAA")[] {
  if (!isCertain(input) || input.isEdited) return [];
  const isKept = (kind: keyof HostAddresses): boolean =>
    input.before[kind].length > 0 && freshOf(input, kind).length === 0;
  return [...(isKept("a") ? (["A"] as const) : []), ...(isKept("aaaa") ? (["AAAA"] as const) : [])];
}

/**
 * The addresses that may be published. A resolver that blocks names answers 0.0.0.0 or a loopback
 * address; no host of a network has one.
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
