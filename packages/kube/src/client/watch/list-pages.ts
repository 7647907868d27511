/**
 * Lists a kind by pages. The result is complete and of one version, or an error is thrown (F03).
 * Whether a list is allowed can be asked before it is sent: a right that nobody meant to give
 * leaves no refusal in the audit log of the API server.
 */
import { OperationError, retryable } from "@zonekeeper/base/operation-error";
import { type KindRef, kindText } from "../../objects/kubernetes.ts";
import { fieldsOf, isFields, textOf } from "../../objects/object-fields.ts";
import { type Access, isAllowed, whoAmI } from "../access/reviews.ts";
import type { ApiClient } from "../requests/api-client.ts";
import { resourcePath } from "../requests/api-path.ts";
import { type CachedObject, decodeObject, type Projection } from "./decode-object.ts";
import type { ServerTraits } from "./watch-timing.ts";

/** Objects of a page, as kubectl and client-go ask for. */
export const PAGE_OBJECTS = 500;
/** Five million objects. A server with more pages repeats the same pages. */
const PAGES_MAX = 10_000;

/** What to list. */
export interface ListQuestion {
  readonly client: ApiClient;
  readonly kind: KindRef;
  /** Absent = all namespaces. */
  readonly namespace?: string;
  /** The server must know at least this version; null = the most recent one is read. */
  readonly notOlderThan: string | null;
  readonly project?: Projection;
  readonly signal: AbortSignal;
}

/** All objects of a kind at one version. */
export interface CompleteList {
  readonly objects: readonly CachedObject[];
  readonly resourceVersion: string;
}

interface Page {
  readonly items: readonly unknown[];
  readonly resourceVersion: string;
  /** Null on the last page. */
  readonly next: string | null;
}

/**
 * All objects. Throws ApiError (410: the pages expired on the way) or OperationError; never returns
 * an incomplete list.
 */
export async function listAll(question: ListQuestion): Promise<CompleteList> {
  const objects: CachedObject[] = [];
  const resourceVersion = await eachItem({ ...question, accept: "application/json" }, (item) => {
    objects.push(decodeObject(question.kind, item, question.project));
  });
  return { objects, resourceVersion };
}

/** The versions of all objects of a kind by their UIDs, at one version of the list. */
export interface CompleteVersions {
  readonly byUid: ReadonlyMap<string, string>;
  readonly resourceVersion: string;
}

/** A server that knows no such form answers whole objects, which have the same metadata. */
const METADATA_ONLY =
  "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

/** As `listAll`, with the metadata of the objects alone. */
export async function listVersions(question: ListQuestion): Promise<CompleteVersions> {
  const byUid = new Map<string, string>();
  const resourceVersion = await eachItem({ ...question, accept: METADATA_ONLY }, (item) => {
    const metadata = fieldsOf(fieldsOf(item)["metadata"]);
    const version = textOf(metadata["resourceVersion"]);
    if (version === null) throw broken(question.kind, "an object has no version");
    byUid.set(textOf(metadata["uid"]) ?? "", version);
  });
  return { byUid, resourceVersion };
}

/** Calls `take` with each item of all pages. Answers the version that all pages have. */
async function eachItem(
  question: ListQuestion & { readonly accept: string },
  take: (item: unknown) => void,
): Promise<string> {
  let resourceVersion: string | null = null;
  let next: string | null = null;
  for (let count = 0; count < PAGES_MAX; count++) {
    const page: Page = await readPage(question, next);
    if (resourceVersion !== null && page.resourceVersion !== resourceVersion) {
      throw broken(question.kind, "its pages are of different versions");
    }
    resourceVersion = page.resourceVersion;
    for (const item of page.items) take(item);
    if (page.next === null) return resourceVersion;
    next = page.next;
  }
  throw broken(question.kind, `it has more than ${PAGES_MAX} pages`);
}

async function readPage(
  question: ListQuestion & { readonly accept: string },
  next: string | null,
): Promise<Page> {
  const { client, kind, namespace, notOlderThan, signal, accept } = question;
  const fresh = next === null && notOlderThan !== null;
  const answer = await client.json({
    method: "GET",
    path: resourcePath(kind, {
      ...(namespace === undefined ? {} : { namespace }),
      query: {
        limit: String(PAGE_OBJECTS),
        continue: next,
        resourceVersion: fresh ? notOlderThan : /* clause: first-list-is-most-recent */ null,
        resourceVersionMatch: fresh ? "NotOlderThan" : null,
      },
    }),
    subject: `list of ${kindText(kind)}`,
    kind,
    signal,
    accept,
  });
  if (!isFields(answer)) throw broken(kind, "it is no object");
  const metadata = fieldsOf(answer["metadata"]);
  const resourceVersion = textOf(metadata["resourceVersion"]);
  const items = answer["items"] ?? [];
  if (resourceVersion === null || !Array.isArray(items))
    throw broken(kind, "no version or no items");
  return { items, resourceVersion, next: textOf(metadata["continue"]) };
}

function broken(kind: KindRef, why: string): OperationError {
  return retryable("Unavailable", `the list of ${kindText(kind)} cannot be used: ${why}`);
}

/**
 * Throws the `Forbidden` that the list would get. Where the server knows no reviews, or does not
 * answer this one, the list is to be sent.
 */
export async function refuseDeniedList(
  { client, kind, namespace, signal }: ListQuestion,
  traits: ServerTraits,
): Promise<void> {
  const which = { namespace: namespace ?? null, name: null };
  const access: Access = { kind, subresource: null, verb: "list", ...which };
  if (await isAllowed(client, access, signal).catch(allowedIfUnanswered)) return;
  traits.user ??= await whoAmI(client, signal);
  const who = traits.user === null ? "this program" : `User "${traits.user}"`;
  const where = namespace === undefined ? "all namespaces" : `namespace "${namespace}"`;
  throw retryable(
    "Forbidden",
    `${who} cannot list ${kindText(kind)} of ${where}, as a SelfSubjectAccessReview says`,
  );
}

function allowedIfUnanswered(error: unknown): true {
  if (error instanceof OperationError) return true;
  throw error;
}
