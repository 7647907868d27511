/**
 * Whether a server serves a kind. The answer is complete or an error is thrown, so that "does not
 * serve it" is a proven fact (Z-3). Caches nothing: it is called only when a kind answers 404.
 */
import { type OperationError, retryable } from "@zonekeeper/base/operation-error";
import type { KindRef } from "../../objects/kubernetes.ts";
import { apiVersionOf, kindText } from "../../objects/kubernetes.ts";
import { type Fields, fieldsOf, listOf, textOf } from "../../objects/object-fields.ts";
import type { ApiClient } from "../requests/api-client.ts";
import { groupVersionPath } from "../requests/api-path.ts";

/** Whether a server serves a kind. */
export type Served = "served" | "absent";

/**
 * Asks the server about a kind. Throws OperationError when the answer is not complete: a request
 * failed (an aggregated API whose own server is down answers 503), or the kind is served in other
 * versions only (its objects may exist).
 */
export async function discoverKind(
  client: ApiClient,
  kind: KindRef,
  signal?: AbortSignal,
): Promise<Served> {
  const read = async (path: string): Promise<Fields> => {
    const subject = `discovery of ${kindText(kind)}`;
    const options = signal === undefined ? {} : { signal };
    return fieldsOf(await client.json({ method: "GET", path, subject, ...options }));
  };
  let hasOtherVersion = false;
  for (const version of versionsOf(kind, await read(kind.group === "" ? "/api" : "/apis"))) {
    if (version === null) throw incomplete(kind, "a version without a name");
    const { resources } = await read(groupVersionPath({ group: kind.group, version }));
    if (!Array.isArray(resources)) throw incomplete(kind, "a version without a list of resources");
    if (!resources.some((item) => textOf(fieldsOf(item)["name"]) === kind.plural)) continue;
    if (version === kind.version) return "served";
    hasOtherVersion = true;
  }
  if (!hasOtherVersion) return "absent";
  throw retryable(
    "Unavailable",
    `${kindText(kind)} is served, but not as ${apiVersionOf(kind)}; its objects cannot be read`,
  );
}

/** Versions of the kind's group, e.g. `["v1", "v1beta1"]`; none = the group is not served. */
function versionsOf(kind: KindRef, document: Fields): readonly (string | null)[] {
  const wanted = kind.group === "" ? "APIVersions" : "APIGroupList";
  if (document["kind"] !== wanted) throw incomplete(kind, `the server's answer is no ${wanted}`);
  if (kind.group === "") return (listOf(document["versions"]) ?? []).map(textOf);
  const group = listOf(document["groups"])?.find(
    (item) => textOf(fieldsOf(item)["name"]) === kind.group,
  );
  return (listOf(fieldsOf(group)["versions"]) ?? []).map((item) =>
    textOf(fieldsOf(item)["version"]),
  );
}

function incomplete(kind: KindRef, why: string): OperationError {
  return retryable("Unavailable", `discovery of ${kindText(kind)} is not complete: ${why}`);
}
