/**
 * The publishing engine: hands what objects contribute to zone actors, and the actors' reports to
 * listeners. Connects the rooms of `sync`; decides nothing about records itself.
 */
import { compareText, type DnsName, isAtOrBelow } from "../model/dns-name.ts";
import type { ObjectKey } from "../model/provenance.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Random } from "../ports/random.ts";
import { AbsenceTracker } from "./absence/absence-tracker.ts";
import { AddressAlarm } from "./absence/address-alarm.ts";
import { AddressWaits } from "./absence/address-waits.ts";
import { knownRecordsAt } from "./absence/known-records.ts";
import { doubtElsewhere } from "./between-zones/doubt-elsewhere.ts";
import { takeOwnerIn } from "./between-zones/take-owner.ts";
import { Twins } from "./between-zones/twins.ts";
import { confirmMoves, elsewhereOf, movedNames } from "./between-zones/zone-move.ts";
import { DesiredState } from "./cache/desired-state.ts";
import { AccountBudget } from "./calls/account-budget.ts";
import type { Contribution } from "./contract/contribution.ts";
import type {
  ContributionReport,
  UnwantedRecordsListener,
} from "./contract/contribution-report.ts";
import type { FenceTaking } from "./contract/fence-status.ts";
import type { MigrationReport, MigrationRequest } from "./contract/migration.ts";
import type { NameExplanation } from "./contract/name-explanation.ts";
import type { ObjectObserver } from "./contract/object-observation.ts";
import type { OwnershipOrder, ZoneOwnership } from "./contract/ownership-rows.ts";
import type {
  Explainer,
  FenceControl,
  OwnershipControl,
  PublishEngine,
} from "./contract/publish-engine.ts";
import type { SyncSettings } from "./contract/settings.ts";
import { type OpenZoneInput, type ZoneCut, type ZoneKey, zoneKeyText } from "./contract/zone.ts";
import type { ZoneStatus } from "./contract/zone-status.ts";
import { CutWatch } from "./delegation/cut-watch.ts";
import type { FenceOptions } from "./fence/zone-fence.ts";
import type { Guard } from "./guards/guard.ts";
import { MoveGuard } from "./guards/move-guard.ts";
import { explainName } from "./report/explain-name.ts";
import { listOwnership } from "./report/ownership-rows.ts";
import { Reporter } from "./report/reporter.ts";
import { UnwantedRecords } from "./report/unwanted-records.ts";
import { zoneStatus } from "./report/zone-status.ts";
import { Migrations } from "./zone/marker-migration.ts";
import type { Identity } from "./zone/name-planner.ts";
import { namesMarkedBy } from "./zone/name-report.ts";
import { OwnershipOrders } from "./zone/ownership-orders.ts";
import { ZoneActor } from "./zone/zone-actor.ts";

/** What the engine works with. */
export interface EngineOptions {
  readonly identity: Identity;
  readonly observer: ObjectObserver;
  /** Makes the guard of one zone; `recheck` plans all held names of the zone again, together. */
  readonly openGuard: (input: OpenZoneInput, recheck: () => void) => Guard;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: SyncSettings;
  /** Stops stale writers and other installations (Z-17); absent = nobody else can write. */
  readonly fence?: FenceOptions;
  /** Milliseconds until a name without an address loses its records; null and absent = never. */
  readonly noTargetsGraceMs?: number | null;
}

/** Methods by caller, as in `publish-engine.ts`; those without a promise return at once. */
export class Engine implements PublishEngine, Explainer, OwnershipControl, FenceControl {
  readonly #options: EngineOptions;
  readonly #absences: AbsenceTracker;
  readonly #actors = new Map<string, ZoneActor>();
  #isStopped = false;
  readonly #closing = new Map<string, Promise<void>>();
  readonly #budgets = new Map<string, AccountBudget>();
  /** Contributions to zones that are not open yet, or are closed for now. */
  readonly #parked = new Map<string, DesiredState>();
  readonly #reporter: Reporter;
  readonly #twins = new Twins();
  readonly #orders = new Map<string, OwnershipOrders>();
  readonly #cuts = new CutWatch();
  readonly #unwanted: UnwantedRecords;
  readonly #waits: AddressWaits;
  readonly #alarm: AddressAlarm;
  readonly #migrations: Migrations;

