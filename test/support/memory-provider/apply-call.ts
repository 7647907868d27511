/**
 * Carries out one `apply` on a memory zone, faults included: as one transaction, or record set by
 * record set. Takes effect at one moment (it never waits), so that concurrent callers see one
 * order.
 */
import { OperationError, THROTTLED } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { Change, ChangeGroup, Outcome } from "../../../src/plan/changes.ts";
import { evaluateBatch, evaluateStep, type Refusal } from "./evaluate.ts";
import type { ApplyFault } from "./faults.ts";
import type { MemoryZone } from "./memory-zone.ts";

/** One call with the trouble it will meet. */
export interface Call {
  readonly zone: MemoryZone;
  readonly groups: readonly ChangeGroup[];
  readonly faults: readonly ApplyFault[];
  readonly clock: Clock;
}

const LOST = "the connection broke before the answer came";

/** All or nothing: every group gets the same outcome. */
export function applyBatch(call: Call): readonly Outcome[] {
  const oversize = limitTrouble(call);
  if (oversize !== null) return everyGroup(call, oversize);
  for (const fault of call.faults) {
    const result = meet(call, fault);
    if (result !== null) return result;
  }
  const refusal = transact(call);
  if (hasFault(call, "lost-after")) return unknown(call.groups);
  return refusal === null ? applied(call.groups) : everyGroup(call, refusal);
}

/**
 * One record set after the other; a group that stops midway is unknown, because part of it stands.
 */
export function applySteps(call: Call): readonly Outcome[] {
  const oversize = limitTrouble(call);
  if (oversize !== null) return everyGroup(call, oversize);
  let budget = Number.POSITIVE_INFINITY;
  for (const fault of call.faults) {
    if (fault.kind === "partial") budget = fault.changes;
    else if (fault.kind !== "rejects") {
      const result = meet(call, fault);
      if (result !== null) return result;
    }
  }
  const outcomes: Outcome[] = [];
  for (const group of call.groups) {
    const outcome = runGroup(call, group, budget);
    budget -= group.changes.length;
    outcomes.push(outcome);
  }
  return hasFault(call, "lost-after") ? unknown(call.groups) : outcomes;
}

/** What a fault makes of the whole call; null = it goes on. */
function meet(call: Call, fault: ApplyFault): readonly Outcome[] | null {
  switch (fault.kind) {
    case "down":
      throw new OperationError({
        code: "ProviderUnreachable",
        message: `${call.zone.zone.endpoint} cannot be reached; it is tried again`,
        retry: "backoff",
      });
    case "throttled":
      throw new OperationError({
        code: THROTTLED,
        message: "too many calls",
        ...(fault.afterMs === null
          ? { retry: "backoff" }
          : { retry: "after", retryAfterMs: fault.afterMs }),
        nothingSent: true,
      });
    case "lost-before":
    case "partial":
      return unknown(call.groups);
    case "late": {
      const { serial } = call.zone.content;
      call.clock.setTimer(fault.delayMs, () => {
        if (!isOutdated(call, serial)) transact(call);
      });
      return unknown(call.groups);
    }
    case "foreign":
      fault.write(call.zone.content);
      return null;
    case "rejects": {
      const culprit = call.groups.find((group) => fault.matches(group));
      return culprit === undefined ? null : everyGroup(call, refusedBy(fault.code, culprit));
    }
    case "lost-after":
      return null;
  }
}

/**
 * What the call replaces or removes was written after it was sent: its tag differs, although the
 * values may be those of then.
 */
function isOutdated({ zone: { content, behaviour }, groups }: Call, sentAt: number): boolean {
  if (!behaviour.hasTags) return false;
  const names = content.namesSince(sentAt);
  const written = groups.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.op === "create" ? [] : change.previous.name)),
  );
  return names === null || written.some((name) => names.includes(name));
}

