/** What a row of the table of external-dns's flags is, and how rows are made. */

/**
 * As external-dns reads them: `list` is repeated, and never split at commas; `duration` is one of
 * Go, or whole seconds; `bool` has `--no-x` too.
 */
export type FlagType = "text" | "list" | "bool" | "duration" | "integer";

/** `works`: it has its effect here. `idle`: nothing is lost without it. `refused`: records would
 * change without it, so that nothing starts. */
export type FlagEffect = "works" | "idle" | "refused";

/** One flag of external-dns, of any version. */
export interface FlagRow {
  readonly name: string;
  readonly type: FlagType;
  readonly effect: FlagEffect;
  /** What it is here, why it has no effect, or what to do instead: a phrase without a full stop. */
  readonly text: string;
  /** Values that ask for what happens anyway; of `refused` ones. */
  readonly harmless: readonly string[];
  /** The values that there are; empty = any. */
  readonly choices: readonly string[];
  /** What to do who needs another value; empty = choose one. */
  readonly otherwise: string;
  /** `--provider` without which it means nothing; null = it means something with each. */
  readonly provider: string | null;
  /** The first and the last version of external-dns that took it; null = long ago, or still. */
  readonly since: string | null;
  readonly until: string | null;
  readonly isSecret: boolean;
}

type Body = Omit<FlagRow, "name" | "provider">;
type More = Partial<Omit<Body, "type" | "effect" | "text">>;

const body =
  (effect: FlagEffect) =>
  (type: FlagType, text: string, more: More = {}): Body => ({
    ...{
      type,
      effect,
      text,
      harmless: [],
      choices: [],
      otherwise: "",
      since: null,
      until: null,
      isSecret: false,
    },
    ...more,
  });

export const works = body("works");
export const idle = body("idle");
export const refused = body("refused");

/** Rows by name; `provider` as in a row. */
export function flagRows(
  provider: string | null,
  named: Readonly<Record<string, Body>>,
): readonly FlagRow[] {
  return Object.entries(named).map(([name, one]) => ({ name, provider, ...one }));
}
