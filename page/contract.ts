/** The documents that the page reads, as the API declares them. */
import type { ExplainDocument } from "../src/app/api/documents.ts";
import type { FenceStatus } from "../src/sync/contract/fence-status.ts";
import type { HeldSetStatus } from "../src/sync/contract/zone-status.ts";

export type {
  ClustersDocument,
  HistoryChange,
  HistoryDocument,
  UndoDocument,
  UndoRow,
} from "../src/app/api/documents.ts";
export type { PlanDocument } from "../src/app/api/plan/document.ts";
export type { PlanGroup, PlanItem } from "../src/app/api/plan/groups.ts";

export interface SessionDocument {
  readonly now: string;
  readonly version: string;
  readonly state: "leading" | "standby";
  readonly message: string;
  readonly leader: string;
  readonly dryRun: string | null;
  readonly endsAt: string | null;
  readonly command: string;
}
export interface ZonesDocument {
  readonly now: string;
  readonly zones: readonly ZoneRow[];
}
export interface ZoneRow {
  readonly key: { readonly account: string; readonly zone: string };
  readonly zone: {
    readonly id: string;
    readonly name: string;
    readonly providerType: string;
    readonly endpoint: string;
    readonly view: string;
  };
  readonly state: "loading" | "ready" | "failed";
  readonly message: string | null;
  readonly paused: string | null;
  readonly trouble: string | null;
  readonly serial: string | null;
  readonly readAt: string | null;
  readonly providers: readonly string[];
  readonly fence?: FenceStatus;
  readonly ownedNames: number;
  readonly foreignNames: number;
  readonly danglingNames: number;
  readonly openNames: number;
  readonly failingNames: number;
  readonly pendingChanges: number;
  readonly holds: readonly { readonly code: string; readonly count: number }[];
  readonly heldSets: readonly HeldSetStatus[];
  readonly budget?: { readonly usedRatio: number; readonly refusedMs: number };
  readonly ownerQuestion?: string;
  readonly removalTrouble?: string;
}
export interface NamesDocument {
  readonly now: string;
  readonly total: number | null;
  readonly rows: readonly NameRow[];
  readonly next: string | null;
}
export interface NameRow {
  readonly zone: string;
  readonly name: string;
  readonly state: "published" | "held" | "failing" | "pending" | "waiting" | "foreign" | "marker";
  readonly code: string;
  readonly message: string;
  readonly owner: string;
  readonly object: string;
  readonly cluster: string;
  readonly types: readonly string[];
  readonly values: readonly string[];
  readonly since: string | null;
}
export interface ChainDocument extends ExplainDocument {
  readonly chain: readonly NameLink[];
  readonly resolvers: readonly ResolverAnswer[];
  readonly commands: readonly string[];
}
export interface NameLink {
  readonly is: "object" | "entry" | "plan" | "zone" | "servers" | "alias" | "resolvers";
  readonly state: "ok" | "broken" | "waits" | "unknown";
  readonly text: string;
  readonly subject: string;
  readonly since: string | null;
  readonly code: string;
}
export interface ResolverAnswer {
  readonly server: string;
  readonly answers: readonly {
    readonly type: string;
    readonly ttlSeconds: number;
    readonly data: string;
    readonly name: string;
  }[];
  readonly rcode: string;
  readonly trouble: string | null;
}
export interface HoldsDocument {
  readonly now: string;
  readonly reasons: readonly HoldReasonRow[];
  readonly heldSets: readonly HeldSetRow[];
}
export interface HoldReasonRow {
  readonly code: string;
  readonly count: number;
  readonly meaning: string;
  readonly remedy: string;
  readonly resolvedBy: "user" | "operator" | "nobody";
  readonly zones: readonly string[];
  readonly names: readonly {
    readonly zone: string;
    readonly name: string;
    readonly object: string;
    readonly message: string;
  }[];
}
export interface HeldSetRow extends HeldSetStatus {
  readonly zones: readonly string[];
  readonly command: string;
}
export interface HeldSetDocument {
  readonly now: string;
  readonly hash: string;
  readonly zones: readonly string[];
  readonly kind: HeldSetStatus["kind"];
  readonly changes: number;
  readonly removals: number;
  readonly records: readonly HeldRecord[];
  readonly omitted: number;
}
export interface HeldRecord {
  readonly zone: string;
  readonly name: string;
  readonly type: string;
  readonly setIdentifier: string | null;
  readonly op: "create" | "replace" | "remove" | "marker" | "unknown";
  readonly from: { readonly values: readonly string[]; readonly ttlSeconds: number } | null;
  readonly to: { readonly values: readonly string[]; readonly ttlSeconds: number } | null;
  readonly object: string;
  readonly proof: string | null;
}
export interface SeriesDocument {
  readonly now: string;
  readonly bucketSeconds: number;
  readonly buckets: readonly Bucket[];
  readonly isCut: boolean;
  readonly troubles: readonly string[];
}
export interface Bucket {
  readonly at: string;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  readonly markers: number;
  readonly answered: number;
  readonly answeredMsP50: number | null;
  readonly answeredMsP99: number | null;
}
export interface WatchedClusters {
  readonly now: string;
  readonly clusters: readonly {
    readonly id: string;
    readonly mode: string;
    readonly state: string;
    readonly objects: number;
    readonly answeredAt: string | null;
    readonly origin: string;
    readonly message: string;
  }[];
  readonly caches: readonly {
    readonly cluster: string;
    readonly kind: string;
    readonly state: "syncing" | "live" | "stale" | "forbidden" | "absent";
    readonly message: string;
    readonly objects: number | null;
    readonly since: string | null;
  }[];
  readonly accounts: readonly {
    readonly account: string;
    readonly providers: readonly string[];
    readonly zones: readonly string[];
    readonly usedRatio: number;
    readonly refusedMs: number;
    readonly trouble: string | null;
  }[];
  readonly troubled?: readonly { readonly provider: string; readonly message: string }[];
}
