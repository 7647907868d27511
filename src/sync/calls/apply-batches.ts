/**
 * Sends batches and isolates the group that a provider refuses: where the answer names it, the
 * others are sent again without it; else the batch is split until the bad group is in a batch of
 * its own (Z-17, docs/safety.md#isolation). A throttled batch waits for the account's budget. Knows
 * nothing of plans; answers one outcome for each group.
 */
import { messageOf, OperationError, THROTTLED } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Zone } from "../../model/zone.ts";
import type { ExternalStore, Ownership } from "../../ownership/ownership.ts";
import type { ChangeGroup, Outcome, Precondition } from "../../plan/changes.ts";
import type { ProviderSession } from "../../providers/provider.ts";
import type { ZoneBudget } from "./account-budget.ts";
import type { Batch } from "./pack-batches.ts";

/** Keeps a call from writing after the end of our term (Z-17). */
export interface CallFence {
  /** The fence records that each call asserts; empty = there is none. */
  readonly compares: readonly Precondition[];
  /**
   * Asked after a failed precondition: true = the fence record changed, so that the failure proves
   * nothing about the groups.
   */
  readonly hasMoved: () => Promise<boolean>;
  /** Milliseconds that a call begun now may take; null = as long as the provider waits. */
  readonly callMs: () => number | null;
  readonly clock: Clock;
}

/** What a call needs. */
export interface ApplyContext {
  readonly session: ProviderSession;
  readonly zone: Zone;
  /**
   * Records owners before a call, and takes the outcomes of calls without a result; absent = the
   * registry needs neither.
   */
  readonly registry?: Pick<Ownership, "confirm"> & {
    readonly externalStore?: Pick<ExternalStore, "recordIntents"> | undefined;
  };
  readonly signal: AbortSignal;
  /** Null and absent = no other installation can write. */
  readonly fence?: CallFence | null;
  /** The budget of the account. */
  readonly budget: Pick<ZoneBudget, "write" | "slowDown">;
  /**
   * True = a throttled batch stays whole and waits in the budget; its names stay pending. Absent =
   * its groups are to be tried again.
   */
  readonly waitsIfThrottled?: true;
  /**
   * Asked of each group once the budget has a token, which may take long: false = the group is not
   * sent and has no result.
   */
  readonly isDue: (group: ChangeGroup) => boolean;
  /**
   * Asked with `isDue`: false = the reading that the group rests on is too old, so the name has to
   * be read again first. Absent = no group rests on a reading.
   */
  readonly isFresh?: (group: ChangeGroup) => boolean;
  /**
   * True for a name whose precondition failed again after a read: after one more failure its batch
   * is split, too. Absent = no name's batch is.
   */
  readonly isIsolated?: (name: DnsName) => boolean;
}

/** A group and its outcome. */
export interface Result {
  readonly group: ChangeGroup;
  readonly outcome: Outcome;
}

/** Every outcome but success. */
export type NotApplied = Exclude<Outcome, { status: "applied" }>;

/** The outcome of a group of which nothing was made: it is tried again. `afterMs` null = soon. */
export function retried(
  { name }: Pick<ChangeGroup, "name">,
  message: string,
  afterMs: number | null = null,
): Extract<Outcome, { status: "retry" }> {
  return { name, status: "retry", afterMs, message };
}

/**
 * Applies one batch; each group that is still due has exactly one result, but for those of a call
 * that the fence stopped. Throws for trouble with the provider only where the fence cannot be read.
 */
export async function applyBatch(
  context: ApplyContext,
  planned: Batch,
): Promise<readonly Result[]> {
  const { batch, results } = await callInTime(context, planned);
  if (batch.length === 0) return [];
  if (/* clause: refused-batch-is-read-again */ await isStopped(context, results)) return [];
  const innocent = results.filter(({ outcome }) => outcome.status === "refused-together");
  if (innocent.length > 0 && innocent.length < results.length) {
    const culprits = results.filter((result) => !innocent.includes(result));
    const again = innocent.map(({ group }) => group);
    return [...culprits, ...(await applyBatch(context, again))];
  }
  if (batch.length < 2 || !shouldSplit(context, results)) return results;
  const middle = Math.ceil(batch.length / 2);
  return [
    ...(await applyBatch(context, batch.slice(0, middle))),
    ...(await applyBatch(context, batch.slice(middle))),
  ];
}

/** Makes the call; repeats it while the provider refuses it because of too many calls. */
async function callInTime(
  context: ApplyContext,
  planned: Batch,
): Promise<{ readonly batch: Batch; readonly results: readonly Result[] }> {
  for (;;) {
    const batch = await dueOf(context, planned);
    if (batch.length === 0) return { batch, results: [] };
    const answer = await callOnce(context, batch);
    if (!(answer instanceof OperationError)) return { batch, results: answer };
    context.budget.slowDown(answer.retryAfterMs);
    // A part of a change was made before: the rest is planned anew.
    if (context.waitsIfThrottled !== true || !answer.nothingSent)
      return { batch, results: batch.map((group) => resultOf(group, answer)) };
  }
}

