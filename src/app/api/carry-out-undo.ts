/**
 * Hands a person's orders to undo changes to the zones, and waits a while until they are done. Zone
 * actors, the loops that write zones, do them.
 */
import { isSameKey } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { UndoChoice } from "../../sync/contract/ownership-rows.ts";
import { zoneKeyText } from "../../sync/contract/zone.ts";
import type { Instance } from "../compose/instance.ts";
import { lookedUntil } from "./carry-out.ts";

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
      const isRefused = refused.has(zoneKeyText(order.zone));
      const reason = isRefused ? "too many orders at once" : await whyOpen(instance, choice);
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

async function whyOpen(instance: Instance, { key }: UndoChoice): Promise<string> {
  const zones = await instance.work.explain(key.name);
  const holds = zones.flatMap((zone) => zone.holds).filter((hold) => isSameKey(hold.key, key));
  const [failure] = zones.flatMap((zone) => zone.lastOutcome ?? []);
  return holds[0]?.message ?? failure ?? `not yet. See zonekeeper explain ${key.name}`;
}
