/**
 * Hands a person's orders to the zones, about the ownership of records or to undo changes, and
 * waits a while until they are done. Zone actors, the loops that write zones, do them.
 */
import { distinctBy } from "@zonekeeper/base/grouped-by";
import { isSameKey, type RecordSetKey, recordSetKeyText } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { OwnershipRow, UndoChoice } from "../../sync/contract/ownership-rows.ts";
import { type ZoneKey, zoneKeyText } from "../../sync/contract/zone.ts";
import type { Instance } from "../compose/instance.ts";
import { isCarriedOut, type RightsChoice, type RightsCommand } from "./rights-choice.ts";

/** Milliseconds to wait for all orders together. */
const PATIENCE_MS = 7000;
const POLL_MS = 100;
/**
 * Milliseconds for which a released record must have no marker: an object that takes the record
 * over again does so in the next round of its zone.
 */
const GONE_MS = 1500;

/** The outcome of an order. */
export interface RightsResult {
  readonly choice: RightsChoice;
  readonly isDone: boolean;
  /** Why it is not done; empty when it is. */
  readonly reason: string;
  /**
   * True = not done, but the order stays: it is carried out if what holds it ends within
   * `ORDER_MS`.
   */
  readonly stays: boolean;
}

/**
 * Orders what the choices say, and answers what became of each; choices without an order are left
 * out.
 */
export async function carryOut(
  instance: Instance,
  command: RightsCommand,
  all: readonly RightsChoice[],
): Promise<readonly RightsResult[]> {
  const choices = all.filter(({ order }) => order !== null);
  const taken = new Set(
    distinctBy(
      choices.map(({ zone }) => zone),
      zoneKeyText,
    )
      .filter((key) => instance.work.order(key, requestsFor(choices, key)))
      .map(zoneKeyText),
  );
  const watch = new Watch(command);
  const names = new Set(choices.map(({ row }) => row.name));
  await lookedUntil(async () => {
    const rights = await instance.work.rights(names);
    const rows = rights.flatMap((zone) =>
      zone.rows.map((row) => [rowText(zone.key.zone, row), row] as const),
    );
    watch.poll(choices, new Map(rows));
    return choices.every((choice) => watch.isDone(choice) || watch.isUndone(choice));
  });
  return Promise.all(
    choices.map(async (choice) => {
      if (watch.isDone(choice)) return { choice, isDone: true, reason: "", stays: false };
      const isUndone = watch.isUndone(choice);
      const isTaken = taken.has(zoneKeyText(choice.zone));
      const open = () => whyNot(instance, choice.row, "ownership show");
      const reason = isUndone ? UNDONE : isTaken ? await open() : `${TOO_MANY}. Name fewer records`;
      return { choice, isDone: false, reason, stays: isTaken && !isUndone };
    }),
  );
}

