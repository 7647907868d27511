/**
 * The zone actor: the loop of one zone (docs/architecture.md#the-zone-actor). All writes to a zone
 * are made here, one batch at a time, and nothing else changes what is known of the zone.
 *
 *   sleep until something is due          next-delay.ts
 *     │
 *   1 refresh  load the zone, or poll its change token; names whose records moved are enqueued
 *     │        where it is due: a full pass or a self-check, which enqueue names that differ
 *     │                                   zone-reader.ts, zone-planner.ts, self-check.ts
 *   2 take     names that are due         name-ledger.ts
 *   3 reread   those of them whose last call has no certain outcome (S12)
 *     │                                   zone-reader.ts
 *   4 plan     desired against current; guards and markers; what is held stays in the ledger
 *     │                                   plan-round.ts
 *   5 send     batches, under the fence   send-groups.ts
 *   6 learn    the outcome of each group; what must be tried again is enqueued
 *     │                                   learn-outcome.ts
 *   7 report   the names of the round     options.onSettled
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import type { DesiredIndex, DesiredState } from "../cache/desired-index.ts";
import type { SomeNames, ZoneState } from "../cache/zone-state.ts";
import type { Result } from "../calls/apply-batches.ts";
import {
  type OpenZoneInput,
  type ZoneKey,
  type ZoneTenancy,
  zoneKeyText,
} from "../contract/zone.ts";
import type { ZoneFences } from "../fence/zone-fences.ts";
import type { Guard } from "../guards/guard.ts";
import type { ActorOptions } from "./actor-options.ts";
import { learnOutcomes } from "./learn-outcome.ts";
import { NameLedger } from "./name-ledger.ts";
import type { Identity, PlanInput } from "./name-planner.ts";
import { NO_ROUND, nextDelayMs, roundAfter, Signal } from "./next-delay.ts";
import { guardOf, openFences } from "./open-fence.ts";
import { planRound } from "./plan-round.ts";
import { SelfCheck } from "./self-check.ts";
import { sendGroups } from "./send-groups.ts";
import type { Way } from "./way.ts";
import { WayWatch } from "./way-watch.ts";
import { budgetOf, Ways } from "./ways.ts";
import { ZonePlanner } from "./zone-planner.ts";
import { type ReadNames, rereadUncertain, ZoneReader } from "./zone-reader.ts";
import { type ZoneFailure, ZoneTrouble } from "./zone-trouble.ts";

/** Names of a round from which on other work may run between its steps. */
const LONG_ROUND = 1_000;

/** The loop of one zone. */
export class ZoneActor {
  /** That of its first way. */
  readonly key: ZoneKey;
  /** Apex of the zone. */
  readonly apex: DnsName;
  /** What the DNSProviders of the zone say about its tenants now. */
  readonly tenancy: () => ZoneTenancy;
  readonly desiredState: DesiredState;
  readonly index: DesiredIndex;
  /** What leads into the zone; changed by the engine alone. */
  readonly ways: Ways;
  /** Names that are due, and what is known about each of them. */
  readonly ledger: NameLedger;
  /** The fences of all owner ids of the zone. */
  readonly fences: ZoneFences;
  /** The owner ids that are ours in this zone; live. */
  readonly identity: Identity;
  /** Checks plans before anything is sent. After an approval, enqueue the held names. */
  readonly guard: Guard;
  readonly #options: ActorOptions;
  readonly #reader: ZoneReader;
  readonly #planner: ZonePlanner;
  readonly #selfCheck: SelfCheck;
  readonly #signal: Signal;
  readonly #watch: WayWatch;
  readonly #abort = new AbortController();
  readonly #trouble: ZoneTrouble;
  #zoneInput: OpenZoneInput;
  #isInputNew = false;
  #latest = NO_ROUND;
  #isFullPassDue = false;
  /** The next round takes everything that is due: the first one, and the one after a pause. */
  #isWholeRoundDue = true;
  #stopping = false;
  #loop: Promise<void> = Promise.resolve();
  #lastRound: Promise<void> = Promise.resolve();

