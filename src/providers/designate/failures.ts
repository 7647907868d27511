/** What Designate and Keystone refuse, and what that means. */
import { fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { JsonAnswer } from "../shared/json-call.ts";
import { type RefusalTable, RefusedCall } from "../shared/refused-call.ts";

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
  return status === STATUS_FORBIDDEN ? "forbidden" : code;
}

/** See `RefusalTable`. */
export const REFUSALS: RefusalTable = {
  keyRemedy: "correct the Secret of the DNSProvider, or the roles of its user",
  rows: [
    // Codes of the dialect, too.
    {
      reason: /^(duplicate_recordset|recordset_not_found|DNS\.0312|DNS\.0313|DNS\.0335)$/,
      is: "changed",
    },
    { text: /may not share a name/, is: "changed" },
    // The user may not write there, whatever the call holds.
    { reason: /^forbidden$/, is: "key" },
    // 413 is a quota of the project.
    { status: /^(400|403|405|409|413|422)$/, reason: /./, is: "refused" },
  ],
  codeOf: ({ status }) => `Designate${status}`,
};
