/**
 * States what the HTTP servers (health, metrics, local API, page) may ask of a running instance,
 * and order from it for a person.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Access, ReviewedUser } from "@zonekeeper/kube/client/access/reviews";
import type { KindState } from "@zonekeeper/kube/ports/cluster-view";
import type { RestoredObject } from "../../controllers/objects/restore-objects.ts";
import type { ListingObject } from "../../controllers/zone-choice/listing-objects.ts";
import type { NamedElsewhere } from "../../controllers/zone-choice/named-elsewhere.ts";
import type { ProviderTrouble } from "../../controllers/zone-choice/provider-facts.ts";
import type { ExternalDnsRules } from "../../model/external-dns-rules.ts";
import type { Policy } from "../../plan/rules.ts";
import type { ImportStatus } from "../../source-controllers/imports/import-controller.ts";
import type { FenceTaking } from "../../sync/contract/fence-status.ts";
import type { NameExplanation } from "../../sync/contract/name-explanation.ts";
import type { NameObjects, NamePage, NameQuery } from "../../sync/contract/name-page.ts";
import type {
  MigrationReport,
  MigrationRequest,
  OwnershipOrder,
  UndoPreview,
  UndoQuery,
  ZoneOwnership,
} from "../../sync/contract/ownership-rows.ts";
import type { ZoneViews } from "../../sync/contract/publish-engine.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import {
  type ChangeHistory,
  type ChangeQuery,
  NO_HISTORY,
} from "../../sync/contract/zone-change.ts";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import type { PauseRegistry } from "../../sync/guards/pause-registry.ts";
import type { HeldRecord } from "../../sync/report/held-records.ts";
import type { ResolverAnswer } from "./authority/ask-resolvers.ts";
import type { ServerAnswer } from "./authority/ask-servers.ts";
import type { ClusterAccess } from "./controllers-options.ts";
import type { ObservedName } from "./observed-names.ts";

/** The state of one part of the program. */
export interface HealthCheck {
  /** `cache services.default`, `zone example.org`. Sorted by it; the first word is its subject. */
  readonly name: string;
  /** False = something that is wanted next would not be read, or not be written. */
  readonly ok: boolean;
  /**
   * True = not ok makes no Pod unready, as the trouble is of one account, zone or right. Absent =
   * it does, since the program cannot read its own clusters.
   */
  readonly readyAnyway?: true;
  /** Why not; for a check that is well, a remark or empty. */
  readonly message: string;
}

/** The external-dns options of the program, by which external-dns itself would treat a zone. */
export interface SpokenDialect {
  readonly rules: ExternalDnsRules;
  readonly policy: Policy;
}

/** The questions and orders that a composition takes. All methods may be called at any time. */
export interface Work {
  zones(): readonly ZoneStatus[];
  explain(name: DnsName): Promise<readonly NameExplanation[]>;
  /** Names of zones, a page at a time. */
  names(query: NameQuery): Promise<NamePage>;
  /** The objects that list the name, and those that our markers at it name. */
  objectsAt(name: DnsName): NameObjects;
  /** Record sets of the held sets of this hash; empty = there is none. */
  heldRecords(hash: string): readonly HeldRecord[];
  /** Each watched kind, with the age of its last answer. */
  caches(): readonly CacheStatus[];
  /**
   * Calls the listener when something of a zone may have changed; the answer ends the subscription.
   */
  onChange(listener: Parameters<ZoneViews["onChange"]>[0]): () => void;
  /** The journal: changes that this installation wrote to zones, the newest first. */
  history(query: ChangeQuery): Promise<ChangeHistory>;
  /**
   * DNSProviders that serve nothing now; null = all, else those that may be meant to hold the name.
   */
  troubles(name: DnsName | null): readonly ProviderTrouble[];
  /**
   * Objects that list a name for which `isAsked` is true, also names without a zone. `onlyTroubled`
   * true = objects without trouble may be left out.
   */
  whoLists(
    isAsked: (name: DnsName) => boolean,
    onlyTroubled?: boolean,
  ): Promise<readonly ListingObject[]>;
  /** Imports of hosts from zones. */
  imports(): readonly ImportStatus[];
  /** The names that these clusters, which are only observed, would have published. */
  observed(clusters: readonly ClusterAccess[]): Promise<readonly ObservedName[]>;
  /** Objects whose external-dns annotations or fields name such names. */
  namedElsewhere(isAsked: (name: DnsName) => boolean): Promise<readonly NamedElsewhere[]>;
  /** Approves a held set by its hash (Z-16); answers the zones that had it. */
  approve(hash: string): Promise<readonly ZoneKey[]>;
  /**
   * Creates the deleted objects of a held set again (`isDoing`), or says which it would create;
   * null = there is no such set.
   */
  restore(hash: string, isDoing: boolean): Promise<readonly RestoredObject[] | null>;
  /** The pauses; null = nothing can be paused. */
  readonly pauses: Pick<
    PauseRegistry,
    "status" | "reasonAt" | "pause" | "resume" | "onChange"
  > | null;
  /** The owner of each record set at these names; null = at all names. */
  rights(names: ReadonlySet<DnsName> | null): Promise<readonly ZoneOwnership[]>;
  /** The external-dns options that hold for the zone; null = none, or the zone is not open. */
  dialectOf(zone: ZoneKey): SpokenDialect | null;
  /** Takes a person's orders for a zone (`OwnershipControl.order`); each is logged. */
  order(key: ZoneKey, requests: readonly OwnershipOrder[]): boolean;
  /** Which earlier changes an undo would take back; `order` does it. */
  undo(query: UndoQuery): Promise<UndoPreview>;
  /** Rewrites markers in another format, or says what that would write. */
  migrate(request: MigrationRequest): Promise<readonly MigrationReport[]>;
  /**
   * Takes the fences of our owner id over from another installation, or says what that would write
   * (Z-17).
   */
  takeOwner(from: string, dryRun: boolean): Promise<readonly FenceTaking[]>;
}

