/** The desired `status` of a DNSProvider, and the patch that writes it. Pure. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { conditionsOf } from "../../controllers/objects/conditions.ts";
import { type StateCause, stateConditions } from "../../controllers/objects/state-conditions.ts";
import { type PatchOptions, statusPatch } from "../../controllers/objects/status-patch.ts";
import type { EntryRate } from "../../controllers/zone-choice/provider-facts.ts";
import type { ZoneSelection } from "./select-zones.ts";

/** The desired status. */
export interface ProviderStatus extends StateCause {
  readonly state: "Ready" | "Error";
  readonly message: string;
  /** Null = not known now; the stored selection stays. */
  readonly selection: ZoneSelection | null;
  /** Seconds, effective. */
  readonly defaultTtlSeconds: number;
  /** How fast changed entries are taken; null = at once. */
  readonly rateLimit: EntryRate | null;
}

/** The patch, or null when the object shows it already. */
export function providerStatusPatch(
  object: KubeObject,
  status: ProviderStatus,
  options: PatchOptions,
): Readonly<Record<string, unknown>> | null {
  const { selection } = status;
  const idOf = ({ id }: { readonly id: string }): string => id;
  const current = fieldsOf(object["status"]);
  const generation = object.metadata.generation ?? 0;
  const stated = stateConditions(status, current);
  const { nowMs } = options;
  const wanted = {
    state: status.state,
    message: status.message,
    observedGeneration: generation,
    defaultTTL: status.defaultTtlSeconds,
    rateLimit: status.rateLimit,
    ...(selection && {
      domains: selection.domains,
      zones: {
        included: selection.zones.included.map(idOf),
        excluded: selection.zones.excluded.map(idOf),
      },
    }),
    conditions: conditionsOf({ current: current["conditions"], wanted: stated, generation, nowMs }),
  };
  return statusPatch(current, wanted, options);
}
