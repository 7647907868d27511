/**
 * What can go wrong with a call to a memory zone, for the simulator and for tests. Data and one
 * hook; the session carries it out. Fault classes F07 to F12 of our list of incidents.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ChangeGroup } from "../../../src/plan/changes.ts";
import type { ZoneContent } from "./zone-content.ts";

/** Trouble with one `apply`. */
export type ApplyFault =
  /** F07: the call never arrives; the caller cannot know. */
  | { readonly kind: "lost-before" }
  /** F07: the call takes effect, its answer is lost. */
  | { readonly kind: "lost-after" }
  /**
   * F07: the answer is lost and the call takes effect `delayMs` later, preconditions checked then.
   */
  | { readonly kind: "late"; readonly delayMs: number }
  /**
   * F08: the connection breaks after `changes` record sets; on an atomic zone the same as
   * `lost-before`.
   */
  | { readonly kind: "partial"; readonly changes: number }
  /** F08: a group that `matches` is refused for good; on an atomic zone the whole call with it. */
  | { readonly kind: "rejects"; readonly code: string; matches(group: ChangeGroup): boolean }
  /** F10: nothing happens; try again after `afterMs` (null = no advice). */
  | { readonly kind: "throttled"; readonly afterMs: number | null }
  /** F12: somebody else writes just before the call takes effect; the call goes on. */
  | { readonly kind: "foreign"; write(content: ZoneContent): void }
  /** The call as a whole fails before it is sent. */
  | { readonly kind: "down" };

/** Trouble with one read. */
export type ReadFault =
  /** F03: a page fails midway, or nobody answers: the load fails as a whole (Z-6). */
  | { readonly kind: "down" }
  /** F12: somebody writes just before the read. */
  | { readonly kind: "foreign"; write(content: ZoneContent): void };

/**
 * Asked before every call; an empty list = all goes well. Faults are carried out in their order.
 */
export interface MemoryFaults {
  apply(zoneId: string, groups: readonly ChangeGroup[]): readonly ApplyFault[];
  /** `names`: null = all of the zone; empty = its change token, or a receipt. */
  read(zoneId: string, names: readonly DnsName[] | null): readonly ReadFault[];
}

/** A world without trouble. */
export const NO_FAULTS: MemoryFaults = { apply: () => [], read: () => [] };
