/**
 * Remembers, of the objects of one kind in one cluster that were deleted or edited, what later
 * decides whether the removal of their records is proven by a person's act (Z-2) or may be an
 * accident that the fuse, which stops large removals, counts (Z-16). An object that is deleted, or
 * has a deletionTimestamp, has ended; a name that it listed and no longer lists is dropped.
 *
 * - Together: three or more objects ended within ten seconds and none of the kind is left. One
 *   command that names no object can do that, so a person may want to approve it. Ends are counted
 *   as they come, so that this costs nothing in a large cluster.
 * - Created: when the objects that ended were created. One that is older than the definition of its
 *   kind ended with a former definition, which proves nothing (Z-2).
 * - Dropped: names that an object listed until its end, or until an edit whose complete result does
 *   not list them. This tells a person's act from a narrower filter or from a list that lacks the
 *   object, also where objects contribute through generated ones, which we delete ourselves, and
 *   where the edit moves no generation (annotations, Services).
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { createdAtMs } from "@zonekeeper/kube/objects/object-fields";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import { COPIED_FROM_ANNOTATION } from "../../model/annotation-keys.ts";
import { OWNERS_ANNOTATION } from "../../model/generated-entries.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import { shortResourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { type Found, listedNames } from "../../sources/source.ts";
import { isOutcomeOnly } from "./status-patch.ts";

/** Fewer ends than this are deletions of single objects. */
const OBJECTS_MIN = /* clause: two-ends-are-single-deletions */ 3;
/** Milliseconds from the first end to the last one. */
const TOGETHER_MS = 10_000;
/**
 * Objects that are remembered of a kind; where more end, the limits of the fuse stop the removal.
 */
const KEPT_MAX = 10_000;
/**
 * Names that are remembered of one object. A name that is forgotten is not proven to be dropped.
 */
const NAMES_MAX = 1_000;

type ReadObject = (object: KubeObject) => Found<DesiredRecordSet>;

/** The objects of one kind in one cluster. */
export class EndedKind {
  readonly #cluster: string;
  readonly #clock: Pick<Clock, "monotonicMs">;
  #alive = 0;
  /** When each one ended, the oldest first, by its resource in the short form. */
  #ends = new Map<string, number>();
  /** Objects that ended together, as long as no object of the kind is created. */
  #together: ReadonlySet<string> = new Set();
  /** When objects that end or ended were created, Unix milliseconds; the last one is last. */
  readonly #created = new BoundedMap<string, number>(KEPT_MAX);
  /** Names that each object dropped; the object that did so last is last. */
  readonly #dropped = new BoundedMap<string, readonly DnsName[]>(KEPT_MAX);
  readonly #read: ReadObject | undefined;

  /** `read`: what the objects list, by what the source sees now. Absent = no source reads them. */
  constructor(cluster: string, clock: Pick<Clock, "monotonicMs">, read?: ReadObject) {
    this.#cluster = cluster;
    this.#clock = clock;
    this.#read = read;
  }

  note(change: ObjectChange): void {
    const { type, object, previous } = change;
    // An object that is created again takes nothing back here: its contribution says what it lists.
    if (type === "deleted" || !isAlive(object))
      this.#created.set(this.#shortOf(object), createdAtMs(object));
    if (this.#read !== undefined) this.#noteNames(change, this.#read);
    const wasCounted = isCounted(type === "deleted" ? object : previous);
    const isNow = type !== "deleted" && isCounted(object);
    if (wasCounted === isNow) return;
    this.#alive += isNow ? 1 : -1;
    if (isNow) this.#together = new Set();
    // An object that became a generated one is no longer counted, but it did not end.
    else if (type === "deleted" || !isAlive(object)) this.#ended(this.#shortOf(object));
  }

  /** Both versions are read with what the source sees now: only the object itself differs. */
  #noteNames(change: ObjectChange, read: ReadObject): void {
    const { type, object, previous, proof } = change;
    if (previous === undefined && this.#dropped.size === 0 && type !== "deleted") return;
    // A change of the status alone drops no name: a name whose object lost its address waits.
    if (isOutcomeOnly(change, true)) return;
    const short = this.#shortOf(object);
    const found = read(object);
    const listed = listedNames(found);
    const known = this.#dropped.get(short) ?? [];
    if (type === "deleted") {
      if (proof === "watched") this.#dropped.set(short, [...known, ...listed]);
      return;
    }
    const isEdit = previous !== undefined && found.complete;
    const before = isEdit ? [...known, ...listedNames(read(previous))] : known;
    const dropped = before.filter((name) => !listed.has(name)).slice(-NAMES_MAX);
    if (dropped.length === 0) this.#dropped.delete(short);
    else this.#dropped.set(short, dropped);
  }

  /** The object ended with all others of its kind, and none has come since. */
  has(shortResource: string): boolean {
    return this.#together.has(shortResource);
  }

  /** When the object that ends or ended was created, Unix ms; null = it did not end here. */
  createdMs(shortResource: string): number | null {
    return this.#created.get(shortResource) ?? null;
  }

  /** True = the object's last change or its end dropped this name. */
  hasDropped(shortResource: string, name: DnsName): boolean {
    return this.#dropped.get(shortResource)?.includes(name) === true;
  }

  #shortOf(object: KubeObject): string {
    return shortResourceOf(objectKeyOf(object, this.#cluster));
  }

  #ended(shortResource: string): void {
    const nowMs = this.#clock.monotonicMs();
    this.#ends.set(shortResource, nowMs);
    for (const [one, atMs] of this.#ends)
      if (atMs < nowMs - TOGETHER_MS || this.#ends.size > KEPT_MAX) this.#ends.delete(one);
      else break;
    if (/* clause: some-of-a-kind-are-not-all */ this.#alive > 0) return;
    if (this.#ends.size >= OBJECTS_MIN) this.#together = new Set(this.#ends.keys());
    this.#ends = new Map();
  }
}

/**
 * False for generated entries and copies, too: they end with the object that they are made for.
 * Judged for each version, since an object may become one of these, or cease to be.
 */
function isCounted(object: ObjectChange["previous"]): boolean {
  if (object === undefined || !isAlive(object)) return false;
  const { annotations = {}, ownerReferences = [] } = object.metadata;
  const isOwned = ownerReferences.some(({ controller }) => controller === true);
  return !isOwned && !(COPIED_FROM_ANNOTATION in annotations || OWNERS_ANNOTATION in annotations);
}

function isAlive({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp === undefined;
}
