/**
 * S7 by rules of our own: what an update changes shows the old or the new set after each write, and
 * a name whose type changes never shows nothing. Only a back end that takes one record set a call
 * may leave a gap, and only for a change of type that is or was an alias, with what follows at
 * hand, and one of its process's next calls about the name ends it.
 */
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { Change, KeyChange } from "../../../src/plan/changes.ts";
import type { MemoryBehaviour } from "../../support/memory-provider/behaviour.ts";
import type { Sender } from "../world/instance.ts";
import { hasSameValues, type Truth } from "../world/truth.ts";
import { claimsOf, contentText, keyText } from "../world/zone-truth.ts";
import { Violation } from "./checks.ts";
import { isBetween } from "./mixed-values.ts";
import { isWithdrawal, type SentCall } from "./sent-calls.ts";

/** One write that a call made. */
export interface UpdateWrite {
  readonly before: readonly RecordSet[];
  readonly after: readonly RecordSet[];
  readonly call: SentCall;
  readonly truth: Truth;
}

interface Gap {
  readonly sender: Sender;
  /** What is to follow: `type values`. */
  readonly successor: string;
  /** What stood there last. */
  readonly had: string;
  /** Calls of the process about the name since, without what is to follow. */
  readonly calls: number;
}

/**
 * Calls about a name that may come before what follows: a wish of another type that came or went
 * meanwhile is told to its marker first (Z-10).
 */
const BETWEEN_MOST = 4;

/**
 * For so long a process may rely on earlier records of a name: until it reads the name again.
 */
const SHARED_MS = 60_000;

/** Gaps that are open, by name. */
export class UpdateWatch {
  readonly #behaviour: Pick<MemoryBehaviour, "atomicity" | "ttl">;
  readonly #gaps = new Map<string, Gap>();
  /** When a name was last seen with data of two owners, or somebody else had taken data from it. */
  readonly #sharedAtMs = new Map<string, number>();
  /** All that stood after the last write. */
  #last: readonly RecordSet[] = [];

  constructor(behaviour: Pick<MemoryBehaviour, "atomicity" | "ttl">) {
    this.#behaviour = behaviour;
  }

  /**
   * A call is sent: where its process has made a gap, one of the next about that name ends it,
   * unless something else is wanted there by then.
   */
  onSend({ sender, keys, groups }: SentCall): void {
    for (const { name, changes } of groups) {
      const gap = this.#gaps.get(name);
      if (gap?.sender !== sender) continue;
      this.#gaps.delete(name);
      const isPut = changes.some(
        (change) => change.op !== "remove" && dataText(change.next) === gap.successor,
      );
      const isWanted = keys.some(
        ({ key, change }) =>
          isSuccessor(name, { key, change }) && textOfNext(change) === gap.successor,
      );
      if (!isWanted || isPut) continue;
      if (gap.calls < BETWEEN_MOST) this.#gaps.set(name, { ...gap, calls: gap.calls + 1 });
      else throw new Violation(`S7: ${gap.had} is gone, and ${gap.successor} does not follow`);
    }
  }

