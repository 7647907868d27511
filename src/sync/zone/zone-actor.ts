/**
 * The zone actor: one loop for each zone. Plans dirty names, guards, packs, applies, learns and
 * reports (DESIGN §5). All writing to a zone happens here, one batch at a time; nobody else changes
 * its state.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { messageOf, OperationError } from "../../model/operation-error.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import { KeyedBackOff } from "../../timing/back-off.ts";
import type { DesiredIndex } from "../cache/desired-index.ts";
import type { DesiredState } from "../cache/desired-state.ts";
import type { SomeNames, ZoneState } from "../cache/zone-state.ts";
import type { Result } from "../calls/apply-batches.ts";
import { mayHaveDropped } from "../calls/outcome.ts";
import { writeSet } from "../calls/pack-batches.ts";
import type { OpenZoneInput, ZoneCut, ZoneKey } from "../contract/zone.ts";
import { cutOf } from "../delegation/zone-cut.ts";
import type { ZoneFence } from "../fence/zone-fence.ts";
import type { Guard } from "../guards/guard.ts";
import type { ActorOptions } from "./actor-options.ts";
import { learnFailure } from "./learn-failure.ts";
import { NameLedger } from "./name-ledger.ts";
import type { PlanInput } from "./name-planner.ts";
import type { Failure } from "./name-report.ts";
import { nextDelayMs } from "./next-delay.ts";
import { guardOf, openFence } from "./open-fence.ts";
import { planRound } from "./plan-round.ts";
import { SelfCheck } from "./self-check.ts";
import { sendGroups } from "./send-groups.ts";
import { Signal } from "./signal.ts";
import { ZonePlanner } from "./zone-planner.ts";
import { ZoneReader } from "./zone-reader.ts";

/** Failures in a row of a zone that was read before, until its entries are told. */
const ALARM_AFTER = 3;
/** Names of a round from which on other work has a turn between its steps. */
const LONG_ROUND = 1_000;

