/**
 * What the author of an object says about handing records over: whom it permits to claim what it
 * holds, and whether it claims what others hold (docs/guides/ownership.md). Words
 * only; who may do what is decided in `plan/`.
 */
import { EXTERNAL_DNS_PREFIXES } from "./annotation-keys.ts";
import type { Provenance } from "./provenance.ts";

/** Prefixes of the annotations: ours, then external-dns's own and its former one. */
export const TRANSFER_PREFIXES = ["zonekeeper.dev/", ...EXTERNAL_DNS_PREFIXES] as const;

/** The annotations, each to stand behind any prefix. */
export const TRANSFER_KEYS = {
  permitOwner: "permit-claim-by-owner",
  permitResource: "permit-claim-by-resource",
  claim: "claim",
  release: "release",
  adopt: "adopt",
  merge: "merge",
} as const;

/**
 * Every annotation that hands records over; they are copied from a source object to the entries
 * made from it.
 */
export const TRANSFER_ANNOTATIONS: readonly string[] = TRANSFER_PREFIXES.flatMap((prefix) =>
  Object.values(TRANSFER_KEYS).map((annotation) => `${prefix}${annotation}`),
);

/**
 * The value of `release` on an entry that has it from its source object; it goes with that one's. A
 * person's `true` stays.
 */
export const RELEASED_BY_SOURCE = "by-source";

/** One object that may have the records of another one. */
export interface PermitRequest {
  /**
   * Owner id of the group that manages the claiming object; null = the giver's own. An object of
   * the giver's own group may claim in any case.
   */
  readonly owner: string | null;
  /**
   * `kind/namespace/name` of the object that is to claim, as its marker would spell it; always well
   * formed.
   */
  readonly resource: string;
}

/**
 * True when a permit that an object of the owner id `giver` gives counts for this object: for one
 * of the permit's own owner id, and for one that claims and is of the giver's (external-dns's
 * proposal of transfers, "Resource priority").
 */
export function isPermitForOwner(
  permit: PermitRequest,
  giver: string,
  { owner, claims }: { readonly owner: string; readonly claims: boolean },
): boolean {
  // clause: permit-counts-in-the-group
  return owner === (permit.owner ?? giver) || (claims && owner === giver);
}

/** What one object says; absent on a record set = nothing of all this. */
export interface TransferRequest {
  /** It takes over what the present holder permits it to take. */
  readonly claim: boolean;
  /**
   * Null = nobody may claim its records. Never set together with `claim`: two objects could take
   * turns for ever.
   */
  readonly permit: PermitRequest | null;
  /** It gives its records up: markers go, data stays. */
  readonly release: boolean;
  /**
   * What stands unmarked and may be taken over for it, value by value; counts where adoption is
   * `listed`.
   */
  readonly adopt: readonly ListedValue[];
  /** Its addresses and name servers are a part of what several clusters publish (ADR 0118). */
  readonly merge: boolean;
}

/** One value of a record set, canonical rdata. */
export interface ListedValue {
  readonly type: string;
  readonly value: string;
}

/**
 * What an object says now about its records, wherever that is read: also where its spec cannot be.
 */
export interface ObjectTransfer {
  /** The object that markers of its records name. */
  readonly object: Provenance;
  readonly transfer: TransferRequest;
}

/** Nothing said. */
export const NO_TRANSFER: TransferRequest = {
  claim: false,
  permit: null,
  release: false,
  adopt: [],
  merge: false,
};