  /** Throws a violation; answers how many names were updated. */
  onWrite(write: UpdateWrite): number {
    const updates = write.call.keys.filter(isUpdate);
    for (const change of updates) this.#checkOldOrNew(change, write);
    this.#noteShared(write);
    // When a late one was sent something else may have stood there, whose own change came first.
    if (!write.call.isLate)
      for (const { set } of emptiedNames(write, this.#sharedAtMs)) this.#checkEmptied(set, write);
    return new Set(updates.map(({ key }) => key.name)).size;
  }

  #noteShared({ before, after, call }: UpdateWrite): void {
    const standing = new Set(before.map(keyText));
    for (const set of this.#last)
      if (!standing.has(keyText(set))) this.#sharedAtMs.set(set.name, call.fromMs);
    this.#last = after;
    const owners = new Map<string, Set<string | null>>();
    for (const { set, owner, isMarker } of claimsOf(before))
      if (!isMarker) owners.set(set.name, (owners.get(set.name) ?? new Set()).add(owner));
    for (const [name, all] of owners) if (all.size > 1) this.#sharedAtMs.set(name, call.fromMs);
  }

  /**
   * Each record set of an update is what it was before this write, or what the call makes of it;
   * where a call writes one value, also what is between the two.
   */
  #checkOldOrNew({ key, change }: KeyChange, { before, after }: UpdateWrite): void {
    const at = (sets: readonly RecordSet[]): RecordSet | null =>
      sets.find((set) => set.name === key.name && set.type === key.type) ?? null;
    const [was, is] = [at(before), at(after)];
    if ((was && contentText(was)) === (is && contentText(is))) return;
    if (change === null || was === null) return;
    // What somebody else added since stays beside either.
    if (is?.values.some((value) => !valuesOf(change).includes(value)) === true) return;
    if (is === null && change.op === "remove") return;
    if (is !== null && change.op !== "remove" && this.#isStored(change.next, is)) return;
    if (is !== null && this.#isMixed(change, was, is)) return;
    const text = is === null ? "nothing" : contentText(is);
    throw new Violation(`S7: ${contentText(was)} shows ${text} in its update`);
  }

  /** Its TTL is the new one from the first value on that came. */
  #isMixed(change: Change, was: RecordSet, is: RecordSet): boolean {
    if (this.#behaviour.atomicity !== "value" || !isBetween(change, is.values)) return false;
    return is.ttlSeconds === (change.op === "remove" ? was.ttlSeconds : this.#ttlOf(change.next));
  }

  #ttlOf({ ttlSeconds }: RecordSet): number {
    const { minSeconds, maxSeconds } = this.#behaviour.ttl;
    return Math.min(maxSeconds, Math.max(minSeconds, ttlSeconds));
  }

  #isStored(next: RecordSet, is: RecordSet): boolean {
    const lower = next.values.map((value) => (next.type === "CNAME" ? value.toLowerCase() : value));
    return is.ttlSeconds === this.#ttlOf(next) && hasSameValues(lower, is.values);
  }

  #checkEmptied(had: RecordSet, { call }: UpdateWrite): void {
    const successors = call.keys.filter((one) => isSuccessor(had.name, one));
    const successor = textOfNext(successors[0]?.change ?? null);
    const isRetyped = successors.every(({ key }) => key.type !== had.type);
    const maySucceed = successor !== null && (had.type === "CNAME" || /^CNAME /.test(successor));
    if (this.#behaviour.atomicity === "zone" || !isRetyped || !maySucceed)
      throw new Violation(`S7: ${contentText(had)} is gone, and nothing is there in its place`);
    this.#gaps.set(had.name, { sender: call.sender, successor, had: contentText(had), calls: 0 });
  }
}

/** Whether the call's plan puts something new at the name. */
function isSuccessor(name: string, { key, change }: Pick<KeyChange, "key" | "change">): boolean {
  return key.name === name && change?.op === "create";
}

function textOfNext(change: KeyChange["change"]): string | null {
  return change === null || change.op === "remove" ? null : dataText(change.next);
}

function dataText({ type, values }: RecordSet): string {
  return `${type} ${[...values].sort().join(" | ")}`;
}

/**
 * A change of what stands: other values, another TTL, or room for another type (Z-2: such a removal
 * has no proof).
 */
function isUpdate({ current, desired, proof }: KeyChange): boolean {
  return (current?.data ?? null) !== null && (desired !== null || proof === null);
}

/** Names that had data of the writer and have none of anybody now, although they are updated. */
function emptiedNames(
  write: UpdateWrite,
  sharedAtMs: ReadonlyMap<string, number>,
): readonly { readonly set: RecordSet }[] {
  const { before, after, call } = write;
  const shown = new Set(after.map(({ name }) => name));
  const updated = new Set(call.keys.filter(isUpdate).map(({ key }) => key.name));
  const withdrawn = new Set(call.groups.filter(isWithdrawal).map(({ name }) => String(name)));
  const isShared = (name: string): boolean =>
    withdrawn.has(name) ||
    call.fromMs - (sharedAtMs.get(name) ?? Number.NEGATIVE_INFINITY) < SHARED_MS;
  return claimsOf(before).filter(
    ({ set, owner, isMarker, resource }) =>
      !isMarker &&
      owner === call.sender.owner &&
      !shown.has(set.name) &&
      (updated.has(set.name) || (!isShared(set.name) && isAlwaysWanted(resource, set.name, write))),
  );
}

/** Whatever version of its object the process knows, it lists the name. */
function isAlwaysWanted(resource: string | null, name: string, { truth }: UpdateWrite): boolean {
  return resource !== null && truth.hasAlwaysListed(resource, name);
}

/** Of the record set before and after it. */
function valuesOf(change: Change): readonly string[] {
  const before = change.op === "create" ? [] : change.previous.values;
  return change.op === "remove" ? before : [...before, ...change.next.values];
}
