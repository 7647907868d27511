/**
 * Weighs the differences against the table of those that have a reason. A difference without a
 * reason fails; so does an entry of the table that explains no difference.
 */
import type { Difference } from "./compare.ts";

/** Why two servers may differ. */
export const REASONS = {
  newer: "came or changed after 1.32, which the embedded API speaks",
  deliberate: "the embedded API has decided otherwise; the text says why",
  wording: "the same code, reason and field in other words",
  identity: "who the server is: versions, addresses, what else it serves",
  "left open": "the real one is right; small, and nobody has been hurt by it",
} as const;

/** One of them. */
export type Reason = keyof typeof REASONS;

/**
 * Explains all differences whose step and path match. `*` stands for any text; several patterns are
 * separated by a space.
 */
export interface Explained {
  readonly steps: string;
  readonly paths: string;
  readonly reason: Reason;
  /**
   * Status codes, ours and theirs, as `404/403`: only these are explained, so that another code
   * shows. None = no code is.
   */
  readonly codes?: string;
  /** What exactly, and the version and source where the real one is newer. */
  readonly why: string;
}

/** The outcome. */
export interface Verdict {
  readonly steps: number;
  /** Steps without any difference. */
  readonly equal: number;
  /** Differences without a reason. */
  readonly unexplained: readonly Difference[];
  /** Entries that explain nothing. */
  readonly idle: readonly Explained[];
  /** Steps with at least one difference of the reason, and differences. */
  readonly byReason: ReadonlyMap<Reason, { readonly steps: number; readonly differences: number }>;
}

/** The first entry that matches explains a difference. */
export function judge(
  steps: number,
  differences: readonly Difference[],
  table: readonly Explained[],
): Verdict {
  const rules = table.map((entry) => ({ entry, explains: explainer(entry) }));
  const used = new Set<Explained>();
  const unexplained: Difference[] = [];
  const found = new Map<Reason, Difference[]>();
  for (const difference of differences) {
    const rule = rules.find(({ explains }) => explains(difference));
    if (rule === undefined) unexplained.push(difference);
    else {
      used.add(rule.entry);
      const { reason } = rule.entry;
      found.set(reason, [...(found.get(reason) ?? []), difference]);
    }
  }
  const different = new Set(differences.map(({ step }) => step)).size;
  const byReason = new Map(
    [...found].map(([reason, list]) => [
      reason,
      { steps: new Set(list.map(({ step }) => step)).size, differences: list.length },
    ]),
  );
  const idle = table.filter((entry) => !used.has(entry));
  return { steps, equal: steps - different, unexplained, idle, byReason };
}

function explainer({ steps, paths, codes = "" }: Explained): (difference: Difference) => boolean {
  const isStep = globs(steps);
  const isPath = globs(paths);
  const pairs = codes.split(" ");
  return ({ step, path, own, other }) => {
    const isCode = path !== "status" || pairs.includes(`${String(own)}/${String(other)}`);
    return isCode && isStep(step) && isPath(path);
  };
}

function globs(patterns: string): (text: string) => boolean {
  const pieces = patterns.split(" ").map((pattern) => {
    const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
    return new RegExp(`^${escaped}$`, "s");
  });
  return (text) => pieces.some((part) => part.test(text));
}
