/**
 * What an actor learns from the outcome of one group: the new state of the zone, and when the name
 * is read, tried again, or sent in a batch of its own. Sends and reads nothing itself.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ChangeGroup } from "../../plan/changes.ts";
import type { NotApplied, Result } from "../calls/apply-batches.ts";
import { isAsserted, mayHaveDropped } from "../calls/assertions.ts";
import { writeSet } from "../calls/pack-batches.ts";
import type { OpenZoneInput } from "../contract/zone.ts";
import type { ActorOptions } from "./actor-options.ts";
import type { NameLedger } from "./name-ledger.ts";
import { mayLoseMarkers } from "./own-writes.ts";
import type { ZonePlanner } from "./zone-planner.ts";
import type { ZoneReader } from "./zone-reader.ts";

/** The parts of the actor that take an outcome in. */
export interface LearnContext
  extends Pick<ActorOptions, "onMoved" | "clock" | "settings" | "log" | "metrics"> {
  readonly zoneInput: OpenZoneInput;
  readonly ledger: NameLedger;
  readonly reader: ZoneReader;
  readonly planner: ZonePlanner;
  readonly enqueue: (names: Iterable<DnsName>) => void;
}

/** Learns from the outcomes of one call. */
export async function learnOutcomes(
  context: LearnContext,
  results: readonly Result[],
): Promise<void> {
  const applied: ChangeGroup[] = [];
  for (const result of results) {
    await learnOutcome(context, result);
    if (result.outcome.status === "applied") applied.push(result.group);
  }
  if (applied.length > 0) await learnApplied(context, applied);
}

async function learnOutcome(context: LearnContext, { group, outcome }: Result): Promise<void> {
  const { zoneInput, ledger, reader, log, metrics } = context;
  const { name } = group;
  metrics.count("zonekeeper_outcomes_total", { status: outcome.status });
  // A refused call wrote nothing: if these names move, another client moved them.
  if (outcome.status === "applied" || outcome.status === "unknown")
    reader.wrote(writeSet(group), outcome.status === "applied");
  await zoneInput.ownership.confirm(group, outcome);
  if (outcome.status === "applied") {
    if (outcome.receipt === undefined) ledger.receipts.delete(name);
    else ledger.receipts.set(name, outcome.receipt);
    return;
  }
  const { status, message: reason } = outcome;
  // clause: refused-record-ends-nothing
  log.warn("change not applied", { name, zone: zoneInput.zone.name, status, reason });
  if (outcome.status === "unknown") noteOwn(context, group, false);
  learnFailure(ledger, group, outcome);
}

/** Remembers a write that the call compared with nothing: it is judged after a reading (Z-27). */
function noteOwn({ zoneInput, ledger, clock }: LearnContext, group: ChangeGroup, isSure: boolean) {
  const { capabilities } = zoneInput.session;
  if (isAsserted(group, capabilities) || group.withdraws !== undefined) return;
  const rest = { isSure, mayLoseMarkers: mayLoseMarkers(capabilities) };
  ledger.own.wrote(group, { atMs: clock.monotonicMs(), ...rest });
}

/** Withdrawals of our writes in a row after which a name waits for the next reload. */
const WITHDRAWALS_MAX = 3;

/** The loser of a race backs off: two that try again at once would meet again. */
function learnWithdrawn(context: LearnContext, group: ChangeGroup, because: string): void {
  const { ledger, clock, log, zoneInput, settings } = context;
  const { name } = group;
  log.warn("own record withdrawn", { name, zone: zoneInput.zone.name, reason: because });
  const times = ledger.own.withdrew(group, clock.monotonicMs());
  const isOften = times >= WITHDRAWALS_MAX;
  const message = `${name} was withdrawn ${times} times in a row: ${because}; it is tried again after the next reload`;
  const failure = isOften ? { code: "Contested", message } : null;
  ledger.withdrew(name, failure, settings.reloadWithoutTokenMs);
}

async function learnApplied(context: LearnContext, groups: readonly ChangeGroup[]): Promise<void> {
  const { reader, planner } = context;
  const { state } = reader;
  if (state === null) return;
  const affected = await reader.applied(groups).finally(() => {
    for (const group of groups) noteApplied(context, group);
  });
  noteAnswers(context, groups);
  // The names are planned anew: that costs little and proves that the write achieved its aim.
  context.enqueue(affected);
  planner.markCuts(state);
  context.onMoved(affected);
}

/**
 * Measures the times to answer: the last step of a sequence is the answer, a withdrawal is none.
 */
function noteAnswers(context: LearnContext, groups: readonly ChangeGroup[]): void {
  const { ledger, metrics, zoneInput } = context;
  for (const { name, rest, withdraws } of groups) {
    if (rest !== undefined || withdraws !== undefined) continue;
    const tookMs = ledger.answers.answered(name);
    const labels = { zone: zoneInput.zone.name };
    if (tookMs !== null) metrics.observe("zonekeeper_answer_seconds", tookMs / 1000, labels);
  }
}

function noteApplied(context: LearnContext, group: ChangeGroup): void {
  const { ledger, zoneInput } = context;
  const { capabilities } = zoneInput.session;
  noteOwn(context, group, true);
  if (group.withdraws !== undefined) learnWithdrawn(context, group, group.withdraws);
  else if (group.resumes === true && group.rest === undefined) {
    // The last step of a sequence (Z-10): the name was read and judged right before it, when all
    // data was there. Who writes in that moment is found by the next reading, as later.
    ledger.own.verified(group.name);
    ledger.applied(group, false);
  } else
    ledger.applied(group, mayHaveDropped(group, capabilities) || !isAsserted(group, capabilities));
}

function learnFailure(ledger: NameLedger, group: ChangeGroup, outcome: NotApplied): void {
  const { name } = group;
  const wrote = writeSet(group);
  const failure = { code: codeOf(outcome), message: outcome.message };
  switch (outcome.status) {
    case "precondition-failed":
      // The first time, the names are read and planned anew at once; the second time the batch is
      // split.
      if (ledger.requireRead(name, wrote, true)) ledger.fail(name, failure);
      return;
    case "unknown":
      ledger.unanswered.add(group);
      ledger.requireRead(name, wrote, false);
      ledger.fail(name, failure);
      return;
    case "retry":
      ledger.fail(name, failure, outcome.afterMs ?? 0);
      return;
    case "rejected":
    case "refused-together":
      ledger.fail(name, failure);
      return;
  }
}

/** The code of a failure as reports show it. */
function codeOf(outcome: NotApplied): string {
  if (outcome.status === "rejected") return outcome.code;
  if (outcome.status === "precondition-failed") return outcome.code ?? "PreconditionFailed";
  return outcome.status === "unknown" ? "OutcomeUnknown" : "ProviderUnavailable";
}
