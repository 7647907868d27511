/**
 * The last check of removals that rest on a cached object or on its absence from a list (Z-2, ADR
 * 0021): right before they are sent, the API server is asked for that object. The cache may be
 * older than a record that another process of the same owner has written meanwhile. A removal that
 * is not confirmed becomes a hold.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { AbsenceProof, Hold, KeyChange, NamePlan } from "../../plan/changes.ts";
import { holdChange } from "../../plan/hold-at.ts";
import type { AnswerFacts } from "../../plan/removal/absence-facts.ts";
import { firstOf } from "../../plan/removal/row.ts";
import { ANSWERS } from "../../plan/removal/table.ts";
import type { LiveObject, ObjectObservation } from "../contract/object-observation.ts";
import type { ConfirmingObject, ConfirmingObjects } from "./confirming-objects.ts";

/** Questions that are asked at once. */
const ASKED_AT_ONCE = 8;
/** Objects that one round of a zone asks for; removals that rest on others wait for the next. */
export const ASKED_PER_ROUND_MAX = 1_000;
/**
 * Milliseconds that a round of a zone waits for all answers: a zone has more to do than to wait for
 * an API server.
 */
export const CONFIRM_MS = 10_000;

/** Proofs that are too weak where the record was written later: the object is asked for again. */
// clause: absence-is-confirmed
const TO_CONFIRM: ReadonlySet<AbsenceProof> = new Set([
  "ended-with-definition",
  "missing-from-list",
  "object-dropped-name",
  "object-omits-name",
]);

/** The plans, with each removal that was not confirmed as a hold. */
export interface Confirmed {
  /** A plan for each plan that was given, in order. */
  readonly plans: readonly NamePlan[];
  /** Names with a removal that was not confirmed: no event may follow, so they are tried again. */
  readonly held: ReadonlySet<DnsName>;
  /** Names that wait only because the round asked for `ASKED_PER_ROUND_MAX` other objects. */
  readonly next: ReadonlySet<DnsName>;
}

/** Knows which objects to ask for, asks, and judges answers. */
export type ConfirmedBy = Pick<ConfirmingObjects, "observeNow" | "isWithout" | "of">;

/** Asks once for each object, however many removals rest on it. */
export async function confirmAbsences(
  plans: readonly NamePlan[],
  absences: ConfirmedBy,
  clock: Clock,
): Promise<Confirmed> {
  const confirming = confirmingByChange(plans, absences);
  const asked = [...confirming.values()].flat();
  const objects = new Map(asked.map((one) => [askedText(one), one]));
  if (objects.size === 0) return { plans, held: new Set(), next: new Set() };
  const batch = {};
  const observeNow = (one: ConfirmingObject) => absences.observeNow(one, batch);
  const observations = await askAll(objects, observeNow, clock);
  const context = { confirming, observations, absences };
  const confirmed = plans.map((plan) => holdBack(plan, (change) => holdOf(change, context)));
  const held = confirmed.filter((plan, index) => plan !== plans[index]).map(({ name }) => name);
  const surplus = new Set([...objects.keys()].slice(ASKED_PER_ROUND_MAX));
  const isNext = ({ changes }: NamePlan): boolean =>
    changes.some((change) => confirming.get(change)?.some((one) => surplus.has(askedText(one))));
  const next = plans.filter(isNext).map(({ name }) => name);
  return { plans: confirmed, held: new Set(held), next: new Set(next) };
}

/** The objects to ask for, by change; a change without an entry needs no confirmation. */
type ConfirmingByChange = ReadonlyMap<KeyChange, readonly ConfirmingObject[]>;

function confirmingByChange(plans: readonly NamePlan[], absences: ConfirmedBy): ConfirmingByChange {
  const confirming = new Map<KeyChange, readonly ConfirmingObject[]>();
  for (const change of plans.flatMap(({ changes }) => changes)) {
    const { key, proof, current } = change;
    const marker = current?.marker ?? null;
    const gone = proof !== null && TO_CONFIRM.has(proof) && marker !== null ? [marker] : [];
    const markers = [.../* clause: leavers-are-asked */ (change.leavers ?? []), ...gone];
    const asked = markers.flatMap((one) => absences.of(key.name, one));
    if (asked.length > 0) confirming.set(change, asked);
  }
  return confirming;
}

function askedText({ cluster, resource }: ConfirmingObject): string {
  return `${cluster ?? ""}|${resource}`;
}

/** The answers that came within `CONFIRM_MS`, by question; rejects if `ask` rejects before. */
export async function askAll<Q, A>(
  questions: ReadonlyMap<string, Q>,
  ask: (question: Q) => Promise<A>,
  clock: Clock,
): Promise<ReadonlyMap<string, A>> {
  const answers = new Map<string, A>();
  const waiting = [...questions].slice(0, ASKED_PER_ROUND_MAX).values();
  let isOver = false;
  const askNext = async (): Promise<void> => {
    // All share one iterator, so that each question is asked once.
    for (const [text, question] of waiting) {
      if (isOver) return;
      answers.set(text, await ask(question));
    }
  };
  const asking = Promise.all(Array.from({ length: ASKED_AT_ONCE }, askNext));
  await new Promise<void>((resolve, reject) => {
    const timer = clock.setTimer(CONFIRM_MS, resolve);
    asking.finally(() => timer.cancel()).then(() => resolve(), reject);
  });
  isOver = true;
  // A copy: an answer that comes too late changes nothing any more.
  return new Map(answers);
}

interface ConfirmContext {
  readonly confirming: ConfirmingByChange;
  readonly observations: ReadonlyMap<string, ObjectObservation>;
  readonly absences: ConfirmedBy;
}

/** The plan, with the changes for which `holdFor` answers a hold as holds; itself if none is. */
export function holdBack(plan: NamePlan, holdFor: (change: KeyChange) => Hold | null): NamePlan {
  const changes: KeyChange[] = [];
  const holds: Hold[] = [];
  for (const change of plan.changes) {
    const hold = holdFor(change);
    if (hold === null) changes.push(change);
    else holds.push(hold);
  }
  return holds.length === 0 ? plan : { ...plan, changes, holds: [...plan.holds, ...holds] };
}

/** Why a change is not sent now; null = it may be. */
function holdOf(
  change: KeyChange,
  { confirming, observations, absences }: ConfirmContext,
): Hold | null {
  for (const object of confirming.get(change) ?? []) {
    const isWithout = (live: LiveObject) => absences.isWithout(change.key, object.resource, live);
    const kept = firstOf(
      ANSWERS,
      answerFacts(object, observations.get(askedText(object)), isWithout),
    );
    if (kept !== null) return { ...holdChange(change, kept), proof: null };
  }
  return null;
}

function answerFacts(
  { resource: who, isDerived }: ConfirmingObject,
  observation: ObjectObservation | undefined,
  isWithout: (live: LiveObject) => boolean,
): AnswerFacts {
  if (observation === undefined) return { who, is: "unasked" };
  if (observation.length === 0) return { who, is: "unwatched" };
  const unknown = observation.find((one) => one.state === "unknown");
  if (unknown?.state === "unknown")
    return { who, is: "unknown", code: unknown.code, message: unknown.message };
  const found = observation.filter((one): one is LiveObject => one.state === "alive");
  if (found.length === 0 && isDerived) return { who, is: "unreported" };
  return {
    who,
    is: /* clause: read-object-omits-record */ found.every(isWithout) ? "without" : "newer",
  };
}
