/**
 * Decides what to do about a DNSEntry that is being deleted: zones get a contribution that is
 * `deleting`, and the finalizer is removed when none of its records exists any more. If no provider
 * can remove them, the entry is released after an hour (its records stay, with an Event), so that
 * its namespace can be deleted (Z-19). Pure.
 */
import { type Assignment, newContributions } from "../../controllers/publication/published-kind.ts";
import { RELEASE_ANNOTATION } from "../../model/annotation-keys.ts";
import { RELEASE_AFTER_MS } from "../../model/object-annotations.ts";
import type { EntryStatus } from "./entry.ts";
import { type EntryContext, type EntryDecision, NO_DECISION, zonesOf } from "./entry-context.ts";
import { stateEvent } from "./entry-status.ts";

/**
 * Milliseconds in which the process that made a deleted entry, from an object in a cluster that
 * this process cannot see, may say by an annotation that the object still lists the name (Z-30).
 */
export const ASK_MS = 10_000;
/**
 * Milliseconds after which a waiting entry is decided again: no event tells that the definition of
 * DNSEntries is being deleted meanwhile.
 */
const AGAIN_MS = 30_000;
const ENDED_TEXT =
  "the definition of DNSEntries is being deleted, and all of them with it: that says nothing about their names, so its records stay. Install the definition again, then apply the entry";

/** Decides about an entry with a deletionTimestamp. */
export function decideDeletion(context: EntryContext): EntryDecision {
  const { entry, origin } = context;
  if (origin !== "elsewhere" || !entry.hasFinalizer || entry.isReleased) return decideEnd(context);
  if (/* clause: requested-entry-is-made-anew */ entry.isWantedAgain) return madeAnew(context);
  const leftMs = (entry.deletingSinceMs ?? 0) + ASK_MS - context.nowMs;
  if (/* clause: requester-has-time-to-ask */ leftMs <= 0) return decideEnd(context);
  const detail = "its records stay for a moment, in which the process that made it may ask for it";
  return deleting(context, { send: [], detail, againAfterMs: Math.min(leftMs, ASK_MS) });
}

/**
 * The finalizer is removed at once and the records stay: the process that made the entry creates it
 * again. Without a zone, what it wants is said too, so that no other process removes the records
 * after a restart; if nobody creates the entry, that ends after an hour (Z-19).
 */
function madeAnew({ entry, found, assignments }: EntryContext): EntryDecision {
  const { key: object, generation } = entry;
  const isKnown = /* clause: remade-entry-survives-restart */ assignments.length > 0;
  const withoutZone = isKnown ? null : { object, generation, found, deleting: false };
  return { ...NO_DECISION, finalizer: "remove", withoutZone };
}

function decideEnd(context: EntryContext): EntryDecision {
  const { entry, found, assignments } = context;
  const contribution = { object: entry.key, generation: entry.generation, found, deleting: true };
  const send = newContributions(
    zonesOf(context).map(({ key, zone }) => ({ key, zone, contribution })),
    assignments,
  );
  if (!entry.hasFinalizer) return { ...NO_DECISION, send };
  const isGone = send.length === 0 && assignments.every(isCleared);
  const unreachable = isGone ? unreachableZone(context) : null;
  if (isGone && unreachable === null) return { ...NO_DECISION, finalizer: "remove" };
  // clause: ended-entry-is-released
  if (context.endsWithDefinition) return released(ENDED_TEXT);
  if (unreachable !== null) return decideUnreachable(context, unreachable);
  if (context.statusZone?.isBlocked === true) return decideBlocked(context, send);
  return isOnlyInReplacedZone(context)
    ? decideReplaced(context, send)
    : deleting(context, { send, ...openReason(assignments) });
}

/** The zone of the status, if no account reaches it; null = none, or it is an assigned zone. */
function unreachableZone({ entry, statusZone, assignments }: EntryContext): string | null {
  const { zone } = entry.status;
  if (zone === null || statusZone !== null) return null;
  return assignments.some((assignment) => assignment.key.zone === zone) ? null : zone;
}

/**
 * The only records are in a zone that is no longer listed while another zone has its name. No
 * report about that zone may ever come.
 */
function isOnlyInReplacedZone({ statusZone, assignments }: EntryContext): boolean {
  if (statusZone?.isReplaced !== true) return false;
  return assignments.filter(({ key }) => key.zone !== statusZone.key.zone).every(isCleared);
}