/** A kind of objects in one cluster. */
export interface CacheStatus {
  readonly cluster: string;
  /** `services`, `dnsentries.dns.gardener.cloud`. */
  readonly kind: string;
  readonly state: KindState;
  /** Why it is not live; empty = it is, or nothing is known. */
  readonly message: string;
  /** Null = not listed yet. */
  readonly objects: number | null;
  /** Milliseconds since the server last showed what the kind is like; null = not known. */
  readonly ageMs: number | null;
}

/** The work of an instance without zones. */
export const NO_WORK: Work = {
  zones: () => [],
  explain: async () => [],
  names: async () => ({ total: 0, rows: [], next: null }),
  objectsAt: () => ({ listed: [], marked: [] }),
  heldRecords: () => [],
  caches: () => [],
  onChange: () => () => undefined,
  history: async () => NO_HISTORY,
  troubles: () => [],
  whoLists: async () => [],
  imports: () => [],
  observed: async () => [],
  namedElsewhere: async () => [],
  approve: async () => [],
  restore: async () => null,
  pauses: null,
  rights: async () => [],
  dialectOf: () => null,
  order: () => false,
  undo: async () => ({ choices: [], troubles: [] }),
  migrate: async () => [],
  takeOwner: async () => [],
};

/** The answer of the API server of the source cluster about a person's token. */
export interface UserReviews {
  /** Id of the cluster; only its namespaces count. */
  readonly cluster: string;
  /** Namespace of the program: a user who may use the proxy of its Pods sees all namespaces. */
  readonly namespace: string;
  /** The user of the token; null = none. Throws OperationError, as `isAllowed` does. */
  userOf(token: string): Promise<ReviewedUser | null>;
  isAllowed(user: ReviewedUser, access: Access): Promise<boolean>;
}

/** A running instance as health, metrics and the local API see it, over terms of leadership. */
export interface Instance {
  /** The work of the present term; `NO_WORK` while it does not lead. */
  readonly work: Work;
  checks(): readonly HealthCheck[];
  /** Why it does not lead now, and who does; null and no method = it is at work. */
  standbyReply?(): string | null;
  /** Further source clusters, by id; no method = there are none. */
  furtherClusters?(): readonly FurtherStatus[];
  /**
   * The names that further clusters that are only observed would have published; no method =
   * nothing.
   */
  observed?(): Promise<readonly ObservedName[]>;
  /** Identity of the holder of the Lease that it stands by for; empty = not known. */
  leader?(): string;
  /**
   * Reviews tokens of users of the cluster; null = the cluster's id is not known yet. Absent = only
   * the token of the API is accepted.
   */
  readonly reviews?: UserReviews | null;
  /** How its commands begin; absent = `zonekeeper`. */
  readonly commandName?: string;
  /** Text that it plans and writes nothing, and who writes; null or no method = it writes. */
  dryRunText?(): string | null;
  /** Asks the zone's servers for the name, now. Never rejects. */
  askServers(explanation: NameExplanation): Promise<readonly ServerAnswer[]>;
  /** Asks the resolvers of users for these types at the name, now. Never rejects. */
  askResolvers?(name: DnsName, types: readonly string[]): Promise<readonly ResolverAnswer[]>;
  /** Whether the name has an address, by the resolver; null = that is not certain. */
  hasAddress(name: DnsName): Promise<boolean | null>;
  /** Prometheus exposition. */
  scrape(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/**
 * Why an instance knows nothing of zones now; null = it knows them: it leads, or it reads and plans
 * them as a dry run or a standby does.
 */
export function silenceOf(instance: Pick<Instance, "standbyReply" | "dryRunText">): string | null {
  return (instance.dryRunText?.() ?? null) === null ? (instance.standbyReply?.() ?? null) : null;
}

/**
 * `Refused`: its kubeconfig or id cannot be used. `Connecting`: it has not answered yet. `Syncing`:
 * it is being listed. `Unreadable`: a kind is not served any more, or may not be read. `Stale`: it
 * does not answer now. `Changed`: it is not the cluster that it was (Z-30). `Removed`: it is no
 * longer configured, and its records are being removed.
 */
export type FurtherState =
  | "Refused"
  | "Connecting"
  | "Syncing"
  | "Unreadable"
  | "Live"
  | "Stale"
  | "Changed"
  | "Removed";

/** A cluster, or one that is named and not used. */
export interface FurtherStatus {
  readonly id: string;
  /** `observe`: nothing of it is published. */
  readonly mode: "observe" | "active";
  /** Option, file, or Secret and key. */
  readonly origin: string;
  readonly state: FurtherState;
  /** The fault, and what to do; empty = nothing. */
  readonly message: string;
  /** Its address; empty = not known. */
  readonly server: string;
  /** Number of its objects in the cache. */
  readonly objects: number;
  /** Unix milliseconds of its last answer; null = it has not answered in this process. */
  readonly answeredAtMs: number | null;
}
