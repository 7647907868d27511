/** Options of the simulator's two commands: `--name value` pairs and flags, and positions. */

/** What was given; `null` = a flag without a value. */
export interface Given {
  readonly positions: readonly string[];
  readonly values: ReadonlyMap<string, string | null>;
}

/** Reads `--seeds 300 --class F07 name`; throws for an option that is not known. */
export function readOptions(
  args: readonly string[],
  known: Readonly<Record<string, "value" | "flag">>,
): Given {
  const values = new Map<string, string | null>();
  const positions: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (!arg.startsWith("--")) {
      positions.push(arg);
      continue;
    }
    const kind = known[arg.slice(2)];
    if (kind === undefined)
      throw new Error(
        `${arg} is not known; known are ${Object.keys(known)
          .map((k) => `--${k}`)
          .join(" ")}`,
      );
    if (kind === "value") index += 1;
    values.set(arg.slice(2), kind === "flag" ? null : (args[index] ?? ""));
  }
  return { positions, values };
}

/** A whole number ≥ 0, or the default. */
export function numberOf({ values }: Given, name: string, otherwise: number): number {
  const text = values.get(name);
  if (text === undefined || text === null) return otherwise;
  if (!/^\d+$/.test(text)) throw new Error(`--${name} ${text} is no whole number`);
  return Number(text);
}
