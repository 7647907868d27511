/**
 * A vendor's session that sends all groups in one call, which is made as a whole or not at all.
 * What a write must know of a name and does not is read before. A vendor is how groups become a
 * call.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Zone } from "../../model/zone.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { changedOutcome, refusedTogether, shownTrouble } from "./failed-calls.ts";
import { outcomesOfCall } from "./refused-call.ts";
import { VendorSession } from "./vendor-session.ts";

/** What is known of a name; null = it was not read. */
export type ItemsAt<T> = (name: DnsName) => readonly T[] | null;

/** One call. */
export interface Batch<T> {
  /** Of groups that are not in it, by index; absent = all are. */
  readonly held?: ReadonlyMap<number, Outcome>;
  /** Null = something is not as it was read, and nothing was done. Throws what the call threw. */
  send(): Promise<Sent<T> | null>;
}

/** What an answer says. */
export interface Sent<T> {
  /** What names have after it. */
  readonly after: ReadonlyMap<DnsName, readonly T[]>;
  readonly receipt?: string | null;
}

/** See `VendorSession`. */
export abstract class BatchSession<T> extends VendorSession<T> {
  /** Names that must be read before. `isAgain`: the zone was not as it was read. */
  protected unread(
    _groups: readonly ChangeGroup[],
    _at: ItemsAt<T>,
    _isAgain: boolean,
  ): readonly DnsName[] {
    return [];
  }

  protected abstract batchOf(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Batch<T>;

  protected async applyGroups(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): Promise<readonly Outcome[]> {
    const outcomes =
      (await this.#applyOnce(zone, groups, { signal, isAgain: false })) ??
      (await this.#applyOnce(zone, groups, { signal, isAgain: true })) ??
      groups.map(({ name }) => changedOutcome(name, "the name is not as it was read"));
    for (const [index, group] of groups.entries())
      if (outcomes[index] !== undefined) this.forgetAfter(outcomes[index], zone, group);
    return outcomes;
  }

  /** In the order of the groups. Null = something is not as it was read; nothing was done. */
  async #applyOnce(
    zone: Zone,
    groups: readonly ChangeGroup[],
    { signal, isAgain }: { readonly signal: AbortSignal; readonly isAgain: boolean },
  ): Promise<readonly Outcome[] | null> {
    const unread = this.unread(groups, (name) => this.known.at(zone, name), isAgain);
    if (unread.length > 0) {
      await this.turn();
      await this.readNames(zone, unread, signal);
    }
    if (isAgain) await this.turn();
    const batch = this.batchOf(zone, groups, signal);
    const { held = new Map<number, Outcome>() } = batch;
    const sent = groups.filter((_, index) => !held.has(index));
    const outcomes = sent.length === 0 ? [] : await this.#send(zone, sent, batch);
    if (outcomes === null) {
      for (const name of groups.flatMap((group) => this.namesOf(group))) this.forget(zone, name);
      return null;
    }
    const made = outcomes.values();
    return groups.flatMap((_, index) => held.get(index) ?? made.next().value ?? []);
  }

  async #send(
    zone: Zone,
    groups: readonly ChangeGroup[],
    batch: Batch<T>,
  ): Promise<readonly Outcome[] | null> {
    const what = "the changes were not made";
    try {
      const sent = await batch.send();
      if (sent === null) return null;
      const { after, receipt = null } = sent;
      for (const [name, items] of after) this.remember(zone, name, items);
      const more = receipt === null ? {} : { receipt };
      return groups.map(({ name }): Outcome => ({ name, status: "applied", ...more }));
    } catch (error) {
      const shown = shownTrouble(this.environment, error, what);
      return outcomesOfCall(shown, groups, { what, refusals: this.refusals });
    }
  }
}

/** For `Batch.held`: where one group cannot be sent none is. Empty = all can. */
export function heldTogether(
  groups: readonly ChangeGroup[],
  troubles: ReadonlyMap<number, Outcome>,
): ReadonlyMap<number, Outcome> {
  if (troubles.size === 0) return troubles;
  return new Map(
    groups.map(({ name }, index) => [index, troubles.get(index) ?? refusedTogether(name)]),
  );
}
