/**
 * Facts about a record set of ours that no object wants at its key, gathered once for each plan of
 * its name (sync/absence, sync/zone). What the facts mean is in table.ts. A marker is the record
 * that states owner and object; an object lists a name while its fields ask for it. Types only.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Provenance } from "../../model/provenance.ts";
import type { AbsenceProof } from "../changes.ts";
import type { HoldCode } from "../hold-reasons.ts";
import type { Blocker } from "../rules.ts";

/** An object that lists the name, live or last known, in whatever zone. */
export type ListerFacts = ListerSays & {
  /** The object, `kind/namespace/name`. */
  readonly who: string;
  /** The object that markers of its records name: itself, or the one that it was made from. */
  readonly original: string;
};

/** What an object that lists the name says of the record; "it" is that object. */
export type ListerSays =
  | {
      /** It cannot say completely what it wants there. */
      readonly is: "unclear";
      readonly code: HoldCode;
    }
  | {
      /** It has no address now (Z-4). */
      readonly is: "without-address";
      /** Unix milliseconds of the first observation. */
      readonly sinceMs: number;
      readonly isDangling: boolean;
    }
  /** It is the object in the marker, and has had no address for all of `--no-targets-grace`. */
  | { readonly is: "without-address-for-good" }
  /** A DNSEntry for a former name of the object in the marker, which has other names instead. */
  | { readonly is: "former" }
  | {
      /** Its latest contribution went to another zone or account, or to none. */
      readonly is: "elsewhere";
      /** It is the object in the marker, or wanted the name here before. */
      readonly isAboutRecord: boolean;
      /** That zone is certainly another one, not this zone seen through another account. */
      readonly isOtherZone: boolean;
    }
  /** Its contribution to this zone is complete, and wants no such record set. */
  | { readonly is: "complete" };

/** The object in the marker, in each cluster that may have it. */
export interface ObjectFacts {
  /** `kind/namespace/name`, or with a hash of the name. Null = the marker names none. */
  readonly who: string | null;
  /** How it is known that it wants no such record set; null = it is not known. */
  readonly proof: AbsenceProof | null;
  /** Its cluster is not served here, and there is no proof. Absent = it is served, or proven. */
  readonly unserved?: {
    readonly cluster: string;
    /** Why a cluster of our configuration is not served yet; null, absent = it is not ours. */
    readonly awaited?: string | null;
    /** A person removed the cluster, with its records. Absent = nobody did. */
    readonly isRemoved?: boolean;
    /** DNSEntries here were made for objects of that cluster. */
    readonly hasEntries: boolean;
    /** The DNSEntry that was made for it, and lists the name no more; null = none was seen. */
    readonly entry: string | null;
  };
  /**
   * It lists the name, and the DNSEntry or other object that we made for it is gone. Absent and
   * null = it does not list the name.
   */
  readonly relists?: {
    /** The object that was made for it and is gone. */
    readonly made: string;
    /** Why it is not known completely now what it wants; null = it is. */
    readonly waitsFor: HoldCode | null;
  } | null;
  readonly isAlive: boolean;
  /** Why it is not known whether it exists; empty = it is. */
  readonly whyUnknown: string;
  /**
   * The hold for an object that was never seen to list the name (Z-22). Absent and null = it was
   * seen, or its proof implies that it was.
   */
  readonly unseen?: Blocker | null;
  /** The object for which the DNSEntry of this one is published now. Absent, null = none. */
  readonly successor?: Provenance | null;
}

/** An object has another name instead of one that it lists no more (Z-32). */
export interface UnpublishedName {
  /** The object, `kind/namespace/name`. */
  readonly who: string;
  /** That name; no record there answers as the former one does. */
  readonly instead: DnsName;
}

/** Facts that the zone tells. */
export interface ZoneFacts {
  /** The name moved to another zone with the objects that list it. */
  readonly isMovedAway: boolean;
  /**
   * No object wants the name in this zone, and the object in the marker wants it in one other zone
   * (Z-18).
   */
  readonly isLeftBehind: boolean;
  /** The delegation of which the name is a name server; null = of none. */
  readonly servesCut: DnsName | null;
  /**
   * A name that the object in the marker has instead and that is not published; null = it has no
   * other name, or all are published.
   */
  readonly unpublished: () => UnpublishedName | null;
  /** A person ordered that it goes, or passes to another object, in exactly this state (Z-22). */
  readonly isOrdered: boolean;
}

/** The facts that the lines ABSENCE of table.ts judge. */
export interface AbsenceFacts extends ZoneFacts {
  readonly name: DnsName;
  /**
   * Other installations may use its owner id (such as `default`), and its marker names no cluster.
   * Absent = the owner id or the cluster in the marker is certainly ours.
   */
  readonly isAnybodys?: boolean;
  /**
   * Why no absence of objects of the marker's cluster can be known now, whatever the name (Z-3,
   * Z-30); null = it can.
   */
  readonly gate: Blocker | null;
  /** Objects that list the name, oldest first. */
  readonly listers: readonly ListerFacts[];
  /** The object in the marker; asked only where no lister keeps the record. */
  readonly object: () => ObjectFacts;
}

// Answers of API servers about the objects whose absence a removal rests on, right before it is
// sent (sync/absence asks).

/** The definition (CustomResourceDefinition) of the kind of such an object. */
export interface DefinitionFacts {
  /** The kind, as the `resource` of a marker begins. */
  readonly markerKind: string;
  /** `stands`: it exists. `ends`: it is being deleted or gone, and its objects with it. */
  readonly state: "stands" | "ends" | "unknown";
  /** Why it ends or is unknown. */
  readonly message: string;
}

/**
 * The answer about one such object, `kind/namespace/name`. `without`: it does not exist in any
 * cluster, or exists and does not want the record.
 */
export type AnswerFacts = {
  readonly who: string;
} & (
  | { readonly is: "without" }
  /** There is no answer yet. */
  | { readonly is: "unasked" }
  /** No cluster watches its kind, so that there is nobody to ask. */
  | { readonly is: "unwatched" }
  /** The API server did not say. */
  | { readonly is: "unknown"; readonly code: HoldCode; readonly message: string }
  /** It exists in a newer version than the one that we know. */
  | { readonly is: "newer" }
  /** We made it from the object in the marker; it is gone, and the watch has not said so yet. */
  | { readonly is: "unreported" }
);
