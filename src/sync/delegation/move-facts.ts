/**
 * What a move of a name to another zone says of its record set in this zone, which no object wants
 * any more (Z-18). Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ZoneFacts } from "../../plan/removal/absence-facts.ts";
import type { Contribution } from "../contract/contribution.ts";
import type { ZoneCut } from "../contract/zone.ts";

/** What is known about a name when its former record set is judged. */
export interface MoveInput {
  /** Contributions to this zone that list the name. */
  readonly contributions: readonly Contribution[];
  /** Delegation at or above the name in this zone; null = none. */
  readonly delegation: ZoneCut | null;
  /** The object in the marker wants the name in exactly one other zone, of another apex. */
  readonly isWantedInOtherZone: boolean;
}

/**
 * Two kinds of record sets are proven unwanted by a move: those of an object whose names moved to
 * another zone, and those that a crash in the middle of such a move left. The guard reads the other
 * zone before they are removed. An address below the cut that the delegation's own server has is
 * glue (RFC 9499 §7): without it no resolver reaches the delegated zone.
 */
export function moveFacts(
  name: DnsName,
  { contributions, delegation, isWantedInOtherZone }: MoveInput,
): Pick<ZoneFacts, "isMovedAway" | "isLeftBehind" | "servesCut"> {
  return {
    isMovedAway: contributions.some(({ movedTo }) => movedTo !== undefined),
    isLeftBehind: contributions.length === 0 && isWantedInOtherZone,
    servesCut: delegation?.servers.includes(name) === true ? delegation.at : null,
  };
}
