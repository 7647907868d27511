/**
 * Hands a person's orders about the ownership of records to the zones, and waits a while until they
 * are done. Zone actors, the loops that write zones, do them.
 */
import { distinctBy } from "@zonekeeper/base/grouped-by";
import { type RecordSetKey, recordSetKeyText } from "../../model/record-set.ts";
import type { OwnershipRow, ZoneOwnership } from "../../sync/contract/ownership-rows.ts";
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
    watch.poll(choices, rowsByKey(await instance.work.rights(names)));
    return choices.every((choice) => watch.isDone(choice) || watch.isUndone(choice));
  });
  return Promise.all(
    choices.map(async (choice) => {
      if (watch.isDone(choice)) return { choice, isDone: true, reason: "", stays: false };
      const isUndone = watch.isUndone(choice);
      const isTaken = taken.has(zoneKeyText(choice.zone));
      const reason = isUndone ? UNDONE : await whyNot(instance, choice, isTaken);
      return { choice, isDone: false, reason, stays: isTaken && !isUndone };
    }),
  );
}

/** Calls `isOver` again and again until it is true, or the time is over. */
export async function lookedUntil(isOver: () => Promise<boolean>): Promise<void> {
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

function rowsByKey(rights: readonly ZoneOwnership[]): ReadonlyMap<string, OwnershipRow> {
  return new Map(
    rights.flatMap(({ key, rows }) => rows.map((row) => [rowText(key.zone, row), row] as const)),
  );
}

function rowText(zone: string, key: RecordSetKey): string {
  return `${zone} ${recordSetKeyText(key)}`;
}

async function whyNot(
  instance: Instance,
  { row }: RightsChoice,
  isTaken: boolean,
): Promise<string> {
  if (!isTaken) return "too many orders at once. Name fewer records";
  const zones = await instance.work.explain(row.name);
  const holds = zones.flatMap((zone) => zone.holds);
  const failures = zones.flatMap((zone) => zone.lastOutcome ?? []);
  return holds[0]?.message ?? failures[0] ?? "not yet. See zonekeeper ownership show";
}
