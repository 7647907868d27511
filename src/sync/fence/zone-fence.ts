/**
 * The fence of one owner id in one zone (Z-17): says whether, and under which precondition, this
 * term of leadership may write. The fence record names the installation (election domain) that
 * writes, and the epoch of its term. Batches compare it and never change it.
 *
 *   read it ──► ours: batches compare it                  ──► contested, taken, unreadable: stop
 *           ──► absent, or of an earlier epoch: write it  ──► of a later epoch: the term is over
 */
import type { Timer } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import { Turns } from "@zonekeeper/base/turns";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { Precondition } from "../../plan/changes.ts";
import type { NotApplied } from "../calls/apply-batches.ts";
import { type FenceRecord, fenceText } from "../contract/fence-record.ts";
import type { FenceStatus, FenceTaken } from "../contract/fence-status.ts";
import type { WriterTerm } from "../contract/writer-term.ts";
import type { OpenZoneInput } from "../contract/zone.ts";
import { FenceCell, type FenceCellOptions, NOT_SETTLED } from "./fence-cell.ts";
import { FenceLog, notTaken, runsOut, staleWriter } from "./fence-log.ts";
import {
  type FenceStop,
  type FenceVerdict,
  isOfCopies,
  isOwnDomain,
  judgeFence,
  namesTerm,
  takenFrom,
  type Writer,
} from "./fence-verdict.ts";

/** What the fences of all zones have in common. */
export interface FenceOptions {
  readonly term: WriterTerm;
  /** False = no record is read or written; the Lease alone keeps writers apart. */
  readonly record: boolean;
  /** Domains whose record says `shared`, too, may write beside ours. Absent = none may. */
  readonly shared?: true;
  /** Owner ids of other parts of this process, with fences of their own. Absent = none. */
  readonly otherOwners?: ReadonlySet<string>;
}

/** What the fence of one zone works with. */
export interface ZoneFenceOptions extends FenceOptions, FenceCellOptions {
  readonly log: Log;
  /**
   * The fence admits changes again, or a contest of two copies of this cluster must be written
   * again: enqueue the held names. Not called from within a method.
   */
  readonly onMoved: () => void;
}

/** Whether changes may be sent. */
export type FenceAnswer =
  /** With this precondition in each batch; null = there is nothing to compare. */
  | { readonly may: "send"; readonly compare: Precondition | null }
  /** Nothing until a person decides. */
  | { readonly may: "stop"; readonly stop: FenceStop }
  /** The fence could not be written now. */
  | { readonly may: "later"; readonly afterMs: number | null; readonly message: string };

/** Tries of one decision: each follows a write whose precondition failed. */
const TRIES_MAX = 3;
/** Milliseconds until a contest (of copies of this cluster) that was not written is tried again. */
const DISPUTE_RETRY_MS = 10_000;

/**
 * Methods run one after the other; those that ask the provider throw OperationError when it cannot
 * be read.
 */
export class ZoneFence {
  readonly #options: ZoneFenceOptions;
  readonly #cell: FenceCell;
  readonly #log: FenceLog;
  #judged: Judged | null = null;
  #timer: Timer | null = null;
  readonly #turns = new Turns();
  #isClosed = false;
  #isMet = false;
  /** The record of this term was seen to stand. */
  #hasStood = false;
  #isCopied = false;

  constructor(options: ZoneFenceOptions) {
    this.#options = options;
    this.#cell = new FenceCell(options);
    this.#log = new FenceLog(options.log, options.zoneInput.zone.name, options.record);
  }

  /** Another session or policy for the same zone. */
  use(zoneInput: OpenZoneInput): void {
    this.#cell.use(zoneInput);
  }

  /** Nothing is begun any more. */
  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  /** Owner name of the record; null = this zone has no fence. */
  get name(): DnsName | null {
    return this.#unfenced === null ? this.#cell.name : null;
  }

  /** The known record may be old. */
  get isStale(): boolean {
    return this.#cell.mustReread;
  }

