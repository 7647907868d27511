/** Asks an API server whose a token is. It goes nowhere else, and nothing is stored. */
import type { ApiClient } from "../requests/api-client.ts";
import { isRecord, recordOf, textOf } from "../requests/json-value.ts";

/** A user as a SubjectAccessReview names it. */
export interface ReviewedUser {
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** By key, as the authenticator has them; empty = none. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Null = no user has the token now. Throws OperationError when the server does not answer. */
export async function reviewToken(client: ApiClient, token: string): Promise<ReviewedUser | null> {
  const answer = await client.json({
    method: "POST",
    path: "/apis/authentication.k8s.io/v1/tokenreviews",
    isReview: true,
    subject: "review of a token",
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } },
  });
  const status = recordOf(recordOf(answer)["status"]);
  const { username, uid, groups, extra } = recordOf(status["user"]);
  const user = textOf(username) ?? "";
  if (status["authenticated"] !== true || user === "") return null;
  return {
    ...{ user, uid: textOf(uid) ?? "", extra: isRecord(extra) ? extra : {} },
    groups: Array.isArray(groups) ? groups.flatMap((one) => textOf(one) ?? []) : [],
  };
}