function transact(call: Call): Refusal | null {
  const { content, behaviour } = call.zone;
  const evaluation = evaluateBatch(content, call.groups, behaviour);
  if (evaluation.refusal !== null) return evaluation.refusal;
  content.write(evaluation.edits, call.clock.monotonicMs());
  return null;
}

function runGroup(call: Call, group: ChangeGroup, budget: number): Outcome {
  const { content, behaviour } = call.zone;
  const { name, preconditions } = group;
  for (const fault of call.faults)
    if (fault.kind === "rejects" && fault.matches(group))
      return { name, ...refusedBy(fault.code, group) };
  const changes = behaviour.atomicity === "value" ? group.changes.flatMap(byValue) : group.changes;
  for (const [done, change] of changes.entries()) {
    if (done >= budget) return { name, status: "unknown", message: LOST };
    const evaluation = evaluateStep(content, { change, preconditions }, behaviour);
    if (evaluation.refusal !== null) {
      const { message } = evaluation.refusal;
      return done === 0
        ? { name, ...evaluation.refusal }
        : { name, status: "unknown", message: `stopped after ${done} writes: ${message}` };
    }
    content.write(evaluation.edits, call.clock.monotonicMs());
  }
  return { name, status: "applied" };
}

/** As AliDNS writes: what comes takes the place of what goes; the rest is added, then removed. */
function byValue(change: Change): readonly Change[] {
  if (change.op === "create")
    return change.next.values.map((value) => ({ op: "create", next: only(change.next, value) }));
  const { previous } = change;
  const wanted = change.op === "remove" ? [] : change.next.values;
  const going = previous.values.filter((value) => !wanted.includes(value));
  const removal = (value: string): Change => ({ op: "remove", previous: only(previous, value) });
  if (change.op === "remove") return going.map(removal);
  const { next } = change;
  const coming = wanted.filter((value) => !previous.values.includes(value));
  const isLate = previous.ttlSeconds !== next.ttlSeconds;
  const late = isLate ? wanted.filter((value) => previous.values.includes(value)) : [];
  const written = (value: string, old: string | undefined): Change =>
    old === undefined
      ? { op: "create", next: only(next, value) }
      : { op: "replace", previous: only(previous, old), next: only(next, value) };
  return [
    ...coming.map((value, at) => written(value, going[at])),
    ...late.map((value) => written(value, value)),
    ...going.slice(coming.length).map(removal),
  ];
}

function only(set: RecordSet, value: string): RecordSet {
  return { ...set, values: [value] };
}

/** A back end refuses a call that is larger than it said; it never takes a part of it. */
function limitTrouble(call: Call): Refusal | null {
  const { groupsMax, valuesMax = Number.POSITIVE_INFINITY } = call.zone.behaviour.batch;
  const values = call.groups
    .flatMap((group) => group.changes)
    .reduce(
      (sum, change) => sum + (change.op === "remove" ? change.previous : change.next).values.length,
      0,
    );
  if (call.groups.length <= groupsMax && values <= valuesMax) return null;
  const message = `${call.groups.length} groups with ${values} values; at most ${groupsMax} and ${valuesMax} go into one call`;
  return { status: "rejected", code: "BatchTooLarge", message };
}

function refusedBy(code: string, culprit: ChangeGroup): Refusal & { readonly status: "rejected" } {
  return { status: "rejected", code, message: `${culprit.name} is refused` };
}

function everyGroup(call: Call, refusal: Refusal): readonly Outcome[] {
  return call.groups.map(({ name }) => ({ name, ...refusal }));
}

function applied(groups: readonly ChangeGroup[]): readonly Outcome[] {
  return groups.map(({ name }) => ({ name, status: "applied" }));
}

function unknown(groups: readonly ChangeGroup[]): readonly Outcome[] {
  return groups.map(({ name }) => ({ name, status: "unknown", message: LOST }));
}

function hasFault(call: Call, kind: ApplyFault["kind"]): boolean {
  return call.faults.some((fault) => fault.kind === kind);
}
