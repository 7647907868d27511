/**
 * Lists in pages. The rest of a list is made from the log of changes as the list was when it began;
 * a token that is older than the log is answered 410 with a token for the objects of now. Tokens
 * are those of apiserver pkg/storage/continue.go: the version and the last key.
 */
import { badRequest, continueExpired } from "../errors/api-error.ts";
import { isObject } from "../json/json.ts";
import type { ListMeta } from "../objects/object-forms.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { objectKey } from "../storage/object-storage.ts";

/** Some objects of a list, with the metadata of the answer. */
export interface Page {
  readonly objects: readonly StoredObject[];
  readonly meta: ListMeta;
}

/** The list that pages are taken from. */
export interface PagedList {
  /** Objects in a page at most; 0 = all. */
  readonly limit: number;
  /** True = a selector is given; then the number of remaining objects is not sent. */
  readonly isSelective: boolean;
  /** The newest revision. */
  readonly revision: number;
  /** The selected objects at a revision, sorted by key; null = that is no longer kept. */
  readonly at: (revision: number) => readonly StoredObject[] | null;
}

/** Where a page begins. */
interface Token {
  /** -1 = the newest, whatever it is. */
  readonly revision: number;
  /** The last key of the page before; this page begins after it. Empty = the first page. */
  readonly start: string;
}

/**
 * The page that `token` points at. The same token gives the same answer. Throws ApiError 400, 410.
 */
export function nextPage(list: PagedList, token: string): Page {
  const { revision, start } = readToken(token);
  const asked = revision < 0 ? list.revision : revision;
  const objects = list.at(asked);
  if (objects === null) throw continueExpired(writeToken({ revision: -1, start }));
  return pageOf(list, objects, { revision: asked, start });
}

/** A page of the objects of a list, which are those of the token's revision. */
export function pageOf(list: PagedList, objects: readonly StoredObject[], token: Token): Page {
  const start = token.start === "" ? 0 : firstBehind(objects, token.start);
  const end = list.limit === 0 ? objects.length : Math.min(start + list.limit, objects.length);
  const page = objects.slice(start, end);
  const last = page.at(-1);
  const remaining = objects.length - end;
  const resourceVersion = String(token.revision);
  if (remaining === 0 || last === undefined) return { objects: page, meta: { resourceVersion } };
  const more = writeToken({ revision: token.revision, start: objectKey(last) });
  const count = list.isSelective ? {} : { remainingItemCount: remaining };
  return { objects: page, meta: { resourceVersion, continue: more, ...count } };
}

/** The place of the first object whose key comes after `key`. */
function firstBehind(objects: readonly StoredObject[], key: string): number {
  let low = 0;
  let high = objects.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const object = objects[middle];
    if (object !== undefined && objectKey(object) <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

const TOKEN_VERSION = "meta.k8s.io/v1";

/** Stands behind the key: the next page begins with the first key that comes after that. */
const END = "\u0000";

function writeToken(token: Token): string {
  const { revision, start } = token;
  return btoa(JSON.stringify({ v: TOKEN_VERSION, rv: revision, start: `${start}${END}` }));
}

function readToken(text: string): Token {
  const value = parsed(text);
  if (!isObject(value) || value["v"] !== TOKEN_VERSION) throw badToken();
  const { rv, start } = value;
  if (typeof rv !== "number" || typeof start !== "string" || start === "") throw badToken();
  return { revision: rv, start: start.endsWith(END) ? start.slice(0, -1) : start };
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(atob(text));
    return value;
  } catch {
    return null;
  }
}

function badToken(): Error {
  return badRequest("invalid continue token: it is none that this server gave");
}
