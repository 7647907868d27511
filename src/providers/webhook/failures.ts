/** What a webhook refuses, and what that means. */
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { JsonAnswer } from "../shared/json-call.ts";
import { type RefusalTable, RefusedCall } from "../shared/refused-call.ts";

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

/** See `RefusalTable`. */
export const REFUSALS: RefusalTable = {
  keyRemedy: "correct Token in the Secret of the DNSProvider, or the webhook's own credentials",
  rows: [{ status: /^4(?!01|03|04|05|08|29)/, is: "refused" }],
  codeOf: ({ status }) => `Webhook${status}`,
};
