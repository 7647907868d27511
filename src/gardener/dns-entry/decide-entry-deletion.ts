/**
 * What to do about a DNSEntry that is being deleted: its finalizer goes when nothing is left of it.
 * Pure. Without any provider it is let go after a while, so that namespaces can go (Z-19).
 */
import type { NameReport } from "../../sync/contract/contribution-report.ts";
import type { EntryStatus } from "./entry.ts";
import { RELEASE_ANNOTATION } from "./entry.ts";
import {
  type Assignment,
  type EntryContext,
  type EntryDecision,
  NO_DECISION,
  newContributions,
  zonesOf,
} from "./entry-context.ts";
import { stateEvent } from "./state-event.ts";

/** How long a deleting entry waits for a provider that does not exist (Z-19). */
export const RELEASE_AFTER_MS = 3_600_000;

/** Decides about an entry with a deletionTimestamp. */
export function decideDeletion(world: EntryContext): EntryDecision {
  const { entry, found, assignments: routes } = world;
  const zones = zonesOf(world);
  const contribution = { object: entry.key, generation: entry.generation, found, deleting: true };
  const send = newContributions(
    zones.map(({ key, zone }) => ({ key, zone, contribution })),
    routes,
  );
  if (!entry.hasFinalizer) return { ...NO_DECISION, send };
  const isGone = send.length === 0 && routes.every(isCleared);
  const lost = lostZone(world);
  if (isGone)
    return lost === null ? { ...NO_DECISION, finalizer: "remove" } : decideLost(world, lost);
  return isReplacedAlone(world)
    ? decideReplaced(world, send)
    : deleting(world, { send, detail: openReason(routes) });
}

/**
 * The zone of the status when nobody can reach it; null = there is none, or it is among the routes.
 */
function lostZone({ entry, statusZone: home, assignments: routes }: EntryContext): string | null {
  const { zone } = entry.status;
  if (zone === null || home !== null) return null;
  return routes.some((route) => route.key.zone === zone) ? null : zone;
}

/**
 * All that is left is in a zone that went while another has its name: it may never be heard of
 * again.
 */
function isReplacedAlone({ statusZone: home, assignments: routes }: EntryContext): boolean {
  if (home?.isReplaced !== true) return false;
  return routes.filter(({ key }) => key.zone !== home.key.zone).every(isCleared);
}

/** A listing may have been wrong, and the zone may come back. */
function decideReplaced(world: EntryContext, send: EntryDecision["send"]): EntryDecision {
  const zone = world.entry.status.zone ?? "unknown";
  return askInVain(world, {
    send,
    isHopeless: true,
    detail: `zone ${zone} is not there any more, another one has its name; the entry is let go after an hour`,
    left: `its records went with zone ${zone}, or stay in it: another zone has its name`,
  });
}

function decideLost(world: EntryContext, zone: string): EntryDecision {
  const provider = world.entry.status.provider ?? "unknown";
  const isHopeless = world.statusProvider === "gone";
  return askInVain(world, {
    send: [],
    isHopeless,
    detail: isHopeless
      ? `provider "${provider}" is gone; records are left behind after an hour`
      : `zone ${zone} cannot be reached now: provider "${provider}" cannot be used, or does not show it; the entry waits for it`,
    left: `its records stay in zone ${zone}: no provider is there to remove them`,
  });
}

interface Vain {
  readonly send: EntryDecision["send"];
  /** What it waits for. */
  readonly detail: string;
  /** It is let go after a while (Z-19); else its user has to say so. */
  readonly isHopeless: boolean;
  /** What is left behind then. */
  readonly left: string;
}

/** Nobody can be asked to remove its records. */
function askInVain(world: EntryContext, { send, detail, isHopeless, left }: Vain): EntryDecision {
  const { entry, nowMs } = world;
  const dueMs = (entry.deletingSinceMs ?? nowMs) + RELEASE_AFTER_MS;
  if (entry.isReleased || (isHopeless && nowMs >= dueMs)) {
    const event = { type: "Warning", reason: "RecordsLeft", message: left } as const;
    return { ...NO_DECISION, finalizer: "remove", event };
  }
  return deleting(world, {
    send,
    detail: `${detail}, or at once with the annotation ${RELEASE_ANNOTATION}=true`,
    againAfterMs: isHopeless ? Math.max(1000, dueMs - nowMs) : null,
  });
}

function isCleared({ contribution, report }: Assignment): boolean {
  return contribution.deleting && report !== null && report.names.length === 0;
}

/** Why something is left; empty while all is in the making. */
function openReason(routes: readonly Assignment[]): string {
  const open = routes
    .flatMap((route) => route.report?.names ?? [])
    .filter((name: NameReport) => name.state === "held" || name.state === "failed");
  return open[0]?.message ?? "";
}

interface DeletingOptions {
  readonly send: EntryDecision["send"];
  /** Empty = nothing to say. */
  readonly detail: string;
  readonly againAfterMs?: number | null;
}

function deleting(world: EntryContext, options: DeletingOptions): EntryDecision {
  const { entry } = world;
  const detail = options.detail === "" ? "" : `: ${options.detail}`;
  const verdict = {
    state: "Deleting",
    message: `entry is scheduled to be deleted${detail}`,
  } as const;
  const status: EntryStatus = {
    ...entry.status,
    ...verdict,
    observedGeneration: entry.generation,
  };
  return {
    ...NO_DECISION,
    status,
    send: options.send,
    event: stateEvent(entry.status, verdict),
    againAfterMs: options.againAfterMs ?? null,
  };
}
