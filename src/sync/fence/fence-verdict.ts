/**
 * What a writer concludes from the fence that it read (Z-17). Pure: reads nothing, writes
 * nothing.
 */
import type { RecordSet } from "../../model/record-set.ts";
import { DISMISSED_MAX, type FenceRecord, parseFence } from "../contract/fence-record.ts";

/** A writer: its election domain and the epoch of its term. */
export interface Writer {
  readonly domain: string;
  readonly epoch: number;
}

/** Why nothing is written; a hold reason and its message. */
export interface FenceStop {
  readonly code: "OwnerContested" | "OwnerTaken" | "FenceUnreadable";
  readonly message: string;
  /** The other domain; null = it is not known. */
  readonly other: string | null;
}

/** What to do. */
export type FenceVerdict =
  /** The fence names our term already: nothing to write. */
  | { readonly is: "ours" }
  /** Write this if the record is still as it was read; read it again when that fails. */
  | { readonly is: "write"; readonly next: FenceRecord }
  /** Another domain has our owner id, and nobody said so yet: write this and stop. */
  | { readonly is: "contest"; readonly next: FenceRecord; readonly stop: FenceStop }
  /** A later term of our own domain has begun: we are stale. */
  | { readonly is: "demote"; readonly epoch: number }
  | { readonly is: "stop"; readonly stop: FenceStop };

/** `found`: all record sets at the fence's name; empty = there is no record. */
export function judgeFence(found: readonly RecordSet[], self: Writer): FenceVerdict {
  const [set] = found;
  if (set === undefined) return { is: "write", next: fresh(self, []) };
  const record = found.length === 1 ? parseFence(set) : null;
  if (record === null) return { is: "stop", stop: unreadable(set) };
  return record.domain === self.domain
    ? judgeOwnRecord(record, self)
    : judgeForeignRecord(record, self);
}

/** A lower epoch demotes itself whatever else the fence says: it is not its turn to judge. */
function judgeOwnRecord(record: FenceRecord, self: Writer): FenceVerdict {
  if (record.epoch > self.epoch) return { is: "demote", epoch: record.epoch };
  if (record.contestedBy !== null)
    return { is: "stop", stop: contested(record.contestedBy, self.domain) };
  if (record.epoch === self.epoch) return { is: "ours" };
  return { is: "write", next: fresh(self, record.dismissed) };
}

function judgeForeignRecord(record: FenceRecord, self: Writer): FenceVerdict {
  if (record.dismissed.includes(self.domain))
    return { is: "stop", stop: taken(record.domain, self.domain) };
  const stop = contested(record.domain, self.domain);
  if (record.contestedBy !== null) return { is: "stop", stop };
  return { is: "contest", next: { ...record, contestedBy: self.domain }, stop };
}

/**
 * The fence with which `self` takes the owner id from the domain `from`, because a person says so;
 * null when it is not that domain which is in the way.
 */
export function takenFrom(record: FenceRecord, from: string, self: Writer): FenceRecord | null {
  const isHeldByOther = record.domain === from && from !== self.domain;
  const isDisputed = record.domain === self.domain && record.contestedBy === from;
  if (!isHeldByOther && !(isDisputed && record.epoch <= self.epoch)) return null;
  const others = record.dismissed.filter((domain) => domain !== from && domain !== self.domain);
  return fresh(self, [from, ...others].slice(0, DISMISSED_MAX));
}

function fresh({ domain, epoch }: Writer, dismissed: readonly string[]): FenceRecord {
  return { domain, epoch, contestedBy: null, dismissed };
}

function contested(other: string, own: string): FenceStop {
  return {
    code: "OwnerContested",
    message: `installation ${other} writes to this zone with our owner id (this is ${own}). Start one of the two with another --owner. Or run zonekeeper owner take --from ${other} to keep the id here`,
    other,
  };
}

function taken(other: string, own: string): FenceStop {
  return {
    code: "OwnerTaken",
    message: `installation ${other} took the owner id of this zone from this installation (${own}). Stop this one, or start it with another --owner. Or run zonekeeper owner take --from ${other} to take the id back`,
    other,
  };
}

function unreadable(set: RecordSet): FenceStop {
  return {
    code: "FenceUnreadable",
    message: `the record at ${set.name} is no fence that this version can read (${set.type} ${set.values.join(" ")}); if no other version of Zonekeeper wrote it, delete it, and a new fence is written`,
    other: null,
  };
}
