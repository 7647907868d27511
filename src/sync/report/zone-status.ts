/** A zone as `plan`, metrics and the web page show it. Reads its actor; no I/O. */
import { compareText } from "@zonekeeper/base/compare-text";
import type { Hold, NamePlan } from "../../plan/changes.ts";
import type { HeldSet } from "../../plan/fuse-state.ts";
import type { WayFailure } from "../contract/zone.ts";
import type { HeldSetStatus, ZoneHealth, ZoneStatus } from "../contract/zone-status.ts";
import type { Way } from "../zone/way.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";
import { otherOwnerQuestion } from "./other-owner.ts";

/** What is needed besides the zone. */
interface StatusContext {
  /** Names whose object has had no address for over an hour, in whatever zone (Z-4). */
  readonly dangling: ReadonlySet<string>;
  readonly mainOwner: string;
}

/** The status of one zone. */
export function zoneStatus(actor: ZoneActor, { dangling, mainOwner }: StatusContext): ZoneStatus {
  const ownerQuestion = otherOwnerQuestion(actor, mainOwner);
  const sets = actor.guard.heldSets();
  const { state } = actor;
  const owned = state?.owned;
  const { allNames = 0, markedNames = 0 } = owned ?? {};
  const isPublished = (name: string): boolean => owned !== undefined && owned.ownedAt(name) > 0;
  return {
    ...zoneHealth(actor),
    isAtomic: actor.zoneInput.session.capabilities.atomicity === "zone",
    ...(state === null ? {} : { readAtMs: state.readAtMs }),
    ...(state === null || state.token === null ? {} : { serial: state.token }),
    providers: [
      ...new Set(actor.ways.all().flatMap(({ input }) => input.facts?.().providers ?? [])),
    ],
    ownedNames: markedNames,
    foreignNames: allNames - markedNames,
    open: withPresentHashes(actor.ledger.openPlans(), sets),
    ...failingNames(actor),
    danglingNames: [...dangling].filter(isPublished).length,
    ...(ownerQuestion === null ? {} : { ownerQuestion }),
    budget: actor.ways.readWay.budget.use(),
    heldSets: sets.map((set) => heldSetStatus(set, actor.ledger)),
  };
}

/** What `of` answers for each zone, and the status of each way that waits; sorted. */
export function ofZones<T extends ZoneHealth>(
  zones: {
    all(): readonly ZoneActor[];
    waitingWays(): readonly { readonly way: Way; readonly failure: WayFailure | null }[];
  },
  of: (actor: ZoneActor) => T,
): readonly (T | ZoneStatus)[] {
  const waiting = zones.waitingWays().map(waitingStatus);
  return [...zones.all().map(of), ...waiting].sort((a, b) => compareText(a.key.zone, b.key.zone));
}

/** A way into a zone that waits, because another account may show the same zone (Z-18). */
function waitingStatus({
  way: { key, zone, session },
  failure,
}: {
  readonly way: Way;
  readonly failure: WayFailure | null;
}): ZoneStatus {
  return {
    key,
    zone,
    state: failure === null ? "loading" : "failed",
    message: failure?.message ?? null,
    paused: null,
    isAtomic: session.capabilities.atomicity === "zone",
    ownedNames: 0,
    foreignNames: 0,
    open: [],
    danglingNames: 0,
    heldSets: [],
  };
}

/** The part that says whether its next change would be written; costs the same for any zone. */
export function zoneHealth(actor: ZoneActor): ZoneHealth {
  const { key, zone } = actor.zoneInput;
  const trouble = actor.guard.removalTrouble?.() ?? null;
  const removalTrouble = trouble === null ? {} : { removalTrouble: trouble };
  return { key, zone, ...conditionOf(actor), ...fencesOf(actor), ...removalTrouble };
}

/** The fence of the main owner id, and those of all ids; empty where nobody else can write. */
export function fencesOf({
  fences,
}: Pick<ZoneActor, "fences">): Pick<ZoneStatus, "fence" | "fences"> {
  const { main } = fences;
  return main === null ? {} : { fence: main.status, fences: fences.statuses() };
}

function failingNames({ ledger }: ZoneActor): Pick<ZoneStatus, "failing"> {
  const failing = ledger.openPlans().flatMap(({ name }) => {
    const failure = ledger.failureAt(name);
    if (failure === null) return [];
    const { code, message } = failure;
    return [{ name, code, message, nextTryMs: ledger.nextTryMs(name) ?? 0 }];
  });
  return failing.length === 0 ? {} : { failing };
}

/** A held set in numbers. */
export function heldSetStatus(
  { items, ...set }: HeldSet,
  ledger: Pick<ZoneActor["ledger"], "openSinceMs">,
): HeldSetStatus {
  const { hash, kind, removals, formerHashes } = set;
  const former = formerHashes === undefined ? {} : { formerHashes };
  let sinceMs = Number.POSITIVE_INFINITY;
  for (const { name } of items) sinceMs = Math.min(sinceMs, ledger.openSinceMs(name) ?? sinceMs);
  const since = Number.isFinite(sinceMs) ? { sinceMs } : {};
  return { hash, kind, changes: items.length, removals, ...former, ...since };
}

/** The plans, with the present hash of its set in each hold that has a former one. */
export function withPresentHashes<T extends Pick<NamePlan, "holds">>(
  plans: readonly T[],
  sets: readonly HeldSet[],
): readonly T[] {
  const present = new Map(
    sets.flatMap(({ hash, formerHashes = [] }) => formerHashes.map((one) => [one, hash])),
  );
  if (present.size === 0) return plans;
  const asPresent = (hold: Hold): Hold => {
    const { set = "" } = hold;
    const now = present.get(set);
    return now === undefined
      ? hold
      : { ...hold, set: now, message: hold.message.replaceAll(set, now) };
  };
  return plans.map((plan) => ({ ...plan, holds: plan.holds.map(asPresent) }));
}

function conditionOf({
  ledger,
  zoneFailure,
  guard,
}: ZoneActor): Pick<ZoneStatus, "state" | "message" | "paused" | "isPlanning"> {
  const paused = guard.pauseReason?.() ?? null;
  const rest = { paused, ...(ledger.isAllPlanned ? {} : { isPlanning: true as const }) };
  if (zoneFailure !== null) return { state: "failed", message: zoneFailure.message, ...rest };
  return { state: ledger.hasPlanned ? "ready" : "loading", message: null, ...rest };
}