/**
 * The groups that are still due once the budget has a token. The registry may have recorded the
 * others as begun, in a batch that was refused and is sent in parts: it learns that they were not
 * written (Z-14).
 */
async function dueOf(context: ApplyContext, planned: Batch): Promise<Batch> {
  const { isDue, isFresh = () => true } = context;
  const isNeeded = (group: ChangeGroup): boolean => isDue(group) && isFresh(group);
  const wanted = planned.filter(isNeeded);
  const changes = wanted.flatMap((group) => group.changes);
  // Record sets that are added and deleted; a replacement is both.
  const count = changes.length + changes.filter(({ op }) => op === "replace").length;
  if (wanted.length > 0) await context.budget.write(count);
  const batch = planned.filter(isNeeded);
  const due = new Set(batch);
  const dropped = planned.filter((group) => !due.has(group));
  const message = "not sent: the name is planned again first";
  const results = dropped.map((group) => ({ group, outcome: retried(group, message) }));
  await confirmResults(context, results);
  return batch;
}

/**
 * True when the fence record changed, so that failed preconditions prove nothing. The results are
 * dropped then, and only the registry gets them, because it recorded the call as begun.
 */
async function isStopped(context: ApplyContext, results: readonly Result[]): Promise<boolean> {
  if (!results.some(({ outcome }) => outcome.status === "precondition-failed")) return false;
  let hasMoved = true;
  try {
    hasMoved = (await context.fence?.hasMoved()) === true;
  } finally {
    if (hasMoved) await confirmResults(context, results);
  }
  return hasMoved;
}

async function confirmResults(
  { registry }: ApplyContext,
  results: readonly Result[],
): Promise<void> {
  for (const { group, outcome } of results) await registry?.confirm(group, outcome);
}

/** True when all groups have one refusal, which concerns perhaps one of them. */
function shouldSplit(context: ApplyContext, results: readonly Result[]): boolean {
  const first = results[0]?.outcome.status;
  if (results.some(({ outcome }) => outcome.status !== first)) return false;
  // clause: refused-batch-is-split
  if (first === "rejected" || first === "refused-together") return true;
  return (
    first === "precondition-failed" && results.some(({ group }) => context.isIsolated?.(group.name))
  );
}

/** One call. An error = refused because of too many calls; it says whether a part was made. */
async function callOnce(
  context: ApplyContext,
  groups: readonly ChangeGroup[],
): Promise<readonly Result[] | OperationError> {
  const store = context.registry?.externalStore;
  const unrecorded = await troubleOf(async () => store?.recordIntents(groups));
  // A change whose owner cannot be recorded is not sent (Z-14).
  if (unrecorded !== null) {
    const message = `not sent: the registry could not record the owner first: ${messageOf(unrecorded)}`;
    const { retryAfterMs } = unrecorded;
    return groups.map((group) => ({ group, outcome: retried(group, message, retryAfterMs) }));
  }
  const byName = new Map<string, Outcome>();
  const trouble = await troubleOf(() => send(context, groups, byName));
  if (trouble?.code === THROTTLED) return trouble;
  return groups.map((group) => {
    const outcome = byName.get(group.name);
    return outcome === undefined ? resultOf(group, trouble) : { group, outcome };
  });
}

async function send(
  context: ApplyContext,
  groups: readonly ChangeGroup[],
  byName: Map<string, Outcome>,
): Promise<void> {
  const limit = limitedSignal(context);
  try {
    const fenced = withCompares(groups, context.fence?.compares ?? []);
    for await (const outcome of context.session.apply(context.zone, fenced, limit.signal))
      byName.set(outcome.name, outcome);
  } finally {
    limit.release();
  }
}

async function troubleOf(act: () => Promise<void>): Promise<OperationError | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof OperationError) return error;
    throw error;
  }
}

/** Groups of one call succeed or fail together, so one of them carries the compares for all. */
function withCompares(
  groups: readonly ChangeGroup[],
  compares: readonly Precondition[],
): readonly ChangeGroup[] {
  // clause: batch-compares-fence
  return groups.map((group, index) =>
    index === 0 ? { ...group, preconditions: [...compares, ...group.preconditions] } : group,
  );
}

/** A signal that aborts when a call has had its time. */
function limitedSignal({ signal, fence }: ApplyContext): {
  readonly signal: AbortSignal;
  readonly release: () => void;
} {
  const mostMs = fence?.callMs() ?? null;
  if (fence === undefined || fence === null || mostMs === null)
    return { signal, release: () => undefined };
  const controller = new AbortController();
  const timer = fence.clock.setTimer(mostMs, () => controller.abort());
  const both = AbortSignal.any([signal, controller.signal]);
  return { signal: both, release: () => timer.cancel() };
}

/** A thrown error says nothing about what was applied, unless it says that nothing was sent. */
function resultOf(group: ChangeGroup, trouble: OperationError | null): Result {
  const message = trouble === null ? "the provider gave no outcome" : messageOf(trouble);
  if (trouble?.nothingSent === true)
    return { group, outcome: retried(group, message, trouble.retryAfterMs) };
  return { group, outcome: { name: group.name, status: "unknown", message } };
}
