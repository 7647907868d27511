/**
 * A vendor's session that makes changes call by call, in order. Whatever fails after the first call
 * leaves a name that must be read. A vendor is how a change becomes calls.
 */
import { OperationError, THROTTLED } from "@zonekeeper/base/operation-error";
import { hasSameData, isSameKey, type RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Change, ChangeGroup, Outcome } from "../../plan/changes.ts";
import { shownTrouble } from "./failed-calls.ts";
import { changedCall, explainCall, outcomesOfCall } from "./refused-call.ts";
import { VendorSession } from "./vendor-session.ts";

/** Makes one call that writes: in its turn, and counted when it was answered. */
type SendCall = <R>(send: () => Promise<R>) => Promise<R>;

/** How the calls of one change are made. */
export interface Calls {
  readonly send: SendCall;
  readonly signal: AbortSignal;
}

const PARTLY_MADE = "a part of the changes was made";

/** See `VendorSession`. */
export abstract class CallSession<T> extends VendorSession<T> {
  /** The receipt; null = all servers have it. Throws what a call threw, or `RefusedCall`. */
  protected abstract makeChange(zone: Zone, change: Change, calls: Calls): Promise<string | null>;

  protected async applyGroups(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const group of groups) {
      const { outcome, stop } = await this.#applyGroup(zone, group, signal);
      // A change that is many calls is often cut off, so that the account must hear of it.
      const isUnheard = stop?.nothingSent === true || this.capabilities.atomicity === "value";
      if (stop !== null && outcomes.length === 0 && isUnheard) throw stop;
      outcomes.push(outcome);
      // Thrown, it would say of groups that were sent that they were not.
      if (stop !== null)
        return [...outcomes, ...groups.slice(outcomes.length).map(waitingFor(stop))];
    }
    return outcomes;
  }

  async #applyGroup(zone: Zone, group: ChangeGroup, signal: AbortSignal): Promise<AppliedGroup> {
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
      const what = "the change was not made";
      const shown = shownTrouble(this.environment, error, what);
      const applied = made > 0 ? this.#partOf(shown, group) : this.#noneOf(shown, group, what);
      // Where nothing was done what is known stays.
      if (made > 0 || applied.stop === null) this.forgetAfter(applied.outcome, zone, group);
      return applied;
    }
    const more = receipt === null ? {} : { receipt };
    return { outcome: { name: group.name, status: "applied", ...more }, stop: null };
  }

  /** No call was answered well. */
  #noneOf(error: unknown, group: ChangeGroup, what: string): AppliedGroup {
    const { refusals } = this;
    try {
      const [outcome] = outcomesOfCall(error, [group], { what, refusals });
      return { outcome: outcome ?? unknownOf(group), stop: null };
    } catch (stop) {
      if (!(stop instanceof OperationError)) throw stop;
      return { outcome: waitingFor(stop)(group), stop };
    }
  }

  /** The name is read; where there are too many calls the account waits. */
  #partOf(error: unknown, group: ChangeGroup): AppliedGroup {
    const trouble = explainCall(error, PARTLY_MADE, this.refusals);
    const { message } = trouble;
    const stop =
      trouble.code === THROTTLED
        ? new OperationError({ ...trouble, message, nothingSent: false, cause: error })
        : null;
    return { outcome: unknownOf(group), stop };
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

/** What became of a group. */
interface AppliedGroup {
  readonly outcome: Outcome;
  /** Why no further group is sent; null = they are. */
  readonly stop: OperationError | null;
}

/** Of groups that were not sent. */
function waitingFor({ message, retryAfterMs: afterMs }: OperationError) {
  return ({ name }: ChangeGroup): Outcome => ({ name, status: "retry", afterMs, message });
}

function unknownOf({ name }: ChangeGroup): Outcome {
  return { name, status: "unknown", message: PARTLY_MADE };
}
