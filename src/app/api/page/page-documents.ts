/** The documents of the API that no command asks for: those of the page. Types only. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSetKey } from "../../../model/record-set.ts";
import type { Resolver } from "../../../plan/hold-reason.ts";
import type { NameRow } from "../../../sync/contract/name-page.ts";
import type { ChangeHistory } from "../../../sync/contract/zone-change.ts";
import type { HeldSetStatus, ZoneStatus } from "../../../sync/contract/zone-status.ts";
import type { CodeCount } from "../plan/document.ts";
import type { PlanItem, PlanOp } from "../plan/groups.ts";

/** Any of them; its `schema` says which. */
export type PageDocument =
  | SessionDocument
  | ZonesDocument
  | NamesDocument
  | HoldsDocument
  | HeldSetDocument
  | SeriesDocument
  | PageLinkDocument;

/** The open zones. */
export interface ZonesDocument {
  readonly schema: "zonekeeper.dev/zones/v1";
  /** When it was answered; RFC 3339. */
  readonly now: string;
  /** Sorted by name. */
  readonly zones: readonly ZoneRow[];
}

/** A zone in numbers. */
export interface ZoneRow
  extends Omit<ZoneStatus, "open" | "failing" | "readAtMs" | "serial" | "providers"> {
  /** Why its next change would not be written; null = it would. */
  readonly trouble: string | null;
  /** Change token of the last answer, such as the serial; null = there is none. */
  readonly serial: string | null;
  /** When it answered last, RFC 3339; null = it has not been read yet. */
  readonly readAt: string | null;
  /** DNSProviders that lead into it, `namespace/name`. */
  readonly providers: readonly string[];
  /** Names with changes or holds. */
  readonly openNames: number;
  readonly failingNames: number;
  readonly pendingChanges: number;
  /** Most first. */
  readonly holds: readonly CodeCount[];
}

/** Names of zones, in their order. */
export interface NamesDocument {
  readonly schema: "zonekeeper.dev/names/v1";
  /** When it was answered; RFC 3339. */
  readonly now: string;
  /**
   * Number of names in the zones that were asked for, without the other filters; null = a zone is
   * not read yet.
   */
  readonly total: number | null;
  readonly rows: readonly NameRow[];
  /** For `after` of the next question; null = there are no more. */
  readonly next: string | null;
}

/** The held changes, by reason, and what ends each reason. */
export interface HoldsDocument {
  readonly schema: "zonekeeper.dev/holds/v1";
  /** When it was answered; RFC 3339. */
  readonly now: string;
  /** Most first. */
  readonly reasons: readonly HoldReasonRow[];
  readonly heldSets: readonly HeldSetRow[];
}

/** A reason. */
export interface HoldReasonRow extends CodeCount {
  /** The message of its names where all have one, else what the code means. */
  readonly meaning: string;
  readonly remedy: string;
  readonly resolvedBy: Resolver;
  /** Sorted. */
  readonly zones: readonly string[];
  /** The first 20, by zone and name. */
  readonly names: readonly HeldName[];
  /** Since when the oldest of all is held, in this process; RFC 3339, null = not known. */
  readonly since: string | null;
}

/** A name that is held. */
export interface HeldName {
  readonly zone: string;
  readonly name: DnsName;
  /** `kind/namespace/name`; empty = none. */
  readonly object: string;
  readonly message: string;
  /** Since when it is not as wanted, in this process; RFC 3339, null = not known. */
  readonly since: string | null;
}

/** A set that waits for approval, over its zones. */
export interface HeldSetIn extends HeldSetStatus {
  readonly zones: readonly string[];
}

/** The same, with the command that approves it. */
export interface HeldSetRow extends HeldSetIn {
  readonly command: string;
}

/** The effect of approving a set. */
export interface HeldSetDocument extends HeldSetIn {
  readonly schema: "zonekeeper.dev/held-set/v1";
  /** When it was answered; RFC 3339. */
  readonly now: string;
  /**
   * The number that a person types to approve it: its removals, or its changes where it removes
   * nothing.
   */
  readonly count: number;
  /** By zone, then key. */
  readonly records: readonly HeldSetRecord[];
  /** Records that are left out. */
  readonly omitted: number;
}

/** A record set of it. */
export interface HeldSetRecord extends RecordSetKey, Pick<PlanItem, "from" | "to"> {
  readonly zone: DnsName;
  /** `unknown` = it is not planned now. */
  readonly op: PlanOp | "unknown";
  /** `kind/namespace/name`; empty = not known. */
  readonly object: string;
  /** For a removal; null = none. */
  readonly proof: string | null;
  /** Since when its name is not as wanted, in this process; RFC 3339, null = not known. */
  readonly since: string | null;
  /** Field manager that edited the object last; null = not known, or it is this program. */
  readonly editor: string | null;
  /** When the deletion of the object was seen; RFC 3339, null = not known, or it is there. */
  readonly deletedAt: string | null;
}

/** The last day, for a picture. */
export interface SeriesDocument extends Pick<ChangeHistory, "isCut" | "troubles"> {
  readonly schema: "zonekeeper.dev/series/v1";
  /** When it was answered; RFC 3339. */
  readonly now: string;
  readonly bucketSeconds: number;
  /** The oldest first. */
  readonly buckets: readonly SeriesBucket[];
}

/** Changes of some minutes. */
export interface SeriesBucket {
  /** Its begin; RFC 3339. */
  readonly at: string;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  readonly markers: number;
  /** Changes whose way from the object to the answer is known. */
  readonly answered: number;
  /** Milliseconds; null = there are none. */
  readonly answeredMsP50: number | null;
  readonly answeredMsP99: number | null;
}

/** The state of the instance, and what the caller may see and order. */
export interface SessionDocument {
  readonly schema: "zonekeeper.dev/session/v1";
  /** When it was answered; RFC 3339. */
  readonly now: string;
  readonly version: string;
  readonly state: "leading" | "standby";
  /** Why it stands by; empty = it leads. */
  readonly message: string;
  /** Identity of the leader that it stands by for; empty = not known, or it leads. */
  readonly leader: string;
  /** That nothing is written here, and who writes; null = it writes. */
  readonly dryRun: string | null;
  /** End of the browser's session, RFC 3339; null = it was asked with the token. */
  readonly endsAt: string | null;
  /** How its commands begin. */
  readonly command: string;
  /** Namespaces whose names the caller sees; null = all names. */
  readonly namespaces: readonly string[] | null;
  /** True = the caller may order something: approve, undo, pause. */
  readonly mayOrder: boolean;
}

/** A link that lets one browser in, once. */
export interface PageLinkDocument {
  readonly schema: "zonekeeper.dev/page-link/v1";
  /** With its code; a secret until it is used. */
  readonly path: string;
  /** Under which browsers reach the page besides this host; empty = on this host only. */
  readonly origins: readonly string[];
  /** RFC 3339. */
  readonly expiresAt: string;
}
