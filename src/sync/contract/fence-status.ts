/**
 * The fence of a zone as people see it, what became of an owner id that they took (Z-17), and which
 * owner ids DNSOwners switch on, besides the main one (ADR 0050). Types only.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";

/**
 * How a zone is kept from stale writers and from another installation with our owner id (Z-17).
 */
export interface FenceStatus {
  /**
   * `unused`: nothing was written yet. `record`: batches compare our record. `lease`: there is no
   * record, and writing stops early enough before the Lease ends. `stopped`: nothing is written
   * until a person decides.
   */
  readonly mode: "unused" | "record" | "lease" | "stopped";
  /** Our election domain; null = it cannot be known. */
  readonly domain: string | null;
  readonly epoch: number;
  /** The election domain that the record names, as last read; null = there is no such record. */
  readonly holder: string | null;
  /** A hold reason; null unless `stopped`. */
  readonly code: string | null;
  /** For people: why it is stopped, or why there is no record; else empty. */
  readonly message: string;
  /** The other election domain; null = none is known. */
  readonly other: string | null;
}

/** The fence of one owner id in a zone: the main one, or that of a DNSOwner (ADR 0050). */
export interface OwnerFence extends FenceStatus {
  readonly owner: string;
  /**
   * `on`: this installation acts for the id here. `waits`: a DNSOwner switches it on, and another
   * installation has it. `off`: it is being given up.
   */
  readonly state: "on" | "waits" | "off";
}

/**
 * An owner id that is taken from another installation in one zone: the fence record before and
 * after, as text.
 */
export interface FenceTaken {
  /** Apex. */
  readonly zone: DnsName;
  readonly now: string;
  readonly next: string;
}

/** A zone where the owner id was not taken. */
export interface FenceNotTaken {
  /** Apex. */
  readonly zone: DnsName;
  /** Why it cannot be read or written, for people. */
  readonly trouble: string;
}

/** What became of the owner id in one zone. */
export type FenceTaking = FenceTaken | FenceNotTaken;

/** Which ids are to be on. */
export interface FurtherIds {
  /**
   * By id: true = on; false, or not in the map = given up in every zone: its fence is removed
   * there, and its records stay; null = not known, so that it stays as it is. A null map = nothing
   * is known of any id.
   */
  wanted(): ReadonlyMap<string, boolean | null> | null;
  /**
   * Tells, when this changed, which ids are on and wait in a zone because another installation has
   * them, each with the reason for people; none when the zone is closed.
   */
  settled(zone: DnsName, waiting: ReadonlyMap<string, string>): void;
}
