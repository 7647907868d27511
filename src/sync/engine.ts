/**
 * The publishing engine: zone actors, what objects contribute to them, and the reports that come
 * back.
 */
import { compareText, type DnsName, isAtOrBelow } from "../model/dns-name.ts";
import type { ObjectKey } from "../model/provenance.ts";
import { type Clock, Slices } from "../ports/clock.ts";
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
import type { OpenZoneInput, ZoneCut, ZoneKey } from "./contract/zone.ts";
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
  /**
   * Makes the guard of one zone; `recheck` looks again at everything that is held there, in one
   * plan.
   */
  readonly openGuard: (input: OpenZoneInput, recheck: () => void) => Guard;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: SyncSettings;
  /** Keeps stale writers and other installations off (Z-17); absent = nobody else can write. */
  readonly fence?: FenceOptions;
  /**
   * Milliseconds after which a name without any address is given up; null and absent = never (Z-4).
   */
  readonly noTargetsGraceMs?: number | null;
}

/** The engine. Methods without a promise return at once. */
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
  readonly #unwanted = new UnwantedRecords();
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
    this.#migrations = new Migrations(clock);
  }

  openZone(input: OpenZoneInput): void {
    if (this.#isStopped) return;
    const id = idOf(input.key);
    const open = this.#actors.get(id);
    if (open !== undefined) {
      open.use(input);
      return;
    }
    const budget = this.#budgetOf(input);
    input.session.pace?.(() => budget.read());
    const { observer: _, openGuard, ...shared } = this.#options;
    // What an order left held is not held any more.
    const orders = new OwnershipOrders(shared.clock, (names) => actor.enqueue(names, false));
    this.#orders.set(id, orders);
    const actor: ZoneActor = new ZoneActor({
      ...shared,
      orders,
      zoneInput: input,
      desiredState: this.#parked.get(id) ?? new DesiredState(),
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
      onMoved: (names) => this.#cuts.moved(actor, names, this.#apexes()),
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
    const id = idOf(key);
    const actor = this.#actors.get(id);
    if (actor === undefined) return this.#closing.get(id);
    const { desiredState: desired } = actor;
    desired.index.forgetReports();
    desired.index.forgetNormalized();
    this.#parked.set(id, desired);
    // The texts outlive the actor with the wishes: what is known of the zone lets go of its own.
    return this.#close(id, actor, async () => {
      await actor.stop();
      await actor.state?.forget();
    });
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
    // It counts no more as a zone that may be the same as one of them (Z-18).
    for (const other of this.#actors.values()) if (other.apex === actor.apex) other.enqueueHeld();
    const closing = stop().finally(() => this.#closing.delete(id));
    this.#closing.set(id, closing);
    return closing;
  }

  isOpen(key: ZoneKey): boolean {
    return this.#actors.has(idOf(key));
  }

  contribute(key: ZoneKey | null, contribution: Contribution): void {
    this.#enqueueUnlisted(this.#absences.contributed(contribution));
    if (key === null) return;
    if (this.#waits.contributed(contribution)) this.#alarm.begun();
    const actor = this.#actors.get(idOf(key));
    if (actor === undefined) {
      const desired = this.#parked.get(idOf(key)) ?? new DesiredState();
      this.#parked.set(idOf(key), desired);
      desired.index.put(contribution);
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
    this.#parked.get(idOf(key))?.index.remove(object);
    const actor = this.#actors.get(idOf(key));
    if (actor !== undefined) actor.enqueue(actor.index.remove(object), true);
  }

  cutOf(key: ZoneKey, name: DnsName): ZoneCut | null {
    return this.#actors.get(idOf(key))?.cutOf(name) ?? null;
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

  order(key: ZoneKey, requests: readonly OwnershipOrder[]): boolean {
    const actor = this.#actors.get(idOf(key));
    if (actor === undefined || this.#orders.get(idOf(key))?.take(requests) !== true) return false;
    actor.enqueue(new Set(requests.map((request) => request.key.name)), true);
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

  /**
   * Brings markers to another form, or tells what that would write; one report for each zone that
   * is meant.
   */
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

  /** What an object once published, here or in another zone, is judged anew by what it says now. */
  #enqueueMarked(contribution: Contribution): void {
    for (const actor of this.#actors.values())
      if (actor.state !== null) actor.enqueue(namesMarkedBy(contribution, actor.state), false);
  }

  /**
   * What an object listed may have been kept for it, while it was incomplete, whosever record it is
   * (Z-1).
   */
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
    await this.#judgeUnwanted(actor, names);
    await this.#reporter.settled(actor, names);
    this.#enqueueMoving(actor, names);
  }

  /** Only where something is held or was left over before can anything be left over now. */
  async #judgeUnwanted(actor: ZoneActor, names: ReadonlySet<DnsName> | "all"): Promise<void> {
    const slices = new Slices(this.#options.clock);
    const { key, ledger } = actor;
    const known = new Set(this.#unwanted.namesIn(key));
    const all = names === "all" ? new Set([...known, ...ledger.heldNames()]) : names;
    for (const name of all) {
      if (!known.has(name) && ledger.planAt(name) === null) continue;
      if (slices.isOver) await slices.next();
      if (this.#actors.get(idOf(key)) !== actor) return;
      const isListed = this.#open().some(({ index }) => index.isListed(name));
      this.#unwanted.settled({ key, state: actor.state, ledger }, name, isListed);
    }
  }

  /**
   * Names that moved to this zone and stand there are looked at again in the one that they leave.
   */
  #enqueueMoving(to: ZoneActor, names: ReadonlySet<DnsName> | "all"): void {
    for (const actor of this.#actors.values())
      if (actor !== to) actor.enqueue(movedNames(actor, to, names), false);
  }
}

function idOf(key: ZoneKey): string {
  return `${key.account}|${key.zone}`;
}
