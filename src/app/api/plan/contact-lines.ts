/** What `plan` says first: zones that this installation meets for the first time (Z-24). */
import type { HeldSetStatus } from "../../../sync/contract/zone-status.ts";

/** A zone, as far as first contact is concerned. */
interface MetZone {
  readonly name: string;
  readonly heldSets: readonly HeldSetStatus[];
}

/** True for the set of a first contact. */
export function isContact({ kind }: HeldSetStatus): boolean {
  return kind === "first-contact";
}

/** `first contact with zone example.org: 2 removals and 1 replacements wait; …`. */
export function contactLines(zones: readonly MetZone[]): readonly string[] {
  return zones.flatMap(({ name, heldSets }) =>
    heldSets
      .filter(isContact)
      .map(
        ({ hash, changes, removals }) =>
          `first contact with zone ${name}: ${removals} removals and ${changes - removals} replacements wait; zonekeeper approve ${hash}`,
      ),
  );
}
