/**
 * What the API refuses, and what that means. It names the first error only, and the operation at
 * fault where it gives a `source.pointer`.
 */
import { fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { printable, shortened } from "../../model/printable.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { type RefusalTable, RefusedCall } from "../shared/refused-call.ts";

/** `errors`, each with its `error_chain`; the reason is all their codes. */
export function toRefusal({ status, json, retryAfterMs }: JsonAnswer): RefusedCall {
  const errors = (listOf(fieldsOf(json)["errors"]) ?? []).map(fieldsOf);
  // In chains of one level: deeper ones are not documented.
  const all = errors.flatMap((one) => [one, ...(listOf(one["error_chain"]) ?? []).map(fieldsOf)]);
  const codes = all.map(({ code }) => Number(code ?? 0) || 0);
  const texts = all.map(({ message }, at) => {
    // Hexadecimal ids of requests, zones and records change, or tell a stranger something.
    const text = printable(textOf(message) ?? NO_REASON).replace(/\b[0-9a-f]{16,}\b/gi, "…");
    const shown = shortened(text, MESSAGE_CHARACTERS_MAX);
    return codes[at] === 0 ? shown : `${shown.replace(/\.$/, "")} (${codes[at]})`;
  });
  return new RefusedCall({
    status,
    text: texts.join("; "),
    isMessage: true,
    retryAfterMs,
    reason: codes.join(" "),
    pointer: errors.flatMap(({ source }) => textOf(fieldsOf(source)["pointer"]) ?? []).join(" "),
  });
}

const NO_REASON = "no reason is given";
const MESSAGE_CHARACTERS_MAX = 400;

/** See `RefusalTable`. */
export const REFUSALS: RefusalTable = {
  keyRemedy:
    "correct the Secret of the DNSProvider, and give its token the permissions Zone Read and DNS Edit for the zone",
  rows: [
    // "Please wait and consider throttling your request speed".
    { reason: /\b971\b/, is: "throttled" },
    { status: /^429$/, is: "throttled" },
    // 6003 invalid headers, 9103, 9106 and 9109 invalid key or token, 10000 and 10001 no right.
    { reason: /\b(6003|6100|6103|6111|9103|9106|9109|10000|10001)\b/, is: "key" },
    { status: /^(401|403)$/, is: "key" },
    { status: /^404$/, is: "later" },
    // 81044 no such record, 81053 and 81054 an address or CNAME of that name, 81056 an NS record of
    // that name, 81057 and 81058 the same record.
    { status: /^4/, reason: /\b(81044|81053|81054|81056|81057|81058)\b/, is: "changed" },
    { status: /^4/, reason: /./, is: "refused" },
  ],
  // The last error of a chain says what it is.
  codeOf: ({ reason }) => `Cloudflare${/\d+$/.exec(reason)?.[0] ?? 0}`,
};
