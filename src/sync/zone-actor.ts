/**
 * The zone actor: one loop for each zone. Plans dirty names, guards, packs, applies, learns and reports
 * (DESIGN §5). All writing to a zone happens here, one batch at a time; nobody else changes its state.
 */
import { type DnsName, trustedDnsName } from "../model/dns-name.ts";
import { messageOf, OperationError } from "../model/operation-error.ts";
import type { ChangeGroup, NamePlan } from "../plan/changes.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Random } from "../ports/random.ts";
import type { AbsenceBook } from "./absence-book.ts";
import { applyBatch, type Result } from "./apply.ts";
import { Backoff } from "./backoff.ts";
import type { ZoneSetup } from "./contract.ts";
import { DesiredIndex } from "./desired-index.ts";
import type { Guard } from "./guard.ts";
import { NameLedger } from "./name-ledger.ts";
import { type Identity, planOf } from "./name-planner.ts";
import type { Failure } from "./name-report.ts";
import { mayHaveDropped } from "./outcome.ts";
import { pack, partGroups, toUnits, writeSet } from "./pack.ts";
import type { SyncSettings } from "./settings.ts";
import { Signal } from "./signal.ts";
import type { TokenBucket } from "./token-bucket.ts";
import { ZoneReader } from "./zone-reader.ts";
import type { ZoneState } from "./zone-state.ts";

/** What an actor works with. */
export interface ActorOptions {
  readonly setup: ZoneSetup;
  readonly identity: Identity;
  readonly book: AbsenceBook;
  readonly guard: Guard;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: SyncSettings;
  readonly writeBudget: TokenBucket;
  readonly readBudget: TokenBucket;
  /** Called with names whose reports may have changed; never from inside `touch`. */
  readonly onSettled: (names: ReadonlySet<DnsName>) => void;
}

