/**
 * Remembers what previews showed. An order is taken only if a preview was shown before and
 * everything is still as it showed it, so that a command acts on what a person has seen, or not at
 * all (Z-15).
 */
import { createHash } from "node:crypto";
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { RightsChoice, RightsCommand } from "./rights-choice.ts";

/** Questions that are remembered; the oldest goes first. */
export const SHOWN_MAX = 16;
/** Milliseconds for which a preview counts. */
export const SHOWN_MS = 15 * 60_000;

/**
 * How the present state compares with the last preview: `unseen` = there was none, or it is too
 * old.
 */
export type ShownState = "same" | "changed" | "unseen";

interface Shown {
  readonly digest: string;
  readonly untilMs: number;
}

/** The facts that one instance showed about one subject; it ends with the process. */
export class ShownAnswers {
  readonly #nowMs: () => number;
  /** By question, the latest preview last. */
  readonly #shown = new BoundedMap<string, Shown>(SHOWN_MAX);

  /** `nowMs`: monotonic milliseconds. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * The state that the preview says, which is shown now; null = it was ordered and may be done, as
   * all is as it was shown before.
   */
  previewOf(isOrder: boolean, question: string, digest: string): ShownState | null {
    const state = isOrder ? this.use(question, digest) : "same";
    if (isOrder && state === "same") return null;
    this.show(question, digest);
    return state;
  }

  /**
   * A preview is shown now. The digest is equal for equal orders, and empty where nothing is
   * ordered.
   */
  show(question: string, digest: string): void {
    this.#shown.set(question, { digest, untilMs: this.#nowMs() + SHOWN_MS });
  }

  /**
   * Compares with the preview and forgets it: one preview allows one order. What orders nothing and
   * was not shown is `same`.
   */
  use(question: string, digest: string): ShownState {
    const shown = this.#shown.get(question);
    this.#shown.delete(question);
    if (shown !== undefined && shown.untilMs > this.#nowMs())
      return shown.digest === digest ? "same" : "changed";
    return digest === "" ? "same" : "unseen";
  }
}

/** The question and the digest of a command about rights. */
export function shownRights(
  { verb, from, to, names }: RightsCommand,
  choices: readonly RightsChoice[],
): readonly [question: string, digest: string] {
  const question = [verb, from, to, names === null ? null : [...names].sort()];
  return [JSON.stringify(question), digestOf(choices)];
}

/**
 * Hash over the record sets with an order, in their order; each order has the exact marker or data.
 */
function digestOf(choices: readonly RightsChoice[]): string {
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
