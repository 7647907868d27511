/**
 * Whether names that an object has instead of a former name, one that it lists no more
 * (`renamedObject`), are published (Z-32). A new name may never be, because it belongs to somebody
 * else or is refused: the record at the former name stays until then.
 */
import { type DnsName, isAtOrBelow, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { isMarkOf, isSameObject, type ObjectKey, resourceOf } from "../../model/provenance.ts";
import { type DesiredRecordSet, hasSameData, isSameKey } from "../../model/record-set.ts";
import type { Marker, NamePlan, OwnedRecordSet } from "../../plan/changes.ts";
import { canSubstitute } from "../../plan/coexistence.ts";
import type { UnpublishedName } from "../../plan/removal/absence-facts.ts";
import type { RenamedObject } from "../absence/former-names.ts";
import { CUT_TYPES } from "../cache/wanted-cuts.ts";

/** What a rename is judged by. */
export interface RenameInput {
  /** The object of a marker at the name; null = it does not exist, or lists the name. */
  readonly renamed: (name: DnsName, marker: Marker) => RenamedObject | null;
  /** Record sets that objects want at a name in any zone, as the provider will read them back. */
  readonly wantedAt: (name: DnsName) => readonly DesiredRecordSet[];
  /** Record sets of all zones at a name; null = not known now. */
  readonly recordsAt: (name: DnsName) => readonly OwnedRecordSet[] | null;
  readonly isOwnedByUs: (set: OwnedRecordSet) => boolean;
  /** The object has had no address for the name for all of `--no-targets-grace` (Z-4). */
  readonly isGraceOver: (object: ObjectKey, name: DnsName) => boolean;
}

/** What was seen of a rename. */
export interface SeenRename {
  /** The former name. */
  readonly name: DnsName;
  readonly renamed: RenamedObject;
  /** Names that the object has instead, where all that it wants is published. */
  readonly published: readonly DnsName[];
  /** The first name without a record that answers as the former one does; null = all have one. */
  readonly unpublished: UnpublishedName | null;
}

/**
 * Null = no rename is known. Where no edit of the object was seen (a restart), every name that it
 * lists may be the new one.
 */
export function renameOf(former: OwnedRecordSet, input: RenameInput): SeenRename | null {
  const { name, marker } = former;
  const renamed = marker === null ? null : input.renamed(name, marker);
  if (renamed === null) return null;
  const { object } = renamed;
  const published: DnsName[] = [];
  for (const text of renamed.instead) {
    const instead = trustedDnsName(text);
    const state = stateOf(instead, former, { ...input, object });
    if (state === "all") published.push(instead);
    if (state === "open")
      return { name, renamed, published, unpublished: { who: resourceOf(object), instead } };
  }
  return { name, renamed, published, unpublished: null };
}

/**
 * How the new name stands in for the former record. `all`: everything that the object wants at the
 * new name is published; `answered`: the records of the former type are, else those that answer in
 * its place; `open`: they are not; `apart`: the object wants no such record there, so that the new
 * name is not in place of the former one.
 */
function stateOf(
  name: DnsName,
  former: OwnedRecordSet,
  input: RenameInput & { readonly object: ObjectKey },
): "all" | "answered" | "open" | "apart" {
  // A new name below a former delegation cannot be published before the delegation is removed.
  if (CUT_TYPES.has(former.type) && isAtOrBelow(name, former.name)) return "apart";
  if (input.isGraceOver(input.object, name)) return "apart";
  const wanted = input
    .wantedAt(name)
    .filter(({ provenance }) => isSameObject(provenance, input.object));
  const present = input.recordsAt(name) ?? [];
  // clause: other-set-publishes-new-name
  if (wanted.length === 0 && present.some((one) => isOfOtherSet(one, former, input)))
    return "answered";
  const records = present.filter(input.isOwnedByUs);
  const isMissing = (set: DesiredRecordSet) => !records.some((one) => fulfils(one, set));
  if (wanted.length > 0 && !wanted.some(isMissing)) return "all";
  const answers = answersFor(former, wanted);
  if (answers.length === 0) return wanted.length > 0 ? "apart" : "open";
  // clause: former-record-waits-for-its-type
  return answers.some(isMissing) ? "open" : "answered";
}

/**
 * The wanted record sets that replace the former record: those of its type; where none is wanted,
 * those that can answer in its place (AAAA for A).
 */
function answersFor(
  { type: former }: OwnedRecordSet,
  wanted: readonly DesiredRecordSet[],
): readonly DesiredRecordSet[] {
  const same = wanted.filter(({ type }) => type === former);
  return same.length > 0 ? same : wanted.filter(({ type }) => canSubstitute(type, former));
}

/** True when the record is the object's own at the wanted key, or has equal data (Z-28). */
function fulfils({ data, marker, ...key }: OwnedRecordSet, wanted: DesiredRecordSet): boolean {
  if (data === null || !isSameKey(key, wanted)) return false;
  return (
    isMarkOf(marker, wanted.provenance) ||
    /* clause: equal-data-is-an-answer */ hasSameData(data, wanted)
  );
}

/** True when another set of controllers publishes the name for the object (ADR 0077). */
function isOfOtherSet(
  one: OwnedRecordSet,
  former: OwnedRecordSet,
  { object, isOwnedByUs }: Pick<RenameInput, "isOwnedByUs"> & { readonly object: ObjectKey },
): boolean {
  const isAnswer = one.data !== null && canSubstitute(one.type, former.type);
  return isAnswer && !isOwnedByUs(one) && isMarkOf(one.marker, object);
}

/** The former names of one zone; bounded by its held names. */
export class AwaitedNames {
  /** Objects as markers name them, by former name. */
  readonly #resources = new Map<DnsName, ReadonlySet<string>>();

  /** Notes a plan. */
  remember({ name, holds }: NamePlan): void {
    const renamed = holds.filter(({ code }) => code === "RenamedUnpublished");
    const resources = new Set(
      renamed.flatMap(({ provenance }) => (provenance === null ? [] : resourceOf(provenance))),
    );
    if (resources.size === 0) this.#resources.delete(name);
    else this.#resources.set(name, resources);
  }

  /**
   * Former names to plan again, after these names were planned: those of the objects that have
   * records at them. A former name itself frees no other one of its object: both would be planned
   * for ever.
   */
  freedBy(
    names: ReadonlySet<DnsName> | "all",
    resourcesAt: (name: DnsName) => readonly string[],
  ): ReadonlySet<DnsName> {
    if (names === "all" || this.#resources.size === 0) return new Set(this.#resources.keys());
    const published = new Set<string>();
    for (const name of names)
      for (const resource of resourcesAt(name))
        if (this.#resources.get(name)?.has(resource) !== true) published.add(resource);
    const freed = new Set<DnsName>();
    for (const [former, resources] of this.#resources)
      for (const resource of resources) if (published.has(resource)) freed.add(former);
    return freed;
  }
}
