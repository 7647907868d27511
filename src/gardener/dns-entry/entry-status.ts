/** The patch that takes an entry's status to what was decided. Pure. */

import { statusPatch } from "../../controllers/objects/status-patch.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { fieldsOf } from "../../model/object-fields.ts";
import type { EntryStatus } from "./entry.ts";

/** The merge patch, or null when the object shows it already. `nowMs` stamps `lastUpdateTime`. */
export function entryStatusPatch(
  object: KubeObject,
  status: EntryStatus,
  nowMs: number,
): Readonly<Record<string, unknown>> | null {
  return statusPatch(fieldsOf(object["status"]), { ...status }, nowMs);
}
