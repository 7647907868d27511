/**
 * Hands a person's orders to the zones, about the ownership of records or to undo changes, waits a
 * while until they are done, and says of each whether it is, and why not. Zone actors, the loops
 * that write zones, do them.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import {
  isSameKey,
  plainKey,
  type RecordSetKey,
  recordSetKeyText,
} from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { OwnershipOrder, UndoChoice } from "../../sync/contract/ownership-rows.ts";
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
  const refused = giveOrders(
    instance,
    choices.flatMap(({ zone, row, order }) => (order === null ? [] : [{ zone, key: row, order }])),
  );
  const names = new Set(choices.map(({ row }) => row.name));
  const lastsMs = command.verb === "release" ? GONE_MS : 0;
  // Since when each record is as ordered without a break, and which ones were undone again.
  const sinceMs = new Map<RightsChoice, number>();
  const undone = new Set<RightsChoice>();
  const isDone = (choice: RightsChoice): boolean =>
    performance.now() - (sinceMs.get(choice) ?? Number.POSITIVE_INFINITY) >= lastsMs;
  await lookedUntil(async () => {
    const rights = await instance.work.rights(names);
    const rows = new Map(
      rights.flatMap(({ key, rows: own }) => own.map((row) => [rowText(key.zone, row), row])),
    );
    for (const choice of choices)
      if (isCarriedOut(command, rows.get(rowText(choice.zone.zone, choice.row))))
        sinceMs.set(choice, sinceMs.get(choice) ?? performance.now());
      else if (sinceMs.delete(choice)) undone.add(choice);
    return choices.every((choice) => isDone(choice) || undone.has(choice));
  });
  return Promise.all(
    choices.map(async (choice): Promise<RightsResult> => {
      if (isDone(choice)) return { choice, isDone: true, reason: "", stays: false };
      const open = { choice, isDone: false, stays: false } as const;
      if (undone.has(choice)) return { ...open, reason: UNDONE };
      if (refused.has(zoneKeyText(choice.zone)))
        return { ...open, reason: `${TOO_MANY}. Name fewer records` };
      return { ...open, stays: true, reason: await whyNot(instance, choice.row, "ownership show") };
    }),
  );
}

const UNDONE = "it was done, and the record was taken over again afterwards";
const TOO_MANY = "too many orders at once";

/** The keys (text) of zones that did not take their orders, as they have too many. */
function giveOrders(
  { work }: Instance,
  orders: readonly (OwnershipOrder & { readonly zone: ZoneKey })[],
): ReadonlySet<string> {
  const refused = new Set<string>();
  for (const [text, own] of groupedBy(orders, ({ zone }) => zoneKeyText(zone))) {
    const requests = own.map(({ key, order }) => ({ key: plainKey(key), order }));
    if (own[0] === undefined || !work.order(own[0].zone, requests)) refused.add(text);
  }
  return refused;
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

/** Why the record set is not as ordered: what holds it, else how its last call failed. */
async function whyNot({ work }: Instance, key: RecordSetKey, command: string): Promise<string> {
  const zones = await work.explain(key.name);
  const hold = zones.flatMap(({ holds }) => holds).find((one) => isSameKey(one.key, key));
  const [failure] = zones.flatMap(({ lastOutcome }) => lastOutcome ?? []);
  return hold?.message ?? failure ?? `not yet. See zonekeeper ${command}`;
}

function rowText(zone: string, key: RecordSetKey): string {
  return `${zone} ${recordSetKeyText(key)}`;
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
  const refused = giveOrders(
    instance,
    choices.flatMap(({ key, order }) =>
      order === null ? [] : [{ zone: order.zone, key, order: order.change }],
    ),
  );
  let open: ReadonlySet<UndoChoice> = new Set();
  await lookedUntil(async () => {
    open = await openOf(instance, choices);
    return open.size === 0;
  });
  return Promise.all(
    choices.map(async (choice): Promise<UndoResult> => {
      const { key, order, isSo } = choice;
      if (order === null) return { choice, state: isSo ? "same" : "left", reason: "" };
      if (!open.has(choice)) return { choice, state: "undone", reason: "" };
      if (refused.has(zoneKeyText(order.zone))) return { choice, state: "open", reason: TOO_MANY };
      return { choice, state: "open", reason: await whyNot(instance, key, `explain ${key.name}`) };
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
