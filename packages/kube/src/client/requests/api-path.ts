/**
 * URLs of the Kubernetes API (API concepts, "Resource URIs"). Builds text only; every segment is
 * escaped.
 */
import type { KindRef } from "../../objects/kubernetes.ts";

/** Which object or subresource of a kind. */
export interface PathOptions {
  /** Absent or empty = all namespaces; ignored for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name?: string;
  /** `status`. */
  readonly subresource?: string;
  /** Query parameters; null values are omitted. In the given order. */
  readonly query?: Readonly<Record<string, string | null>>;
}

/** `/api/v1` or `/apis/GROUP/VERSION`. */
export function groupVersionPath(kind: Pick<KindRef, "group" | "version">): string {
  return kind.group === "" ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
}

/** The path of a collection, an object or a subresource, with its query. */
export function resourcePath(kind: KindRef, options: PathOptions = {}): string {
  const segments = [groupVersionPath(kind)];
  if (kind.namespaced && options.namespace) {
    segments.push("namespaces", encodeURIComponent(options.namespace));
  }
  segments.push(kind.plural);
  if (options.name !== undefined) segments.push(encodeURIComponent(options.name));
  if (options.subresource !== undefined) segments.push(options.subresource);
  return segments.join("/") + queryText(options.query ?? {});
}

function queryText(query: Readonly<Record<string, string | null>>): string {
  const pairs: string[] = [];
  for (const [key, value] of Object.entries(query)) {
    if (value !== null) pairs.push(`${key}=${encodeURIComponent(value)}`);
  }
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
