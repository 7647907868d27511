/**
 * The last look at removals that rest on a list without their object (SAFETY Z-2, ADR 0021): right before they are sent
 * the object is asked for at its API server. A list may be older than what another process of the same owner has
 * written meanwhile. What is not confirmed becomes a hold.
 */
import type { DnsName } from "../model/dns-name.ts";
import type { Hold, KeyChange, NamePlan } from "../plan/changes.ts";
import { holdAt } from "../plan/hold-reasons.ts";
import { objectIn } from "../plan/rights.ts";
import type { Clock } from "../ports/clock.ts";
import type { AbsenceBook } from "./absence-book.ts";
import type { LiveAnswer } from "./contract.ts";

/** Objects asked for at once. */
const ASKED_AT_ONCE = 8;
/** Objects asked for in one round of a zone; removals of others wait for the next one. */
export const ASKED_PER_ROUND_MAX = 100;
/** Milliseconds that a round of a zone waits for all answers: a zone has more to do than to wait for an API server. */
export const CONFIRM_MS = 10_000;

/** Plans without what was not confirmed. */
export interface Confirmed {
  /** One for each plan, in order. */
  readonly plans: readonly NamePlan[];
  /** Names of which something is held here: nothing may tell when it can go, so they are to be tried again. */
  readonly held: ReadonlySet<DnsName>;
}

/** An object in a marker. */
interface Asked {
  readonly cluster: string | null;
  readonly resource: string;
}

/** Asks once for each object, however many record sets it leaves behind. */
export async function confirmAbsences(
  plans: readonly NamePlan[],
  book: Pick<AbsenceBook, "askedNow">,
  clock: Clock,
): Promise<Confirmed> {
  const objects = objectsIn(plans);
  if (objects.size === 0) return { plans, held: new Set() };
  const answers = await answersTo(objects, book, clock);
  const confirmed = plans.map((plan) => holdBack(plan, answers));
  const isHeld = (plan: NamePlan, index: number): boolean => plan !== plans[index];
  return { plans: confirmed, held: new Set(confirmed.filter(isHeld).map(({ name }) => name)) };
}

function restsOnList({ proof }: KeyChange): boolean {
  return proof === "missing-from-list";
}

function objectsIn(plans: readonly NamePlan[]): ReadonlyMap<string, Asked> {
  const objects = new Map<string, Asked>();
  for (const { current } of plans.flatMap(({ changes }) => changes.filter(restsOnList))) {
    const { cluster, resource } = current?.marker ?? { cluster: null, resource: null };
    if (resource !== null) objects.set(textOf({ cluster, resource }), { cluster, resource });
  }
  return objects;
}

/** What came in time, by object. */
async function answersTo(
  objects: ReadonlyMap<string, Asked>,
  book: Pick<AbsenceBook, "askedNow">,
  clock: Clock,
): Promise<ReadonlyMap<string, LiveAnswer>> {
  const answers = new Map<string, LiveAnswer>();
  const waiting = [...objects].slice(0, ASKED_PER_ROUND_MAX).values();
  let isOver = false;
  const ask = async (): Promise<void> => {
    // The askers share one iterator, so that each object is taken by one of them.
    for (const [text, { cluster, resource }] of waiting) {
      if (isOver) return;
      answers.set(text, await book.askedNow(cluster, resource));
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

function holdBack(plan: NamePlan, answers: ReadonlyMap<string, LiveAnswer>): NamePlan {
  const holds = plan.changes.flatMap((change) => holdOf(change, answers) ?? []);
  if (holds.length === 0) return plan;
  return {
    ...plan,
    changes: plan.changes.filter((change) => holdOf(change, answers) === null),
    holds: [...plan.holds, ...holds],
  };
}

/** Why a change is not sent now; null = it may be. */
function holdOf(change: KeyChange, answers: ReadonlyMap<string, LiveAnswer>): Hold | null {
  const marker = change.current?.marker ?? null;
  if (!restsOnList(change) || marker === null || marker.resource === null) return null;
  const { cluster, resource } = marker;
  const answer = answers.get(textOf({ cluster, resource }));
  if (answer?.is === "absent") return null;
  return holdAt(change.key, { ...reasonOf(resource, answer), provenance: objectIn(marker) });
}

function reasonOf(
  resource: string,
  answer: LiveAnswer | undefined,
): Pick<Hold, "code" | "message"> {
  const asked = `${resource} is in no list, and whether it is gone was asked of its API server`;
  if (answer === undefined)
    return { code: "NotSynced", message: `${asked}: no answer yet; it is asked again` };
  if (answer.is === "unknown")
    return { code: answer.code, message: `${asked}: ${answer.message}; it is asked again` };
  return {
    code: "SourceAlive",
    message: `${resource} exists at its API server, and was not heard of yet; it is asked again`,
  };
}

function textOf({ cluster, resource }: Asked): string {
  return `${cluster ?? ""}|${resource}`;
}
