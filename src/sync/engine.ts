/** The publishing engine: zone actors, what objects contribute to them, and the reports that come back. */
import { compareText, type DnsName } from "../model/dns-name.ts";
import { type ObjectKey, objectKeyText } from "../model/provenance.ts";
import type { Zone } from "../model/zone.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Random } from "../ports/random.ts";
import { AbsenceBook } from "./absence-book.ts";
import type {
  AbsenceOracle,
  Contribution,
  ContributionReport,
  NameExplanation,
  PublishEngine,
  ZoneKey,
  ZoneSetup,
  ZoneStatus,
} from "./contract.ts";
import { explainName } from "./explain.ts";
import type { Guard } from "./guard.ts";
import type { Identity } from "./name-planner.ts";
import { namesMarkedBy } from "./name-report.ts";
import { ReportDesk } from "./report-desk.ts";
import type { SyncSettings } from "./settings.ts";
import { TokenBucket } from "./token-bucket.ts";
import { type ApexView, twinOf } from "./twin-zone.ts";
import { ZoneActor } from "./zone-actor.ts";

/** What the engine works with. */
export interface EngineOptions {
  readonly identity: Identity;
  readonly oracle: AbsenceOracle;
  /** Makes the guard of one zone. */
  readonly openGuard: (setup: ZoneSetup) => Guard;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: SyncSettings;
}

interface Budget {
  readonly write: TokenBucket;
  readonly read: TokenBucket;
}

/** Share of an account's rate that reads may take (Z-20). */
const READ_SHARE = 0.25;

/** The engine. All methods return at once. */
export class Engine implements PublishEngine {
  readonly #options: EngineOptions;
  readonly #book: AbsenceBook;
  readonly #actors = new Map<string, ZoneActor>();
  readonly #closing = new Map<string, Promise<void>>();
  readonly #budgets = new Map<string, Budget>();
  /** Contributions to zones that are not open yet, or are closed for now. */
  readonly #parked = new Map<string, Map<string, Contribution>>();
  readonly #desk: ReportDesk;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#book = new AbsenceBook(options.oracle);
    this.#desk = new ReportDesk(options.clock);
  }

  openZone(setup: ZoneSetup): void {
    const id = idOf(setup.key);
    const open = this.#actors.get(id);
    if (open !== undefined) {
      open.use(setup);
      return;
    }
    const budget = this.#budgetOf(setup);
    const { oracle: _, openGuard, ...shared } = this.#options;
    const actor: ZoneActor = new ZoneActor({
      ...shared,
      setup,
      book: this.#book,
      guard: openGuard(setup),
      writeBudget: budget.write,
      readBudget: budget.read,
      twin: () => this.#twinOf(actor),
      onSettled: (names) => this.#desk.settled(actor, names),
    });
    this.#actors.set(id, actor);
    for (const contribution of this.#parked.get(id)?.values() ?? []) actor.index.put(contribution);
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
    const parked = new Map<string, Contribution>();
    for (const contribution of actor.index.all())
      parked.set(objectKeyText(contribution.object), contribution);
    this.#parked.set(id, parked);
    return this.#close(id, actor);
  }

  #close(id: string, actor: ZoneActor): Promise<void> {
    this.#actors.delete(id);
    this.#desk.close(actor);
    const closing = actor.stop().finally(() => this.#closing.delete(id));
    this.#closing.set(id, closing);
    return closing;
  }

  isOpen(key: ZoneKey): boolean {
    return this.#actors.has(idOf(key));
  }

  contribute(key: ZoneKey, contribution: Contribution): void {
    this.#book.contributed(contribution);
    const actor = this.#actors.get(idOf(key));
    if (actor === undefined) {
      const parked = this.#parked.get(idOf(key)) ?? new Map<string, Contribution>();
      this.#parked.set(idOf(key), parked.set(objectKeyText(contribution.object), contribution));
      return;
    }
    const touched = actor.index.put(contribution);
    actor.touch(touched, true);
    if (touched.size === 0) this.#desk.report(actor, contribution);
    this.#touchMarked(contribution);
  }

  withdraw(object: ObjectKey, proof: "deleted-object" | "missing-from-list"): void {
    this.#book.withdrawn(object, proof);
    const id = objectKeyText(object);
    for (const parked of this.#parked.values()) parked.delete(id);
    for (const actor of this.#actors.values()) {
      actor.touch(actor.index.remove(object), true);
      actor.touchHeld();
    }
  }

  unroute(key: ZoneKey, object: ObjectKey): void {
    this.#parked.get(idOf(key))?.delete(objectKeyText(object));
    const actor = this.#actors.get(idOf(key));
    if (actor !== undefined) actor.touch(actor.index.remove(object), true);
  }

  gatesChanged(): void {
    for (const actor of this.#actors.values()) actor.touchHeld();
  }

  onReport(listener: (report: ContributionReport) => void): () => void {
    return this.#desk.onReport(listener);
  }

  status(): readonly ZoneStatus[] {
    return [...this.#actors.values()]
      .map(statusOf)
      .sort((a, b) => compareText(a.key.zone, b.key.zone));
  }

  explain(name: DnsName): readonly NameExplanation[] {
    const nowMs = this.#options.clock.nowMs();
    return [...this.#actors.values()].flatMap((actor) => explainName(actor, name, nowMs));
  }

  async approve(hash: string): Promise<readonly ZoneKey[]> {
    const zones: ZoneKey[] = [];
    for (const actor of this.#actors.values())
      if (await actor.approve(hash)) zones.push(actor.setup.key);
    return zones;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#actors].map(([id, actor]) => this.#close(id, actor)));
    await Promise.all(this.#closing.values());
  }

  /** What an object once published, here or in another zone, is judged anew by what it says now. */
  #touchMarked(contribution: Contribution): void {
    for (const actor of this.#actors.values())
      if (actor.state !== null) actor.touch(namesMarkedBy(contribution, actor.state), false);
  }

  #twinOf(actor: ZoneActor): Zone | null {
    const others = [...this.#actors.values()].filter((other) => other !== actor);
    return twinOf(apexOf(actor), others.map(apexOf));
  }

  #budgetOf(setup: ZoneSetup): Budget {
    const known = this.#budgets.get(setup.key.account);
    if (known !== undefined) return known;
    const { rate } = setup.session.capabilities;
    const share =
      rate === null
        ? null
        : { burst: Math.max(1, rate.burst * READ_SHARE), perSecond: rate.perSecond * READ_SHARE };
    const budget = {
      write: new TokenBucket(this.#options.clock, rate),
      read: new TokenBucket(this.#options.clock, share),
    };
    this.#budgets.set(setup.key.account, budget);
    return budget;
  }
}

function apexOf({ setup: { zone }, state }: ZoneActor): ApexView {
  return { zone, apex: state?.table.at(zone.name) ?? null };
}

function statusOf(actor: ZoneActor): ZoneStatus {
  const { allNames = 0, markedNames = 0 } = actor.state?.owned ?? {};
  const state = actor.state === null ? "loading" : "ready";
  return {
    key: actor.setup.key,
    zone: actor.setup.zone,
    state: actor.zoneFailure === null ? state : "failed",
    message: actor.zoneFailure?.message ?? null,
    ownedNames: markedNames,
    foreignNames: allNames - markedNames,
    open: actor.ledger.openPlans(),
  };
}

function idOf(key: ZoneKey): string {
  return `${key.account}|${key.zone}`;
}
