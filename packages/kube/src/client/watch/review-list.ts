/**
 * Asks whether a list is allowed before it is sent: a right that nobody meant to give leaves no
 * refusal in the audit log of the API server.
 */
import { OperationError, retryable } from "@zonekeeper/base/operation-error";
import { kindText } from "../../objects/kubernetes.ts";
import { type Access, isAllowed, whoAmI } from "../access/reviews.ts";
import type { ListQuestion } from "./list-pages.ts";
import type { ServerTraits } from "./server-traits.ts";

/**
 * Throws the `Forbidden` that the list would get. Where the server knows no reviews, or does not
 * answer this one, the list is to be sent.
 */
export async function refuseDeniedList(
  { client, kind, namespace, signal }: ListQuestion,
  traits: ServerTraits,
): Promise<void> {
  const which = { namespace: namespace ?? null, name: null };
  const access: Access = { kind, subresource: null, verb: "list", ...which };
  if (await isAllowed(client, access, signal).catch(allowedIfUnanswered)) return;
  traits.user ??= await whoAmI(client, signal);
  const who = traits.user === null ? "this program" : `User "${traits.user}"`;
  const where = namespace === undefined ? "all namespaces" : `namespace "${namespace}"`;
  throw retryable(
    "Forbidden",
    `${who} cannot list ${kindText(kind)} of ${where}, as a SelfSubjectAccessReview says`,
  );
}

function allowedIfUnanswered(error: unknown): true {
  if (error instanceof OperationError) return true;
  throw error;
}
