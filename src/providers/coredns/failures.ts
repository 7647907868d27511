/** What a refused call means: for the account, and for the groups of a transaction. */
import type { OperationError } from "@zonekeeper/base/operation-error";
import { fieldsOf, numberOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { outcomesOfFailure } from "../shared/failed-calls.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { explainCall, RefusedCall } from "../shared/refused-call.ts";

/** Codes of gRPC that the gateway passes on (`code`). */
const INVALID = "3";
const DENIED = "7";
const UNMET = "9";
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

/** The gateway answers each of these with a status of its own, and 3 for a wrong password. */
const KEY_TROUBLE = /authentication (failed|is not enabled)|permission denied|user name|auth token/;

/** For reading calls, and as far as a whole transaction is concerned. Keeps an OperationError. */
export function explain(error: unknown, what: string): OperationError {
  const isKeyTrouble =
    error instanceof RefusedCall && (error.reason === DENIED || KEY_TROUBLE.test(error.message));
  return explainCall(isKeyTrouble ? asForbidden(error) : error, what, {
    keyRemedy: "correct Username and Password in the Secret, or the user's role in etcd",
  });
}

function asForbidden({ message: text, reason, retryAfterMs }: RefusedCall): RefusedCall {
  return new RefusedCall({ status: 403, text, reason, retryAfterMs });
}

/** One outcome for each group; throws where the account is to wait. */
export function outcomesOf(error: unknown, groups: readonly ChangeGroup[]): readonly Outcome[] {
  const isRefused = error instanceof RefusedCall && [INVALID, UNMET].includes(error.reason);
  if (isRefused && !KEY_TROUBLE.test(error.message))
    return groups.map(({ name }) => {
      return { name, status: "rejected", code: `Etcd${error.status}`, message: error.message };
    });
  return outcomesOfFailure(explain(error, "the changes were not made"), groups);
}
