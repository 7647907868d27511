/** Small judgements about what a provider answered; no state. */
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import type { Capabilities } from "../../providers/provider.ts";

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
 * A CNAME beside other data may be dropped in silence (RFC 2136 §3.4.2.2): a changed name is read
 * after it (Z-8).
 */
export function mayHaveDropped(
  group: ChangeGroup,
  { cnameConflicts }: Pick<Capabilities, "cnameConflicts">,
): boolean {
  if (cnameConflicts === "refused") return false;
  const usesCname = group.changes.some((c) => c.op !== "remove" && c.next.type === "CNAME");
  return usesCname && !group.preconditions.some((p) => p.is === "name-unused");
}

/** The code of a failure as reports show it. */
export function codeOf(outcome: NotApplied): string {
  if (outcome.status === "rejected") return outcome.code;
  if (outcome.status === "precondition-failed") return outcome.code ?? "PreconditionFailed";
  return outcome.status === "unknown" ? "OutcomeUnknown" : "ProviderUnavailable";
}
