/** Asks an API server as whom it knows these credentials. A review is not stored. */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { ApiClient } from "../requests/api-client.ts";
import { recordOf, textOf } from "../requests/json-value.ts";

const PATH = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

/** `system:serviceaccount:dns:zonekeeper`; null = it does not say (Kubernetes before 1.28). */
export async function whoAmI(client: ApiClient, signal?: AbortSignal): Promise<string | null> {
  try {
    const answer = await client.json({
      method: "POST",
      path: PATH,
      isReview: true,
      ...(signal === undefined ? {} : { signal }),
      subject: "review of the user",
      body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
    });
    return textOf(recordOf(recordOf(recordOf(answer)["status"])["userInfo"])["username"]);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return null;
  }
}
