/** What a refused call means: for the account, and for the record set that it was to write. */
import type { OperationError } from "@zonekeeper/base/operation-error";
import { fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { outcomesOfFailure } from "../shared/failed-calls.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { explainCall, RefusedCall } from "../shared/refused-call.ts";

/**
 * Designate: `{"code", "type", "message", "request_id"}`, or `errors` in place of the message.
 * Keystone: `{"error": {"code", "title", "message"}}`.
 */
export function toRefusal({ status, json, text, retryAfterMs }: JsonAnswer): RefusedCall {
  const outer = fieldsOf(json);
  const error = fieldsOf(outer["error"] ?? outer);
  const messages = (listOf(fieldsOf(outer["errors"])["errors"]) ?? [])
    .map((one) => textOf(fieldsOf(one)["message"]))
    .filter((one) => one !== null);
  const shown = textOf(error["message"]) ?? [...new Set(messages)].join("; ");
  const reason = textOf(error["type"]) ?? reasonOfDialect(textOf(error["code"]) ?? "", status);
  const plain = json === undefined ? text : reason.replaceAll("_", " ");
  return new RefusedCall({ status, text: shown || plain, retryAfterMs, reason });
}

/**
 * Open Telekom Cloud, Flexible Engine and Huawei Cloud: a code in place of the type, such as
 * `{"code":"DNS.0312","message":"Attribute 'name' conflicts with Record Set …"}`.
 */
const DIALECT_CODE = /^DNS\.\d{4}$/;
const STATUS_FORBIDDEN = 403;

function reasonOfDialect(code: string, status: number): string {
  if (!DIALECT_CODE.test(code)) return "";
  return status === STATUS_FORBIDDEN ? NO_RIGHT : code;
}

const REMEDY = "correct the Secret of the DNSProvider, or the roles of its user";

/** For reading calls, and as far as the account is concerned. Keeps an OperationError. */
export function explain(error: unknown, what: string): OperationError {
  return explainCall(error, what, { keyRemedy: REMEDY });
}

/** Statuses of a call that is refused for what it holds; 413 is a quota of the project. */
const REFUSED: ReadonlySet<number> = new Set([400, 403, 405, 409, 413, 422]);
/** The user may not write there, whatever the call holds. */
const NO_RIGHT = "forbidden";
/** The zone is not as it was read; codes of the dialect; the last is our own word. */
const CHANGED = /^(duplicate_recordset|recordset_not_found|DNS\.0312|DNS\.0313|DNS\.0335|changed)$/;
const CNAME_CONFLICT = /may not share a name/;

/** Throws where the account is to wait. */
export function outcomeOf(error: unknown, group: ChangeGroup): Outcome {
  const { name } = group;
  if (error instanceof RefusedCall) {
    const { status, message, reason } = error;
    if (CHANGED.test(reason) || CNAME_CONFLICT.test(message))
      return { name, status: "precondition-failed", message };
    if (REFUSED.has(status) && reason !== "" && reason !== NO_RIGHT)
      return { name, status: "rejected", code: `Designate${status}`, message };
  }
  const [outcome] = outcomesOfFailure(explain(error, "the change was not made"), [group]);
  return outcome ?? { name, status: "unknown", message: "the change was not made" };
}
