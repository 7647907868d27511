/**
 * What a writer concludes from the fence that it read (Z-17): the record of an owner id in a zone
 * that names the election domain (one installation) which writes there, and the epoch (number) of
 * its term of leadership. A restored copy of a cluster has the same domain: then two contest the
 * zone. Pure: reads nothing, writes nothing.
 */
import type { RecordSet } from "../../model/record-set.ts";
import {
  DISMISSED_MAX,
  type FenceRecord,
  parseFence,
  parseFences,
} from "../contract/fence-record.ts";

/** A writer: its election domain and the epoch of its term. */
export interface Writer {
  readonly domain: string;
  /** The domain of its Lease before the election got a name. Absent = none. */
  readonly unnamed?: string | undefined;
  /** Domains whose record says `shared`, too, may write beside this one. Absent = none may. */
  readonly shared?: true | undefined;
  readonly epoch: number;
  /** Id of the term. Absent = the terms of the domain have none. */
  readonly term?: string;
  /** A copy of its cluster wrote the record with this epoch. Absent = none is known. */
  readonly copyEpoch?: number;
  /** The term has seen here that a copy of its cluster disputes the zone. Absent = it has not. */
  readonly isCopied?: true;
  /** Its first contact with the zone is over (Z-24). Absent = it is not. */
  readonly met?: true;
}

/** Why nothing is written; a hold reason and its message. */
export interface FenceStop {
  readonly code: "OwnerContested" | "OwnerTaken" | "FenceUnreadable" | "HeldBy";
  readonly message: string;
  /** The other domain; null = it is not known. */
  readonly other: string | null;
}

/** What to do. */
export type FenceVerdict =
  /** The fence names our term already: nothing to write. */
  | { readonly is: "ours" }
  /**
   * Write this if the record is still as it was read; read it again when that fails.
   * `namesTerm`: it names our term already, and lacks only that first contact is over.
   */
  | { readonly is: "write"; readonly next: FenceRecord; readonly namesTerm?: true }
  /**
   * A copy of our cluster has our owner id, and the record does not say so: write this and stop.
   */
  | { readonly is: "contest"; readonly next: FenceRecord; readonly stop: FenceStop }
  /** Another term of our own domain writes, and is no earlier one: we are stale. */
  | { readonly is: "demote"; readonly epoch: number }
  | { readonly is: "stop"; readonly stop: FenceStop };

/** `found`: all record sets at the fence's name; empty = there is no record. */
export function judgeFence(found: readonly RecordSet[], self: Writer): FenceVerdict {
  const [set] = found;
  if (set === undefined) return { is: "write", next: fresh(self, []) };
  const records = found.length === 1 ? parseFences(set) : null;
  if (records === null) return { is: "stop", stop: unreadable(set) };
  const foreign = records.find((one) => !isOwnDomain(one.domain, self) && !isShared(one, self));
  // The installation that was there first goes on; a later one waits, and writes no record.
  // clause: first-installation-goes-on
  if (foreign !== undefined) {
    // clause: later-installation-waits
    const wasTaken = foreign.dismissed.includes(self.domain);
    // clause: foreign-fence-stops
    return { is: "stop", stop: (wasTaken ? taken : heldBy)(foreign.domain, self.domain) };
  }
  const own = records.find(({ domain }) => isOwnDomain(domain, self));
  if (own !== undefined) return judgeOwnRecord(own, self);
  return { is: "write", next: { ...fresh(self, []), beside: set.values } };
}

/** True for the writer's own domain, by its name or by that of its Lease without a name. */
export function isOwnDomain(
  domain: string,
  self: { readonly domain: string | null; readonly unnamed?: string | undefined },
): boolean {
  // clause: unnamed-domain-is-ours
  return domain === self.domain || domain === self.unnamed;
}

/** True when the record says that copies of the writer's cluster contest the zone. */
export function isOfCopies(
  record: FenceRecord | null,
  self: Parameters<typeof isOwnDomain>[1],
): boolean {
  return (
    record !== null && isOwnDomain(record.domain, self) && record.contestedBy === record.domain
  );
}

/** True when both the record and the writer say that others may write, too. */
function isShared(record: FenceRecord, self: Writer): boolean {
  return /* clause: sharing-needs-both */ record.shared === true && self.shared === true;
}

/**
 * Judges a record of our own domain. Where a contest of copies has ended without us, a person chose
 * the copy, so that we stop: to go on as a later term would begin the contest again. Else a term
 * with a lower epoch ends, whatever else the record says.
 */
