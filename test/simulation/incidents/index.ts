/** All incidents; the entry point of the bundles that run them against mutants. */
import { ABSENCE } from "./absence.ts";
import type { Incident } from "./incident.ts";
import { OWNERSHIP } from "./ownership.ts";
import { SCOPE } from "./scope.ts";
import { WRITING } from "./writing.ts";

/** By theme. */
export const INCIDENTS: readonly Incident[] = [...ABSENCE, ...SCOPE, ...OWNERSHIP, ...WRITING];

/** Tells one incident; throws its Violation, or an error for an unknown name. */
export async function tellIncident(name: string): Promise<readonly string[]> {
  const incident = INCIDENTS.find((one) => one.name === name);
  if (incident === undefined) throw new Error(`there is no incident ${name}; see --list`);
  return incident.tell();
}