  /** True when the term has time to begin a call; also right after the process was suspended. */
  get isInTime(): boolean {
    const { term } = this.#options;
    return term.remainingMs() > (this.#mode === "lease" ? term.marginMs : 0);
  }

  /** Milliseconds that a call may take; null = as long as it takes, because a compare stops it. */
  get callMs(): number | null {
    const remainingMs = this.#options.term.remainingMs();
    return this.#mode === "lease" && Number.isFinite(remainingMs) ? remainingMs : null;
  }

  /** For people and metrics. */
  get status(): FenceStatus {
    const { domain, epoch } = this.#options.term;
    const holder = this.name === null ? null : (this.#record?.domain ?? null);
    const base = { domain, epoch, mode: this.#mode, holder };
    if (this.stop !== null) return { ...base, ...this.stop };
    const message = this.#unfenced ?? this.#cell.refusal ?? "";
    return { ...base, code: null, message, other: null };
  }

  /** Why nothing is written here, as far as is known; null = no reason. */
  get stop(): FenceStop | null {
    const verdict = this.#verdict;
    return verdict?.is === "stop" || verdict?.is === "contest" ? verdict.stop : null;
  }

  /** First contact with the zone is over: the next write of a batch notes it in the record. */
  noteMet(): void {
    this.#isMet = true;
  }

  /** The record says that first contact of this installation with the zone is over (Z-24). */
  get wasMet(): boolean {
    const record = this.#record;
    return record?.met === true && isOwnDomain(record.domain, this.#options.term);
  }

  /**
   * Takes fence records that a load, a re-read or a delta showed at these names; null = all. They
   * are hints: the record itself is read before anything is sent.
   */
  observe(sets: readonly RecordSet[], names: readonly DnsName[] | null = null): void {
    if (this.name === null || names?.includes(this.name) === false) return;
    this.#cell.observe(sets.filter(({ name }) => name === this.name));
    this.#report();
  }

  /** Reads the record again if a hint showed that it moved. */
  async rereadIfStale(): Promise<void> {
    const wasSeen = this.name !== null && this.#cell.found !== null;
    if (wasSeen && this.#cell.mustReread && this.isInTime)
      await this.#turns.take(() => this.#readVerdict());
  }

  /** Before plans: reads the record if it is not known; writes it only to contest it. */
  admit(): Promise<FenceAnswer> {
    return this.#turns.take(() => this.#settle(false));
  }

  /** Before batches: writes our term into the record, unless it is there already (no call). */
  arm(): Promise<FenceAnswer> {
    return this.#turns.take(() => this.#settle(true));
  }

  /**
   * After a failed precondition: reads the record. True = it is another than the batch compared.
   */
  hasMoved(compare: Precondition | null): Promise<boolean> {
    return this.#turns.take(async () => {
      if (compare === null) return false;
      await this.#read();
      return !isSameJson(this.#cell.compare, compare);
    });
  }

  /**
   * Takes the owner id from the domain `from`; with `dryRun` only reports what that would write.
   * Null = that domain does not have it in this zone. Throws OperationError: `NotTaken` when the
   * record cannot be written, `StaleWriter` when a later term of this installation has begun.
   */
  take(from: string, dryRun: boolean): Promise<Omit<FenceTaken, "zone"> | null> {
    return this.#turns.take(async () => {
      const self = this.#self;
      if (this.name === null || self === null) return null;
      await this.#read();
      this.#endIfStale();
      const now = this.#cell.records.find(({ domain }) => domain === from) ?? this.#record;
      const next = now === null ? null : takenFrom(now, from, self);
      if (now === null || next === null) return null;
      const outcome = dryRun ? null : await this.#write(next);
      if (outcome !== null) throw notTaken(outcome.message);
      return { now: fenceText(now), next: fenceText(next) };
    });
  }

  /** Why the owner id cannot be had in this zone; null = it can. Reads the record if not known. */
  ask(): Promise<FenceStop | null> {
    return this.#turns.take(async () => {
      if (this.name === null || this.#self === null) return null;
      await this.#readVerdict();
      return this.stop;
    });
  }

  /**
   * Removes the record of our own domain; true = it is not (or no longer) there. With `text` the
   * one that a person saw, whoever has it; true = it was removed.
   */
  release(text?: string): Promise<boolean> {
    return this.#turns.take(async () => {
      const { term } = this.#options;
      if (this.name === null || term.domain === null) return true;
      if (!this.isInTime) throw runsOut();
      await (text === undefined ? this.#readVerdict() : this.#cell.read());
      const record = this.#record;
      const isShown = record !== null && /* clause: fence-is-as-shown */ fenceText(record) === text;
      const isOwn = record !== null && isOwnDomain(record.domain, term);
      if (text === undefined ? !isOwn : !isShown) return text === undefined;
      return (await this.#cell.remove(record?.beside ?? [], () => this.isInTime)) === null;
    });
  }

  async #settle(mayArm: boolean): Promise<FenceAnswer> {
    if (!this.isInTime) throw runsOut();
    if (this.name === null) {
      this.#report();
      return { may: "send", compare: null };
    }
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const verdict = await this.#readVerdict();
      if (verdict?.is === "stop") return { may: "stop", stop: verdict.stop };
      if (!this.#isToWrite(verdict, mayArm)) return { may: "send", compare: this.#cell.compare };
      const answer = await this.#carryOut(verdict);
      if (answer !== null) return answer;
    }
    return { ...NOT_SETTLED, may: "later" };
  }