/** The loop of one zone. */
export class ZoneActor {
  readonly index = new DesiredIndex();
  readonly #options: ActorOptions;
  readonly #reader: ZoneReader;
  readonly #signal: Signal;
  readonly #abort = new AbortController();
  readonly #zoneBackoff: Backoff;
  readonly ledger: NameLedger;
  #setup: ZoneSetup;
  #zoneFailure: Failure | null = null;
  #lastRoundMs = Number.NEGATIVE_INFINITY;
  #stopping = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: ActorOptions) {
    this.#options = options;
    this.#setup = options.setup;
    const { clock, random, settings } = options;
    this.#signal = new Signal(clock);
    const limits = { firstMs: settings.retryFirstMs, mostMs: settings.retryMostMs };
    this.ledger = new NameLedger(clock, random, settings);
    this.#zoneBackoff = new Backoff(clock, random, limits);
    this.#reader = new ZoneReader({
      setup: options.setup,
      owners: options.identity.owners,
      clock,
      settings,
      budget: options.readBudget,
      spend: (bucket) => this.#spend(bucket),
      signal: this.#abort.signal,
    });
  }

  /** Begins to load. */
  start(): void {
    this.#loop = this.#run();
  }

  /** Lets the call in flight finish; starts no other. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#signal.raise();
    await this.#loop;
    this.#abort.abort();
  }

  /** The zone's setup as of now. */
  get setup(): ZoneSetup {
    return this.#setup;
  }

  /** Another session or policy for the same zone. */
  use(setup: ZoneSetup): void {
    this.#setup = setup;
    this.#reader.use(setup);
    this.#zoneBackoff.clear("zone");
    this.touchAll();
  }

  /** What is known of the zone; null until loaded. */
  get state(): ZoneState | null {
    return this.#reader.state;
  }

  /** Why the zone cannot be worked on, or null. */
  get zoneFailure(): Failure | null {
    return this.#zoneFailure;
  }

  /** Names to be looked at. `edited`: their input changed, so that earlier failures no longer count. */
  touch(names: Iterable<DnsName>, edited: boolean): void {
    for (const name of names) this.ledger.mark(name, edited);
    if (!this.ledger.isClean) this.#signal.raise();
  }

  /** Looks at everything that is wanted or ours again. */
  touchAll(): void {
    const owned = this.#reader.state?.owned;
    const ours =
      owned === undefined ? [] : [...owned.names()].filter((name) => owned.hasOurs(name));
    this.touch([...this.index.wantedNames(), ...ours.map(trustedDnsName)], false);
  }

  /** Lets a set pass that the fuse holds, by its hash; false when this zone has none. */
  async approve(hash: string): Promise<boolean> {
    const approved = await this.#options.guard.approve(hash);
    if (approved) this.touchHeld();
    return approved;
  }

  /** Looks again at every name that is held for want of proof. */
  touchHeld(): void {
    const held = this.ledger.openPlans().filter((plan) => plan.holds.length > 0);
    this.touch(
      held.map((plan) => plan.name),
      false,
    );
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const delay = this.#nextDelayMs();
      if (delay > 0) {
        await this.#signal.wait(delay === Number.POSITIVE_INFINITY ? null : delay);
        continue;
      }
      try {
        await this.#round();
        this.#zoneBackoff.clear("zone");
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        this.#zoneFailed(error);
      }
    }
  }

  /** Milliseconds until there is something to do; 0 = now, infinite = until touched. */
  #nextDelayMs(): number {
    const { clock, settings } = this.#options;
    const backoff = this.#zoneBackoff.waitMs("zone");
    if (backoff > 0) return backoff;
    const reload = this.#reader.reloadInMs();
    if (reload === 0) return 0;
    const due: number[] = [reload];
    const poll = this.#reader.pollInMs();
    if (poll !== null) due.push(poll);
    const gathered = this.#lastRoundMs + settings.gatherMs - clock.monotonicMs();
    due.push(Math.max(this.ledger.soonestMs(), Math.min(gathered, settings.gatherMs)));
    return Math.max(0, Math.min(...due));
  }

  async #round(): Promise<void> {
    const settled = new Set<DnsName>();
    if (this.#reader.reloadInMs() === 0) this.#see(await this.#loadAll());
    else if (this.#reader.pollInMs() === 0) this.#see(await this.#reader.poll());
    const due = this.#takeDue();
    if (due.length > 0) {
      this.#lastRoundMs = this.#options.clock.monotonicMs();
      await this.#readUnread(due);
      const groups = await this.#planAll(due);
      await this.#send(groups, settled);
    }
    for (const name of due) settled.add(name);
    if (settled.size > 0) this.#options.onSettled(settled);
  }

  async #loadAll(): Promise<ReadonlySet<DnsName>> {
    const { clock, metrics, log } = this.#options;
    const first = this.#reader.state === null;
    const startedAtMs = clock.monotonicMs();
    const moved = await this.#reader.load();
    metrics.observe("zonekeeper_zone_load_seconds", (clock.monotonicMs() - startedAtMs) / 1000);
    const recovered = this.#zoneFailure !== null;
    this.#recovered();
    log.info("zone loaded", { zone: this.#setup.zone.name, names: moved.size, first });
    if (first || recovered) this.touchAll();
    // What objects say may have changed without a word about a name that is held.
    else this.touchHeld();
    return moved;
  }

  /** Marks names whose view moved, when they are ours or wanted. */
  #see(moved: ReadonlySet<DnsName>): void {
    this.#recovered();
    const state = this.#reader.state;
    if (state === null) return;
    const relevant = [...moved].filter(
      (name) =>
        this.index.listing(name).length > 0 ||
        state.owned.hasOurs(name) ||
        this.ledger.planAt(name) !== null,
    );
    this.touch(relevant, false);
  }

  #takeDue(): readonly DnsName[] {
    if (this.#reader.state === null) return [];
    // The first plan is whole: the fuse's rule for updates after a change of version looks at it (Z-16).
    const first = this.#lastRoundMs === Number.NEGATIVE_INFINITY;
    const most = first ? Number.POSITIVE_INFINITY : this.#options.settings.namesPerRoundMax;
    return this.ledger.takeDue(most);
  }

  /** S12: after an unknown outcome or a failed precondition the next act on a name is a read. */
  async #readUnread(due: readonly DnsName[]): Promise<void> {
    const names = due.filter((name) => this.ledger.mustRead(name));
    if (names.length === 0) return;
    try {
      for (let at = 0; at < names.length; at += this.#options.settings.rereadMax) {
        const part = names.slice(at, at + this.#options.settings.rereadMax);
        this.#see(await this.#reader.reread(part));
        for (const name of part) this.ledger.wasRead(name);
      }
    } catch (error) {
      for (const name of due) this.ledger.mark(name, false);
      throw error;
    }
  }

  async #planAll(due: readonly DnsName[]): Promise<readonly ChangeGroup[]> {
    const state = this.#reader.state;
    if (state === null) return [];
    const { identity, book, guard } = this.#options;
    const input = { setup: this.#setup, identity, index: this.index, book, state };
    const plans = due.map((name) => planOf(input, name)).filter((p) => !this.ledger.isEcho(p));
    for (const plan of plans) book.settled(plan.name, state.owned.at(plan.name));
    const admitted = await guard.admit(plans, state.owned);
    const groups: ChangeGroup[] = [];
    for (const plan of admitted) groups.push(...(await this.#prepare(plan, state)));
    const { now, later } = partGroups(groups);
    for (const { name } of later) this.ledger.mark(name, false);
    return now;
  }

  /** The group of one plan, or none; what could not be prepared is remembered as held. */
  async #prepare(plan: NamePlan, { table }: ZoneState): Promise<readonly ChangeGroup[]> {
    if (plan.changes.length === 0) {
      this.ledger.remember(plan);
      return [];
    }
    const prepared = await this.#setup.ownership.prepare(plan, table);
    const groups = prepared.ok ? [prepared.group] : [];
    const changes = groups.flatMap((group) => group.keys);
    this.ledger.remember({ ...plan, changes, holds: [...plan.holds, ...(prepared.holds ?? [])] });
    return groups;
  }

  async #send(groups: readonly ChangeGroup[], settled: Set<DnsName>): Promise<void> {
    if (groups.length === 0) return;
    const { session, zone } = this.#setup;
    const context = {
      session,
      zone,
      signal: this.#abort.signal,
      spend: () => this.#spend(this.#options.writeBudget),
      suspects: this.ledger.suspects,
    };
    for (const batch of pack(toUnits(groups), session.capabilities.batch)) {
      if (this.#stopping) return;
      const results = await applyBatch(context, batch);
      for (const result of results) await this.#learn(result, settled);
    }
  }

  async #learn({ group, outcome }: Result, settled: Set<DnsName>): Promise<void> {
    const { metrics, log } = this.#options;
    const { name } = group;
    metrics.count("zonekeeper_outcomes_total", { status: outcome.status });
    this.#reader.wrote(writeSet(group), outcome.status === "applied");
    settled.add(name);
    if (outcome.status === "applied") {
      await this.#learnApplied(group);
    } else {
      log.warn("change not applied", { name, status: outcome.status, reason: outcome.message });
      this.ledger.notApplied(name, outcome);
    }
    await this.#setup.ownership.confirm(group, outcome);
  }

  async #learnApplied(group: ChangeGroup): Promise<void> {
    const { name } = group;
    const touched = await this.#reader.state?.applied(group.changes);
    // Planning the name anew costs little and proves that the write achieved what was wanted.
    this.ledger.applied(name, mayHaveDropped(group));
    this.touch(touched ?? [], false);
  }

  #zoneFailed(error: OperationError): void {
    const { log, metrics, settings } = this.#options;
    this.#zoneBackoff.failed(
      "zone",
      error.retry === "never" ? settings.retryMostMs / 10 : (error.retryAfterMs ?? 0),
    );
    this.#zoneFailure = { code: error.code, message: messageOf(error) };
    metrics.count("zonekeeper_zone_failures_total", { code: error.code });
    log.warn("zone cannot be read", { zone: this.#setup.zone.name, reason: messageOf(error) });
    this.#tellAll();
  }

  /** The zone was read: those who were told that it cannot be are told so, whatever the reading showed. */
  #recovered(): void {
    if (this.#zoneFailure === null) return;
    this.#zoneFailure = null;
    this.#tellAll();
  }

  #tellAll(): void {
    this.#options.onSettled(new Set(this.index.wantedNames()));
  }

  async #spend(bucket: TokenBucket): Promise<void> {
    for (let wait = bucket.take(); wait > 0; wait = bucket.take()) {
      await new Promise<void>((resolve) => this.#options.clock.setTimer(wait, resolve));
    }
  }
}
