/**
 * Facts about a record set of ours that no object wants at its key, gathered once for each plan of
 * its name (sync/absence, sync/zone). What the facts mean is in table.ts. Types only.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Provenance } from "../../model/provenance.ts";
import type { AbsenceProof } from "../changes.ts";
import type { HoldCode } from "../hold-reasons.ts";
import type { Blocker } from "../rules.ts";

/** An object that lists the name, live or last known, in whatever zone. */
export type ListerFacts = ListerSays & {
  /** The contributor, `kind/namespace/name`. */
  readonly who: string;
  /** The object that markers of its records name: itself, or what it was made from. */
  readonly original: string;
};

/** What it says of the record. */
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
  /** It is the object in the marker, and has had no address for the whole grace. */
  | { readonly is: "without-address-for-good" }
  /** It is for a name that the object in the marker has no more; that one has others instead. */
  | { readonly is: "former" }
  | {
      /** Its latest contribution went to another zone or account, or to none. */
      readonly is: "elsewhere";
      /** It is the object in the marker, or wanted the name here before. */
      readonly isAboutRecord: boolean;
      /** That zone is another one for certain, whose records are none of this zone. */
      readonly isOtherZone: boolean;
    }
  /** It is complete here, and wants no such record set. */
  | { readonly is: "complete" };

/** The object in the marker, in each cluster that may have it. */
export interface ObjectFacts {
  /** `kind/namespace/name`, or with a hash of the name. Null = the marker names none. */
  readonly who: string | null;
  /** How it is known that it wants no such record set; null = it is not known. */
  readonly proof: AbsenceProof | null;
  /** Without a proof: nobody here serves its cluster. Absent = somebody does. */
  readonly unserved?: {
    readonly cluster: string;
    /** Why it is not served yet; null and absent = it is none of ours. */
    readonly awaited?: string | null;
    /** A person removed the cluster, with its records. Absent = nobody did. */
    readonly isRemoved?: boolean;
    /** DNSEntries here were made for objects of that cluster. */
    readonly hasEntries: boolean;
    /** The DNSEntry that was made for it and was changed; null = none was seen. */
    readonly entry: string | null;
  };
  /** It lists the name, though what was made for it is gone. Absent and null = it does not. */
  readonly relists?: {
    /** The object that was made for it. */
    readonly made: string;
    /** Why it cannot say now what it wants; null = it can. */
    readonly waitsFor: HoldCode | null;
  } | null;
  readonly isAlive: boolean;
  /** Why it is not known whether it exists; empty = it is. */
  readonly whyUnknown: string;
  /** Why it was not seen to list the name (Z-22). Absent and null = it was, or had to be. */
  readonly unseen?: Blocker | null;
  /** The object that publishes now by the entry that published for it. Absent, null = none. */
  readonly successor?: Provenance | null;
}

/** An object has another name instead of one that it lists no more (Z-32). */
export interface UnpublishedName {
  /** The object, `kind/namespace/name`. */
  readonly who: string;
  /** That name; no record there answers as the former one does. */
  readonly instead: DnsName;
}

/** Facts from the zone. */
export interface ZoneFacts {
  /** Objects of this zone whose names moved to another one list the name. */
  readonly isMovedAway: boolean;
  /** No object wants the name here, and that in the marker wants it in one other zone (Z-18). */
  readonly isLeftBehind: boolean;
  /** The delegation of which the name is a server; null = it is none's. */
  readonly servesCut: DnsName | null;
  /** Null = the object in the marker has no other name, or all that it has are published. */
  readonly unpublished: () => UnpublishedName | null;
  /** A person ordered that it goes, or passes to another object, in exactly this state (Z-22). */
  readonly isOrdered: boolean;
}

/** All of it. */
export interface AbsenceFacts extends ZoneFacts {
  readonly name: DnsName;
  /** Its owner id may be that of others, and its marker names no cluster. Absent = it is ours. */
  readonly isAnybodys?: boolean;
  /** Why no absence can be known now, at whatever name of that cluster (Z-3, Z-30). */
  readonly gate: Blocker | null;
  /** Oldest first. */
  readonly listers: readonly ListerFacts[];
  /** Asked only where no lister keeps the record. */
  readonly object: () => ObjectFacts;
}
