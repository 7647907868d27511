/** The verdicts where absence is not proven, in words for people. */
import { resourceOf } from "../../model/provenance.ts";
import type { AbsenceVerdict } from "../../plan/rules.ts";
import type { ObjectObservation } from "../contract/object-observation.ts";
import { type AddressWait, NO_TARGETS } from "./address-waits.ts";
import type { AbsenceEntry } from "./name-listings.ts";

type Unproven = Extract<AbsenceVerdict, { proven: false }>;

/** The object lists the name, and cannot be read completely or waits for something. */
export function waitingVerdict(entry: AbsenceEntry, code: string): AbsenceVerdict {
  const who = resourceOf(entry.object);
  return unproven(
    code,
    `${who} lists the name, but what it wants there is not known completely; the record stays`,
  );
}

/** The object has no address (Z-4). */
export function addressVerdict(
  entry: AbsenceEntry,
  { sinceMs, isDangling }: AddressWait,
): AbsenceVerdict {
  const since = new Date(sinceMs).toISOString();
  const text = `${resourceOf(entry.provenance)} has no address since ${since}; its record stays`;
  return unproven(NO_TARGETS, isDangling ? `dangling: ${text}` : text);
}

/** The object is assigned to another zone or account, or to none (Z-18). */
export function elsewhereVerdict(entry: AbsenceEntry): Unproven {
  const who = resourceOf(entry.object);
  return unproven(
    "WantedElsewhere",
    `${who} wants the name through another provider or zone; the record stays`,
  );
}

/** No cluster knows the object, and at least one that may hold it cannot tell. */
export function unknownVerdict(resource: string, observation: ObjectObservation): Unproven {
  const [why = "no cluster watches its kind"] = observation.flatMap((one) =>
    one.state === "unknown" ? one.message : [],
  );
  return unproven(
    "KindGone",
    `Whether ${resource} still exists is not known: ${why}; the record stays`,
  );
}

/** `code`: a hold reason. */
export function unproven(code: string, message: string): Unproven {
  return { proven: false, code, message };
}
