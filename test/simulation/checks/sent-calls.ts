/**
 * Calls that processes have sent and that have not taken effect yet, so that each write to the zone
 * is judged by the call that made it: also where two processes send in one moment, and where a call
 * arrives late.
 */
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { ChangeGroup, KeyChange } from "../../../src/plan/changes.ts";
import type { ApplyFault } from "../../support/memory-provider/faults.ts";
import type { Sender } from "../world/instance.ts";
import type { Truth } from "../world/truth.ts";
import { claimOf, claimsOf, contentText } from "../world/zone-truth.ts";

/** One call under way. */
export interface SentCall {
  readonly sender: Sender;
  readonly groups: readonly ChangeGroup[];
  readonly keys: readonly KeyChange[];
  /** `name type` of every record set that it changes, markers too. */
  readonly changes: ReadonlySet<string>;
  /** Virtual ms from which on it may take effect. */
  readonly fromMs: number;
  readonly isLate: boolean;
  /**
   * S3, S4: whether its removal had a reason when it was sent. A call that is under way cannot be
   * called back. Z-27: a loser takes back what it wrote, whoever wants it.
   */
  readonly mayRemove: (resource: string, name: string, type: string) => boolean;
}

/** What a call is made of. */
export interface CallContext {
  readonly sender: Sender;
  readonly truth: Truth;
  readonly faults: readonly ApplyFault[];
  readonly content: readonly RecordSet[];
  /** Virtual ms. */
  readonly atMs: number;
  /** Milliseconds until it takes effect where nothing delays it. */
  readonly travelMs: number;
}

/**
 * Milliseconds after which a late call is not waited for: the longest delay, and processes that
 * stand still.
 */
const FORGOTTEN_MS = 3_600_000;

/** A call as it is sent. */
export function sentCall(groups: readonly ChangeGroup[], context: CallContext): SentCall {
  const { sender, faults, atMs, travelMs } = context;
  const delayMs = faults.find((fault) => fault.kind === "late")?.delayMs ?? null;
  const isUnderWay = delayMs !== null || travelMs > 0;
  const withdrawn = new Set(withdrawnSets(groups).map(textOf));
  const wasReleased = isUnderWay ? releasedNow(groups, context) : () => false;
  return {
    sender,
    groups,
    keys: groups.flatMap((group) => group.keys),
    changes: new Set(setsOf(groups).map(textOf)),
    fromMs: atMs + travelMs + (delayMs ?? 0),
    isLate: delayMs !== null,
    mayRemove: (resource, name, type) =>
      withdrawn.has(`${name} ${type}`) || wasReleased(resource, name, type),
  };
}

/** All calls under way. */
export class SentCalls {
  #calls: readonly SentCall[] = [];

  /** A call is sent now (virtual ms). */
  add(call: SentCall, nowMs: number): void {
    const isOver = ({ isLate, fromMs }: SentCall): boolean =>
      nowMs > fromMs + (isLate ? FORGOTTEN_MS : 0);
    this.#calls = [...this.#calls.filter((one) => !isOver(one)), call];
  }

  /**
   * The call that made this write of the process; one that was sent this moment before one that was
   * late, and the last of these: the others were answered. Null = none did.
   */
  of(
    sender: Sender,
    [before, after]: readonly [readonly RecordSet[], readonly RecordSet[]],
    nowMs: number,
  ): SentCall | null {
    const changed = changedBy(before, after);
    const isOf = (call: SentCall): boolean => {
      const isDue = call.isLate ? call.fromMs <= nowMs : call.fromMs === nowMs;
      return call.sender === sender && isDue && changed.every((key) => call.changes.has(key));
    };
    // Of several late ones of the same keys it is the one that was due last.
    const found = this.#calls.filter(isOf).sort((a, b) => b.fromMs - a.fromMs);
    return found.findLast(({ isLate }) => !isLate) ?? found[0] ?? null;
  }
}

/** `name type` of what a write changed, the SOA left out. */
function changedBy(before: readonly RecordSet[], after: readonly RecordSet[]): readonly string[] {
  const [had, has] = [before, after].map((sets) => new Set(sets.map(contentText)));
  const changed = [
    ...before.filter((set) => has?.has(contentText(set)) !== true),
    ...after.filter((set) => had?.has(contentText(set)) !== true),
  ];
  return changed.filter(({ type }) => type !== "SOA").map(textOf);
}

function releasedNow(
  groups: readonly ChangeGroup[],
  { truth, content }: CallContext,
): SentCall["mayRemove"] {
  const sets = setsOf(groups);
  const resources = new Set([
    ...truth.objects().map(({ resource }) => resource),
    ...claimsOf(content).flatMap(({ resource }) => resource ?? []),
    ...sets.flatMap((set) => claimOf(set)?.resource ?? []),
  ]);
  const released = new Set<string>();
  for (const resource of resources)
    for (const { name, type } of sets)
      if (truth.mayRemove(resource, name, type)) released.add(`${resource} ${name} ${type}`);
  return (resource, name, type) => released.has(`${resource} ${name} ${type}`);
}

function setsOf(groups: readonly ChangeGroup[]): readonly RecordSet[] {
  return groups.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.op === "create" ? [change.next] : [change.previous])),
  );
}

/** Z-27: it takes back what its process wrote. */
export function isWithdrawal({ withdraws }: ChangeGroup): boolean {
  return withdraws !== undefined;
}

/** What a loser of a race takes back, markers too (Z-27). */
export function withdrawnSets(groups: readonly ChangeGroup[]): readonly RecordSet[] {
  return setsOf(groups.filter(isWithdrawal));
}

const textOf = ({ name, type }: RecordSet): string => `${name} ${type}`;
