/** What a move between zones adds to the proof that a record set may go (SAFETY Z-18). Pure. */
import type { DnsName } from "../../model/dns-name.ts";
import type { AbsenceVerdict } from "../../plan/rules.ts";
import type { Contribution } from "../contract/contribution.ts";
import type { ZoneCut } from "../contract/zone.ts";

/** What a verdict on a record set at a name depends on besides its object. */
export interface MoveScene {
  /** Contributions that list the name in this zone. */
  readonly here: readonly Contribution[];
  /** That of the name in this zone; null = none. */
  readonly delegation: ZoneCut | null;
  /** The object in the marker wants the name in exactly one other zone, of another apex. */
  readonly isWantedElsewhere: boolean;
}

/**
 * What a move adds to the verdict `given` without it: records of an object that said farewell, or
 * that a crash in the middle of a move left behind, may go; the guard reads the other zone before
 * they do.
 */
export function verdictOnMove(
  name: DnsName,
  given: AbsenceVerdict,
  { here, delegation, isWantedElsewhere }: MoveScene,
): AbsenceVerdict {
  const isFarewell = given.proven && here.some((said) => said.movedTo !== undefined);
  const isLeftover =
    !given.proven && given.code === "WantedElsewhere" && here.length === 0 && isWantedElsewhere;
  if (!isFarewell && !isLeftover) return given;
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
