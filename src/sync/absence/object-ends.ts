/**
 * How the objects ended on whose end an absence rests (Z-2, Z-16): by themselves, with the
 * definition of their kind, or with all others of it. Asks API servers; decides nothing.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Marker } from "../../plan/changes.ts";
import type { KindDefinition, MarkedKind, ObjectObserver } from "../contract/object-observation.ts";
import { type ConfirmingObject, toConfirming } from "./confirming-object.ts";
import type { Tombstones } from "./tombstones.ts";
import { isUnserved } from "./unserved-object.ts";

/** One for each tracker. */
export class ObjectEnds {
  readonly #observer: ObjectObserver;
  readonly #tombstones: Tombstones;

  constructor(observer: ObjectObserver, tombstones: Tombstones) {
    this.#observer = observer;
    this.#tombstones = tombstones;
  }

  /** The kinds of the objects on whose end the absence at this name rests; each once. */
  kindsOf(name: DnsName, marker: Marker): readonly MarkedKind[] {
    const tombstone = this.#tombstones.of(name, marker);
    const made = tombstone === null ? [] : [kindOf(toConfirming(tombstone))];
    const proving = this.#proving(name, marker);
    if (proving === null) return made;
    const own = kindOf(proving);
    const isSame = made.some(({ markerKind }) => markerKind === own.markerKind);
    return isSame ? made : [...made, own];
  }

  /** The object whose end proves the absence, if it ended with all others of its kind (Z-16). */
  endedWithAll(name: DnsName, marker: Marker): ConfirmingObject | null {
    const proving = this.#proving(name, marker);
    if (proving === null) return null;
    const isAll = this.#observer.endedWithAll(proving.cluster, proving.resource);
    return isAll ? proving : null;
  }

  /**
   * The object whose end proves the absence ended with a former definition of its kind: it is older
   * than the one that is there now.
   */
  endedWithDefinition(
    name: DnsName,
    marker: Marker,
    definitionOf: (kind: MarkedKind) => KindDefinition | undefined,
  ): boolean {
    const proving = this.#proving(name, marker);
    const definition = proving === null ? undefined : definitionOf(kindOf(proving));
    if (proving === null || definition?.state !== "stands") return false;
    const endedMs = this.#observer.createdMs(proving.cluster, proving.resource);
    const { createdMs } = definition;
    if (endedMs === null || createdMs === null) return false;
    // clause: older-than-its-definition
    return endedMs + CLOCKS_APART_MS < createdMs;
  }

  /** Null = the marker names none. */
  #proving(name: DnsName, marker: Marker): ConfirmingObject | null {
    const tombstone = this.#tombstones.of(name, marker);
    const { resource } = marker;
    const isFar = isUnserved(marker, this.#observer.kinds());
    if (isFar) return tombstone === null ? null : toConfirming(tombstone);
    const cluster = tombstone?.provenance.cluster ?? marker.cluster;
    return resource === null ? null : { cluster, resource, isDerived: false };
  }

  /** The namespace of the object is being deleted or gone now. */
  isNamespaceEnding({ cluster, resource }: ConfirmingObject): Promise<boolean> {
    return this.#observer.isNamespaceEnding(cluster, resource);
  }

  /** The definition of the kind now. */
  definitionNow(kind: MarkedKind): Promise<KindDefinition> {
    return this.#observer.definitionNow(kind);
  }
}

/** Milliseconds by which the clocks of a cluster's API servers may differ. */
const CLOCKS_APART_MS = 5_000;

function kindOf({ cluster, resource }: ConfirmingObject): MarkedKind {
  const [markerKind = ""] = resource.split("/");
  return { cluster, markerKind };
}
