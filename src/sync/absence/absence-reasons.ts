/** The answers of the absence book where nothing is proven, in words for people. */
import { resourceOf } from "../../model/provenance.ts";
import type { AbsenceVerdict } from "../../plan/rules.ts";
import { type AddressWait, NO_TARGETS } from "./address-waits.ts";
import type { AbsenceEntry } from "./name-listings.ts";

type Unproven = Extract<AbsenceVerdict, { proven: false }>;

/** It lists the name and cannot be read, or waits for something. */
export function waitingVerdict(entry: AbsenceEntry, code: string): AbsenceVerdict {
  return unproven(
    code,
    `${resourceOf(entry.object)} lists the name and has no complete answer now`,
  );
}

/** It has no address (Z-4). */
export function addressVerdict(
  entry: AbsenceEntry,
  { sinceMs, isDangling }: AddressWait,
): AbsenceVerdict {
  const since = new Date(sinceMs).toISOString();
  const text = `${resourceOf(entry.provenance)} has no address since ${since}; what was published stays`;
  return unproven(NO_TARGETS, isDangling ? `dangling: ${text}` : text);
}

/** It has its place in another zone or account, or none (Z-18). */
export function elsewhereVerdict(entry: AbsenceEntry): Unproven {
  const who = resourceOf(entry.object);
  return unproven("WantedElsewhere", `${who} wants the name through another provider or zone`);
}

/** `code`: a hold reason. */
export function unproven(code: string, message: string): Unproven {
  return { proven: false, code, message };
}