  constructor(options: ActorOptions) {
    this.#options = options;
    this.#zoneInput = options.way.input;
    this.ways = new Ways(options.way);
    this.key = options.way.key;
    this.apex = options.way.zone.name;
    this.tenancy = options.tenancy;
    const { index, texts } = options.desiredState;
    this.desiredState = options.desiredState;
    this.index = index;
    const { clock, random, settings } = options;
    this.#signal = new Signal(clock);
    this.ledger = new NameLedger(clock, random, settings);
    this.#trouble = new ZoneTrouble(clock, random, settings);
    const shared = { index, texts, ledger: this.ledger, everyMs: settings.selfCheckMs };
    this.#planner = new ZonePlanner({ ...shared, clock, apex: this.apex });
    const budget = budgetOf(() => this.ways);
    this.#selfCheck = new SelfCheck({ ...options, ...shared, planner: this.#planner });
    const calls = { budget, signal: this.#abort.signal, wake: () => this.#signal.raise() };
    this.#reader = new ZoneReader({
      ...{ ...options, ...calls, zoneInput: options.way.input, texts },
      owners: () => this.fences.owners,
      onFence: (sets, names) => this.fences.observe(sets, names),
      isAtRest: () => options.isPreview === true && this.ledger.isAtRest,
    });
    this.fences = openFences(options, {
      ...{ ...calls, onMoved: () => this.enqueueHeld() },
      onWrote: (name, confirmed) => this.#reader.wrote([name], confirmed),
    });
    const { owners, waiting } = this.fences;
    this.identity = { ...options.identity, owners, waiting };
    options.way.input.ownership.actFor?.(owners);
    this.guard = guardOf(this.fences.main, options);
    const watched = { clock, settings, ways: this.ways, signal: this.#abort.signal };
    this.#watch = new WayWatch({ ...watched, onChange: (way) => this.#wayChanged(way) });
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
    this.guard.close?.();
    this.fences.close();
  }

  /** Takes another session or policy for one way into the zone. */
  use(input: OpenZoneInput): void {
    const way = this.ways.get(zoneKeyText(input.key));
    if (way === null) return;
    way.use(input);
    if (way !== this.ways.readWay) return;
    this.#trouble.retry();
    this.#readThrough(input);
  }

  /** A further way is proven to lead into the zone (Z-18). */
  join(way: Way): void {
    this.ways.add(way);
    this.#watch.start();
  }

  /** A way is left, which is not the last one. Resolves when no call goes through it any more. */
  async leave(id: string): Promise<void> {
    if (this.ways.remove(id)) this.#readThrough(this.ways.readWay.input);
    await this.#lastRound.catch(() => undefined);
  }

  #readThrough({ session, zone, ...rest }: OpenZoneInput): void {
    const { key, ownership } = this.#zoneInput;
    this.#zoneInput = { ...rest, key, ownership, session, zone };
    this.#reader.use(this.#zoneInput);
    this.fences.use(this.#zoneInput);
    this.#isInputNew = true;
    this.requestFullPass();
  }

