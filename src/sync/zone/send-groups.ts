/**
 * Sends the groups of a round, batch by batch, under the fence of the zone. `learn` gets the
 * outcome of each group; a group that was not sent is due again. Decides nothing about names.
 */
import type { ChangeGroup } from "../../plan/changes.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PausedObjects } from "../cache/paused-objects.ts";
import type { AccountBudget } from "../calls/account-budget.ts";
import { applyBatch, type CallFence, type Result } from "../calls/apply-batches.ts";
import { type Batch, limitsWithPrecondition, pack } from "../calls/pack-batches.ts";
import type { OpenZoneInput } from "../contract/zone.ts";
import type { FenceAnswer, ZoneFence } from "../fence/zone-fence.ts";
import type { NameLedger } from "./name-ledger.ts";

/** What sending works with. */
export interface SendContext {
  readonly zoneInput: OpenZoneInput;
  readonly ledger: NameLedger;
  /** Objects that are paused by annotation. */
  readonly paused: Pick<PausedObjects, "isAny">;
  /** Of the account. */
  readonly budget: AccountBudget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Null = nobody else can write. */
  readonly fence: ZoneFence | null;
  /** True = no call is begun any more. */
  readonly isStopping: () => boolean;
  readonly learn: (result: Result) => Promise<void>;
}

/** Batches that a round sends before it makes way for edits. */
const BATCHES_MIN = 2;

/**
 * Throws OperationError when the fence cannot be read, or the term is over: nothing more is sent
 * then.
 */
export async function sendGroups(
  context: SendContext,
  groups: readonly ChangeGroup[],
): Promise<void> {
  const { ledger, zoneInput } = context;
  const { batch: limits } = zoneInput.session.capabilities;
  if (groups.length === 0) return;
  const { compare } = await compareOf(context);
  const batches = pack(groups, compare === null ? limits : limitsWithPrecondition(compare, limits));
  for (const [index, batch] of batches.entries()) {
    // If names were edited meanwhile, the remaining groups wait behind the edits. Each round sends
    // two batches in any case.
    if (index >= BATCHES_MIN && ledger.hasEdits) {
      for (const { name } of batches.slice(index).flat()) ledger.mark(name, false);
      return;
    }
    const results = await sendBatch(context, batch);
    for (const result of results) await context.learn(result);
    const known = new Set(results.map(({ group }) => group));
    for (const group of batch) if (!known.has(group)) ledger.mark(group.name, false);
  }
}

async function sendBatch(context: SendContext, batch: Batch): Promise<readonly Result[]> {
  const { zoneInput, ledger, budget, fence, clock, signal } = context;
  const { session, zone, ownership: registry } = zoneInput;
  const answer = await fenceOf(context);
  if (answer.may === "stop") return [];
  if (answer.may === "later") {
    const { afterMs, message } = answer;
    return batch.map((group) => ({
      group,
      outcome: { name: group.name, status: "retry", afterMs, message },
    }));
  }
  const { compare } = answer;
  const isDue = (group: ChangeGroup): boolean =>
    !context.isStopping() && fence?.isInTime !== false && !isOutdated(context, group);
  const spend = (): Promise<void> => budget.write();
  const kept = fence === null ? null : callFence(fence, { compare, clock });
  const { isolated } = ledger;
  const call = { session, zone, registry, signal, spend, isDue, isolated, fence: kept };
  return applyBatch(call, batch);
}

function callFence(fence: ZoneFence, given: Pick<CallFence, "compare" | "clock">): CallFence {
  return {
    ...given,
    hasMoved: () => fence.hasMoved(given.compare),
    callMs: () => fence.callMs,
  };
}

async function fenceOf({ fence }: SendContext): Promise<FenceAnswer> {
  return (await fence?.arm()) ?? { may: "send", compare: null };
}

/** For packing only; each batch asks again. */
async function compareOf(context: SendContext): Promise<Pick<Armed, "compare">> {
  const answer = await fenceOf(context);
  return answer.may === "send" ? answer : { compare: null };
}

type Armed = Extract<FenceAnswer, { readonly may: "send" }>;

/**
 * A removal whose name was edited since it was planned, or a name that may be paused now. It is due
 * already.
 */
function isOutdated({ ledger, paused }: SendContext, { name, changes }: ChangeGroup): boolean {
  return ledger.isEdited(name) && (paused.isAny || changes.some(({ op }) => op === "remove"));
}
