/** Which kind, object and subresource a path names. Pure; methods are not checked. */
import type { KindLookup, ServedKind } from "../objects/served-kind.ts";

/** A path below a group and version. */
export interface ResourceRoute {
  readonly kind: ServedKind;
  /** Empty = all namespaces, or a cluster-scoped kind. */
  readonly namespace: string;
  /** Null = the collection. */
  readonly name: string | null;
  /** Null = the object itself. */
  readonly subresource: string | null;
}

/** Path segments, decoded; null when a segment is not valid percent-encoding. */
export function pathSegments(path: string): readonly string[] | null {
  try {
    return path
      .split("/")
      .filter((part) => part !== "")
      .map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** The route, or null when nothing that is served has this path. */
export function resourceRoute(
  segments: readonly string[],
  kinds: KindLookup,
): ResourceRoute | null {
  const [root, first = "", second = ""] = segments;
  if (root === "api") return below(first, segments.slice(2), kinds);
  return root === "apis" ? below(`${first}/${second}`, segments.slice(3), kinds) : null;
}

/** Subresources of Namespace, which are not plurals of kinds inside it. */
const NAMESPACE_SUBRESOURCES = ["status", "finalize"];

function below(
  apiVersion: string,
  segments: readonly string[],
  kinds: KindLookup,
): ResourceRoute | null {
  const { namespace, rest } = splitNamespace(segments);
  const [plural = "", name = null, subresource = null, surplus] = rest;
  const kind = kinds.byPath(apiVersion, plural);
  if (kind === null || surplus !== undefined) return null;
  // An object of a namespaced kind has no address without its namespace; others have none inside
  // one.
  const isAddressed = kind.ref.namespaced
    ? namespace !== null || name === null
    : namespace === null;
  return isAddressed ? { kind, namespace: namespace ?? "", name, subresource } : null;
}

/** Takes `namespaces/NAME` off the front unless the path is about the namespace itself. */
function splitNamespace(segments: readonly string[]): {
  readonly namespace: string | null;
  readonly rest: readonly string[];
} {
  const [first, second, third] = segments;
  const isInside =
    first === "namespaces" && third !== undefined && !NAMESPACE_SUBRESOURCES.includes(third);
  return isInside
    ? { namespace: second ?? "", rest: segments.slice(2) }
    : { namespace: null, rest: segments };
}
