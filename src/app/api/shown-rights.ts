/**
 * What this instance showed last for each question. A command acts on what a person has seen or on
 * nothing, so an order is taken only while all is still as in the look before it (Z-15).
 */
import { createHash } from "node:crypto";
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { RightsChoice, RightsCommand } from "./rights-choice.ts";

/** Questions that are remembered; the oldest goes first. */
export const SHOWN_MAX = 16;
/** How long a look counts. */
export const SHOWN_MS = 15 * 60_000;

/**
 * How what stands compares with the last look: `unseen` = there was none, or it is too long ago.
 */
export type ShownState = "same" | "changed" | "unseen";

interface Shown {
  readonly look: string;
  readonly untilMs: number;
}

/** The looks of one instance at one subject; they end with the process. */
export class ShownLooks {
  readonly #nowMs: () => number;
  /** By question, the latest look last. */
  readonly #shown = new BoundedMap<string, Shown>(SHOWN_MAX);

  /** `nowMs`: monotonic milliseconds. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** A person sees this now; `look` is equal for equal orders, and empty without any. */
  show(question: string, look: string): void {
    this.#shown.set(question, { look, untilMs: this.#nowMs() + SHOWN_MS });
  }

  /**
   * Compares with the preview and forgets it: one preview allows one order. What orders nothing and
   * was not shown is `same`.
   */
  use(question: string, look: string): ShownState {
    const shown = this.#shown.get(question);
    this.#shown.delete(question);
    if (shown !== undefined && shown.untilMs > this.#nowMs())
      return shown.look === look ? "same" : "changed";
    return look === "" ? "same" : "unseen";
  }
}

/** The looks of commands about rights. */
export class ShownRights {
  readonly #looks: ShownLooks;

  /** See `ShownLooks`. */
  constructor(nowMs: () => number) {
    this.#looks = new ShownLooks(nowMs);
  }

  /** A person sees this now. */
  show(command: RightsCommand, choices: readonly RightsChoice[]): void {
    this.#looks.show(questionOf(command), lookOf(choices));
  }

  /** See `ShownLooks.use`. */
  use(command: RightsCommand, choices: readonly RightsChoice[]): ShownState {
    return this.#looks.use(questionOf(command), lookOf(choices));
  }
}

function questionOf({ verb, from, to, names }: RightsCommand): string {
  return JSON.stringify([verb, from, to, names === null ? null : [...names].sort()]);
}

/**
 * Of the rows that something is ordered for, in their order; the order has the exact marker or
 * data.
 */
function lookOf(choices: readonly RightsChoice[]): string {
  if (choices.every(({ order }) => order === null)) return "";
  const hash = createHash("sha256");
  for (const { zone, row, order } of choices) {
    if (order === null) continue;
    const { name, type, setIdentifier, values, marker, owners, wantedBy, becomes } = row;
    const key = [zone.account, zone.zone, name, type, setIdentifier];
    hash.update(`${JSON.stringify([key, values, marker, owners, wantedBy, becomes, order])}\n`);
  }
  return hash.digest("base64");
}
