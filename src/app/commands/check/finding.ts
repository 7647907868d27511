/** A finding of `zonekeeper check`, how one is made of a question, and the text of all findings. */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { printable } from "../../../model/printable.ts";

/** A single thing that was checked. */
export interface Finding {
  /** `cluster`, `provider default/net`, `zone example.org`. */
  readonly subject: string;
  /** `unknown`: it could not be asked. */
  readonly state: "ok" | "problem" | "unknown";
  /** For people: what was seen, and what to do where it is not well. */
  readonly message: string;
}

/** It is as `run` needs it. */
export function well(subject: string, message: string): Finding {
  return { subject, state: "ok", message };
}

/** It is to be mended. */
export function problem(subject: string, message: string): Finding {
  return { subject, state: "problem", message };
}

const SIGNS: Readonly<Record<Finding["state"], string>> = { ok: "+", problem: "-", unknown: "?" };

/** There is one line for each finding, and a summary. */
export function findingsText(findings: readonly Finding[]): string {
  const lines = findings.map(({ subject, state, message }) =>
    printable(`[${SIGNS[state]}] ${subject}: ${message}`),
  );
  const count = (state: Finding["state"]): number =>
    findings.filter((one) => one.state === state).length;
  const [problems, unknown] = [count("problem"), count("unknown")];
  const sum =
    problems + unknown === 0
      ? "All is well."
      : `${problems} to mend, ${unknown} that could not be asked.`;
  return `${[...lines, "", sum].join("\n")}\n`;
}

/** The finding of `ask`, or that it could not be asked. */
export async function tried(subject: string, ask: () => Promise<Finding>): Promise<Finding> {
  try {
    return await ask();
  } catch (error) {
    return failed(subject, error);
  }
}

/**
 * The finding that something could not be asked. Throws an error that is no OperationError: a bug.
 */
export function failed(subject: string, error: unknown): Finding {
  if (!(error instanceof OperationError)) throw error;
  return { subject, state: "unknown", message: messageOf(error) };
}
