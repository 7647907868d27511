/**
 * Which objects are paused by their annotation. None of their records is written or removed, and a
 * name with such a record is held as a whole. An object that lost the name to another object pauses
 * nothing there.
 */
import { addCount } from "@zonekeeper/base/grouped-by";
import {
  isMarkOf,
  isSameObject,
  type ObjectKey,
  type Provenance,
  resourceForms,
  resourceOf,
} from "../../model/provenance.ts";
import type { KeyChange, Marker, NamePlan } from "../../plan/changes.ts";
import { holdChanges } from "../../plan/hold-at.ts";
import type { Contribution } from "../contract/contribution.ts";

/** Paused objects of one zone, by the number of the contribution with the annotation. */
export class PausedObjects {
  readonly #byRow = new Map<number, readonly string[]>();
  /** How many contributions pause an object, by its resource, and by its cluster and resource. */
  readonly #counts = new Map<string, number>();

  /** The contribution `row` pauses these; it must not be there yet. */
  add(row: number, objects: readonly Provenance[]): void {
    const forms = objects.flatMap(formsOf);
    this.#byRow.set(row, forms);
    for (const form of forms) addCount(this.#counts, form, 1);
  }

  /** The contribution is withdrawn. */
  remove(row: number): void {
    for (const form of this.#byRow.get(row) ?? []) addCount(this.#counts, form, -1);
    this.#byRow.delete(row);
  }

  /** True when something is paused. */
  get isAny(): boolean {
    return this.#byRow.size > 0;
  }

  /**
   * The plan, with all changes as holds when one of them is of a paused object. `listing`:
   * contributions that list the name. Each of several DNSEntries made from one object pauses its
   * own names; a name that none of them lists is paused with the object.
   */
  holdPaused(plan: NamePlan, listing: () => readonly Contribution[]): NamePlan {
    if (!this.isAny || plan.changes.length === 0) return plan;
    const listed = listing();
    const pausedChange = plan.changes.find((change) => this.#isOfPausedObject(change, listed));
    if (pausedChange === undefined) return plan;
    const { desired, current } = pausedChange;
    const wanting = desired === null ? "its object" : resourceOf(desired.provenance);
    const object = current?.marker?.resource ?? wanting;
    const message = `${object} is paused by the annotation zonekeeper.dev/paused, dns.gardener.cloud/ignore or dns.gardener.cloud/target-hard-ignore; remove it to go on`;
    return holdChanges(plan, { code: "Paused", message });
  }

  /**
   * True when the object that desires the change, or the owner of the current record, is paused.
   */
  #isOfPausedObject({ desired, current }: KeyChange, listing: readonly Contribution[]): boolean {
    const wanting =
      desired === null
        ? []
        : contributionsAbout(listing, (one) => isSameObject(one, desired.provenance));
    if (wanting.some(asksForPause)) return true;
    const marker = current?.marker ?? null;
    if (marker === null) return false;
    const holding = contributionsAbout(listing, (one) => isMarkOf(marker, one));
    return holding.length > 0 ? holding.some(asksForPause) : this.#isMarked(marker);
  }

  /** A marker that names no cluster may mean an object of any. */
  #isMarked({ resource, cluster }: Marker): boolean {
    if (resource === null) return false;
    return this.#counts.has(cluster === null ? resource : `${cluster}|${resource}`);
  }
}

/** Contributions about an object: its own, and those of entries made from it. */
export function contributionsAbout(
  listing: readonly Contribution[],
  isIt: (object: ObjectKey) => boolean,
): readonly Contribution[] {
  return listing.filter(({ object, found: { items, waiting, paused = [] } }) => {
    const listed = [...items, ...waiting].flatMap(({ provenance }) => provenance ?? []);
    return [object, ...listed, ...paused].some(isIt);
  });
}

function asksForPause({ found }: Contribution): boolean {
  return found.paused !== undefined;
}

/** The texts by which markers may name the object, without its cluster and with it. */
function formsOf(object: ObjectKey): readonly string[] {
  return resourceForms(object).flatMap((name) => [name, `${object.cluster}|${name}`]);
}
