/**
 * The options of a list or watch: which version is meant, how exactly, and whether a watch begins
 * with the present objects.
 */
import { badRequest } from "../errors/api-error.ts";

/** What a list or watch asks for. */
export interface ListOptions {
  /** 0 = any version; null = the newest. */
  readonly version: number | null;
  readonly match: "" | "Exact" | "NotOlderThan";
  /** Objects in an answer at most; 0 = all. */
  readonly limit: number;
  /** Where a list goes on; empty = from the beginning. */
  readonly token: string;
  /** Null = absent. */
  readonly sendInitialEvents: boolean | null;
  readonly bookmarks: boolean;
  /** Seconds; 0 = absent. */
  readonly timeoutSeconds: number;
}

/** Throws ApiError 400 for what is no number, and for a version together with a token. */
export function listOptions(query: URLSearchParams): ListOptions {
  const match = query.get("resourceVersionMatch");
  const version = wholeNumber(query, "resourceVersion");
  const token = query.get("continue") ?? "";
  // A number below 0 is all, too (etcd3/store.go: only `Limit > 0` makes pages).
  const isAll = /^-\d{1,15}$/.test(query.get("limit") ?? "");
  if (token !== "" && version !== null && version > 0)
    throw badRequest("specifying resource version is not allowed when using continue");
  return {
    version,
    match: match === "Exact" || match === "NotOlderThan" ? match : "",
    limit: isAll ? 0 : (wholeNumber(query, "limit") ?? 0),
    token,
    sendInitialEvents: flag(query.get("sendInitialEvents")),
    bookmarks: flag(query.get("allowWatchBookmarks")) === true,
    timeoutSeconds: wholeNumber(query, "timeoutSeconds") ?? 0,
  };
}

/** Anything but a clear no counts as yes, as in Go's query conversion; null = not given. */
export function flag(text: string | null): boolean | null {
  return text === null ? null : !["false", "0", "F", "f", "FALSE", "False"].includes(text);
}

/** Null = not given or empty. Throws ApiError 400 for anything but digits. */
export function wholeNumber(query: URLSearchParams, name: string): number | null {
  const text = query.get(name) ?? "";
  if (text === "") return null;
  if (!/^\d{1,15}$/.test(text)) throw badRequest(`${name}: Invalid value: ${JSON.stringify(text)}`);
  return Number(text);
}
