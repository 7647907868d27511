/**
 * The fence record of one zone and owner id, which says which installation writes there, as a
 * compare-and-swap cell (Z-17): the record as it was last read, and writes that assert it. Knows
 * nothing of terms of leadership and decides nothing.
 */
import { invariant } from "@zonekeeper/base/invariant";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { hasSameData, type RecordSet } from "../../model/record-set.ts";
import type { Change, ChangeGroup, Precondition } from "../../plan/changes.ts";
import type { ZoneBudget } from "../calls/account-budget.ts";
import { applyBatch, type NotApplied, retried } from "../calls/apply-batches.ts";
import { type FenceRecord, fenceSet, parseFences } from "../contract/fence-record.ts";
import type { OpenZoneInput } from "../contract/zone.ts";

/** What a cell works with. */
export interface FenceCellOptions {
  readonly zoneInput: OpenZoneInput;
  /** Owner name of the record; null = the apex is too long for one. */
  readonly name: DnsName | null;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Budget of the account. */
  readonly budget: ZoneBudget;
  readonly signal: AbortSignal;
  /** The record was, or may have been, written: its movement is ours. */
  readonly onWrote: (name: DnsName, confirmed: boolean) => void;
}

/** Milliseconds until a refused record is tried again: an operator may have granted the right. */
const REFUSED_RETRY_MS = 3_600_000;

/** Reading throws OperationError; one caller at a time. */
export class FenceCell {
  readonly #options: FenceCellOptions;
  #zoneInput: OpenZoneInput;
  #found: readonly RecordSet[] | null = null;
  #mustReread = true;
  #refused: { readonly reason: string; readonly untilMs: number } | null = null;
  /** The provider said when to come back. */
  #putOff: PutOff | null = null;

  constructor(options: FenceCellOptions) {
    this.#options = options;
    this.#zoneInput = options.zoneInput;
  }

  /** Takes another session or policy for the same zone. */
  use(zoneInput: OpenZoneInput): void {
    this.#zoneInput = zoneInput;
    this.#mustReread = true;
    this.#refused = null;
    this.#putOff = null;
  }

  /** Everything at the record's name, as last read or written; null = never read. */
  get found(): readonly RecordSet[] | null {
    return this.#found;
  }

  /**
   * The record's value of each election domain, as last read or written; empty = none is readable.
   */
  get records(): readonly FenceRecord[] {
    const [set, ...others] = this.#found ?? [];
    return set === undefined || others.length > 0 ? [] : (parseFences(set) ?? []);
  }

  /** True when the known record may be old: read it before a decision. */
  get mustReread(): boolean {
    return this.#mustReread;
  }

