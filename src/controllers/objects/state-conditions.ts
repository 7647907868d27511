/**
 * The conditions that follow from an object's state: `Ready`, `Progressing`, and `Stalled` where
 * only an edit by its author helps. `Stalled` is a word of kstatus (kubernetes-sigs/cli-utils,
 * pkg/kstatus): Flux and Helm then report a failure at once and do not wait for their timeout.
 * Pure.
 */
import { type Fields, textOf } from "@zonekeeper/kube/objects/object-fields";
import { holdReason } from "../../plan/hold-reasons.ts";
import { type ConditionSpec, conditionIn } from "./conditions.ts";

/** Why an object has its state. */
export interface StateCause {
  /** Code of docs/reference/errors.md; null = the state needs no further cause. */
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

/** The `reason` of a condition where the state has no code. */
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

/** The form of a `reason` (Kubernetes API conventions). */
const REASON = /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

/**
 * `status` is the stored one. After a restart the code may not be known: if the message is the
 * stored one, the stored reason stays.
 */
export function stateConditions(facts: StateFacts, status: Fields): readonly ConditionSpec[] {
  const { state, message, isMistake } = facts;
  const code = facts.code ?? keptReason(facts, status);
  const reason = code !== null && REASON.test(code) ? code : (REASON_OF[state] ?? "NotPublished");
  const shown = { reason, message };
  const isStalled = state === "Invalid" || isMistake;
  const isUndecided = state === "Pending" && code === null;
  const ready = state === "Ready" ? "True" : isUndecided ? "Unknown" : "False";
  return [
    { type: "Ready", status: ready, ...shown },
    { type: "Progressing", status: isUnderWay(state, code) ? "True" : "False", ...shown },
    ...(isStalled ? [{ type: "Stalled", status: "True", ...shown } as const] : []),
  ];
}

/** True = a change is being made, or waits for something that ends without anybody's action. */
function isUnderWay(state: string, code: string | null): boolean {
  if (state === "Ready") return false;
  if (code !== null) return holdReason(code)?.resolvedBy === "nobody";
  return state === "Pending" || state === "Deleting";
}

/** The code in the stored reason; null = it is none, or about another state or message. */
function keptReason({ state, message }: StateFacts, status: Fields): string | null {
  const ready = conditionIn(status, "Ready") ?? {};
  const isSame = (ready["status"] === "True") === (state === "Ready");
  if (!isSame || ready["message"] !== message) return null;
  const reason = textOf(ready["reason"]);
  return reason === null || reason in STATE_REASONS ? null : reason;
}
