/** Options of the simulator's two commands: `--name value` pairs and flags, and positions. */
import { FAULTS } from "../faults/index.ts";

/** Something that was given cannot be used; the message is for whoever gave it. */
export class UsageError extends Error {}

/** Runs a command: what cannot be used is one line on standard error, and exit code 2. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}

/** The fault class that `--class` names; null = all together. */
export function classOf({ values }: Given): string | null {
  const only = values.get("class") ?? null;
  // A campaign's name for all classes together.
  if (only === null || only === "mixed") return null;
  const known = FAULTS.map(({ id }) => id);
  if (known.includes(only)) return only;
  throw new UsageError(`--class ${only} is no fault class; known are mixed ${known.join(" ")}`);
}

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
      throw new UsageError(
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
  if (!/^\d+$/.test(text)) throw new UsageError(`--${name} ${text} is no whole number`);
  return Number(text);
}
