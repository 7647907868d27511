/**
 * What is remembered of the last calls about a name, in memory only: that one had no answer and
 * what it creates, or what one wrote, until a reading agrees. A name whose records the provider
 * changes after each write must not be written for ever (D35, docs/adr/0071-not-converging.md).
 * State only; bounded by the names that were called for since the last reading, or diverge.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  hasSameData,
  isSameKey,
  type RecordSet,
  recordSetKeyText,
} from "../../model/record-set.ts";
import type { ChangeGroup, KeyChange, NamePlan } from "../../plan/changes.ts";
import { LATE_CALL_MS } from "../../plan/pending.ts";

/** Calls about one name that had no answer. */
interface Unanswered {
  /** Monotonic milliseconds of the last one. */
  readonly atMs: number;
  /** What they create, each once. */
  readonly created: readonly RecordSet[];
}

/** Record sets of one name at most; of more, the oldest are forgotten. */
const CREATED_MAX = 20;

/** Names of one zone whose last call had no answer, so that it may take effect later. */
export class UnansweredCalls {
  readonly #clock: Clock;
  /** The name with the oldest call first. */
  readonly #calls = new Map<DnsName, Unanswered>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A call about the name ended without an answer. */
  add({ name, changes }: ChangeGroup): void {
    for (const known of this.#calls.keys()) {
      if (this.mayStillLand(known)) break;
      this.#calls.delete(known);
    }
    const created = changes.flatMap((change) => (change.op === "create" ? [change.next] : []));
    const isRepeated = (set: RecordSet): boolean =>
      created.some((one) => isSameKey(one, set) && hasSameData(one, set));
    const earlier = this.#createdAt(name).filter((set) => !isRepeated(set));
    this.#calls.delete(name);
    const atMs = this.#clock.monotonicMs();
    this.#calls.set(name, { atMs, created: [...earlier, ...created].slice(-CREATED_MAX) });
  }

  #createdAt(name: DnsName): readonly RecordSet[] {
    return this.#calls.get(name)?.created ?? [];
  }

  /** Whether such a call about the name may still take effect. */
  mayStillLand(name: DnsName): boolean {
    const atMs = this.#calls.get(name)?.atMs;
    return atMs !== undefined && this.#clock.monotonicMs() - atMs < LATE_CALL_MS;
  }

  /** Whether one of the last such calls creates this record set with other data. */
  createsOtherThan(set: RecordSet): boolean {
    const created = this.#createdAt(set.name);
    return created.some((one) => isSameKey(one, set) && !hasSameData(one, set));
  }
}

/** The last write of one name. */
interface LastWrite {
  /** The keys of it that were just written as planned (`writtenKeys`). */
  readonly keys: readonly string[];
  /** When it was written, by the monotonic clock; null = it was read since. */
  readonly unprovenSinceMs: number | null;
  /** A reading after a write showed other data; true until a reading agrees. */
  readonly isDiverging: boolean;
  /** The last confirmed step of a sequence of writes that is not at its end; null = none. */
  readonly step: string | null;
}

const NOTHING: LastWrite = { keys: [], unprovenSinceMs: null, isDiverging: false, step: null };

/** The last writes of one zone, by name. */
export class LastWrites {
  readonly #byName = new Map<DnsName, LastWrite>();

  isDiverging(name: DnsName): boolean {
    return this.#of(name).isDiverging;
  }

  /**
   * The group was written. `plan`: it is as planned, so that the same plan once more would be an
   * echo; null = the next plan proves nothing. `atMs`: by the monotonic clock.
   */
  applied(group: ChangeGroup, plan: NamePlan | null, atMs: number): void {
    const { name, rest } = group;
    const keys = plan === null ? [] : writtenKeys(plan);
    this.#note(name, {
      unprovenSinceMs: atMs,
      ...(rest === undefined
        ? { step: null, keys: [...new Set([...this.#of(name).keys, ...keys])] }
        : { step: stepText(group) }),
    });
  }

  /** The input of the name changed: the next plan is no echo of what was written before. */
  edited(name: DnsName): void {
    this.#note(name, { keys: [], isDiverging: false, step: null });
  }

  /** Own writes at the name were taken back. */
  withdrew(name: DnsName): void {
    this.#note(name, { keys: [], step: null });
  }

  /** The name was read. */
  wasRead(name: DnsName): void {
    this.#note(name, { unprovenSinceMs: null });
  }

  /** Names that were written before this time (monotonic) and not read since. */
  unprovenBefore(ms: number): readonly DnsName[] {
    const names: DnsName[] = [];
    for (const [name, { unprovenSinceMs }] of this.#byName)
      if (unprovenSinceMs !== null && unprovenSinceMs < ms) names.push(name);
    return names;
  }

  /** A reading agrees with what is wanted. Answers whether an earlier one did not. */
  agreed(name: DnsName): boolean {
    const { isDiverging } = this.#of(name);
    this.#note(name, { keys: [], isDiverging: false });
    return isDiverging;
  }

  /** The plan of the name changes nothing: it agrees where the name was read. As `agreed`. */
  plannedNothing(name: DnsName): boolean {
    this.#note(name, { step: null });
    return this.#of(name).unprovenSinceMs === null && this.agreed(name);
  }

  /** True when the plan writes a part again that was just written as planned: it diverges. */
  isRepeatedWrite(plan: NamePlan): boolean {
    const { keys } = this.#of(plan.name);
    if (keys.length === 0 || !writtenKeys(plan).some((part) => keys.includes(part))) return false;
    this.#note(plan.name, { keys: [], isDiverging: true });
    return true;
  }

  /** True when this step of a sequence was just confirmed and is planned again: it diverges. */
  isRepeatedStep(group: ChangeGroup): boolean {
    const { step, isDiverging } = this.#of(group.name);
    const isRepeated = step !== null && step === stepText(group);
    this.#note(group.name, { step: null, isDiverging: isDiverging || isRepeated });
    return isRepeated;
  }

  #of(name: DnsName): LastWrite {
    return this.#byName.get(name) ?? NOTHING;
  }

  #note(name: DnsName, change: Partial<LastWrite>): void {
    const next = { ...this.#of(name), ...change };
    const { keys, unprovenSinceMs, isDiverging, step } = next;
    if (keys.length > 0 || unprovenSinceMs !== null || isDiverging || step !== null)
      this.#byName.set(name, next);
    else this.#byName.delete(name);
  }
}

/**
 * One text for each key that is written: the key, and whether its data, its marker, its permit or
 * the form of its marker is. A change that a person undid is left out: its object wants it again.
 */
function writtenKeys({ changes }: NamePlan): readonly string[] {
  const own = changes.filter(({ reason }) => reason.code !== "Undone");
  return own.map((one) => `${aspectOf(one)} ${recordSetKeyText(one.key)}`);
}

function aspectOf({ migration, change, permit }: KeyChange): string {
  if (migration !== undefined) return "form";
  if (change !== null) return "data";
  // The permit of a transfer goes with its marker.
  return permit === undefined || permit.is === "used" ? "marker" : "permit";
}

function stepText({ changes }: ChangeGroup): string {
  return JSON.stringify(changes);
}
