/** What `zonekeeper check` has found, and its text. Pure. */
import { printable } from "../../../model/printable.ts";

/** One thing that was looked at. */
export interface Finding {
  /** `cluster`, `provider default/net`, `zone example.org`. */
  readonly subject: string;
  /** `unknown`: it could not be asked. */
  readonly state: "ok" | "problem" | "unknown";
  /** For people: what was seen, and what to do where it is not well. */
  readonly message: string;
}

const SIGNS: Readonly<Record<Finding["state"], string>> = { ok: "+", problem: "-", unknown: "?" };

/** One line each, and what it comes to. */
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
