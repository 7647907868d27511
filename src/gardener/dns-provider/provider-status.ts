/** The desired `status` of a DNSProvider, and the patch that writes it. Pure. */

import { statusPatch } from "../../controllers/objects/status-patch.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { fieldsOf } from "../../model/object-fields.ts";
import type { ZoneSelection } from "./select-zones.ts";

/** The desired status. */
export interface ProviderStatus {
  readonly state: "Ready" | "Error";
  readonly message: string;
  /** Null = not known now; the stored selection stays. */
  readonly selection: ZoneSelection | null;
  /** Seconds, effective. */
  readonly defaultTtlSeconds: number;
}

/** The patch, or null when the object shows it already. `nowMs` stamps `lastUpdateTime`. */
export function providerStatusPatch(
  object: KubeObject,
  status: ProviderStatus,
  nowMs: number,
): Readonly<Record<string, unknown>> | null {
  const { selection } = status;
  const chosen =
    selection === null
      ? {}
      : {
          domains: choice(selection.domains.included, selection.domains.excluded),
          zones: choice(
            selection.zones.included.map((zone) => zone.id),
            selection.zones.excluded.map((zone) => zone.id),
          ),
        };
  const wanted = {
    state: status.state,
    message: status.message,
    observedGeneration: object.metadata.generation ?? 0,
    defaultTTL: status.defaultTtlSeconds,
    ...chosen,
  };
  return statusPatch(fieldsOf(object["status"]), wanted, nowMs);
}

function choice(included: readonly string[], excluded: readonly string[]): object {
  return { included, excluded };
}
