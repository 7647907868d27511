/**
 * What a rename adds to the proof that a record set may be removed (Z-5): the new
 * name may never be published, because it belongs to somebody else or is refused. The former name
 * gives way to every other object that wants it: objects may swap names. Writes nothing but which
 * new names were seen published.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { isMarkOf, type ObjectKey } from "../../model/provenance.ts";
import { type DesiredRecordSet, hasSameData, isSameKey } from "../../model/record-set.ts";
import type { AbsenceProof, Marker, OwnedRecordSet } from "../../plan/changes.ts";
import type { AbsenceVerdict } from "../../plan/rules.ts";
import type { DesiredIndex } from "../cache/desired-index.ts";
import { contributionsAbout } from "../cache/paused-objects.ts";
import type { Contribution } from "../contract/contribution.ts";
import { isWithdrawn } from "../contract/withdrawn.ts";

/** What a rename is judged by. */
export interface RenameInput {
  readonly index: Pick<DesiredIndex, "renamed" | "namesOfMarked">;
  /** What objects want at a name, in this zone and in others. */
  readonly listing: (name: DnsName) => readonly Contribution[];
  /** Record sets of all zones at a name; null = not known now. */
  readonly recordsAt: (name: DnsName) => readonly OwnedRecordSet[] | null;
  readonly isOwnedByUs: (set: OwnedRecordSet) => boolean;
  /** As the provider will read it back. */
  readonly normalized: (set: DesiredRecordSet) => DesiredRecordSet;
  /** The object has had no address for the name for the whole grace (Z-4). */
  readonly isGraceOver: (object: ObjectKey, name: DnsName) => boolean;
}

/** Proofs that say something else than that the object lists the name no more. */
const OTHER_PROOFS: ReadonlySet<AbsenceProof> = new Set(["approved", "no-targets-grace"]);

/**
 * A record stays while its object has another name instead that is not published. Where no edit of
 * the object was seen (a restart), every name that it lists may be the new one.
 */
export function judgeRename(
  { name, marker }: OwnedRecordSet,
  given: AbsenceVerdict,
  input: RenameInput,
): AbsenceVerdict {
  if (!given.proven || marker === null || OTHER_PROOFS.has(given.proof)) return given;
  const { index } = input;
  const names = [...(index.renamed.insteadOf(name, marker) ?? index.namesOfMarked(marker))];
  if (names.includes(name)) return given;
  const open = names.find((one) => {
    if (isOpen(one, marker, input)) return true;
    index.renamed.published(name, marker, one);
    return false;
  });
  if (open === undefined) return given;
  return {
    proven: false,
    code: "RenamedUnpublished",
    message: `${marker.resource} has ${open} instead, which is not published; the record stays until it is, or another object has the name`,
    unlessAnswered: given.proof,
  };
}

/** The object of the marker lists the name, and no record of ours there is what it wants. */
function isOpen(name: DnsName, marker: Marker, input: RenameInput): boolean {
  const isIt = (object: ObjectKey): boolean => isMarkOf(marker, object);
  const alive = input.listing(name).filter((one) => !isWithdrawn(one));
  const listing = contributionsAbout(alive, isIt);
  if (listing.length === 0) return false;
  if (listing.some(({ object }) => input.isGraceOver(object, name))) return false;
  const wanted = listing
    .flatMap(({ found }) => found.items)
    .filter((item) => item.name === name && isIt(item.provenance))
    .map(input.normalized);
  const isAnswer = (one: OwnedRecordSet): boolean =>
    one.data !== null &&
    input.isOwnedByUs(one) &&
    (one.marker?.resource === marker.resource || isAsWanted(one, wanted));
  return input.recordsAt(name)?.some(isAnswer) !== true;
}

/** A record of the object, or one with equal data that another object shares with it (Z-28). */
function isAsWanted(
  { data, marker, ...key }: OwnedRecordSet,
  wanted: readonly DesiredRecordSet[],
): boolean {
  return wanted.some(
    (desired) =>
      isMarkOf(marker, desired.provenance) ||
      (data !== null && isSameKey(key, desired) && hasSameData(data, desired)),
  );
}