  constructor(options: EngineOptions) {
    this.#options = options;
    const { clock, noTargetsGraceMs } = options;
    this.#waits = new AddressWaits(clock, noTargetsGraceMs ?? null);
    this.#alarm = new AddressAlarm(clock, this.#waits, () => this.gatesChanged());
    this.#absences = new AbsenceTracker(options.observer, this.#waits, (name) =>
      knownRecordsAt(name, this.#open()),
    );
    this.#reporter = new Reporter(clock);
    this.#unwanted = new UnwantedRecords(clock);
    this.#migrations = new Migrations(clock);
  }

  openZone(input: OpenZoneInput): void {
    if (this.#isStopped) return;
    const id = zoneKeyText(input.key);
    const open = this.#actors.get(id);
    if (open !== undefined) {
      open.use(input);
      return;
    }
    const budget = this.#budgetOf(input);
    input.session.pace?.(() => budget.read());
    const { observer: _, openGuard, ...shared } = this.#options;
    const orders = new OwnershipOrders(shared.clock, (names) => actor.enqueue(names, false));
    this.#orders.set(id, orders);
    const actor: ZoneActor = new ZoneActor({
      ...shared,
      orders,
      zoneInput: input,
      desiredState: this.#parkedAt(id),
      absences: this.#absences,
      guard: new MoveGuard(
        openGuard(input, () => actor.enqueueHeld(true)),
        (names) => confirmMoves(actor, names, this.#open()),
      ),
      migration: this.#migrations.of(input.key),
      budget,
      twin: () => this.#twins.of(id, this.#actors),
      elsewhere: elsewhereOf(this.#actors, id),
      onWrote: (names) => doubtElsewhere(actor, names, this.#open()),
      onMoved: (names) => this.#cuts.changed(actor, names, this.#apexes()),
      onSettled: (names) => this.#settled(actor, names),
    });
    this.#actors.set(id, actor);
    this.#parked.delete(id);
    // A zone that is being closed finishes its call in flight before anybody else writes to it.
    const before = this.#closing.get(id);
    if (before === undefined) actor.start();
    else void before.then(() => actor.start());
  }

  async closeZone(key: ZoneKey): Promise<void> {
    const id = zoneKeyText(key);
    const actor = this.#actors.get(id);
    if (actor === undefined) return this.#closing.get(id);
    const { desiredState: desired } = actor;
    desired.index.forgetReports();
    desired.index.forgetNormalized();
    this.#parked.set(id, desired);
    // The texts live on with the contributions: the zone's state has to release its own.
    return this.#close(id, actor, async () => {
      await actor.stop();
      await actor.state?.forget();
    });
  }

  isOpen(key: ZoneKey): boolean {
    return this.#actors.has(zoneKeyText(key));
  }

  contribute(key: ZoneKey | null, contribution: Contribution): void {
    this.#enqueueUnlisted(this.#absences.contributed(contribution));
    if (key === null) return;
    if (this.#waits.contributed(contribution)) this.#alarm.begun();
    const actor = this.#actors.get(zoneKeyText(key));
    if (actor === undefined) {
      this.#parkedAt(zoneKeyText(key)).index.put(contribution);
      return;
    }
    const changed = actor.index.put(contribution);
    actor.enqueue(changed, true);
    if (changed.size === 0) this.#reporter.report(actor, contribution);
    this.#enqueueMarked(contribution);
  }

  withdraw(object: ObjectKey, proof: "deleted-object" | "missing-from-list"): void {
    this.#absences.withdrawn(object, proof);
    this.#waits.withdrawn(object);
    for (const { index } of this.#parked.values()) index.remove(object);
    for (const actor of this.#actors.values()) {
      actor.enqueue(actor.index.remove(object), true);
      actor.enqueueHeld();
    }
  }

  unassign(key: ZoneKey, object: ObjectKey): void {
    const id = zoneKeyText(key);
    this.#parked.get(id)?.index.remove(object);
    const actor = this.#actors.get(id);
    if (actor !== undefined) actor.enqueue(actor.index.remove(object), true);
  }

  cutOf(key: ZoneKey, name: DnsName): ZoneCut | null {
    return this.#actors.get(zoneKeyText(key))?.cutOf(name) ?? null;
  }

  onCuts(listener: () => void): () => void {
    return this.#cuts.subscribe(listener);
  }

  gatesChanged(): void {
    for (const actor of this.#actors.values()) actor.enqueueHeld();
  }

  onReport(listener: (report: ContributionReport) => void): () => void {
    return this.#reporter.onReport(listener);
  }

  onUnwantedRecords(listener: UnwantedRecordsListener): () => void {
    return this.#unwanted.onChange(listener);
  }

  status(): readonly ZoneStatus[] {
    const dangling = this.#waits.danglingNames();
    return [...this.#actors.values()]
      .map((actor) => zoneStatus(actor, dangling))
      .sort((a, b) => compareText(a.key.zone, b.key.zone));
  }

  async explain(name: DnsName): Promise<readonly NameExplanation[]> {
    const { identity, clock } = this.#options;
    const context = { identity, nowMs: clock.nowMs() };
    return (await Promise.all(this.#open().map((one) => explainName(one, name, context)))).flat();
  }

  ownership(names: ReadonlySet<DnsName> | null): Promise<readonly ZoneOwnership[]> {
    return listOwnership(this.#open(), names, this.#options);
  }

  order(key: ZoneKey, orders: readonly OwnershipOrder[]): boolean {
    const id = zoneKeyText(key);
    const actor = this.#actors.get(id);
    if (actor === undefined || this.#orders.get(id)?.take(orders) !== true) return false;
    actor.enqueue(new Set(orders.map((order) => order.key.name)), true);
    return true;
  }

  async approve(hash: string): Promise<readonly ZoneKey[]> {
    const zones: ZoneKey[] = [];
    for (const actor of this.#actors.values()) {
      if (!(await actor.guard.approve(hash))) continue;
      actor.enqueueHeld();
      zones.push(actor.zoneInput.key);
    }
    return zones;
  }

  async migrate(request: MigrationRequest): Promise<readonly MigrationReport[]> {
    const reports: MigrationReport[] = [];
    for (const actor of this.#open())
      if (request.zone === null || request.zone === actor.apex)
        reports.push(await this.#migrations.migrate(actor, request));
    return reports;
  }

  takeOwner(from: string, dryRun: boolean): Promise<readonly FenceTaking[]> {
    return takeOwnerIn(this.#open(), from, dryRun);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#alarm.stop();
    await Promise.all([...this.#actors].map(([id, actor]) => this.#close(id, actor)));
    await Promise.all(this.#closing.values());
  }

  #close(id: string, actor: ZoneActor, stop = () => actor.stop()): Promise<void> {
    const { key } = actor;
    this.#actors.delete(id);
    this.#twins.closed(id);
    this.#orders.get(id)?.close();
    this.#orders.delete(id);
    this.#reporter.close(actor);
    this.#cuts.forget(key);
    this.#budgets.get(key.account)?.forget(key.zone);
    this.#unwanted.closed(key);
    // Other zones of that apex may have waited because this one may be the same zone (Z-18).
    for (const other of this.#actors.values()) if (other.apex === actor.apex) other.enqueueHeld();
    const closing = stop().finally(() => this.#closing.delete(id));
    this.#closing.set(id, closing);
    return closing;
  }

  /** The object's markers in every zone are judged again by its new contribution. */
  #enqueueMarked(contribution: Contribution): void {
    for (const actor of this.#actors.values())
      if (actor.state !== null) actor.enqueue(namesMarkedBy(contribution, actor.state), false);
  }

  /** Records of any owner may have been kept at names of an incomplete object (Z-1). */
  #enqueueUnlisted(names: readonly DnsName[]): void {
    if (names.length === 0) return;
    for (const actor of this.#actors.values())
      actor.enqueue(
        names.filter((name) => isAtOrBelow(name, actor.apex)),
        false,
      );
  }

  #open(): readonly ZoneActor[] {
    return [...this.#actors.values()];
  }

  #parkedAt(id: string): DesiredState {
    const desired = this.#parked.get(id) ?? new DesiredState();
    this.#parked.set(id, desired);
    return desired;
  }

  #apexes(): ReadonlySet<DnsName> {
    return new Set([...this.#actors.values()].map((actor) => actor.zoneInput.zone.name));
  }

  #budgetOf({ key, session }: OpenZoneInput): AccountBudget {
    const known = this.#budgets.get(key.account);
    if (known !== undefined) return known;
    const budget = new AccountBudget(this.#options.clock, session.capabilities.rate);
    this.#budgets.set(key.account, budget);
    return budget;
  }

  async #settled(actor: ZoneActor, names: ReadonlySet<DnsName> | "all"): Promise<void> {
    await this.#unwanted.settled(actor, names, () => this.#open());
    await this.#reporter.settled(actor, names);
    // A name that moved to this zone, and is published in it, may be removed from its former zone.
    for (const from of this.#actors.values())
      if (from !== actor) from.enqueue(movedNames(from, actor, names), false);
  }
}