  /** Writes the record that a verdict asks for; null = read and judge the record again. */
  async #carryOut(verdict: ToWrite): Promise<FenceAnswer | null> {
    const outcome = await this.#write(verdict.next);
    if (outcome?.status !== "retry" && outcome?.status !== "rejected") return null;
    if (verdict.is !== "contest")
      return outcome.status === "retry" ? { ...outcome, may: "later" } : null;
    // We stop although the contest could not be written, and the copy goes on until it is.
    this.#replan(DISPUTE_RETRY_MS);
    return { may: "stop", stop: verdict.stop };
  }

  /**
   * A refused record is not tried again with each batch: batches compare the present record
   * instead.
   */
  #isToWrite(verdict: FenceVerdict | null, mayArm: boolean): verdict is ToWrite {
    if (verdict?.is === "contest") return true;
    return verdict?.is === "write" && mayArm && this.#cell.refusal === null;
  }

  /** Reads the record if it is not known; ends the term if a later one is in it. */
  async #readVerdict(): Promise<FenceVerdict | null> {
    if (this.#cell.mustReread) await this.#read();
    this.#endIfStale();
    return this.#verdict;
  }

  #endIfStale(): void {
    const verdict = this.#verdict;
    if (verdict?.is !== "demote") return;
    this.#cell.requireReread();
    this.#options.term.outdated(verdict.epoch, this.#hasStood);
    throw staleWriter(verdict.epoch);
  }

  async #read(): Promise<void> {
    const { stop } = this;
    const before = this.#record;
    // clause: own-fence-is-remembered
    this.#hasStood ||= namesTerm(this.#verdict);
    // clause: foreign-end-of-contest
    this.#isCopied ||= isOfCopies(before, this.#options.term);
    await this.#cell.read();
    if (before !== null && this.#cell.found?.length === 0) this.#log.lost(before);
    this.#report();
    if (stop !== null && this.stop === null) this.#replan(0);
  }

  async #write(next: FenceRecord): Promise<NotApplied | null> {
    const { stop } = this;
    const outcome = await this.#cell.write(next, () => this.isInTime);
    this.#report();
    if (stop !== null && this.stop === null) this.#replan(0);
    return outcome;
  }

  #replan(delayMs: number): void {
    const { clock, onMoved } = this.#options;
    this.#timer?.cancel();
    if (!this.#isClosed) this.#timer = clock.setTimer(delayMs, onMoved);
  }

  /** The record's value of our own domain, else the first one; null = none can be read. */
  get #record(): FenceRecord | null {
    const { records } = this.#cell;
    const isOwn = ({ domain }: FenceRecord): boolean => isOwnDomain(domain, this.#options.term);
    return records.find(isOwn) ?? records[0] ?? null;
  }

  get #verdict(): FenceVerdict | null {
    const [found, self] = [this.#cell.found, this.#self];
    if (found === null || self === null || this.name === null) return null;
    // Kept, because it is asked before each record that is sent and is nearly always the same.
    if (this.#judged?.found !== found || !isSameJson(this.#judged.self, self))
      this.#judged = { found, self, verdict: judgeFence(found, self) };
    return this.#judged.verdict;
  }

  /** Null = the domain is not known. */
  get #self(): Writer | null {
    const { term, shared } = this.#options;
    const { domain, unnamed, epoch, id, copyEpoch } = term;
    if (domain === null) return null;
    return {
      domain,
      epoch,
      unnamed,
      shared,
      ...(id === null ? {} : { term: id }),
      ...(copyEpoch === null ? {} : { copyEpoch }),
      ...(this.#isCopied ? { isCopied: true } : {}),
      ...(this.#isMet ? { met: true } : {}),
    };
  }

  get #mode(): FenceStatus["mode"] {
    if (this.#unfenced !== null) return "lease";
    const verdict = this.#verdict;
    if (verdict?.is === "stop" || verdict?.is === "contest") return "stopped";
    if (this.#cell.refusal !== null) return "lease";
    return namesTerm(verdict) ? "record" : "unused";
  }

  /** Why there can be no record at all; null = there can. */
  get #unfenced(): string | null {
    const { record, term } = this.#options;
    if (!record) return "this instance was started with --fence off";
    if (term.domain === null) return "the id of the cluster that holds the Lease cannot be read";
    return this.#cell.impossibility;
  }

  #report(): void {
    this.#log.report(this.status);
  }
}

/** A verdict and what it rests on. */
interface Judged {
  readonly found: readonly RecordSet[];
  readonly self: Writer;
  readonly verdict: FenceVerdict;
}

type ToWrite = Extract<FenceVerdict, { readonly next: FenceRecord }>;
