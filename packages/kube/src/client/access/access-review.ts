/** Asks an API server what these credentials may do. Writes nothing: a review is not stored. */
import type { KindRef } from "../../objects/kubernetes.ts";
import { kindText } from "../../objects/kubernetes.ts";
import type { ApiClient } from "../requests/api-client.ts";
import { recordOf } from "../requests/json-value.ts";
import type { ReviewedUser } from "./token-review.ts";

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

const PATH = "/apis/authorization.k8s.io/v1";

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
  const answer = await client.json({
    method: "POST",
    path: `${PATH}/${by === undefined ? "selfsubjectaccessreviews" : "subjectaccessreviews"}`,
    isReview: true,
    ...(signal === undefined ? {} : { signal }),
    subject: `review of ${verb} ${kindText(kind)}`,
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: by === undefined ? "SelfSubjectAccessReview" : "SubjectAccessReview",
      spec: { ...by, resourceAttributes },
    },
  });
  return recordOf(recordOf(answer)["status"])["allowed"] === true;
}

/** Those of the verbs that are not allowed, in their order. Throws as `isAllowed` does. */
export async function deniedVerbs(
  client: ApiClient,
  { verbs, ...access }: Omit<Access, "verb"> & { readonly verbs: readonly string[] },
): Promise<readonly string[]> {
  const allowed = await Promise.all(verbs.map((verb) => isAllowed(client, { ...access, verb })));
  return verbs.filter((_, index) => allowed[index] === false);
}