/** Blocking a zone may be for a while: only a person ends the wait. */
function decideBlocked(context: EntryContext, send: EntryDecision["send"]): EntryDecision {
  const zone = context.entry.status.zone ?? "unknown";
  return waitForRelease(context, {
    send,
    endsByTime: false,
    detail: `zone ${zone} is blocked by --blocked-zone, so nothing is removed from it; start without it to have the records removed`,
    remaining: `its records stay in zone ${zone}, which is blocked by --blocked-zone`,
  });
}

/** Waits an hour: the provider's listing may be wrong, and the zone may be listed again. */
function decideReplaced(context: EntryContext, send: EntryDecision["send"]): EntryDecision {
  const zone = context.entry.status.zone ?? "unknown";
  return waitForRelease(context, {
    send,
    endsByTime: true,
    detail: `zone ${zone} is no longer listed and another zone has its name; the entry is released after an hour`,
    remaining: `its records are not removed and may still exist in zone ${zone}: another zone has its name`,
  });
}

function decideUnreachable(context: EntryContext, zone: string): EntryDecision {
  const provider = context.entry.status.provider ?? "unknown";
  const endsByTime = context.statusProvider === "gone";
  return waitForRelease(context, {
    send: [],
    endsByTime,
    detail: endsByTime
      ? `provider "${provider}" no longer exists; the entry is released after an hour and its records stay`
      : `zone ${zone} cannot be reached: provider "${provider}" cannot be used, or does not list it; the entry waits for it`,
    remaining: `its records stay in zone ${zone}: no provider can remove them`,
  });
}

/** Why records cannot be removed now, and how the wait ends. */
interface UnreachableRecords {
  readonly send: EntryDecision["send"];
  /** Says what it waits for. */
  readonly detail: string;
  /** True = the entry is released after RELEASE_AFTER_MS (Z-19); else only by its annotation. */
  readonly endsByTime: boolean;
  /** The Event of the release: which records are not removed. */
  readonly remaining: string;
}

/** Keeps the finalizer until the entry is released, by time or by its annotation. */
function waitForRelease(
  context: EntryContext,
  { send, detail, endsByTime, remaining }: UnreachableRecords,
): EntryDecision {
  const { entry, nowMs } = context;
  const dueMs = (entry.deletingSinceMs ?? nowMs) + RELEASE_AFTER_MS;
  if (entry.isReleased || (endsByTime && nowMs >= dueMs)) return released(remaining);
  return deleting(context, {
    send,
    code: "ProviderNotReady",
    detail: `${detail}; to release it at once, set the annotation ${RELEASE_ANNOTATION}=true`,
    againAfterMs: endsByTime ? Math.max(1000, dueMs - nowMs) : null,
  });
}

/**
 * Releases the entry although its records stay, with an Event that says so. Else neither the
 * definition of DNSEntries nor the entry's namespace could be deleted (Z-19).
 */
function released(message: string): EntryDecision {
  const event = { type: "Warning", reason: "RecordsLeft", message } as const;
  return { ...NO_DECISION, finalizer: "remove", event };
}

/** True = the zone reported, on a deleting contribution, that no record is left. */
function isCleared({ contribution, report }: Assignment): boolean {
  return contribution.deleting && report !== null && report.names.length === 0;
}

/** Why a record still exists; empty = it is being removed. */
function openReason(assignments: readonly Assignment[]): Pick<DeletingOptions, "detail" | "code"> {
  const [open] = assignments
    .flatMap(({ report }) => report?.names ?? [])
    .filter(({ state }) => state === "held" || state === "failed");
  return { detail: open?.message ?? "", code: open?.code ?? null };
}

interface DeletingOptions {
  readonly send: EntryDecision["send"];
  /** Empty = nothing to say. */
  readonly detail: string;
  /** Absent or null = none but the deletion itself. */
  readonly code?: string | null;
  readonly againAfterMs?: number | null;
}

function deleting(context: EntryContext, options: DeletingOptions): EntryDecision {
  const { entry } = context;
  const detail = options.detail === "" ? "" : `: ${options.detail}`;
  const shown = {
    state: "Deleting",
    message: `entry is scheduled to be deleted${detail}`,
  } as const;
  const status: EntryStatus = {
    ...entry.status,
    ...shown,
    // A DNSProvider stays while an entry that is being deleted names it (Z-19).
    provider: context.statusZone?.provider ?? entry.status.provider,
    observedGeneration: entry.generation,
  };
  const note = stateEvent(entry.status, shown);
  return {
    ...NO_DECISION,
    status,
    cause: { code: options.code ?? null, isMistake: false },
    send: options.send,
    event: note !== null && detail !== "" ? { ...note, type: "Warning" } : note,
    againAfterMs: Math.min(options.againAfterMs ?? AGAIN_MS, AGAIN_MS),
  };
}
