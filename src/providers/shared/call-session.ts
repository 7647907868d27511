/**
 * A vendor's session that makes changes call by call, in order. Whatever fails after the first call
 * leaves a name that must be read. A vendor is how a change becomes calls.
 */
import { OperationError, THROTTLED } from "@zonekeeper/base/operation-error";
import { hasSameData, isSameKey, type RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Change, ChangeGroup, Outcome } from "../../plan/changes.ts";
import { shownTrouble } from "./call-rules.ts";
import { changedCall, explainCall, outcomesOfCall } from "./refused-call.ts";
import { VendorSession } from "./vendor-session.ts";

/** Makes one call that writes: in its turn, and counted when it was answered. */
export type SendCall = <R>(send: () => Promise<R>) => Promise<R>;

const PARTLY_MADE = "a part of the changes was made";

/** See `VendorSession`. */
export abstract class CallSession<T> extends VendorSession<T> {
  /** The receipt; null = all servers have it. Throws what a call threw, or `RefusedCall`. */
  protected abstract makeChange(
    zone: Zone,
    change: Change,
    calls: { readonly send: SendCall; readonly signal: AbortSignal },
  ): Promise<string | null>;

  protected async applyGroups(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const group of groups) outcomes.push(await this.#applyGroup(zone, group, signal));
    return outcomes;
  }

  async #applyGroup(zone: Zone, group: ChangeGroup, signal: AbortSignal): Promise<Outcome> {
    let made = 0;
    const send: SendCall = async (call) => {
      if (made > 0) await this.turn();
      const answer = await call();
      made += 1;
      return answer;
    };
    let receipt: string | null = null;
    try {
      for (const change of group.changes)
        receipt = await this.makeChange(zone, change, { send, signal });
    } catch (error) {
      const shown = shownTrouble(this.environment, error, "the change was not made");
      // Throws where nothing was done: what is known stays.
      const outcome = made > 0 ? unknownOf(group) : this.#outcomeOf(shown, group);
      this.forgetAfter(outcome, zone, group);
      if (made > 0) this.#throwIfThrottled(shown);
      return outcome;
    }
    return { name: group.name, status: "applied", ...(receipt === null ? {} : { receipt }) };
  }

  #outcomeOf(error: unknown, group: ChangeGroup): Outcome {
    const { refusals } = this;
    const what = "the change was not made";
    return outcomesOfCall(error, [group], { what, refusals })[0] ?? unknownOf(group);
  }

  /** After a part of a change was made: the account waits, and the name is read. */
  #throwIfThrottled(error: unknown): void {
    const { code, message, retry, retryAfterMs } = explainCall(error, PARTLY_MADE, this.refusals);
    if (code !== THROTTLED) return;
    const wait = retryAfterMs === null ? {} : { retryAfterMs };
    throw new OperationError({ code, message, retry, ...wait, cause: error });
  }

  /** An answer says that of the name's items these went and those came. */
  protected learn(
    zone: Zone,
    name: RecordSet["name"],
    { isGone, come }: { readonly isGone: (item: T) => boolean; readonly come: readonly T[] },
  ): void {
    const staying = (this.known.at(zone, name) ?? []).filter((item) => !isGone(item));
    this.known.put(zone, name, [...staying, ...come]);
  }
}

/** As above; an item is a record set with what a call that writes must name. */
export abstract class SetSession<T extends { readonly set: RecordSet }> extends CallSession<T> {
  protected nameOf({ set }: T): RecordSet["name"] {
    return set.name;
  }

  protected toSets(items: readonly T[]): readonly RecordSet[] {
    return items.map(({ set }) => set);
  }

  /** The record set as it is known, else as it is read; refused if it is another. */
  protected async present(zone: Zone, previous: RecordSet, signal: AbortSignal): Promise<T> {
    const find = (): T | undefined =>
      this.known.at(zone, previous.name)?.find(({ set }) => isSameKey(set, previous));
    if (find() === undefined) {
      await this.turn();
      await this.readSet(zone, previous, signal);
    }
    const item = find();
    if (item === undefined || !hasSameData(item.set, previous))
      throw changedCall("the record set is not as it was read");
    return item;
  }

  /** The record set is known after it, if it exists. */
  protected async readSet(zone: Zone, { name }: RecordSet, signal: AbortSignal): Promise<void> {
    await this.readNames(zone, [name], signal);
  }

  /** An answer says that the record set is this one; null = it is gone, or not known. */
  protected learnSet(zone: Zone, set: RecordSet, item: T | null): void {
    const isGone = (known: T): boolean => isSameKey(known.set, set);
    this.learn(zone, set.name, { isGone, come: item === null ? [] : [item] });
  }
}

function unknownOf({ name }: ChangeGroup): Outcome {
  return { name, status: "unknown", message: PARTLY_MADE };
}
