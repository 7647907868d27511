/**
 * The fence of a zone as people see it, and what became of an owner id that they took (Z-17). Types
 * only.
 */
import type { DnsName } from "../../model/dns-name.ts";

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
  /** A hold reason; null unless `stopped`. */
  readonly code: string | null;
  /** For people: why it is stopped, or why there is no record; else empty. */
  readonly message: string;
  /** The other election domain; null = none is known. */
  readonly other: string | null;
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

/** A zone where it was not taken. */
export interface FenceNotTaken {
  /** Apex. */
  readonly zone: DnsName;
  /** Why it cannot be read or written, for people. */
  readonly trouble: string;
}

/** What became of one zone. */
export type FenceTaking = FenceTaken | FenceNotTaken;
