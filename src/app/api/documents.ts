/**
 * The documents that the API answers; the client makes text of them. A schema grows when a field
 * is removed or means something else; new fields leave it.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { FastifyReply } from "fastify";
import type { RestoredObject } from "../../controllers/objects/restore-objects.ts";
import type { ListingObject } from "../../controllers/zone-choice/listing-objects.ts";
import type { ProviderTrouble } from "../../controllers/zone-choice/provider-facts.ts";
import type { SkipReason } from "../../inbound/imported-hosts.ts";
import type { RecordSetKey } from "../../model/record-set.ts";
import type { ImportStatus } from "../../source-controllers/imports/import-controller.ts";
import type { FenceTaking } from "../../sync/contract/fence-status.ts";
import type { NameExplanation } from "../../sync/contract/name-explanation.ts";
import type {
  MigrationReport,
  UndoChoice,
  ZoneOwnership,
} from "../../sync/contract/ownership-rows.ts";
import type { ChangeHistory, ZoneChange } from "../../sync/contract/zone-change.ts";
import type { PauseStatus } from "../../sync/guards/pause-registry.ts";
import type { ResolverAnswer } from "../compose/authority/ask-resolvers.ts";
import type { ServerAnswer } from "../compose/authority/ask-servers.ts";
import type { CacheStatus, FurtherStatus } from "../compose/instance.ts";
import type { UnreadObject } from "./blind-spots.ts";
import type { RightsResult, UndoResult } from "./carry-out.ts";
import type { PageDocument } from "./page/page-documents.ts";
import type { BlindSpots, PlanDocument } from "./plan/document.ts";
import type { RightsChoice, RightsCommand } from "./rights-choice.ts";
import type { ShownState } from "./shown-rights.ts";

/** Any document; its `schema` says which. */
export type ApiDocument =
  | PlanDocument
  | ExplainDocument
  | HistoryDocument
  | ImportsDocument
  | UndoDocument
  | ClustersDocument
  | ApprovalDocument
  | RestoreDocument
  | PauseDocument
  | RightsDocument
  | PreviewDocument
  | OrderDocument
  | TakePreviewDocument
  | TakeDocument
  | MigrationDocument
  | PageDocument
  | ExportDocument;

/** An explanation with the answers of the zone's servers; absent = they were not asked. */
export interface AnsweredExplanation extends NameExplanation {
  readonly answers?: readonly ServerAnswer[];
  /** Where the CNAME at the name leads; absent = there is none. */
  readonly alias?: AliasEnd;
}

/** The end of a chain of CNAMEs. */
export interface AliasEnd {
  /** Targets, in the order in which they are followed; never empty. */
  readonly chain: readonly DnsName[];
  /**
   * Whether the end has an answer. `nowhere`: the last target has no address, or the chain has no
   * end.
   */
  readonly is: "answers" | "nowhere" | "unknown";
}

/** Why a name is as it is; `providers`, `caches`, `clusters` and `dryRun` as in the plan. */
export interface ExplainDocument
  extends Required<Pick<BlindSpots, "providers" | "caches" | "clusters" | "dryRun">> {
  readonly schema: "zonekeeper.dev/explain/v1";
  readonly name: DnsName;
  /** Each open zone that could hold the name. */
  readonly zones: readonly AnsweredExplanation[];
  /** Objects that list the name and that no zone shows. */
  readonly wishes: readonly ListingObject[];
  /** Objects that name it for external-dns only. */
  readonly unread: readonly UnreadObject[];
  /** Its last changes, the newest first; absent = none is known. */
  readonly history?: Pick<HistoryDocument, "now" | "changes">;
  /** Ids of further source clusters; absent = there are none. */
  readonly further?: readonly string[];
  /**
   * Each step from the object to the resolvers; absent = not asked for, as are the next two fields.
   */
  readonly chain?: readonly NameLink[];
  /** The present answers of resolvers. */
  readonly resolvers?: readonly ResolverAnswer[];
  /** Commands for a person; the first one repairs what is broken, where a command can. */
  readonly commands?: readonly string[];
}