  /** Why the provider does not let us write the record; null = it does, as far as is known. */
  get refusal(): string | null {
    if (this.#refused === null || this.#nowMs() >= this.#refused.untilMs) return null;
    return this.#refused.reason;
  }

  /** Owner name of the record; null = the apex is too long for one. */
  get name(): DnsName | null {
    return this.#options.name;
  }

  /** Why this zone cannot have a fence record; null = it can. */
  get impossibility(): string | null {
    const { atomicity, preconditions } = this.#zoneInput.session.capabilities;
    const { written, others } = preconditions;
    const asserted = [written.absent, written.exact, others.exact];
    if (atomicity !== "zone" || asserted.includes("never"))
      return "the provider cannot compare one record set and write another one in one call";
    return this.name === null ? "the name of the fence would be too long" : null;
  }

  /** What batches and writes assert: the record as it was read; null = it was never read. */
  get compare(): Precondition | null {
    const { name } = this;
    if (name === null || this.#found === null) return null;
    const [set] = this.#found;
    if (set !== undefined) return { is: "exact", set };
    return { is: "absent", key: { name, type: "TXT", setIdentifier: null } };
  }

  /**
   * Takes the record as a load of the zone showed it. That may be older than the known record, so
   * it is a hint only; the first hint counts until the record itself is read.
   */
  observe(sets: readonly RecordSet[]): void {
    if (this.#found !== null && isSame(this.#found, sets)) return;
    this.#found ??= sets;
    this.#mustReread = true;
  }

  /** The known record may be old. */
  requireReread(): void {
    this.#mustReread = true;
  }

  /** Reads the record. */
  async read(): Promise<void> {
    const { budget, signal } = this.#options;
    const { session, zone } = this.#zoneInput;
    const { name } = this;
    if (name === null) return;
    await budget.read();
    const content = await session.records(zone, [name], signal);
    this.#found = content.sets.filter((set) => set.name === name);
    this.#mustReread = false;
  }

  /**
   * Writes the record if it is still as it was read, if `isDue`, and not before the time that the
   * provider asked for. Null = written.
   */
  write(next: FenceRecord, isDue: () => boolean): Promise<NotApplied | null> {
    return this.#apply(this.#written(next), isDue);
  }

  /**
   * Removes the record but for these values, if it is still as it was read, as `write` does. Null =
   * removed.
   */
  remove(values: readonly string[], isDue: () => boolean): Promise<NotApplied | null> {
    const [previous] = this.#found ?? [];
    invariant(previous !== undefined, "a fence is read before it is removed");
    const change: Change =
      values.length === 0
        ? { op: "remove", previous }
        : { op: "replace", previous, next: { ...previous, values } };
    return this.#apply(change, isDue);
  }

  async #apply(change: Change, isDue: () => boolean): Promise<NotApplied | null> {
    const { metrics, signal, budget, onWrote } = this.#options;
    const { session, zone } = this.#zoneInput;
    const { name, compare } = this;
    invariant(name !== null && compare !== null, "a fence is read before it is written");
    const preconditions = [/* clause: fence-write-compares */ compare];
    const group: ChangeGroup = { name, keys: [], changes: [change], preconditions };
    const { message = "", untilMs = 0 } = this.#putOff ?? {};
    const leftMs = untilMs - this.#nowMs();
    if (leftMs > 0) return retried(group, message, leftMs);
    const context = { session, zone, signal, budget, isDue };
    const [result] = await applyBatch(context, [group]);
    const outcome = result?.outcome ?? { name: group.name, ...NOT_SETTLED };
    const { status } = outcome;
    // Apart from outcomes of changes: one for each term, not for each change (Z-20).
    metrics.count("zonekeeper_fence_writes_total", { status });
    if (status === "applied" || status === "unknown") onWrote(group.name, status === "applied");
    if (outcome.status === "applied") return this.#noteWritten(group.changes);
    const nowMs = this.#nowMs();
    const afterMs = outcome.status === "retry" ? outcome.afterMs : null;
    this.#putOff = afterMs === null ? null : { message: outcome.message, untilMs: nowMs + afterMs };
    // clause: lost-fence-answer-is-read
    if (outcome.status === "rejected")
      this.#refused = { reason: outcome.message, untilMs: nowMs + REFUSED_RETRY_MS };
    else this.#mustReread = true;
    return outcome;
  }

  #noteWritten(changes: readonly Change[]): null {
    this.#found = changes.flatMap((change) => (change.op === "remove" ? [] : [change.next]));
    this.#mustReread = false;
    this.#refused = null;
    this.#putOff = null;
    return null;
  }

  #written(record: FenceRecord): Change {
    const { session, zone } = this.#zoneInput;
    const { name, compare } = this;
    invariant(name !== null && compare !== null, "a fence is read before it is written");
    const next = session.normalize(fenceSet(name, record, session.capabilities.ttl), zone);
    return compare.is === "exact"
      ? { op: "replace", previous: compare.set, next }
      : { op: "create", next };
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }
}

interface PutOff {
  readonly message: string;
  /** In monotonic milliseconds. */
  readonly untilMs: number;
}

/** The outcome of a write of the fence that had no result of its own: too little time was left. */
export const NOT_SETTLED = {
  status: "retry",
  afterMs: null,
  message: "the fence record of the zone could not be written now; it is read and tried again",
} as const;

function isSame(a: readonly RecordSet[], b: readonly RecordSet[]): boolean {
  return (
    a.length === b.length &&
    a.every((set, index) => {
      const other = b[index];
      return other !== undefined && set.type === other.type && hasSameData(set, other);
    })
  );
}
