/**
 * The publishing engine: hands what objects contribute to zone actors, and the actors' reports to
 * listeners. Connects the rooms of `sync`; decides nothing about records itself.
 */
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { Random } from "@zonekeeper/base/ports/random";
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { ObjectKey } from "../model/provenance.ts";
import type { Zone } from "../model/zone.ts";
import type { Propagation } from "../providers/provider.ts";
import { AbsenceTracker, knownRecordsAt } from "./absence/absence-tracker.ts";
import { AddressWaits } from "./absence/address-waits.ts";
import { openSightings, type SightingsOptions } from "./absence/sightings.ts";
import { approveIn, giveOrders, takeOwnerIn } from "./between-zones/give-orders.ts";
import { OpenZones } from "./between-zones/open-zones.ts";
import { confirmMoves, elsewhereOf, freedNames } from "./between-zones/zone-move.ts";
import type { DesiredState } from "./cache/desired-index.ts";
import type { Contribution } from "./contract/contribution.ts";
import type { FenceTaking, FurtherIds } from "./contract/fence-status.ts";
import type { NameExplanation } from "./contract/name-explanation.ts";
import type { ObjectObserver } from "./contract/object-observation.ts";
import type { OwnershipOrder, ZoneOwnership } from "./contract/ownership-rows.ts";
import type {
  AwaitedRemovals,
  Explainer,
  FenceControl,
  OwnershipControl,
  PublishEngine,
} from "./contract/publish-engine.ts";
import type { SyncSettings } from "./contract/settings.ts";
import { NO_TENANCY, type OpenZoneInput, type ZoneKey, type ZoneTenancy } from "./contract/zone.ts";
import type { ZoneHealth, ZoneStatus } from "./contract/zone-status.ts";
import { CutWatch, cutIn } from "./delegation/zone-cuts.ts";
import type { FenceOptions } from "./fence/zone-fence.ts";
import type { HeldNews } from "./guards/fuse-log.ts";
import type { Guard } from "./guards/guard.ts";
import { MoveGuard } from "./guards/move-guard.ts";
import { awaitedRemovals } from "./report/awaited-removals.ts";
import { explainName } from "./report/explain-name.ts";
import { type HeldRecord, heldRecords } from "./report/held-records.ts";
import { NamePages, objectsAt } from "./report/name-pages.ts";
import { OpenZoneViews } from "./report/open-zone-views.ts";
import { OtherOwnerLog } from "./report/other-owner.ts";
import { listOwnership } from "./report/ownership-rows.ts";
import { propagationOf } from "./report/propagation.ts";
import { ReportListeners } from "./report/report-listeners.ts";
import { Reporter, waitingZone } from "./report/reporter.ts";
import { undoPreview } from "./report/undo-preview.ts";
import { UnwantedRecords } from "./report/unwanted-records.ts";
import { ZoneChanges, type ZoneChangesOptions } from "./report/zone-changes.ts";
import { ofZones, zoneHealth, zoneStatus } from "./report/zone-status.ts";
import { Migrations } from "./zone/marker-migration.ts";
import type { Identity } from "./zone/name-planner.ts";
import { namesMarkedBy } from "./zone/name-report.ts";
import { OwnershipOrders } from "./zone/ownership-orders.ts";
import type { Way } from "./zone/way.ts";
import { ZoneActor } from "./zone/zone-actor.ts";

/** What the engine works with. */
export interface EngineOptions extends ZoneChangesOptions {
  readonly identity: Identity;
  /** Other installations may have our owner id (ADR 0119); absent = false. */
  readonly isOwnerShared?: boolean;
  readonly observer: ObjectObserver;
  /**
   * Makes the guard of one zone. `recheck` plans all held names of the zone again, together;
   * `onHeld` is called with each set that begins to wait for approval, or is complete.
   */
  readonly openGuard: (
    input: OpenZoneInput,
    recheck: () => void,
    onHeld: (news: HeldNews) => void,
  ) => Guard;
  /** A set of a zone waits for approval; the ways lead into the zone. Absent = nobody listens. */
  readonly onHeld?: (ways: readonly ZoneKey[], zone: DnsName, news: HeldNews) => void;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly settings: SyncSettings;
  /** Stops stale writers and other installations (Z-17); absent = nobody else can write. */
  readonly fence?: FenceOptions;
  /** Owner ids of DNSOwners, besides the main one; absent = none. */
  readonly furtherIds?: FurtherIds;
  /** What the DNSProviders of a zone say about its tenants; absent = nothing. */
  readonly tenancyOf?: (ways: readonly ZoneKey[]) => ZoneTenancy;
  /** Rewrites the commands in a text of a report for its readers. Absent = they stay. */
  readonly asTyped?: (text: string) => string;
  /** Stores which objects were seen to list which names (Z-23). Absent = a restart forgets it. */
  readonly seenBefore?: Pick<SightingsOptions, "state" | "crypto">;
  /** True = everything is planned and nothing sent: a dry run. Absent = false. */
  readonly isPreview?: boolean;
  /** Milliseconds until a name without an address loses its records; null and absent = never. */
  readonly noTargetsGraceMs?: number | null;
}

