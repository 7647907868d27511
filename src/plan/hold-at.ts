/** Makes the hold of a key. Whether a change is held is decided by the callers. */
import { printable } from "../model/printable.ts";
import type { Provenance } from "../model/provenance.ts";
import type { DesiredRecordSet, RecordSetKey } from "../model/record-set.ts";
import type { Hold } from "./changes.ts";
import type { HoldCode } from "./hold-reasons.ts";

/** The fields of a hold without its key. */
export interface HoldDetail {
  readonly code: HoldCode;
  readonly message: string;
  readonly provenance: Provenance | null;
}

/**
 * A hold at a key; copies only the fields of the key. The message may quote text from a zone, so
 * control characters in it are escaped.
 */
export function holdAt({ name, type, setIdentifier }: RecordSetKey, detail: HoldDetail): Hold {
  return { key: { name, type, setIdentifier }, ...detail, message: printable(detail.message) };
}

/** The hold of a desired record set, for its object. */
export function holdFor(desired: DesiredRecordSet, code: HoldCode, message: string): Hold {
  return holdAt(desired, { code, message, provenance: desired.provenance });
}