  /** Its objects report it, and their changes are sent when it answers again. */
  #wayChanged(way: Way): void {
    if (way.failure === null) this.enqueue(this.ways.namesOf(way, this.index), "edited");
    void this.#options.onSettled("all");
  }

  /**
   * Enqueues names. `edited`: their input changed, so that earlier failures no longer count.
   * `freed`: nothing changed there. Names around them are not planned: two would plan each other
   * for ever.
   */
  enqueue(names: Iterable<DnsName>, why: "edited" | "moved" | "freed"): void {
    for (const name of names) {
      this.ledger.mark(name, why === "edited");
      if (why !== "freed") this.#planner.markAround(name);
    }
    if (!this.ledger.isClean) this.#signal.raise();
  }

  /**
   * Enqueues every name with a held change. `isWhole`: the next round plans all of them, however
   * many (Z-16).
   */
  enqueueHeld(isWhole = false): void {
    this.#isWholeRoundDue ||= isWhole;
    this.enqueue(this.ledger.heldNames(), "moved");
  }

  /** The next round compares the whole zone and enqueues every name that differs. */
  requestFullPass(): void {
    this.#isFullPassDue = true;
    this.#signal.raise();
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const delay = this.#nextDelayMs();
      if (delay > 0) {
        await this.#signal.wait(delay === Number.POSITIVE_INFINITY ? null : delay);
        continue;
      }
      try {
        this.#lastRound = this.#round();
        await this.#lastRound;
        // Names that were reported as failed or stopped with the zone are planned.
        if (this.ways.readWay.answered()) this.#wayChanged(this.ways.readWay);
        if (this.#trouble.ended(this.fences.main?.stop ?? null)) this.requestFullPass();
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        // clause: provider-failure-ends-nothing
        await this.#zoneFailed(error);
      }
    }
  }

  async #round(): Promise<void> {
    await this.#refresh();
    const { clock, settings } = this.#options;
    // A poll is no reason to stop gathering.
    if (clock.monotonicMs() < this.#latest.gatherUntilMs) return;
    // The first plan is whole: the fuse's rule for a change of version needs it (Z-16).
    const most = this.#isWholeRoundDue ? Number.POSITIVE_INFINITY : this.ledger.roundMax;
    const due = this.ledger.takeDue(most);
    // The first round goes to the guard even when it has nothing to do.
    if (due.length === 0 && !this.#isWholeRoundDue) return;
    if (due.length > LONG_ROUND) await clock.yieldNow?.();
    const [atMs, settled] = [clock.monotonicMs(), new Set(due)];
    try {
      const read = await rereadUncertain(this.ledger, due, {
        most: settings.namesPerRoundMax,
        read: async (...names) => {
          const { moved, ...time } = await this.#reader.reread(...names);
          await this.#observeMoved(moved);
          return time;
        },
      });
      this.#isWholeRoundDue = false;
      const [input, { ledger, guard }, planner] = [this.#planInput(), this, this.#planner];
      const round = input && { ...input, planner, ledger, guard, read, clock };
      const groups = round === null ? [] : await planRound(round, due);
      const rules = { ...settings, ...this.#zoneInput.session.capabilities };
      this.#latest = roundAfter(this.#latest, { atMs, names: groups.length }, rules);
      await this.#send(groups, settled, read);
    } catch (error) {
      // Whatever broke off the round, the names that were due are still due.
      for (const name of due) this.ledger.mark(name, false);
      throw error;
    }
    await this.#options.onSettled(settled);
  }

  /** Step 1: reads what is due to be read, and enqueues the names that need a plan. */
  async #refresh(): Promise<void> {
    // Between batches: with other owner ids the whole zone is judged anew.
    if (await this.fences.settle()) this.#reader.renew();
    if (this.#reader.reloadInMs() === 0) await this.#load();
    else if (this.#reader.pollInMs() === 0) {
      const startedAtMs = this.#options.clock.monotonicMs();
      const moved = await this.#reader.poll();
      if (!this.#reader.isBehind) this.ledger.wasAllRead(startedAtMs, moved);
      await this.#observeMoved(moved);
    }
    await this.fences.rereadIfStale();
    if (this.#isFullPassDue) await this.#runFullPass();
    if (this.#selfCheck.dueInMs() === 0) this.#selfCheck.run(this.#planInput());
  }

  async #load(): Promise<void> {
    const { clock, metrics, log } = this.#options;
    const [first, startedAtMs] = [this.#reader.isNew, clock.monotonicMs()];
    const moved = await this.#reader.load();
    this.ledger.own.forgetOld(startedAtMs);
    this.ledger.wasAllRead(startedAtMs, moved);
    metrics.observe("zonekeeper_zone_load_seconds", (clock.monotonicMs() - startedAtMs) / 1000);
    log[first ? "info" : "debug"]("zone loaded", { zone: this.apex, names: moved.size, first });
    await clock.yieldNow?.();
    if (first) this.#isFullPassDue = true;
    this.enqueueHeld();
    await clock.yieldNow?.();
    await this.#observeMoved(moved);
  }

  /**
   * Enqueues names whose view moved, and reports those that are in sync. A full pass that is due
   * does both.
   */
  async #observeMoved(moved: SomeNames): Promise<void> {
    const input = this.#planInput();
    if (input === null) return;
    this.#options.onMoved(moved);
    this.#planner.markCuts(input.state);
    if (!this.#isFullPassDue) await this.#options.onSettled(this.#planner.markMoved(moved, input));
  }

  /** Enqueues every name that differs, and reports all names without waiting for the reports. */
  async #runFullPass(): Promise<void> {
    const input = this.#planInput();
    if (input === null) return;
    this.#isFullPassDue = false;
    // Not before: work under way still uses the session that it began with.
    if (this.#isInputNew) this.index.forgetNormalized();
    this.#isInputNew = false;
    await this.#planner.markAll(input, this.#isWholeRoundDue);
    void this.#options.onSettled("all");
  }

  /** Steps 5 and 6. Names that were written are added to `settled`. */
  #send(groups: readonly ChangeGroup[], settled: Set<DnsName>, read: ReadNames): Promise<void> {
    const { ledger, fences, zoneInput, ways, index } = this;
    const [{ clock, onApplied, isPreview = false }, { signal }] = [this.#options, this.#abort];
    const enqueue = (names: Iterable<DnsName>): void => this.enqueue(names, "moved");
    const learn = (results: readonly Result[]): Promise<void> => {
      for (const { group } of results) settled.add(group.name);
      const [reader, planner, now] = [this.#reader, this.#planner, this.zoneInput];
      const context = { ...this.#options, zoneInput: now, ledger, reader, planner, enqueue };
      return learnOutcomes(context, results);
    };
    const rest = { learn, clock, onApplied, isPreview, read, isStopping: () => this.#stopping };
    return sendGroups({ ledger, fences, zoneInput, ways, index, signal, ...rest }, groups);
  }

  /** What plans depend on now; null until the zone is loaded. */
  #planInput(): PlanInput | null {
    const { state, zoneInput, index, identity } = this;
    if (state === null) return null;
    const { absences, elsewhere, orders, migration } = this.#options;
    const rest = { absences, elsewhere, orders, migration, tenancy: this.tenancy() };
    return { zoneInput, identity, index, state, own: this.ledger.own, ...rest };
  }

  #nextDelayMs(): number {
    return nextDelayMs({
      backoffMs: this.#trouble.waitMs,
      reloadMs: this.#reader.reloadInMs(),
      pollMs: this.#reader.pollInMs(),
      dirtyMs: this.#isFullPassDue || this.fences.isDue ? 0 : this.ledger.soonestMs(),
      checkMs: this.#reader.state === null ? null : this.#selfCheck.dueInMs(),
      gatherMs: this.#latest.gatherUntilMs - this.#options.clock.monotonicMs(),
    });
  }

  async #zoneFailed(error: OperationError): Promise<void> {
    const [{ log, metrics }, isRead] = [this.#options, this.state !== null];
    metrics.count("zonekeeper_zone_failures_total", { code: error.code });
    log.warn("zone cannot be worked on", { zone: this.apex, reason: messageOf(error) });
    if (this.ways.readFailed(error, isRead)) this.#readThrough(this.ways.readWay.input);
    if (this.#trouble.began(error, isRead)) await this.#options.onSettled("all");
  }

  /** The session, ownership and policy of the zone as of now. */
  get zoneInput(): OpenZoneInput {
    return this.#zoneInput;
  }
  /** More than 32 names a second are written now. */
  get isBurst(): boolean {
    return this.#latest.isBurst;
  }
  /** What is known of the zone; null until loaded. */
  get state(): ZoneState | null {
    return this.#reader.state;
  }

  /** Why the zone cannot be worked on, or null. */
  get zoneFailure(): ZoneFailure | null {
    return this.#trouble.failure;
  }

  /**
   * Reads the record sets at these names from the provider now. What the actor knows of the zone
   * stays as it is. Throws OperationError.
   */
  readNow(names: readonly DnsName[]): Promise<readonly RecordSet[]> {
    return this.#reader.readNow(names);
  }
}
