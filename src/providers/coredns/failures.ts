/** What etcd refuses, and what that means. */
import { fieldsOf, numberOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { JsonAnswer } from "../shared/json-call.ts";
import { type RefusalTable, RefusedCall } from "../shared/refused-call.ts";

/** Code of gRPC that the gateway passes on (`code`). */
const UNKNOWN_USER = "16";

/** What another server answers to the path, method or form of a call. */
const STRANGE: ReadonlySet<number> = new Set([404, 405, 406, 415]);

/** `{"error", "message", "code"}`; later versions have no `error`. */
export function toRefusal({ status, json, text, retryAfterMs }: JsonAnswer): RefusedCall {
  const fields = fieldsOf(json);
  const shown = textOf(fields["message"]) ?? textOf(fields["error"]);
  const plain = json === undefined ? text : "";
  const reason = String(numberOf(fields["code"]) ?? "");
  const isOther = shown === null && STRANGE.has(status);
  const other = `HTTP status ${status}; is Server the address of etcd?`;
  return new RefusedCall({
    status,
    text: isOther ? other : (shown ?? plain),
    retryAfterMs,
    reason,
  });
}

/** A token that counts no more (`etcdserver: invalid auth token`). */
export function isTokenRefused({ status, json }: JsonAnswer): boolean {
  return status === 401 || String(numberOf(fieldsOf(json)["code"]) ?? "") === UNKNOWN_USER;
}

/** See `RefusalTable`. The reason is a code of gRPC: 3 invalid, 7 denied, 9 not met. */
export const REFUSALS: RefusalTable = {
  keyRemedy: "correct Username and Password in the Secret, or the user's role in etcd",
  rows: [
    // The gateway answers each of these with a status of its own, and 3 for a wrong password.
    {
      text: /authentication (failed|is not enabled)|permission denied|user name|auth token/,
      is: "key",
    },
    { reason: /^7$/, is: "key" },
    { reason: /^[39]$/, is: "refused" },
  ],
  codeOf: ({ status }) => `Etcd${status}`,
};