/** A step from an object to the answer that users get. */
export interface NameLink {
  readonly is: "object" | "entry" | "plan" | "zone" | "servers" | "alias" | "resolvers";
  /** A link after a broken one is mostly broken by that one. */
  readonly state: "ok" | "broken" | "waits" | "unknown";
  /** A sentence. */
  readonly text: string;
  /** Object, zone or server; empty = none. */
  readonly subject: string;
  /** Since when, as far as this process knows, RFC 3339; null = not known, or nothing is wrong. */
  readonly since: string | null;
  /** For a hold, or of what is wrong with an object; empty = none. */
  readonly code: string;
}

/** The journal: changes that zones have taken, the newest first. */
export interface HistoryDocument extends Omit<ChangeHistory, "changes"> {
  readonly schema: "zonekeeper.dev/history/v1";
  /** When it was answered; RFC 3339. */
  readonly now: string;
  /** Zone and name of the query; null = all. */
  readonly zone: DnsName | null;
  readonly name: DnsName | null;
  readonly changes: readonly HistoryChange[];
}

/** The further source clusters, by id. */
export interface ClustersDocument {
  readonly schema: "zonekeeper.dev/clusters/v1";
  /** When it was answered; RFC 3339. */
  readonly now: string;
  readonly clusters: readonly ClusterRow[];
  /** The watched kinds, in all clusters. */
  readonly caches: readonly CacheRow[];
  /** Accounts of providers with open zones. */
  readonly accounts: readonly AccountRow[];
  /** DNSProviders that serve nothing now. */
  readonly troubled: readonly ProviderTrouble[];
}

/** Objects of one kind in one cluster; `answeredAt` is RFC 3339, null = not known. */
export interface CacheRow extends Omit<CacheStatus, "ageMs"> {
  readonly answeredAt: string | null;
}

/** An account of a provider, with its tightest limit. */
export interface AccountRow {
  /** Id; equal for equal type, settings and secret. */
  readonly account: string;
  /** DNSProviders, `namespace/name`. */
  readonly providers: readonly string[];
  /** Apexes. */
  readonly zones: readonly string[];
  /** 0 to 1; 1 = the next call waits. */
  readonly usedRatio: number;
  /** Milliseconds since calls are refused as too many; 0 = they are taken. */
  readonly refusedMs: number;
  /** Trouble of one of its zones; null = none. */
  readonly trouble: string | null;
}

/** `answeredAt` is RFC 3339; null = not in this process. */
export interface ClusterRow extends Omit<FurtherStatus, "answeredAtMs"> {
  readonly answeredAt: string | null;
}

/** `at` is RFC 3339. */
export interface HistoryChange extends Omit<ZoneChange, "atMs"> {
  readonly at: string;
}

/** The imports of hosts from zones into ServiceEntries. */
export interface ImportsDocument {
  readonly schema: "zonekeeper.dev/imports/v1";
  /** When it was answered; RFC 3339. */
  readonly now: string;
  readonly imports: readonly ImportDocument[];
}

/** An import. */
export interface ImportDocument extends Omit<ImportStatus, "readAtMs" | "skipped"> {
  /** RFC 3339; null = not read yet. */
  readonly readAt: string | null;
  readonly skipped: readonly SkippedHosts[];
}

/** Hosts that are not imported for one reason. */
export interface SkippedHosts {
  readonly reason: SkipReason;
  readonly count: number;
  /** The first 20, sorted. */
  readonly hosts: readonly string[];
}

/** The undoing of earlier changes: rows that are written, or would be. */
export interface UndoDocument {
  readonly schema: "zonekeeper.dev/undo/v1";
  /** Sorted by zone, then key. */
  readonly changes: readonly UndoRow[];
  /** Why an order was not taken; `same` = it was taken, or only a preview was asked for. */
  readonly shown: ShownState;
  /** False = nothing was ordered. */
  readonly isDone: boolean;
  /** Why changes may be missing. */
  readonly unknown: readonly string[];
}

