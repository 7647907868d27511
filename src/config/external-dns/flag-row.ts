/** What a row of the table of external-dns's flags is, and how rows are made. */

/**
 * As external-dns reads them: `list` is repeated, and never split at commas; `duration` is one of
 * Go, or whole seconds; `bool` has `--no-x` too.
 */
export const FLAG_TYPES = ["text", "list", "bool", "duration", "integer"] as const;
export type FlagType = (typeof FLAG_TYPES)[number];

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
type More = Partial<Omit<Body, "type" | "effect" | "text" | "since" | "until">>;
/** The first and the last version that took the flag: `v0.13.0-`, `-v0.14.2`, `v0.5.0-v0.6.0`. */
export type Versions = `v${string}-` | `-v${string}` | `v${string}-v${string}`;

const body =
  (effect: FlagEffect) =>
  (type: FlagType, text: string, versions: Versions | "-" = "-", more: More = {}): Body => {
    const [since, until] = versions.split("-");
    // A switch that is refused asks for nothing while it is off.
    const harmless = effect === "refused" && type === "bool" ? ["false"] : [];
    return {
      ...{ type, effect, text, harmless, choices: [], otherwise: "", isSecret: false, ...more },
      ...{ since: since || null, until: until || null },
    };
  };

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
