/**
 * Discovery documents: what groups, versions and kinds there are, in the plain and in the
 * aggregated form (apidiscovery.k8s.io v2 and v2beta1).
 */
import type { HttpHeaders, HttpResponse } from "@zonekeeper/base/ports/http";
import { parseAccept, takesJson } from "../http/accept.ts";
import { bytesResponse, jsonResponse } from "../http/body.ts";
import { contentHash } from "../json/content-hash.ts";
import type { JsonObject } from "../json/json.ts";
import { PLAIN_KIND, type ServedKind } from "../objects/served-kind.ts";
import { byPreference } from "../objects/version-order.ts";
import { groupVersionKind } from "./openapi-v2.ts";
import { REVIEWS } from "./reviews.ts";

/** What can be done with a kept kind. */
const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
/** What can be done with its status. */
const STATUS_VERBS = ["get", "patch", "update"];

/** One resource or subresource that discovery names. */
interface Discovered
  extends Pick<ServedKind, "ref" | "singular" | "shortNames" | "categories" | "hasStatus"> {
  readonly verbs: readonly string[];
}

/** The answer to a discovery path about the served kinds, or null when the path is none. */
export function answerDiscovery(
  kinds: readonly ServedKind[],
  segments: readonly string[],
  headers: HttpHeaders,
): HttpResponse | null {
  const [root, ...below] = segments;
  if (root !== "api" && root !== "apis") return null;
  const [group, version, more] = root === "api" ? ["", ...below] : below;
  if (more !== undefined) return null;
  const discovery = new Discovery(kinds);
  if (group !== undefined && below.length > 0)
    return version === undefined ? discovery.group(group) : discovery.resources(group, version);
  const answer = discovery.root(headers["accept"], root);
  const etag = answer.headers["etag"];
  if (etag === undefined || headers["if-none-match"] !== etag) return answer;
  return bytesResponse(304, new Uint8Array(), { etag, vary: "Accept" });
}

class Discovery {
  readonly #resources: readonly Discovered[];

  constructor(kinds: readonly ServedKind[]) {
    const reviews = REVIEWS.map(({ ref }) => ({
      ...PLAIN_KIND,
      ref,
      singular: ref.kind.toLowerCase(),
      verbs: ["create"],
    }));
    const served = kinds.map((kind) => ({
      ...kind,
      verbs: kind.ref.namespaced ? VERBS : VERBS.filter((verb) => verb !== "deletecollection"),
    }));
    this.#resources = [...served, ...reviews];
  }

  /**
   * kubectl names the forms that it knows in the order of its liking; the first served one is
   * right.
   */
  root(accept: string | undefined, root: "api" | "apis"): HttpResponse {
    for (const range of parseAccept(accept)) {
      const { as, v, g } = range.parameters;
      if (!takesJson(range)) continue;
      const isAggregated = as === "APIGroupDiscoveryList" && g === "apidiscovery.k8s.io";
      if (isAggregated && (v === "v2" || v === "v2beta1")) return this.#aggregated(root, v);
      if (as === undefined) break;
    }
    if (root === "api") return jsonResponse(200, CORE_VERSIONS);
    const groups = this.#groups().filter((group) => group !== "");
    return jsonResponse(200, {
      kind: "APIGroupList",
      apiVersion: "v1",
      groups: groups.map((group) => this.#groupEntry(group)),
    });
  }

  /** Core and named groups are two documents, `/api` and `/apis`. */
  #aggregated(root: "api" | "apis", version: string): HttpResponse {
    const groups = this.#groups().filter((group) => (group === "") === (root === "api"));
    const value = {
      kind: "APIGroupDiscoveryList",
      apiVersion: `apidiscovery.k8s.io/${version}`,
      metadata: {},
      items: groups.map((group) => ({
        metadata: { name: group, creationTimestamp: null },
        versions: this.#versions(group).map((each) => ({
          version: each,
          resources: this.#of(group, each).map(aggregatedResource),
          freshness: "Current",
        })),
      })),
    };
    return jsonResponse(200, value, {
      contentType: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
      headers: { etag: `"${contentHash(JSON.stringify(value))}"`, vary: "Accept" },
    });
  }

  group(group: string): HttpResponse | null {
    if (group === "" || !this.#groups().includes(group)) return null;
    return jsonResponse(200, { kind: "APIGroup", apiVersion: "v1", ...this.#groupEntry(group) });
  }

  /** A group with its versions; the first one served is preferred. */
  #groupEntry(group: string): JsonObject {
    const versions = this.#versions(group).map((version) => ({
      groupVersion: `${group}/${version}`,
      version,
    }));
    return { name: group, versions, preferredVersion: versions[0] };
  }

  resources(group: string, version: string): HttpResponse | null {
    const resources = this.#of(group, version);
    if (resources.length === 0) return null;
    return jsonResponse(200, {
      kind: "APIResourceList",
      apiVersion: "v1",
      groupVersion: group === "" ? version : `${group}/${version}`,
      resources: resources.flatMap(plainResources),
    });
  }

  #groups(): readonly string[] {
    return [...new Set(this.#resources.map(({ ref }) => ref.group))];
  }

  /** The preferred version first. */
  #versions(group: string): readonly string[] {
    const all = this.#resources.filter(({ ref }) => ref.group === group);
    return [...new Set(all.map(({ ref }) => ref.version))].sort(byPreference);
  }

  #of(group: string, version: string): readonly Discovered[] {
    return this.#resources.filter(({ ref }) => ref.group === group && ref.version === version);
  }
}

/** The answer to plain `/api`. */
const CORE_VERSIONS: JsonObject = {
  kind: "APIVersions",
  versions: ["v1"],
  serverAddressByClientCIDRs: [],
};

/** Names that are not there at all when there are none. */
function namesOf({ shortNames, categories }: Discovered): JsonObject {
  return {
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
  };
}

/** The resource and its status as entries of an APIResourceList. */
function plainResources(each: Discovered): readonly JsonObject[] {
  const { namespaced, kind, plural } = each.ref;
  const { singular: singularName, verbs } = each;
  const main = { name: plural, singularName, namespaced, kind, verbs, ...namesOf(each) };
  const name = `${plural}/status`;
  const status = { name, singularName: "", namespaced, kind, verbs: STATUS_VERBS };
  return each.hasStatus ? [main, status] : [main];
}

/** The resource as an entry of an APIGroupDiscoveryList; its status is a part of it. */
function aggregatedResource(each: Discovered): JsonObject {
  const responseKind = groupVersionKind(each);
  const status = { subresource: "status", responseKind, verbs: STATUS_VERBS };
  return {
    resource: each.ref.plural,
    responseKind,
    scope: each.ref.namespaced ? "Namespaced" : "Cluster",
    singularResource: each.singular,
    verbs: each.verbs,
    ...namesOf(each),
    ...(each.hasStatus ? { subresources: [status] } : {}),
  };
}