/** A record set; see `UndoChoice`. */
export interface UndoRow
  extends RecordSetKey,
    Pick<UndoChoice, "from" | "to" | "reason" | "again">,
    Pick<UndoResult, "state"> {
  /** Apex. */
  readonly zone: DnsName;
}

/** A held set of changes that is approved now, with its zones. */
export interface ApprovalDocument {
  readonly schema: "zonekeeper.dev/approval/v1";
  /** Its hash. */
  readonly approved: string;
  readonly zones: readonly string[];
}

/** Deleted objects of a held set. */
export interface RestoreDocument {
  readonly schema: "zonekeeper.dev/restore/v1";
  readonly hash: string;
  readonly objects: readonly RestoredObject[];
}

/** The present pauses. */
export interface PauseDocument extends PauseStatus {
  readonly schema: "zonekeeper.dev/pauses/v1";
}

/** The owners of records; `unknown`: one line for each thing that is not known. */
export interface RightsDocument {
  readonly schema: "zonekeeper.dev/ownership/v1";
  readonly zones: readonly ZoneOwnership[];
  /** True = only orphans are listed. */
  readonly orphansOnly: boolean;
  readonly unknown: readonly string[];
}

/** The changes that a command would make to records. */
export interface PreviewDocument extends Pick<RightsCommand, "verb" | "from" | "to"> {
  readonly schema: "zonekeeper.dev/ownership-preview/v1";
  readonly choices: readonly RightsChoice[];
  /** Names to adopt that have no record. */
  readonly missing: readonly DnsName[];
  readonly unknown: readonly string[];
  /** Why an order was not taken; `same` = only a preview was asked for. */
  readonly shown: ShownState;
}

/** The changes that a command has made to records. */
export interface OrderDocument extends Pick<PreviewDocument, "missing" | "unknown"> {
  readonly schema: "zonekeeper.dev/ownership-order/v1";
  readonly results: readonly RightsResult[];
  /** Records that a person named and that stay as they are. */
  readonly refused: readonly RightsChoice[];
}

/** The records that `owner take` would write. */
export interface TakePreviewDocument extends Pick<PreviewDocument, "shown"> {
  readonly schema: "zonekeeper.dev/owner-take-preview/v1";
  readonly from: string;
  readonly zones: readonly FenceTaking[];
  readonly records: readonly RightsChoice[];
}

/** The records that `owner take` has written. */
export interface TakeDocument {
  readonly schema: "zonekeeper.dev/owner-take/v1";
  readonly from: string;
  readonly zones: readonly FenceTaking[];
  readonly records: readonly RightsResult[];
}

/** The markers that a migration would write, or writes. */
export interface MigrationDocument {
  readonly schema: "zonekeeper.dev/migration/v1";
  readonly zones: readonly MigrationReport[];
}

/**
 * Records that external-dns would not take over; `affixes`: the options of marker names with which
 * it will be started.
 */
export interface ExportDocument {
  readonly schema: "zonekeeper.dev/export/v1";
  readonly program: "external-dns";
  readonly affixes: object;
  readonly zones: readonly ExportedZone[];
  readonly unknown: readonly string[];
}

/** Why external-dns does not understand a record. */
export interface ExportRemark {
  readonly name: DnsName;
  readonly type: string;
  readonly message: string;
}

/** A zone of the preview. */
export interface ExportedZone {
  readonly zone: DnsName;
  /** Record sets of ours in it. */
  readonly records: number;
  readonly remarks: readonly ExportRemark[];
}

/** Sends the document with these headers; null = the header is not sent. */
export function answer(
  reply: FastifyReply,
  document: ApiDocument,
  headers: Readonly<Record<string, number | string | null>> = {},
): FastifyReply {
  for (const [name, value] of Object.entries(headers))
    if (value !== null) reply.header(name, value);
  return reply.send(document);
}
