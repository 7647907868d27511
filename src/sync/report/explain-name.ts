/**
 * Explains one name in one zone: which objects want it, which one comes first and why, the existing
 * record sets with their owners, and the holds.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { timeText } from "@zonekeeper/base/time-text";
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import { isSameObject } from "../../model/provenance.ts";
import { isSameKey, type RecordSet } from "../../model/record-set.ts";
import type { Hold, OwnedRecordSet } from "../../plan/changes.ts";
import { rankReason } from "../../plan/conflict-order.ts";
import { isSatisfied } from "../../plan/hold-reasons.ts";
import { type Contestant, objectText, rankContestants } from "../../plan/resolve-conflicts.ts";
import type { Contribution } from "../contract/contribution.ts";
import type {
  ExistingSet,
  MarkerRecord,
  NameClaim,
  NameExplanation,
  ZoneServer,
} from "../contract/name-explanation.ts";
import { type Identity, tenancyAt } from "../zone/name-planner.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";
import { markerRecordsAt } from "./marker-records.ts";
import { otherOwnerQuestion } from "./other-owner.ts";
import { synthesizedAt } from "./synthesized-answer.ts";
import { fencesOf, heldSetStatus, withPresentHashes } from "./zone-status.ts";

/** What is needed besides the zone. */
export interface ExplainContext {
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** The explanation, in a list; empty when the name does not lie in the actor's zone. */
export async function explainName(
  actor: ZoneActor,
  name: DnsName,
  context: ExplainContext,
): Promise<readonly NameExplanation[]> {
  if (!isAtOrBelow(name, actor.zoneInput.zone.name)) return [];
  const { marks, failure } = await marksOrFailure(actor, name);
  const known = explainFromCaches(actor, name, { ...context, marks });
  const ownerQuestion = otherOwnerQuestion(actor, actor.identity.mainOwner);
  const openSinceMs = actor.ledger.openSinceMs(name);
  const { state, zoneFailure } = actor;
  const { sinceMs = null, message = "" } = zoneFailure ?? {};
  const unread = { sinceMs, message, readAtMs: state?.readAtMs ?? null };
  const explained = {
    ...known,
    ...(openSinceMs === null ? {} : { openSinceMs }),
    ...(ownerQuestion === null || known.holds.length === 0 ? {} : { ownerQuestion }),
    ...fencesOf(actor),
    ...(zoneFailure === null && state !== null ? {} : { unread }),
    ...answeredBy(actor, name),
    ...(marks.length === 0 ? {} : { marks }),
  };
  return failure === null
    ? [{ ...explained, verdict: verdictOf(actor, name, explained) }]
    : [{ ...explained, lastOutcome: failure, verdict: "trouble" }];
}

/** Whether other servers answer for the name, or a wildcard or DNAME makes the answer. */
function answeredBy(
  { state, apex }: ZoneActor,
  name: DnsName,
): Pick<NameExplanation, "synthesized" | "isDelegated"> {
  if (state === null) return {};
  if (state.table.delegationOf(name) !== null) return { isDelegated: true };
  const synthesized = synthesizedAt(state.table, apex, name);
  return synthesized === null ? {} : { synthesized };
}

/** The part of the explanation that needs no call to the provider. */
function explainFromCaches(
  actor: ZoneActor,
  name: DnsName,
  { nowMs, marks }: ExplainContext & { readonly marks: readonly MarkerRecord[] },
): Omit<NameExplanation, "verdict"> {
  const { ledger, guard } = actor;
  const owned = actor.state?.owned.at(name) ?? [];
  // A marker in the format of another registry, which the zone's own takes for a text, is none.
  const otherMarkers = marks.filter(({ format }) => format !== null);
  const isOtherMarker = (one: OwnedRecordSet): boolean =>
    one.marker === null && otherMarkers.some(({ set }) => isSameKey(set, one));
  const records = owned.filter((one) => one.data === null || !isOtherMarker(one));
  const plan = ledger.planAt(name);
  const sets = guard.heldSets();
  const [present] = plan === null ? [] : withPresentHashes([plan], sets);
  const waitMs = ledger.nextTryMs(name);
  return {
    zone: actor.zoneInput.key,
    apex: actor.apex,
    endpoint: actor.zoneInput.zone.endpoint,
    isTrusted: actor.zoneInput.facts?.().isTrusted ?? true,
    paused: actor.guard.pauseReason?.() ?? null,
    servers: serversOf(actor),
    name,
    desired: actor.index.wanted(name),
    claims: claimsAt(actor, name, actor.identity),
    current: owned.flatMap((set) => (set.data === null ? [] : [set.data])),
    standing: records.map((set) => existingSetOf(set, actor.identity)),
    ...markedBy(owned),
    holds: (present?.holds ?? []).filter((hold) => !isSatisfied(hold)),
    heldSets: sets
      .filter(({ items }) => items.some((item) => item.name === name))
      .map((set) => heldSetStatus(set, ledger)),
    lastOutcome: lastOutcome(actor, name),
    nextTryAtMs: waitMs === null ? null : nowMs + waitMs,
  };
}

/** `failure` = why the marker records cannot be read; null = they were. */
async function marksOrFailure(actor: ZoneActor, name: DnsName) {
  try {
    return { marks: await markerRecordsAt(actor, name, actor.identity), failure: null };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { marks: [], failure: `${error.code}: ${messageOf(error)}` };
  }
}

/** Servers of the zone by its own data (RFC 1034 §4.2.1). */
function serversOf({ apex, state }: ZoneActor): readonly ZoneServer[] {
  const here = state?.table.at(apex) ?? [];
  const names = here.filter(({ type }) => type === "NS").flatMap(({ values }) => values);
  const isAddress = ({ type }: RecordSet): boolean => type === "A" || type === "AAAA";
  return names.map((name) => {
    const sets = state?.table.at(name).filter(isAddress) ?? [];
    return { name, addresses: sets.flatMap(({ values }) => values) };
  });
}

/**
 * Objects that list the name, in the conflict order (Z-15); those that want no record come last.
 */
function claimsAt(actor: ZoneActor, name: DnsName, identity: Identity): readonly NameClaim[] {
  const holds = actor.ledger.planAt(name)?.holds ?? [];
  const desired = actor.index.wanted(name);
  const isRefused = (set: (typeof desired)[number]): boolean =>
    holds.some((hold) => hold.isRefused === true && isAbout(hold, set));
  const current = actor.state?.owned.at(name) ?? [];
  const contestants = rankContestants(
    desired.filter((set) => !isRefused(set)),
    { current, rules: { ...identity, tenancy: tenancyAt(name, actor.apex, actor.tenancy()) } },
  );
  return [
    ...contestants.map((one) => claimOf(one, holds, identity)),
    ...desired.filter(isRefused).map((set) => {
      const message = holds.find((hold) => isAbout(hold, set))?.message ?? "";
      return { object: set.provenance, set, place: "refused" as const, reason: message };
    }),
    ...actor.index.listing(name).flatMap((contribution) => idleClaim(contribution, name)),
  ];
}

function claimOf(one: Contestant, holds: readonly Hold[], identity: Identity): NameClaim {
  const { desired: set, winner: competitor } = one;
  const base = { object: set.provenance, set };
  const hold = holds.find((candidate) => isAbout(candidate, set));
  if (hold !== undefined && isSatisfied(hold))
    return { ...base, place: "shares", reason: hold.message };
  if (competitor !== null) {
    const winner = objectText(competitor.desired.provenance, set.provenance, identity);
    const reason = `${winner} comes first: ${rankReason(competitor, one)}`;
    return { ...base, place: "behind", reason };
  }
  if (hold === undefined) return { ...base, place: "first", reason: "" };
  return { ...base, place: "held", reason: `${hold.code}: ${hold.message}` };
}

/** The object lists the name without a record there now. */
function idleClaim({ object, found, deleting }: Contribution, name: DnsName): readonly NameClaim[] {
  if (deleting) return [{ object, set: null, place: "leaves", reason: "" }];
  const waits = found.waiting.filter((wait) => wait.name === name);
  return waits.map(({ provenance, reason }) => {
    return { object: provenance ?? object, set: null, place: "waits", reason };
  });
}

function isAbout({ key, provenance }: Hold, set: NonNullable<NameClaim["set"]>): boolean {
  return provenance !== null && isSameKey(key, set) && isSameObject(provenance, set.provenance);
}

function existingSetOf(set: OwnedRecordSet, { owners }: Identity): ExistingSet {
  const { type, setIdentifier, data, marker, contested } = set;
  const isOwnedByUs = marker !== null && owners.has(marker.owner);
  const whose = isOwnedByUs ? "ours" : "another";
  return {
    type,
    setIdentifier,
    data,
    whose: contested ? "contested" : marker === null ? "nobody" : whose,
    owners: set.owners ?? (marker === null ? [] : [marker.owner]),
    resource: marker?.resource ?? null,
  };
}

function markedBy(owned: readonly OwnedRecordSet[]): Pick<NameExplanation, "owner" | "resource"> {
  const marker = owned.find((set) => set.marker !== null)?.marker;
  return { owner: marker?.owner ?? null, resource: marker?.resource ?? null };
}

function lastOutcome(actor: ZoneActor, name: DnsName): string | null {
  const failure = actor.ledger.failureAt(name) ?? actor.zoneFailure;
  if (failure !== null) return `${failure.code}: ${failure.message}`;
  const atMs = actor.ledger.writtenAtMs.get(name);
  return atMs === undefined ? null : `written at ${timeText(atMs)}`;
}

function verdictOf(
  actor: ZoneActor,
  name: DnsName,
  {
    claims,
    standing,
    marks = [],
    synthesized,
  }: Pick<NameExplanation, "claims" | "standing" | "marks" | "synthesized">,
): NameExplanation["verdict"] {
  const { ledger, state, zoneFailure } = actor;
  if (state === null || zoneFailure !== null) return "trouble";
  const { changes, holds } = ledger.planAt(name) ?? { changes: [], holds: [] };
  const isSettled = changes.length === 0 && holds.every(isSatisfied);
  if (ledger.failureAt(name) !== null || !isSettled) return "open";
  if (claims.some(({ place }) => place === "waits")) return "open";
  const isKnown = claims.length + standing.length + marks.length > 0;
  if (!isKnown && synthesized === undefined) return "unknown";
  return claims.length === 0 || ledger.isPlanned(name) ? "settled" : "open";
}
