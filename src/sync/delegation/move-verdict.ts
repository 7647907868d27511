/**
 * What a move between zones adds to the proof that a record set may be removed (Z-18). Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { AbsenceVerdict } from "../../plan/rules.ts";
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
 * zone before they are removed.
 */
export function judgeMove(
  name: DnsName,
  given: AbsenceVerdict,
  { contributions, delegation, isWantedInOtherZone }: MoveInput,
): AbsenceVerdict {
  const isMovedAway =
    given.proven && contributions.some((contribution) => contribution.movedTo !== undefined);
  const isOrphaned =
    !given.proven &&
    given.code === "WantedElsewhere" &&
    contributions.length === 0 &&
    isWantedInOtherZone;
  if (!isMovedAway && !isOrphaned) return given;
  // An address below the cut that the delegation's own server has is glue (RFC 9499 §7): without it
  // no resolver reaches the delegated zone.
  if (delegation?.servers.includes(name) === true)
    return {
      proven: false,
      code: "GlueNeeded",
      message: `${name} is a name server of the delegation ${delegation.at}, so that resolvers need its address here; the record stays`,
    };
  return { proven: true, proof: "moved-zone" };
}
