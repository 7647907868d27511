/**
 * Opens the fences of one zone (records that say which installation writes for an owner id, Z-17)
 * and wraps the guards of the zone in their guard. Does neither where no other installation can
 * write.
 */
import { ZoneFence, type ZoneFenceOptions } from "../fence/zone-fence.ts";
import { ZoneFences } from "../fence/zone-fences.ts";
import { FenceGuard } from "../guards/fence-guard.ts";
import type { Guard } from "../guards/guard.ts";
import type { ActorOptions } from "./actor-options.ts";

/** What a fence reports to its actor. */
export type FenceHooks = Pick<ZoneFenceOptions, "signal" | "budget" | "onWrote" | "onMoved"> & {
  /** Something is due. */
  readonly wake: () => void;
};

/** The fences of the owner ids of a zone. */
export function openFences(options: ActorOptions, { onMoved, ...hooks }: FenceHooks): ZoneFences {
  const { identity, furtherIds, clock, way, fence, isPreview = false } = options;
  const { mainOwner, owners } = identity;
  const fences: ZoneFences = new ZoneFences({
    mainOwner,
    owners,
    ...(fence?.otherOwners === undefined ? {} : { otherOwners: fence.otherOwners }),
    ...(furtherIds === undefined ? {} : { furtherIds }),
    apex: way.input.zone.name,
    mayWrite: !isPreview,
    domain: domainOf(options),
    openMain: (name) => openFence(options, { ...hooks, onMoved }, { name }),
    open: (name) => openFence(options, { ...hooks, onMoved: () => fences.changed() }, { name }),
    clock,
    wake: hooks.wake,
    onWaiting: onMoved,
  });
  return fences;
}

/**
 * Our election domain; null = processes of the domain cannot be told apart, so that a fence of this
 * domain may be that of another installation.
 */
function domainOf({ fence }: ActorOptions): string | null {
  return fence === undefined || /* clause: owner-ids-need-a-term-id */ fence.term.id === null
    ? null
    : fence.term.domain;
}

/** Null = no other installation can write. */
function openFence(
  options: ActorOptions,
  hooks: Omit<FenceHooks, "wake">,
  whose: Pick<ZoneFenceOptions, "name">,
): ZoneFence | null {
  const { fence, way, clock, log, metrics } = options;
  if (fence === undefined) return null;
  const rest = { zoneInput: way.input, clock, log, metrics };
  return new ZoneFence({ ...fence, ...hooks, ...whose, ...rest });
}

/** The guards of the zone; the guard of the fence is the outermost. */
export function guardOf(fence: ZoneFence | null, { guard, way }: ActorOptions): Guard {
  return fence === null ? guard : new FenceGuard(guard, fence, way.zone.name);
}
