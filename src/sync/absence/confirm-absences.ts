/**
 * The last look at removals that rest on what was heard of a living object, or on its absence from
 * a list (SAFETY Z-2, ADR 0021): right before they are sent that object is asked for at its API
 * server. What was heard may be older than what another process of the same owner has written
 * meanwhile. What is not confirmed becomes a hold.
 */
import type { DnsName } from "../../model/dns-name.ts";
import type { AbsenceProof, Hold, KeyChange, NamePlan } from "../../plan/changes.ts";
import { holdChange } from "../../plan/held-change.ts";
import type { Clock } from "../../ports/clock.ts";
import type { LiveAnswer, LiveObject } from "../contract/absence-oracle.ts";
import type { AbsenceTracker, ConfirmingObject } from "./absence-tracker.ts";

/** Objects asked for at once. */
const ASKED_AT_ONCE = 8;
/** Objects asked for in one round of a zone; removals of others wait for the next one. */
export const ASKED_PER_ROUND_MAX = 1_000;
/**
 * Milliseconds that a round of a zone waits for all answers: a zone has more to do than to wait for
 * an API server.
 */
export const CONFIRM_MS = 10_000;

/** Proofs that say nothing of a record that is newer than they are. */
const TO_CONFIRM: ReadonlySet<AbsenceProof> = new Set(["missing-from-list", "object-omits-name"]);

/** Plans without what was not confirmed. */
export interface Confirmed {
  /** One for each plan, in order. */
  readonly plans: readonly NamePlan[];
  /**
   * Names of which something is held here: nothing may tell when it can go, so they are to be tried
   * again.
   */
  readonly held: ReadonlySet<DnsName>;
  /**
   * Those of them that only wait for their turn: more objects were to be asked for than one round
   * does.
   */
  readonly next: ReadonlySet<DnsName>;
}

/** What is known of absences, and how to ask. */
export type ConfirmedBy = Pick<AbsenceTracker, "askedNow" | "isWithout" | "confirmingObjects">;

/** Asks once for each object, however many record sets it leaves behind. */
export async function confirmAbsences(
  plans: readonly NamePlan[],
  absences: ConfirmedBy,
  clock: Clock,
): Promise<Confirmed> {
  const confirming = confirmingByChange(plans, absences);
  const asked = [...confirming.values()].flat();
  const objects = new Map(asked.map((one) => [textOf(one), one]));
  if (objects.size === 0) return { plans, held: new Set(), next: new Set() };
  const answers = await answersTo(objects, absences, clock);
  const context = { confirming, answers, absences };
  const confirmed = plans.map((plan) => holdBack(plan, context));
  const held = confirmed.filter((plan, index) => plan !== plans[index]).map(({ name }) => name);
  const surplus = new Set([...objects.keys()].slice(ASKED_PER_ROUND_MAX));
  const isNext = ({ changes }: NamePlan): boolean =>
    changes.some((change) => confirming.get(change)?.some((one) => surplus.has(textOf(one))));
  const next = plans.filter(isNext).map(({ name }) => name);
  return { plans: confirmed, held: new Set(held), next: new Set(next) };
}

/** The objects that removals are confirmed by; no entry = it needs none. */
type ConfirmingByChange = ReadonlyMap<KeyChange, readonly ConfirmingObject[]>;

function confirmingByChange(plans: readonly NamePlan[], absences: ConfirmedBy): ConfirmingByChange {
  const confirming = new Map<KeyChange, readonly ConfirmingObject[]>();
  for (const change of plans.flatMap(({ changes }) => changes)) {
    const { key, proof, current } = change;
    const marker = current?.marker ?? null;
    if (proof !== null && TO_CONFIRM.has(proof) && marker !== null)
      confirming.set(change, absences.confirmingObjects(key.name, marker));
  }
  return confirming;
}

function textOf({ cluster, resource }: ConfirmingObject): string {
  return `${cluster ?? ""}|${resource}`;
}

/** What came in time, by object. */
async function answersTo(
  objects: ReadonlyMap<string, ConfirmingObject>,
  absences: ConfirmedBy,
  clock: Clock,
): Promise<ReadonlyMap<string, LiveAnswer>> {
  const answers = new Map<string, LiveAnswer>();
  const waiting = [...objects].slice(0, ASKED_PER_ROUND_MAX).values();
  let isOver = false;
  const ask = async (): Promise<void> => {
    // The askers share one iterator, so that each object is taken by one of them.
    for (const [text, { cluster, resource }] of waiting) {
      if (isOver) return;
      answers.set(text, await absences.askedNow(cluster, resource));
    }
  };
  const asking = Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask));
  await inTime(asking, clock);
  isOver = true;
  // A copy: what comes too late changes nothing any more.
  return new Map(answers);
}

/** Resolves when the work is done or its time is over; rejects as the work does until then. */
function inTime(work: Promise<unknown>, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(CONFIRM_MS, resolve);
    work.finally(() => timer.cancel()).then(() => resolve(), reject);
  });
}

/** Answers by object, and who knows what they mean. */
interface ConfirmContext {
  readonly confirming: ConfirmingByChange;
  readonly answers: ReadonlyMap<string, LiveAnswer>;
  readonly absences: ConfirmedBy;
}

function holdBack(plan: NamePlan, context: ConfirmContext): NamePlan {
  const changes: KeyChange[] = [];
  const holds: Hold[] = [];
  for (const change of plan.changes) {
    const hold = holdOf(change, context);
    if (hold === null) changes.push(change);
    else holds.push(hold);
  }
  return holds.length === 0 ? plan : { ...plan, changes, holds: [...plan.holds, ...holds] };
}

/** Why a change is not sent now; null = it may be. */
function holdOf(change: KeyChange, { confirming, answers, absences }: ConfirmContext): Hold | null {
  const { name } = change.key;
  for (const object of confirming.get(change) ?? []) {
    const { resource, isDerived } = object;
    const answer = answers.get(textOf(object));
    const found = objectsOf(answer);
    const isWithout = (live: LiveObject) => absences.isWithout(name, resource, live);
    // What was made from an object and is gone says nothing about that object: its end is to be
    // heard of first.
    const isGone = found?.length === 0 && isDerived;
    if (found?.every(isWithout) === true && !isGone) continue;
    // What was not confirmed proves nothing.
    return { ...holdChange(change, reasonOf(resource, answer)), proof: null };
  }
  return null;
}

/** Where the object was found; null = nobody knows. */
function objectsOf(answer: LiveAnswer | undefined): readonly LiveObject[] | null {
  if (answer?.is === "absent") return [];
  return answer?.is === "alive" ? answer.objects : null;
}

function reasonOf(
  resource: string,
  answer: LiveAnswer | undefined,
): Pick<Hold, "code" | "message"> {
  const asked = `nothing heard of ${resource} wants the record, and its API server was asked for it`;
  if (answer === undefined)
    return { code: "NotSynced", message: `${asked}: no answer yet; it is asked again` };
  if (answer.is === "unknown")
    return { code: answer.code, message: `${asked}: ${answer.message}; it is asked again` };
  const news =
    answer.is === "absent"
      ? "is not at its API server any more, and its end was not heard of"
      : "at its API server is newer than what was heard of it";
  return { code: "SourceAlive", message: `${resource} ${news}; it is asked again` };
}
