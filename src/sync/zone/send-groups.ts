/**
 * Sends the groups of a round (each all changes of one name), batch by batch, through the way (the
 * account) of the object that gets the record, and under the fence of the zone: a record that each
 * batch compares, so that a former leader or another installation cannot write. `learn` gets the
 * outcomes of each call; a group that was not sent is due again. Decides nothing about names.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import { resourceOf } from "../../model/provenance.ts";
import type { ChangeGroup, Precondition } from "../../plan/changes.ts";
import type { DesiredIndex } from "../cache/desired-index.ts";
import { type ApplyContext, applyBatch, type Result, retried } from "../calls/apply-batches.ts";
import { type Batch, pack } from "../calls/pack-batches.ts";
import type { OpenZoneInput } from "../contract/zone.ts";
import type { ZoneFences } from "../fence/zone-fences.ts";
import type { ActorOptions } from "./actor-options.ts";
import { changesOf } from "./applied-changes.ts";
import { Freshness } from "./freshness.ts";
import type { NameLedger } from "./name-ledger.ts";
import type { Way } from "./way.ts";
import type { Ways } from "./ways.ts";
import type { ReadNames } from "./zone-reader.ts";

/** What sending works with. */
export interface SendContext extends Pick<ActorOptions, "clock" | "onApplied" | "isPreview"> {
  readonly zoneInput: OpenZoneInput;
  readonly ledger: NameLedger;
  readonly ways: Ways;
  readonly index: Pick<DesiredIndex, "listing" | "paused">;
  readonly signal: AbortSignal;
  readonly fences: ZoneFences;
  /** True = no call is begun any more. */
  readonly isStopping: () => boolean;
  /** Names that were read in this round. */
  readonly read: ReadNames;
  /** Takes the outcomes of one call. */
  readonly learn: (results: readonly Result[]) => Promise<void>;
}

/** Batches that a round sends before it makes way for edits, or reads again. */
const BATCHES_MIN = 2;

/**
 * Throws OperationError when the fence cannot be read, or the term is over: nothing more is sent
 * then.
 */
export async function sendGroups(
  context: SendContext,
  groups: readonly ChangeGroup[],
): Promise<void> {
  const { ledger, fences } = context;
  if (groups.length === 0 || context.isPreview === true) return;
  // For packing only; each batch asks again.
  const answer = await fences.arm(groups);
  const compares = answer.may === "send" ? answer.compares : [];
  const batches = [
    ...groupedBy(groups, (group) =>
      context.ways.wayOf(group, () => context.index.listing(group.name)),
    ),
  ].flatMap(([way, some]) => batchesOf(way, some, compares));
  const freshness = new Freshness(context);
  for (const [at, { way, batch }] of batches.entries()) {
    const isFurther = at >= BATCHES_MIN;
    // If names were edited meanwhile, the remaining groups wait behind the edits.
    if (isFurther && ledger.hasEdits) {
      postpone(batches.slice(at), ledger);
      break;
    }
    const isFresh = (group: ChangeGroup): boolean => freshness.isFresh(group, !isFurther);
    const fresh = batch.filter(isFresh);
    const sinceMs = context.clock.monotonicMs();
    const results = fresh.length === 0 ? [] : await sendBatch({ ...context, isFresh }, way, fresh);
    freshness.sent(results);
    noteApplied(context, way, { results, sinceMs });
    await context.learn(results);
    const known = new Set(results.map(({ group }) => group));
    const left = batch.filter((group) => !known.has(group));
    for (const { name } of left.filter((group) => !isFresh(group))) ledger.requireRead(name);
    postpone([{ way, batch: left }], ledger);
  }
  freshness.end();
}

/** Groups that were not sent are due again. */
function postpone(batches: readonly WayBatch[], ledger: NameLedger): void {
  for (const { batch } of batches) for (const { name } of batch) ledger.mark(name, false);
}

/**
 * Tells `onApplied` of each applied change. Called before the outcomes are learned, because
 * learning ends the wait whose length is told.
 */
function noteApplied(
  { onApplied, clock, ledger, index }: SendContext,
  { input, zone }: Way,
  { results, sinceMs }: { readonly results: readonly Result[]; readonly sinceMs: number },
): void {
  const call = {
    zone: zone.name,
    // The names of the DNSProviders, not the hash of their account.
    providers: input.facts?.().providers ?? [],
    callMs: clock.monotonicMs() - sinceMs,
    atMs: clock.nowMs(),
  };
  for (const { group, outcome } of results) {
    if (outcome.status !== "applied") continue;
    const answeredMs = ledger.answers.waiting(group.name);
    // Of the contribution of the object itself, or of a DNSEntry that was made for it.
    const generationOf = (resource: string): number | undefined =>
      index
        .listing(group.name)
        .find(({ object, found }) =>
          [object, ...found.items.map(({ provenance }) => provenance)].some(
            (key) => resourceOf(key) === resource,
          ),
        )?.generation;
    const isDrift = answeredMs === null && ledger.answers.isDrifted(group.name);
    const answered = answeredMs === null ? {} : { answeredMs };
    onApplied(changesOf(group, { ...call, isDrift, generationOf, ...answered }));
  }
}

/** A batch and what it is sent through. */
interface WayBatch {
  readonly way: Way;
  readonly batch: Batch;
}

function batchesOf(
  way: Way,
  groups: readonly ChangeGroup[],
  compares: readonly Precondition[],
): readonly WayBatch[] {
  const { session, zone } = way;
  const capabilities = session.capabilitiesOf?.(zone) ?? session.capabilities;
  const packed = pack(groups, { ...capabilities, apex: zone.name }, compares);
  return packed.map((batch) => ({ way, batch }));
}

async function sendBatch(
  context: SendContext & Required<Pick<ApplyContext, "isFresh">>,
  way: Way,
  batch: Batch,
): Promise<readonly Result[]> {
  const { zoneInput, ledger, fences, clock, signal, isFresh } = context;
  const fence = fences.main;
  const { session, zone, budget } = way;
  const { ownership: registry } = zoneInput;
  // Calls that fail one after the other would keep the objects of other ways waiting.
  if (way.failure !== null) return later(batch, { afterMs: null, ...way.failure });
  const answer = await fences.arm(batch);
  if (answer.may === "stop") return [];
  if (answer.may === "later") return later(batch, answer);
  const { compares } = answer;
  const isDue = (group: ChangeGroup): boolean =>
    !context.isStopping() && fence?.isInTime !== false && !isOutdated(context, group);
  const hasMoved = (): Promise<boolean> => fences.hasMoved(compares);
  const call: ApplyContext = {
    ...{ session, zone, registry, signal, budget, isDue, isFresh },
    isIsolated: (name) => ledger.isIsolated(name),
    fence: fence === null ? null : { compares, clock, hasMoved, callMs: () => fence.callMs },
    waitsIfThrottled: true,
  };
  const results = await applyBatch(call, batch);
  if (results.some(({ outcome }) => outcome.status === "applied")) way.wrote();
  return results;
}

function later(
  batch: Batch,
  { afterMs, message }: { readonly afterMs: number | null; readonly message: string },
): readonly Result[] {
  return batch.map((group) => ({ group, outcome: retried(group, message, afterMs) }));
}

/**
 * True for a group that must not be sent: its name was edited since it was planned, and it removes
 * something or an object may be paused now. The name is due already.
 */
function isOutdated({ ledger, index }: SendContext, { name, changes }: ChangeGroup): boolean {
  return ledger.isEdited(name) && (index.paused.isAny || changes.some(({ op }) => op === "remove"));
}
