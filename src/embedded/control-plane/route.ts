/** Which kind, object and subresource a path names. Pure; says nothing about methods. */
import type { ServedKind } from "./served-kind.ts";

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

/** Kinds by `group/version/plural`. */
export type KindIndex = ReadonlyMap<string, ServedKind>;

/** The index that `resourceRoute` looks in. */
export function indexKinds(kinds: readonly ServedKind[]): KindIndex {
  return new Map(
    kinds.map((kind) => [`${kind.ref.group}/${kind.ref.version}/${kind.ref.plural}`, kind]),
  );
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
export function resourceRoute(segments: readonly string[], kinds: KindIndex): ResourceRoute | null {
  const [root, ...rest] = segments;
  if (root === "api") return below({ group: "", version: rest[0] ?? "" }, rest.slice(1), kinds);
  if (root !== "apis") return null;
  return below({ group: rest[0] ?? "", version: rest[1] ?? "" }, rest.slice(2), kinds);
}

/** Subresources of Namespace, which are not plurals of kinds inside it. */
const NAMESPACE_SUBRESOURCES = ["status", "finalize"];

function below(
  version: { readonly group: string; readonly version: string },
  segments: readonly string[],
  kinds: KindIndex,
): ResourceRoute | null {
  const { namespace, rest } = splitNamespace(segments);
  const [plural = "", name = null, subresource = null, surplus] = rest;
  const kind = kinds.get(`${version.group}/${version.version}/${plural}`);
  if (kind === undefined || surplus !== undefined) return null;
  // An object of a namespaced kind has no address without its namespace; others have none inside one.
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
