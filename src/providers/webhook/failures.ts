/** What a refused call means: for the webhook as an account, and for a change. */
import type { OperationError } from "@zonekeeper/base/operation-error";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { outcomesOfFailure } from "../shared/failed-calls.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { explainCall, RefusedCall } from "../shared/refused-call.ts";

/** The paths of the protocol are there in each webhook. */
const STATUS_NO_PATH = 404;

/** The protocol has no form of errors: a text, or an object with one. */
export function toRefusal({ status, json, text, retryAfterMs }: JsonAnswer): RefusedCall {
  const fields = fieldsOf(json);
  const shown = textOf(fields["message"]) ?? textOf(fields["error"]) ?? textOf(json);
  const plain = shown ?? (json === undefined ? text : "");
  const isOther = status === STATUS_NO_PATH;
  const other = `HTTP status ${status}; is Server the address of a webhook?`;
  return new RefusedCall({ status, text: isOther ? other : plain, retryAfterMs });
}

/** For reading calls, and as far as the account is concerned. Keeps an OperationError. */
export function explain(error: unknown, what: string): OperationError {
  return explainCall(error, what, {
    keyRemedy: "correct Token in the Secret of the DNSProvider, or the webhook's own credentials",
  });
}

const STATUS_CLIENT = 400;
const STATUS_SERVER = 500;
const NOT_ABOUT_CONTENT: ReadonlySet<number> = new Set([401, 403, 404, 405, 408, 429]);

/** Throws where the account is to wait. */
export function outcomeOf(error: unknown, group: ChangeGroup): Outcome {
  const { name } = group;
  if (error instanceof RefusedCall && isAboutContent(error)) {
    const { status, message } = error;
    return { name, status: "rejected", code: `Webhook${status}`, message };
  }
  const [outcome] = outcomesOfFailure(explain(error, "the change was not made"), [group]);
  return outcome ?? { name, status: "unknown", message: "the change was not made" };
}

function isAboutContent({ status }: RefusedCall): boolean {
  return status >= STATUS_CLIENT && status < STATUS_SERVER && !NOT_ABOUT_CONTENT.has(status);
}
