/** What a move between zones adds to the proof that a record set may go (SAFETY Z-18). Pure. */
import type { DnsName } from "../../model/dns-name.ts";
import type { AbsenceVerdict } from "../../plan/rules.ts";
import type { Contribution } from "../contract/contribution.ts";
import type { ZoneCut } from "../contract/zone.ts";

/** What a verdict on a record set at a name depends on besides its object. */
export interface MoveInput {
  /** Contributions that list the name in this zone. */
  readonly contributions: readonly Contribution[];
  /** That of the name in this zone; null = none. */
  readonly delegation: ZoneCut | null;
  /** The object in the marker wants the name in exactly one other zone, of another apex. */
  readonly isWantedInOtherZone: boolean;
}

/**
 * What a move adds to the verdict `given` without it: records of an object that said farewell, or
 * that a crash in the middle of a move left behind, may go; the guard reads the other zone before
 * they do.
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
  // nobody gets there.
  if (delegation?.servers.includes(name) === true)
    return {
      proven: false,
      code: "GlueNeeded",
      message: `${name} serves the delegation of ${delegation.at}; its address stays beside it`,
    };
  return { proven: true, proof: "moved-zone" };
}