/** The loop of one zone. */
export class ZoneActor {
  readonly desiredState: DesiredState;
  readonly index: DesiredIndex;
  readonly #options: ActorOptions;
  readonly #reader: ZoneReader;
  readonly #signal: Signal;
  readonly #abort = new AbortController();
  readonly #zoneBackOff: KeyedBackOff;
  readonly #selfCheck: SelfCheck;
  readonly #planner: ZonePlanner;
  /** Null = nobody else can write (Z-17). */
  readonly fence: ZoneFence | null;
  /** The last look before anything is sent; after an approval, what is held is to be touched. */
  readonly guard: Guard;
  readonly ledger: NameLedger;
  #zoneInput: OpenZoneInput;
  #zoneFailure: Failure | null = null;
  #lastRoundMs = Number.NEGATIVE_INFINITY;
  #isFullPassDue = false;
  /** The next round takes everything that is due: the first one, and the one after a pause. */
  #isWholeRoundDue = true;
  #isInputNew = false;
  #stopping = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(options: ActorOptions) {
    this.#options = options;
    this.#zoneInput = options.zoneInput;
    const { index, texts } = options.desiredState;
    this.desiredState = options.desiredState;
    this.index = index;
    const { clock, random, settings } = options;
    this.#signal = new Signal(clock);
    const range = { firstMs: settings.retryFirstMs, maxMs: settings.zoneRetryMostMs };
    this.ledger = new NameLedger(clock, random, settings);
    this.#zoneBackOff = new KeyedBackOff(clock, random, range);
    const shared = { index, texts, ledger: this.ledger };
    this.#planner = new ZonePlanner({ ...shared, clock });
    const everyMs = settings.selfCheckMs;
    this.#selfCheck = new SelfCheck({ ...options, ...shared, planner: this.#planner, everyMs });
    this.#reader = new ZoneReader({
      ...options,
      texts,
      owners: options.identity.owners,
      signal: this.#abort.signal,
      wake: () => this.#signal.raise(),
      onFence: (sets) => this.fence?.observe(sets),
    });
    this.fence = openFence(options, {
      signal: this.#abort.signal,
      onWrote: (name, confirmed) => this.#reader.wrote([name], confirmed),
      onMoved: () => this.enqueueHeld(),
    });
    this.guard = guardOf(this.fence, options);
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
  }

  /** The session, ownership and policy of the zone as of now. */
  get zoneInput(): OpenZoneInput {
    return this.#zoneInput;
  }

  /** Another session or policy for the same zone. */
  use(zoneInput: OpenZoneInput): void {
    this.#zoneInput = zoneInput;
    this.#reader.use(zoneInput);
    this.fence?.use(zoneInput);
    this.#zoneBackOff.clear("zone");
    this.#isInputNew = true;
    this.requestFullPass();
  }

  get key(): ZoneKey {
    return this.#zoneInput.key;
  }

  /** Apex of the zone. */
  get apex(): DnsName {
    return this.#zoneInput.zone.name;
  }

  /** Who answers for a name of the zone; null until loaded. */
  cutOf(name: DnsName): ZoneCut | null {
    const { state } = this;
    return state === null ? null : cutOf(state.table, this.apex, name);
  }

  /**
   * What stands at these names, read from the provider now. Changes nothing here. Throws
   * OperationError.
   */
  readNow(names: readonly DnsName[]): Promise<readonly RecordSet[]> {
    return this.#reader.readNow(names);
  }

  /** What is known of the zone; null until loaded. */
  get state(): ZoneState | null {
    return this.#reader.state;
  }

  /** Why the zone cannot be worked on, or null. */
  get zoneFailure(): Failure | null {
    return this.#zoneFailure;
  }

  /**
   * Names to be looked at. `edited`: their input changed, so that earlier failures no longer count.
   */
  enqueue(names: Iterable<DnsName>, edited: boolean): void {
    for (const name of names) this.ledger.mark(name, edited);
    if (!this.ledger.isClean) this.#signal.raise();
  }

  /** Looks again at everything that is not as wanted, by a full pass over the zone. */
  requestFullPass(): void {
    this.#isFullPassDue = true;
    this.#signal.raise();
  }

  /**
   * Looks again at every name that is held for want of proof. `isWhole`: in one plan, however many
   * (Z-16).
   */
  enqueueHeld(isWhole = false): void {
    this.#isWholeRoundDue ||= isWhole;
    this.enqueue(this.ledger.heldNames(), false);
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
        this.#recovered();
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        await this.#zoneFailed(error);
      }
    }
  }

  #nextDelayMs(): number {
    const { clock, settings } = this.#options;
    return nextDelayMs({
      backoffMs: this.#zoneBackOff.waitMs("zone"),
      reloadMs: this.#reader.reloadInMs(),
      pollMs: this.#reader.pollInMs(),
      dirtyMs: this.#isFullPassDue ? 0 : this.ledger.soonestMs(),
      checkMs: this.#reader.state === null ? null : this.#selfCheck.dueInMs(),
      gatherMs: this.#lastRoundMs + settings.gatherMs - clock.monotonicMs(),
    });
  }

  /** What is known of the zone is made as new as it has to be, and what differs is due then. */
  async #refreshZone(): Promise<void> {
    if (this.#reader.reloadInMs() === 0) await this.#loadAll();
    else if (this.#reader.pollInMs() === 0) await this.#observeMoved(await this.#reader.poll());
    await this.fence?.rereadIfStale();
    if (this.#isFullPassDue) await this.#runFullPass();
    if (this.#selfCheck.dueInMs() === 0) this.#selfCheck.run(this.#planInput());
  }

  async #round(): Promise<void> {
    await this.#refreshZone();
    // The first plan is whole: the fuse's rule for updates after a change of version looks at it
    // (Z-16).
    const due = this.ledger.takeDue(
      this.#isWholeRoundDue ? Number.POSITIVE_INFINITY : this.#options.settings.namesPerRoundMax,
    );
    // The first look goes to the guard even when it finds nothing to do.
    if (due.length === 0 && !this.#isWholeRoundDue) return;
    if (due.length > LONG_ROUND) await this.#options.clock.yieldNow?.();
    this.#lastRoundMs = this.#options.clock.monotonicMs();
    const settled = new Set(due);
    try {
      const read = await this.#readUnread(due);
      this.#isWholeRoundDue = false;
      await this.#send(await this.#planAll(due, read), settled);
    } catch (error) {
      // Whatever broke off the round, what was due is still due.
      for (const name of due) this.ledger.mark(name, false);
      throw error;
    }
    await this.#options.onSettled(settled);
  }

  /** A round went well: what was reported as failed for the zone's sake is looked at again. */
  #recovered(): void {
    this.#zoneBackOff.clear("zone");
    if (this.#zoneFailure === null) return;
    this.#zoneFailure = null;
    this.requestFullPass();
  }

  async #loadAll(): Promise<void> {
    const { clock, metrics, log } = this.#options;
    const first = this.#reader.state === null;
    const startedAtMs = clock.monotonicMs();
    const moved = await this.#reader.load();
    metrics.observe("zonekeeper_zone_load_seconds", (clock.monotonicMs() - startedAtMs) / 1000);
    log.info("zone loaded", { zone: this.#zoneInput.zone.name, names: moved.size, first });
    await clock.yieldNow?.();
    if (first) this.#isFullPassDue = true;
    else this.enqueueHeld();
    await clock.yieldNow?.();
    await this.#observeMoved(moved);
  }

  /**
   * Everything that differs is due then; the rest is reported as it stands, beside what else
   * happens.
   */
  async #runFullPass(): Promise<void> {
    const input = this.#planInput();
    if (input === null) return;
    this.#isFullPassDue = false;
    // Not before: what is under way still asks the session that it began with.
    if (this.#isInputNew) this.index.forgetNormalized();
    this.#isInputNew = false;
    await this.#planner.markAll(input, this.#isWholeRoundDue);
    void this.#options.onSettled("all");
  }

  /**
   * Marks names whose view moved; what is as wanted is reported. A full pass that is due does both.
   */
  async #observeMoved(moved: SomeNames): Promise<void> {
    const input = this.#planInput();
    if (input === null) return;
    this.#options.onMoved(moved);
    this.#planner.markCuts(input.state);
    if (!this.#isFullPassDue) await this.#options.onSettled(this.#planner.markMoved(moved, input));
  }

  /** What plans depend on now; null until the zone is loaded. */
  #planInput(): PlanInput | null {
    const state = this.#reader.state;
    if (state === null) return null;
    const { identity, absences, twin, elsewhere, orders, migration } = this.#options;
    const { index } = this;
    const zoneInput = this.#zoneInput;
    const fixed = { zoneInput, identity, index, absences, elsewhere, orders, migration };
    return { ...fixed, state, twin: twin() };
  }

  /** S12: after an unknown outcome or a failed precondition the next act on a name is a read. */
  async #readUnread(due: readonly DnsName[]): Promise<ReadonlySet<DnsName>> {
    const names = due.filter((name) => this.ledger.mustRead(name));
    for (let at = 0; at < names.length; at += this.#options.settings.rereadMax) {
      const part = names.slice(at, at + this.#options.settings.rereadMax);
      const alsoWritten = part.flatMap((name) => [...this.ledger.alsoToRead(name)]);
      await this.#observeMoved(await this.#reader.reread(part, alsoWritten));
      for (const name of part) this.ledger.wasRead(name);
    }
    return new Set(names);
  }

  async #planAll(
    due: readonly DnsName[],
    read: ReadonlySet<DnsName>,
  ): Promise<readonly ChangeGroup[]> {
    const input = this.#planInput();
    if (input === null) return [];
    const shared = { planner: this.#planner, ledger: this.ledger, guard: this.guard, read };
    return planRound({ ...input, ...shared, clock: this.#options.clock }, due);
  }

  #send(groups: readonly ChangeGroup[], settled: Set<DnsName>): Promise<void> {
    const { ledger, fence } = this;
    const { budget, clock } = this.#options;
    const { paused } = this.index;
    const shared = { zoneInput: this.#zoneInput, ledger, paused, fence, budget, clock };
    const learn = (result: Result): Promise<void> => this.#learn(result, settled);
    const isStopping = (): boolean => this.#stopping;
    return sendGroups({ ...shared, signal: this.#abort.signal, isStopping, learn }, groups);
  }

  async #learn({ group, outcome }: Result, settled: Set<DnsName>): Promise<void> {
    const { metrics, log } = this.#options;
    const { name } = group;
    metrics.count("zonekeeper_outcomes_total", { status: outcome.status });
    // What was refused wrote nothing: a movement at these names is somebody else's.
    if (outcome.status === "applied" || outcome.status === "unknown") {
      this.#reader.wrote(writeSet(group), outcome.status === "applied");
      this.#options.onWrote(writeSet(group));
    }
    settled.add(name);
    await this.#zoneInput.ownership.confirm(group, outcome);
    if (outcome.status === "applied") {
      await this.#learnApplied(group);
    } else {
      log.warn("change not applied", { name, status: outcome.status, reason: outcome.message });
      learnFailure(this.ledger, group, outcome);
    }
  }

  async #learnApplied(group: ChangeGroup): Promise<void> {
    const { state } = this;
    if (state === null) return;
    const affected = await state.applied(group.changes, group.name);
    // Planning the name anew costs little and proves that the write achieved what was wanted.
    this.ledger.applied(group, mayHaveDropped(group));
    this.enqueue(affected, false);
    this.#planner.markCuts(state);
    this.#options.onMoved(affected);
  }

  async #zoneFailed(error: OperationError): Promise<void> {
    const { log, metrics, settings } = this.#options;
    this.#zoneBackOff.failed(
      "zone",
      error.retry === "never" ? settings.zoneRetryMostMs : (error.retryAfterMs ?? 0),
    );
    metrics.count("zonekeeper_zone_failures_total", { code: error.code });
    log.warn("zone cannot be worked on", {
      zone: this.#zoneInput.zone.name,
      reason: messageOf(error),
    });
    // One lost poll of a zone that was read before is no reason to alarm everybody.
    if (this.#reader.state !== null && this.#zoneBackOff.failures("zone") < ALARM_AFTER) return;
    this.#zoneFailure = { code: error.code, message: messageOf(error) };
    await this.#options.onSettled("all");
  }
}
