/**
 * Opens the fence of one zone and wraps the guards of the zone in its guard. Does neither where no
 * other installation can write.
 */

import { ZoneFence, type ZoneFenceOptions } from "../fence/zone-fence.ts";
import { FenceGuard } from "../guards/fence-guard.ts";
import type { Guard } from "../guards/guard.ts";
import type { ActorOptions } from "./actor-options.ts";

/** What a fence reports to its actor. */
export type FenceHooks = Pick<ZoneFenceOptions, "signal" | "budget" | "onWrote" | "onMoved">;

/** Null = no other installation can write. */
export function openFence(options: ActorOptions, hooks: FenceHooks): ZoneFence | null {
  const { fence, way, identity, clock, log, metrics } = options;
  if (fence === undefined) return null;
  const owner = identity.mainOwner;
  return new ZoneFence({
    ...fence,
    ...hooks,
    zoneInput: way.input,
    owner,
    clock,
    log,
    metrics,
  });
}

/** The guards of the zone; the guard of the fence is the outermost. */
export function guardOf(fence: ZoneFence | null, { guard, way }: ActorOptions): Guard {
  return fence === null ? guard : new FenceGuard(guard, fence, way.zone.name);
}
