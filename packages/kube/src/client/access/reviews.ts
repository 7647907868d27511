/**
 * Asks an API server who somebody is and what they may do. Writes nothing: a review is not stored,
 * and a token goes nowhere else.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import {
  SELF_SUBJECT_ACCESS_REVIEW,
  SELF_SUBJECT_REVIEW,
  SUBJECT_ACCESS_REVIEW,
  TOKEN_REVIEW,
} from "../../objects/kinds.ts";
import { apiVersionOf, type KindRef, kindText } from "../../objects/kubernetes.ts";
import { type Fields, fieldsOf, isFields, textOf } from "../../objects/object-fields.ts";
import type { ApiClient } from "../requests/api-client.ts";
import { resourcePath } from "../requests/api-path.ts";

/** One act on one resource. */
export interface Access {
  readonly kind: KindRef;
  /** `status`; null = the object itself. */
  readonly subresource: string | null;
  readonly verb: string;
  /** Null = in all namespaces. */
  readonly namespace: string | null;
  /** Null = any object. */
  readonly name: string | null;
}

/** A user as a SubjectAccessReview names it. */
export interface ReviewedUser {
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** By key, as the authenticator has them; empty = none. */
  readonly extra: Readonly<Record<string, unknown>>;
}

interface Question {
  readonly subject: string;
  readonly spec?: Fields;
  readonly signal?: AbortSignal | undefined;
}

async function statusOf(
  client: ApiClient,
  kind: KindRef,
  { subject, spec, signal }: Question,
): Promise<Fields> {
  const answer = await client.json({
    method: "POST",
    path: resourcePath(kind),
    isReview: true,
    ...(signal === undefined ? {} : { signal }),
    subject: `review of ${subject}`,
    body: { apiVersion: apiVersionOf(kind), kind: kind.kind, spec },
  });
  return fieldsOf(fieldsOf(answer)["status"]);
}

/**
 * Whether these credentials may do it, or the user who is named. Throws OperationError when the
 * server does not answer, or knows no reviews (`NotFound`).
 */
export async function isAllowed(
  client: ApiClient,
  access: Access,
  signal?: AbortSignal,
  by?: ReviewedUser,
): Promise<boolean> {
  const { kind, subresource, verb, namespace, name } = access;
  const resourceAttributes = {
    ...{ group: kind.group, version: kind.version, resource: kind.plural, verb },
    ...(subresource === null ? {} : { subresource }),
    ...(namespace === null ? {} : { namespace }),
    ...(name === null ? {} : { name }),
  };
  const review = by === undefined ? SELF_SUBJECT_ACCESS_REVIEW : SUBJECT_ACCESS_REVIEW;
  const spec = { ...by, resourceAttributes };
  const subject = `${verb} ${kindText(kind)}`;
  const { allowed } = await statusOf(client, review, { subject, spec, signal });
  return allowed === true;
}

/** The verbs that are not allowed, in the given order. Throws as `isAllowed` does. */
export async function deniedVerbs(
  client: ApiClient,
  { verbs, ...access }: Omit<Access, "verb"> & { readonly verbs: readonly string[] },
): Promise<readonly string[]> {
  const allowed = await Promise.all(verbs.map((verb) => isAllowed(client, { ...access, verb })));
  return verbs.filter((_, index) => allowed[index] === false);
}

/** Null = no user has the token now. Throws OperationError when the server does not answer. */
export async function reviewToken(client: ApiClient, token: string): Promise<ReviewedUser | null> {
  const status = await statusOf(client, TOKEN_REVIEW, { subject: "a token", spec: { token } });
  const { username, uid, groups, extra } = fieldsOf(status["user"]);
  const user = textOf(username) ?? "";
  if (status["authenticated"] !== true || user === "") return null;
  return {
    ...{ user, uid: textOf(uid) ?? "", extra: isFields(extra) ? extra : {} },
    groups: Array.isArray(groups) ? groups.flatMap((one) => textOf(one) ?? []) : [],
  };
}

/** `system:serviceaccount:dns:zonekeeper`; null = it does not say (Kubernetes before 1.28). */
export async function whoAmI(client: ApiClient, signal?: AbortSignal): Promise<string | null> {
  try {
    const question = { subject: "the user", signal };
    const { userInfo } = await statusOf(client, SELF_SUBJECT_REVIEW, question);
    return textOf(fieldsOf(userInfo)["username"]);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return null;
  }
}
