/**
 * The options of a list or watch, checked together as Kubernetes does: which version is meant, how
 * exactly, and whether a watch begins with what is there. apimachinery
 * pkg/apis/meta/internalversion/validation and defaults.
 */
import { badRequest, type FieldError, invalidOptions } from "../errors/api-error.ts";

/** What a list or watch asks for. */
export interface ListOptions {
  /** 0 = any version; null = the newest. */
  readonly version: number | null;
  readonly match: "" | "Exact" | "NotOlderThan";
  /** Objects in an answer at most; 0 = all. */
  readonly limit: number;
  /** Where a list goes on; empty = from the beginning. */
  readonly token: string;
  /** Null = not said. */
  readonly sendInitialEvents: boolean | null;
  readonly bookmarks: boolean;
  /** Seconds; 0 = not said. */
  readonly timeoutSeconds: number;
}

/** Throws ApiError 400 for what is no number, 422 for options that contradict one another. */
export function listOptions(query: URLSearchParams, isWatch: boolean): ListOptions {
  const match = textOf(query, "resourceVersionMatch");
  const options = readOptions(query);
  const errors = isWatch ? watchErrors(options, match) : listErrors(options, match);
  if (errors.length > 0) throw invalidOptions("ListOptions.meta.k8s.io", errors);
  const isOfVersion = options.version !== null && options.version > 0;
  if (!isWatch && options.token !== "" && isOfVersion)
    throw badRequest("specifying resource version is not allowed when using continue");
  return { ...options, match: match === "Exact" || match === "NotOlderThan" ? match : "" };
}

function readOptions(query: URLSearchParams): Unmatched {
  return {
    version: wholeNumber(query, "resourceVersion"),
    limit: limitOf(query),
    token: textOf(query, "continue"),
    sendInitialEvents: flag(query.get("sendInitialEvents")),
    bookmarks: flag(query.get("allowWatchBookmarks")) === true,
    timeoutSeconds: wholeNumber(query, "timeoutSeconds") ?? 0,
  };
}

/** 0 = all; so is a number below it (etcd3/store.go: only `Limit > 0` makes pages). */
function limitOf(query: URLSearchParams): number {
  return /^-\d{1,15}$/.test(textOf(query, "limit")) ? 0 : (wholeNumber(query, "limit") ?? 0);
}

const textOf = (query: URLSearchParams, name: string): string => query.get(name) ?? "";

type Unmatched = Omit<ListOptions, "match">;

function listErrors(options: Unmatched, match: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (match !== "") {
    if (options.version === null)
      errors.push(
        forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided"),
      );
    if (options.token !== "")
      errors.push(forbidden("resourceVersionMatch is forbidden when continue is provided"));
    if (match !== "Exact" && match !== "NotOlderThan")
      errors.push(notSupported(match, ["Exact", "NotOlderThan", ""]));
    if (match === "Exact" && options.version === 0)
      errors.push(forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (options.sendInitialEvents !== null)
    errors.push({
      field: "sendInitialEvents",
      reason: "FieldValueForbidden",
      detail: "sendInitialEvents is forbidden for list",
    });
  return errors;
}

function watchErrors(options: Unmatched, match: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (options.sendInitialEvents !== null && match !== "NotOlderThan")
    errors.push(
      forbidden("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"),
    );
  if (match === "") return errors;
  if (options.sendInitialEvents === null)
    errors.push(
      forbidden("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"),
    );
  if (match !== "NotOlderThan") errors.push(notSupported(match, ["NotOlderThan"]));
  if (options.token !== "")
    errors.push(forbidden("resourceVersionMatch is forbidden when continue is provided"));
  return errors;
}

const forbidden = (detail: string): FieldError => ({
  field: "resourceVersionMatch",
  reason: "FieldValueForbidden",
  detail,
});

function notSupported(value: string, values: readonly string[]): FieldError {
  const detail = `supported values: ${values.map((each) => JSON.stringify(each)).join(", ")}`;
  return { field: "resourceVersionMatch", reason: "FieldValueNotSupported", value, detail };
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
