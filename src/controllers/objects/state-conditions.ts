/**
 * The conditions that follow from an object's state: `Ready`, `Progressing`, and `Stalled` where
 * only its author can go on. `Stalled` is kstatus's word (kubernetes-sigs/cli-utils, pkg/kstatus):
 * Flux and Helm give up at once instead of waiting for their timeout. Pure.
 */
import { type Fields, textOf } from "@zonekeeper/kube/objects/object-fields";
import { holdReason } from "../../plan/hold-reasons.ts";
import { type ConditionSpec, conditionIn } from "./conditions.ts";

/** Why an object has its state. */
export interface StateCause {
  /** Code of docs/reference/errors.md; null = none but the state itself. */
  readonly code: string | null;
  /** True = the object itself is wrong: nothing but an edit of it helps. */
  readonly isMistake: boolean;
}

/** A state without a code of its own. */
export const NO_CAUSE: StateCause = { code: null, isMistake: false };

/** State and message as the status shows them, and the cause. */
export interface StateFacts extends StateCause {
  readonly state: string;
  readonly message: string;
}

/** Reasons of conditions that stand for a state without a code of its own. */
const STATE_REASONS: Readonly<Record<string, { readonly meaning: string }>> = {
  Published: { meaning: "Everything that the object asks for is in its zone. Nothing to do." },
  Publishing: {
    meaning: "A change of the object is being made, or waits for its zone. It ends by itself.",
  },
  Deleting: { meaning: "The object is deleted, and its records are being removed." },
  NotPublished: {
    meaning: "The object is not published; the message says why. Follow the message.",
  },
};

const REASON_OF: Readonly<Record<string, string>> = {
  Ready: "Published",
  Pending: "Publishing",
  Deleting: "Deleting",
};

/** API conventions: what a reason may be. */
const REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

/**
 * `status` is the stored one. If no code is known (a restart) and the message is the stored one,
 * the stored reason stays.
 */
export function stateConditions(facts: StateFacts, status: Fields): readonly ConditionSpec[] {
  const { state, message, isMistake } = facts;
  const code = facts.code ?? keptReason(facts, status);
  const reason = code !== null && REASON.test(code) ? code : (REASON_OF[state] ?? "NotPublished");
  const shown = { reason, message };
  const isStalled = state === "Invalid" || isMistake;
  return [
    { type: "Ready", status: readyStatus(state, code), ...shown },
    { type: "Progressing", status: isUnderWay(state, code) ? "True" : "False", ...shown },
    ...(isStalled ? [{ type: "Stalled", status: "True", ...shown } as const] : []),
  ];
}

function readyStatus(state: string, code: string | null): ConditionSpec["status"] {
  if (state === "Ready") return "True";
  return state === "Pending" && code === null ? "Unknown" : "False";
}

/** A change is being made, or waits for what passes by itself. */
function isUnderWay(state: string, code: string | null): boolean {
  if (state === "Ready") return false;
  if (code !== null) return holdReason(code)?.resolvedBy === "nobody";
  return state === "Pending" || state === "Deleting";
}

/** Null also when the stored reason only stands for the state. */
function keptReason({ state, message }: StateFacts, status: Fields): string | null {
  const ready = conditionIn(status, "Ready") ?? {};
  const isSame = (ready["status"] === "True") === (state === "Ready");
  if (!isSame || ready["message"] !== message) return null;
  const reason = textOf(ready["reason"]);
  return reason === null || reason in STATE_REASONS ? null : reason;
}