/** Methods by caller, as in `publish-engine.ts`; those without a promise return at once. */
export class Engine implements PublishEngine, Explainer, OwnershipControl, FenceControl {
  /** For imports. */
  readonly views = new OpenZoneViews(() => this.#zones.all());
  readonly #options: EngineOptions;
  readonly #absences: AbsenceTracker;
  readonly #zones: OpenZones;
  readonly #listeners: ReportListeners;
  readonly #reporter: Reporter;
  readonly #orders = new Map<ZoneActor, OwnershipOrders>();
  readonly #cuts = new CutWatch();
  readonly #unwanted: UnwantedRecords;
  readonly #waits: AddressWaits;
  readonly #migrations: Migrations;
  readonly #changes: ZoneChanges;
  readonly #otherOwner: OtherOwnerLog;
  readonly #names: NamePages;

  constructor(options: EngineOptions) {
    this.#options = options;
    const { clock, noTargetsGraceMs } = options;
    this.#waits = new AddressWaits(clock, noTargetsGraceMs ?? null, () => this.gatesChanged());
    this.#absences = new AbsenceTracker({
      observer: options.observer,
      waits: this.#waits,
      recordsAt: (name) => knownRecordsAt(name, this.#zones.all()),
      isKindMarked: (cluster, kind) =>
        this.#zones.all().some(({ state }) => state?.owned.hasKind(cluster, kind) === true),
      sightings: openSightings(options, () => this.gatesChanged()),
      isOwnerShared: options.isOwnerShared === true,
    });
    this.#listeners = new ReportListeners(options.asTyped);
    const { tell } = this.#listeners;
    this.#reporter = new Reporter(clock, tell);
    this.#unwanted = new UnwantedRecords(clock, tell);
    this.#migrations = new Migrations(clock);
    this.#changes = new ZoneChanges(options);
    this.#names = new NamePages(clock);
    this.#otherOwner = new OtherOwnerLog(options);
    this.#zones = new OpenZones({
      clock,
      random: options.random,
      owner: options.identity.mainOwner,
      isInTime: () => (options.fence?.term.remainingMs() ?? 1) > 0,
      make: (way, desiredState) => this.#make(way, desiredState),
      onClosed: (actor) => this.#closed(actor),
      onUnchanged: (actor, contribution) => this.#reporter.report(actor, contribution),
      onWaiting: ({ way, failure }, contribution) => {
        const { index } = this.#zones.parkedAt(way.id);
        this.#reporter.report(waitingZone(way, failure, index), contribution);
      },
    });
  }

  listZones(...call: Parameters<PublishEngine["listZones"]>): Promise<readonly Zone[]> {
    return this.#zones.listZones(...call);
  }

  openZone(input: OpenZoneInput): void {
    this.#zones.open(input);
  }

  retryZone(key: ZoneKey): void {
    this.#zones.retry(key);
  }

  closeZone(key: ZoneKey): Promise<void> {
    return this.#zones.close(key);
  }

  awaitedRemovals(provider: string): AwaitedRemovals {
    return awaitedRemovals(this.#zones.all(), provider);
  }

  isOpen(key: ZoneKey): boolean {
    return this.#zones.isOpen(key);
  }

  #make(way: Way, desiredState: DesiredState): ZoneActor {
    const { observer: _, openGuard, onHeld, ...shared } = this.#options;
    const orders = new OwnershipOrders(shared.clock, (names) => actor.enqueue(names, "moved"));
    const open = (): readonly ZoneActor[] => this.#zones.all();
    const actor: ZoneActor = new ZoneActor({
      ...shared,
      onApplied: (changes) => this.views.changed(actor, [], this.#changes.applied(changes)),
      orders,
      way,
      desiredState,
      absences: this.#absences,
      guard: new MoveGuard(
        openGuard(
          way.input,
          () => actor.enqueueHeld(true),
          (news) => onHeld?.(actor.ways.keys(), actor.apex, news),
        ),
        (names) => confirmMoves(actor, names, open()),
      ),
      migration: this.#migrations.of(way.key),
      tenancy: () => shared.tenancyOf?.(actor.ways.keys()) ?? NO_TENANCY,
      elsewhere: elsewhereOf(
        () => actor,
        open,
        (name) => this.#zones.unprovenAt(name),
      ),
      onMoved: (names) => {
        this.#cuts.changed(actor, names, new Set(open().map(({ apex }) => apex)));
        this.#zones.moved(actor);
        this.views.changed(actor, names);
      },
      onSettled: (names) => this.#settled(actor, names),
    });
    this.#orders.set(actor, orders);
    return actor;
  }

  contribute(key: ZoneKey | null, contribution: Contribution): void {
    this.#enqueueUnlisted(this.#absences.contributed(contribution));
    if (key === null) return;
    this.#waits.contributed(contribution);
    if (this.#zones.put(key, contribution) === null) return;
    // The names where markers name the object: its new contribution may free them.
    for (const actor of this.#zones.all())
      if (actor.state !== null) actor.enqueue(namesMarkedBy(contribution, actor.state), "moved");
  }

  withdraw(object: ObjectKey, proof: "deleted-object" | "missing-from-list"): void {
    this.#absences.withdrawn(object, proof);
    this.#waits.withdrawn(object);
    this.#zones.remove(object, null);
    this.gatesChanged();
  }

  unassign(key: ZoneKey, object: ObjectKey): void {
    // clause: unassigned-is-no-proof
    this.#zones.remove(object, key);
  }

  cutOf(key: ZoneKey, name: DnsName): ReturnType<typeof cutIn> {
    return cutIn(this.#zones.at(key), name);
  }

  onCuts(listener: () => void): () => void {
    return this.#cuts.subscribe(listener);
  }

  /** DNSOwners switch other owner ids on than before. */
  ownerIdsChanged(): void {
    for (const { fences } of this.#zones.all()) fences.changed();
  }

  gatesChanged(): void {
    for (const actor of this.#zones.all()) actor.enqueueHeld();
  }

  onReport(...asked: Parameters<PublishEngine["onReport"]>): () => void {
    return this.#listeners.add(...asked);
  }

  status(): readonly ZoneStatus[] {
    const context = { ...this.#options.identity, dangling: this.#waits.danglingNames() };
    return ofZones(this.#zones, (actor) => zoneStatus(actor, context));
  }

  health(): readonly ZoneHealth[] {
    return ofZones(this.#zones, zoneHealth);
  }

  async explain(name: DnsName): Promise<readonly NameExplanation[]> {
    const context = { ...this.#options, nowMs: this.#options.clock.nowMs() };
    const open = this.#zones.all();
    return (await Promise.all(open.map((one) => explainName(one, name, context)))).flat();
  }

  async propagationOf(key: ZoneKey, name: DnsName): Promise<Propagation | null> {
    return propagationOf(this.#zones.keyed(key), name);
  }

  ownership(names: ReadonlySet<DnsName> | null): Promise<readonly ZoneOwnership[]> {
    const unprovenIndexesAt = (apex: DnsName) => this.#zones.unprovenIndexesAt(apex);
    const context = { ...this.#options, absences: this.#absences, unprovenIndexesAt };
    return listOwnership(this.#zones.all(), names, context);
  }

  order(key: ZoneKey, orders: readonly OwnershipOrder[]): boolean {
    const actor = this.#zones.keyed(key);
    const taken = actor === null ? undefined : this.#orders.get(actor);
    return actor !== null && taken !== undefined && giveOrders(actor, taken, orders);
  }

  readonly names: Explainer["names"] = (query) => this.#names.page(query, this.#zones.all());

  readonly objectsAt: Explainer["objectsAt"] = (name) => objectsAt(this.#zones.all(), name);

  readonly history: Explainer["history"] = (query) =>
    this.#changes.history(query, this.#zones.all());

  readonly undo: OwnershipControl["undo"] = (query) =>
    undoPreview(query, (asked) => this.history(asked), this.#zones.all());

  readonly approve: OwnershipControl["approve"] = (hash) => approveIn(this.#zones.all(), hash);

  readonly heldRecords = (hash: string): readonly HeldRecord[] =>
    heldRecords(this.#zones.all(), hash);

  readonly migrate: OwnershipControl["migrate"] = (request) =>
    this.#migrations.migrate(this.#zones.all(), request);

  takeOwner(from: string, dryRun: boolean): Promise<readonly FenceTaking[]> {
    return takeOwnerIn(this.#zones.all(), from, dryRun);
  }

  async stop(): Promise<void> {
    this.#waits.stop();
    this.#absences.seen.sightings.close();
    await this.#zones.stop();
    await this.#changes.close();
  }

  #closed(actor: ZoneActor): void {
    this.#orders.get(actor)?.close();
    this.#orders.delete(actor);
    this.#reporter.close(actor);
    this.#names.closed(actor);
    this.views.changed(actor, "all");
    this.#cuts.forget(actor.key);
    this.#unwanted.closed(actor.key);
  }

  /**
   * Enqueues names that an object lists no more: records of others may have waited for it (Z-1).
   */
  #enqueueUnlisted(names: readonly DnsName[]): void {
    if (names.length === 0) return;
    for (const actor of this.#zones.all())
      actor.enqueue(
        names.filter((name) => isAtOrBelow(name, actor.apex)),
        "moved",
      );
  }

  async #settled(actor: ZoneActor, names: ReadonlySet<DnsName> | "all"): Promise<void> {
    this.views.changed(actor, names);
    this.#names.settled(actor, names);
    // After a full pass: names that are as wanted are not planned, so their objects are noted here.
    if (names === "all" && actor.state !== null)
      await this.#absences.seen.rememberIn(actor.state.owned, this.#options.clock);
    await this.#unwanted.settled(actor, names, () => this.#zones.all());
    this.#reporter.settled(actor, names);
    this.#otherOwner.settled(actor, names);
    // A name that is published here may free a record at a former name, or in a former zone.
    for (const from of this.#zones.all()) from.enqueue(freedNames(from, actor, names), "freed");
  }
}
