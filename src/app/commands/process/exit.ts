/** How the program ends: exit codes and what is printed when something went wrong. */
import { InvariantError } from "@zonekeeper/base/invariant";
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Problem } from "../../../model/problem.ts";

/** Exit codes; scripts rely on them. */
export const EXIT = {
  /** Done. For `plan`: nothing is to do. For `explain`: the name is as wanted. */
  ok: 0,
  /** Could not be done; the reason is on stderr. For `explain` also: nobody knows the name. */
  trouble: 1,
  /** `plan` and `explain`: something is not as wanted. */
  changes: 2,
} as const;

/** The text to be printed and how the program ends. */
export interface Answer {
  /** For stdout; ends in a newline. */
  readonly text: string;
  readonly exitCode: number;
}

/** Problems with what the user gave. Carries them to the one place that prints. */
export class ProblemsError extends Error {
  override readonly name = "ProblemsError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => `${problem.subject}: ${problem.message}`).join("\n"));
    this.problems = problems;
  }
}

/**
 * Lines for stderr: what is wrong and what to do. A bug comes with its stack, anything expected
 * without.
 */
export function troubleText(error: unknown): string {
  if (error instanceof ProblemsError)
    return error.problems.map(({ subject, message }) => line(`${subject}: ${message}`)).join("");
  if (error instanceof OperationError) return line(error.message);
  const stack = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
  const kind = error instanceof InvariantError ? "a bug" : "unexpected";
  return line(`${kind}: ${stack}`);
}

function line(text: string): string {
  return `zonekeeper: ${text}\n`;
}
