/**
 * Whether a server serves a kind. The answer is complete or an error is thrown, so that "does not
 * serve it" is a proven fact (Z-3). Caches nothing: it is called only when a kind answers 404.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { KindRef } from "../../objects/kubernetes.ts";
import { apiVersionOf, kindText } from "../../objects/kubernetes.ts";
import type { ApiClient } from "../requests/api-client.ts";
import { groupVersionPath } from "../requests/api-path.ts";
import { isRecord, listOf, recordOf, textOf } from "../requests/json-value.ts";

/** KEP-3352: one document for all group versions of `/api` or `/apis`. */
const AGGREGATED =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
  "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList," +
  "application/json";

/** Whether a server serves a kind. */
export type Served = "served" | "absent";

/**
 * Asks the server about a kind. Throws OperationError when the answer is not complete: the request
 * failed, the group's own server is down (`freshness: Stale`), or the kind is served in other
 * versions only (its objects may exist).
 */
export async function discoverKind(
  client: ApiClient,
  kind: KindRef,
  signal?: AbortSignal,
): Promise<Served> {
  const root = kind.group === "" ? "/api" : "/apis";
  const document = await client.json({
    method: "GET",
    path: root,
    subject: `discovery of ${kindText(kind)}`,
    accept: AGGREGATED,
    ...(signal === undefined ? {} : { signal }),
  });
  if (!isRecord(document)) throw incomplete(kind, "the server's answer is not an object");
  const shape = textOf(document["kind"]);
  if (shape === "APIGroupDiscoveryList") return fromAggregated(kind, listOf(document["items"]));
  if (shape === "APIGroupList" || shape === "APIVersions") {
    return fromPlain(client, kind, versionsOf(kind, document), signal);
  }
  throw incomplete(kind, "the server's answer is no discovery document");
}

function fromAggregated(kind: KindRef, groups: readonly unknown[]): Served {
  let hasOtherVersion = false;
  for (const group of groups) {
    const name = textOf(recordOf(recordOf(group)["metadata"])["name"]) ?? "";
    if (name !== kind.group) continue;
    for (const version of listOf(recordOf(group)["versions"])) {
      const found = inVersion(kind, recordOf(version));
      if (found === "served") return "served";
      hasOtherVersion ||= found === "other-version";
    }
  }
  if (hasOtherVersion) throw otherVersion(kind);
  return "absent";
}

function inVersion(
  kind: KindRef,
  version: Readonly<Record<string, unknown>>,
): "served" | "other-version" | "no" {
  if (textOf(version["freshness"]) === "Stale") {
    throw incomplete(kind, `the server of ${apiVersionOf(kind)} does not answer`);
  }
  const has = listOf(version["resources"]).some(
    (resource) => textOf(recordOf(resource)["resource"]) === kind.plural,
  );
  if (!has) return "no";
  return textOf(version["version"]) === kind.version ? "served" : "other-version";
}

/** Versions of the kind's group in a plain document, e.g. `["v1", "v1beta1"]`. */
function versionsOf(
  kind: KindRef,
  document: Readonly<Record<string, unknown>>,
): readonly (string | null)[] {
  if (kind.group === "") return listOf(document["versions"]).map(textOf);
  const group = listOf(document["groups"]).find(
    (item) => textOf(recordOf(item)["name"]) === kind.group,
  );
  return listOf(recordOf(group)["versions"]).map((item) => textOf(recordOf(item)["version"]));
}

async function fromPlain(
  client: ApiClient,
  kind: KindRef,
  versions: readonly (string | null)[],
  signal: AbortSignal | undefined,
): Promise<Served> {
  let hasOtherVersion = false;
  for (const version of versions) {
    if (version === null) throw incomplete(kind, "a version without a name");
    const document = await client.json({
      method: "GET",
      path: groupVersionPath({ group: kind.group, version }),
      subject: `discovery of ${kindText(kind)}`,
      ...(signal === undefined ? {} : { signal }),
    });
    const resources = recordOf(document)["resources"];
    if (!Array.isArray(resources)) throw incomplete(kind, "a version without a list of resources");
    if (!resources.some((item) => textOf(recordOf(item)["name"]) === kind.plural)) continue;
    if (version === kind.version) return "served";
    hasOtherVersion = true;
  }
  if (hasOtherVersion) throw otherVersion(kind);
  return "absent";
}

function incomplete(kind: KindRef, why: string): OperationError {
  return new OperationError({
    code: "Unavailable",
    message: `discovery of ${kindText(kind)} is not complete: ${why}`,
    retry: "backoff",
  });
}

function otherVersion(kind: KindRef): OperationError {
  return new OperationError({
    code: "Unavailable",
    message: `${kindText(kind)} is served, but not as ${apiVersionOf(kind)}; its objects cannot be read`,
    retry: "backoff",
  });
}
