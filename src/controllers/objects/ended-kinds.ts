/**
 * Whether all objects of a kind ended together (Z-16): three or more within ten seconds, and none
 * is left. One order that names no object can do that, which a person may want to see once more.
 * Counts, so that it costs nothing in a large cluster; remembers the ends of ten seconds. Also
 * remembers when objects that ended were created: one that is older than the definition of its kind
 * ended with a former one (Z-2).
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { createdAtMs } from "@zonekeeper/kube/objects/object-fields";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import { COPIED_FROM_ANNOTATION } from "../../model/annotation-keys.ts";
import { objectKeyOf } from "../../model/object-key.ts";
import { OWNERS_ANNOTATION } from "../../model/owners-annotation.ts";
import { shortResourceOf } from "../../model/provenance.ts";

/** Fewer are single objects. */
const OBJECTS_MIN = /* clause: two-ends-are-single-deletions */ 3;
/** Milliseconds from the first end to the last one. */
const TOGETHER_MS = 10_000;
/** Ends that are kept of a kind; beyond it the limits of the fuse are enough. */
const KEPT_MAX = 10_000;

/** The objects of one kind in one cluster. */
export class EndedKind {
  readonly #cluster: string;
  readonly #clock: Pick<Clock, "monotonicMs">;
  #alive = 0;
  /** When each one ended, the oldest first, by its resource in the short form. */
  #ends = new Map<string, number>();
  /** Those that ended with all others. */
  #together: ReadonlySet<string> = new Set();
  /** When objects that ended were created, Unix milliseconds; the last one to end is last. */
  readonly #created = new Map<string, number>();

  constructor(cluster: string, clock: Pick<Clock, "monotonicMs">) {
    this.#cluster = cluster;
    this.#clock = clock;
  }

  note({ type, object, previous }: ObjectChange): void {
    this.#noteCreation(type === "deleted", object);
    const wasCounted = isCounted(type === "deleted" ? object : previous);
    const isNow = type !== "deleted" && isCounted(object);
    if (wasCounted === isNow) return;
    this.#alive += isNow ? 1 : -1;
    if (isNow) this.#together = new Set();
    // One that is made for another object from now on did not end.
    else if (type === "deleted" || !isAlive(object))
      this.#ended(shortResourceOf(objectKeyOf(object, this.#cluster)));
  }

  /** The object ended with all others of its kind, and none has come since. */
  has(shortResource: string): boolean {
    return this.#together.has(shortResource);
  }

  /** When the object that ended was created, Unix milliseconds; null = it did not end here. */
  createdMs(shortResource: string): number | null {
    return this.#created.get(shortResource) ?? null;
  }

  #noteCreation(isEnd: boolean, object: KubeObject): void {
    if (!isEnd && this.#created.size === 0) return;
    const short = shortResourceOf(objectKeyOf(object, this.#cluster));
    this.#created.delete(short);
    if (!isEnd) return;
    this.#created.set(short, createdAtMs(object));
    const [oldest] = this.#created.keys();
    if (this.#created.size > KEPT_MAX && oldest !== undefined) this.#created.delete(oldest);
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

/** Generated entries and copies end with the object that they are made for, and are not counted. */
function isDerived({ metadata: { annotations = {}, ownerReferences = [] } }: KubeObject): boolean {
  if (ownerReferences.some(({ controller }) => controller === true)) return true;
  return COPIED_FROM_ANNOTATION in annotations || OWNERS_ANNOTATION in annotations;
}

/** As it was at that time: an object may become derived, or cease to be. */
function isCounted(object: ObjectChange["previous"]): boolean {
  return object !== undefined && isAlive(object) && !isDerived(object);
}

function isAlive({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp === undefined;
}