/** Calls `isOver` again and again until it is true, or the time is over. */
async function lookedUntil(isOver: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const fromMs = performance.now();
    if ((await isOver()) || performance.now() >= until) return;
    // A call about many names is followed by a pause as long as the call.
    const pauseMs = Math.max(POLL_MS, performance.now() - fromMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

const UNDONE = "it was done, and the record was taken over again afterwards";
const TOO_MANY = "too many orders at once";

/**
 * Remembers since when each record is as ordered without a break, and which ones were undone again.
 */
class Watch {
  readonly #command: RightsCommand;
  readonly #sinceMs = new Map<string, number>();
  readonly #undone = new Set<string>();

  constructor(command: RightsCommand) {
    this.#command = command;
  }

  poll(choices: readonly RightsChoice[], now: ReadonlyMap<string, OwnershipRow>): void {
    for (const { zone, row } of choices) {
      const key = rowText(zone.zone, row);
      if (isCarriedOut(this.#command, now.get(key)))
        this.#sinceMs.set(key, this.#sinceMs.get(key) ?? performance.now());
      else if (this.#sinceMs.delete(key)) this.#undone.add(key);
    }
  }

  isDone({ zone, row }: RightsChoice): boolean {
    const sinceMs = this.#sinceMs.get(rowText(zone.zone, row));
    const lastsMs = this.#command.verb === "release" ? GONE_MS : 0;
    return sinceMs !== undefined && performance.now() - sinceMs >= lastsMs;
  }

  isUndone({ zone, row }: RightsChoice): boolean {
    return this.#undone.has(rowText(zone.zone, row));
  }
}

function requestsFor(choices: readonly RightsChoice[], key: ZoneKey) {
  return choices.flatMap(({ zone, row, order }) => {
    if (order === null || zone.zone !== key.zone || zone.account !== key.account) return [];
    const { name, type, setIdentifier } = row;
    return [{ key: { name, type, setIdentifier }, order }];
  });
}

function rowText(zone: string, key: RecordSetKey): string {
  return `${zone} ${recordSetKeyText(key)}`;
}

/** Why the record set is not as ordered: its hold, else how the last call of its name failed. */
async function whyNot(instance: Instance, key: RecordSetKey, command: string): Promise<string> {
  const zones = await instance.work.explain(key.name);
  const hold = zones.flatMap(({ holds }) => holds).find((one) => isSameKey(one.key, key));
  const [failure] = zones.flatMap(({ lastOutcome }) => lastOutcome ?? []);
  return hold?.message ?? failure ?? `not yet. See zonekeeper ${command}`;
}

/** The outcome of a choice. */
export interface UndoResult {
  readonly choice: UndoChoice;
  /**
   * `would`: it was only shown. `same`: the record set is as it was before the change already.
   * `left`: it stays as it is, since it cannot be undone. `open`: ordered, and not done yet.
   */
  readonly state: "would" | "same" | "left" | "undone" | "open";
  /** Why it is open; empty in every other state. */
  readonly reason: string;
}

/** There is one for each choice, in their order. */
export async function carryOutUndo(
  instance: Instance,
  choices: readonly UndoChoice[],
): Promise<readonly UndoResult[]> {
  const ordered = choices.flatMap(({ key, order }) => (order === null ? [] : [{ key, ...order }]));
  const zones = new Map(ordered.map(({ zone }) => [zoneKeyText(zone), zone]));
  const refused = new Set<string>();
  for (const [text, zone] of zones) {
    const orders = ordered.filter((one) => zoneKeyText(one.zone) === text);
    const requests = orders.map(({ key, change }) => ({ key, order: change }));
    if (!instance.work.order(zone, requests)) refused.add(text);
  }
  let open: ReadonlySet<UndoChoice> = new Set();
  await lookedUntil(async () => {
    open = await openOf(instance, choices);
    return open.size === 0;
  });
  return Promise.all(
    choices.map(async (choice): Promise<UndoResult> => {
      const { order, isSo } = choice;
      if (order === null) return { choice, state: isSo ? "same" : "left", reason: "" };
      if (!open.has(choice)) return { choice, state: "undone", reason: "" };
      if (refused.has(zoneKeyText(order.zone))) return { choice, state: "open", reason: TOO_MANY };
      const reason = await whyNot(instance, choice.key, `explain ${choice.key.name}`);
      return { choice, state: "open", reason };
    }),
  );
}

/** The ordered choices whose record sets the zones do not have as ordered yet. */
async function openOf(
  instance: Instance,
  choices: readonly UndoChoice[],
): Promise<ReadonlySet<UndoChoice>> {
  const ordered = choices.filter(({ order }) => order !== null);
  if (ordered.length === 0) return new Set();
  const rights = await instance.work.rights(new Set(ordered.map(({ key }) => key.name)));
  const isOpen = ({ key, to, order }: UndoChoice): boolean => {
    const zone = rights.find((one) => order !== null && isSameJson(one.key, order.zone));
    const row = zone?.rows.find((one) => isSameKey(one, key));
    return row?.isPending === true || !isSameJson(row?.values ?? null, to?.values ?? null);
  };
  return new Set(ordered.filter(isOpen));
}
