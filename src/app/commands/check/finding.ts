/** A finding of `zonekeeper check`, and the text of all findings. Pure. */
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