function judgeOwnRecord(record: FenceRecord, self: Writer): FenceVerdict {
  if (self.isCopied === true && record.contestedBy === null && record.term !== self.term)
    return { is: "stop", stop: takenByCopy(self.domain) };
  // clause: lower-epoch-is-demoted
  if (isStaleBy(record, self)) return { is: "demote", epoch: record.epoch };
  // clause: contested-process-stops
  if (record.contestedBy !== null)
    return { is: "stop", stop: contested(record.contestedBy, self.domain) };
  // clause: copies-contest
  if (record.epoch === self.copyEpoch) {
    const next = { ...record, contestedBy: self.domain };
    return /* clause: contest-is-written */ { is: "contest", next, stop: copied(self.domain) };
  }
  const { beside } = record;
  const rest = { ...metBy(record), ...(beside === undefined ? {} : { beside }) };
  const next = { ...fresh(self, record.dismissed), ...rest };
  if (record.epoch !== self.epoch || record.domain !== self.domain) return { is: "write", next };
  return self.met === true && record.met === undefined
    ? { is: "write", next, namesTerm: true }
    : { is: "ours" };
}

/**
 * True when the record is of a later term. A record of the same epoch with another term id was
 * written before the Lease was deleted, or by a copy of our cluster: in both cases this term ends,
 * and the next one has a higher epoch.
 */
function isStaleBy(record: FenceRecord, self: Writer): boolean {
  if (record.epoch !== self.epoch) return record.epoch > self.epoch;
  const isOther = record.term !== undefined && self.term !== undefined && record.term !== self.term;
  // clause: term-has-an-id
  return isOther && record.epoch !== self.copyEpoch;
}

/** True when the record names our term already. */
export function namesTerm(verdict: FenceVerdict | null): boolean {
  return verdict?.is === "ours" || (verdict?.is === "write" && verdict.namesTerm === true);
}

/**
 * The fence with which `self` takes the owner id from the domain `from`, because a person says so;
 * null when it is not that domain which is in the way.
 */
export function takenFrom(record: FenceRecord, from: string, self: Writer): FenceRecord | null {
  // clause: owner-id-is-taken-from-holder
  const isHeldByOther =
    record.domain === from && /* clause: nothing-is-taken-from-itself */ from !== self.domain;
  const isDisputed = isOwnDomain(record.domain, self) && record.contestedBy === from;
  if (
    !isHeldByOther &&
    /* clause: stale-process-takes-nothing */ !(isDisputed && record.epoch <= self.epoch)
  )
    return null;
  const others = record.dismissed.filter((domain) => domain !== from);
  // clause: former-holder-stops
  const dismissed = [from, ...others].filter((domain) => domain !== self.domain);
  const mayRemain = (value: string): boolean => {
    const other = parseFence({ type: "TXT", values: [value] });
    return other !== null && !isOwnDomain(other.domain, self) && isShared(other, self);
  };
  const beside = record.beside?.filter(mayRemain) ?? [];
  const taken = fresh(self, dismissed.slice(0, DISMISSED_MAX));
  return beside.length === 0 ? taken : { ...taken, beside };
}

function fresh(self: Writer, dismissed: readonly string[]): FenceRecord {
  const { domain, epoch, term, shared } = self;
  const named = { domain, epoch, ...(term === undefined ? {} : { term }) };
  const sharing = shared === true ? { shared } : {};
  return { ...named, contestedBy: null, dismissed, ...metBy(self), ...sharing };
}

function metBy({ met }: Pick<Writer, "met">): Pick<FenceRecord, "met"> {
  return met === undefined ? {} : { met };
}

function contested(other: string, own: string): FenceStop {
  if (other === own) return copied(own);
  return {
    code: "OwnerContested",
    message: `installation ${other} writes to this zone with our owner id (this is ${own}). Start one of the two with another --owner. Or run zonekeeper owner take --from ${other} to keep the id here`,
    other,
  };
}

function heldBy(other: string, own: string): FenceStop {
  return {
    code: "HeldBy",
    message: `installation ${other} has the owner id in this zone (this is ${own}), so this one waits. Give one of the two another --owner, or switch the DNSOwner off there. If that installation is gone for good: zonekeeper owner take --from ${other}`,
    other,
  };
}

function copied(own: string): FenceStop {
  return {
    code: "OwnerContested",
    message: `another copy of this cluster (a restored snapshot?) writes to this zone with our owner id (both are ${own}). Stop one of the two, then run zonekeeper owner take --from ${own} on the one that stays`,
    other: own,
  };
}

function taken(other: string, own: string): FenceStop {
  return {
    code: "OwnerTaken",
    message: `installation ${other} took the owner id of this zone from this installation (${own}). Stop this one, or start it with another --owner. Or run zonekeeper owner take --from ${other} to take the id back`,
    other,
  };
}

function takenByCopy(own: string): FenceStop {
  return {
    code: "OwnerTaken",
    message: `the owner id of this zone was given to another copy of this cluster (both are ${own}). Stop this one. Or stop the other one, and start this one again`,
    other: own,
  };
}

function unreadable(set: RecordSet): FenceStop {
  return {
    code: "FenceUnreadable",
    message: `the record at ${set.name} is no fence that this version can read (${set.type} ${set.values.join(" ")}); if no other version of Zonekeeper wrote it, delete it, and a new fence is written`,
    other: null,
  };
}
