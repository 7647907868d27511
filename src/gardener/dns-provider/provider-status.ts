/** `status` of a DNSProvider: how it is to be, and the patch that takes it there. Pure. */

import { statusPatch } from "../../controllers/objects/status-patch.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { fieldsOf } from "../../model/object-fields.ts";
import type { ZoneSelection } from "./select-zones.ts";

/** What is shown. */
export interface ProviderVerdict {
  readonly state: "Ready" | "Error";
  readonly message: string;
  /** Null = nothing is known now; the last known selection stays. */
  readonly selection: ZoneSelection | null;
  /** Seconds, effective. */
  readonly defaultTtlSeconds: number;
}

/** The patch, or null when the object shows it already. `nowMs` stamps `lastUpdateTime`. */
export function providerStatusPatch(
  object: KubeObject,
  verdict: ProviderVerdict,
  nowMs: number,
): Readonly<Record<string, unknown>> | null {
  const { selection } = verdict;
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
    state: verdict.state,
    message: verdict.message,
    observedGeneration: object.metadata.generation ?? 0,
    defaultTTL: verdict.defaultTtlSeconds,
    ...chosen,
  };
  return statusPatch(fieldsOf(object["status"]), wanted, nowMs);
}

function choice(included: readonly string[], excluded: readonly string[]): object {
  return { included, excluded };
}
