/**
 * How the objects ended on whose end an absence rests (Z-2, Z-16): by themselves, with the
 * definition of their kind, or with all others of it. Asks API servers; decides nothing.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { type ObjectKey, resourceOf } from "../../model/provenance.ts";
import type { Marker } from "../../plan/changes.ts";
import type { KindDefinition, MarkedKind, ObjectObserver } from "../contract/object-observation.ts";
import type { ConfirmingObject } from "./confirming-object.ts";
import { isElsewhere } from "./judge-elsewhere.ts";
import type { Tombstones } from "./tombstones.ts";

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
    const { cluster } = marker;
    const tombstone = this.#tombstones.of(name, marker);
    const own = marker.resource?.split("/")[0];
    const made = tombstone === null ? [] : [kindIn(tombstone.object)];
    if (own === undefined || isElsewhere(marker, this.#observer.kinds())) return made;
    const isSame = made.some(({ markerKind }) => markerKind === own);
    return isSame ? made : [...made, { cluster, markerKind: own }];
  }

  /** The object whose end proves the absence, if it ended with all others of its kind (Z-16). */
  endedWithAll(name: DnsName, marker: Marker): ConfirmingObject | null {
    const tombstone = this.#tombstones.of(name, marker);
    if (tombstone === null || marker.resource === null) return null;
    const isFar = isElsewhere(marker, this.#observer.kinds());
    const { object, provenance } = tombstone;
    const { cluster } = isFar ? object : provenance;
    const resource = isFar ? resourceOf(object) : marker.resource;
    const isAll = this.#observer.endedWithAll(cluster, resource);
    return isAll ? { cluster, resource, isDerived: false } : null;
  }

  /** The namespace of the object is being deleted or gone now. */
  isNamespaceEnding({ cluster, resource }: ConfirmingObject): Promise<boolean> {
    return this.#observer.isNamespaceEnding(cluster, resource);
  }

  /**
   * The definition of the kind now. Ends of objects that came with its own are weak from then on,
   * and so are those that come before an object of the kind is seen again.
   */
  async definitionNow(kind: MarkedKind): Promise<KindDefinition> {
    const definition = await this.#observer.definitionNow(kind);
    if (definition.state === "ends") this.#tombstones.definitionEnds(kind);
    return definition;
  }
}

function kindIn(object: ObjectKey): MarkedKind {
  const [markerKind = ""] = resourceOf(object).split("/");
  return { cluster: object.cluster, markerKind };
}
