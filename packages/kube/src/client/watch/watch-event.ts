/**
 * One line of a watch (API concepts, "Efficient detection of changes"): JSON to a typed event.
 * Errors are thrown.
 */
import { jsonIn } from "@zonekeeper/base/json-text";
import { type OperationError, retryable } from "@zonekeeper/base/operation-error";
import type { KindRef } from "../../objects/kubernetes.ts";
import { kindText } from "../../objects/kubernetes.ts";
import { fieldsOf, isFields, textOf } from "../../objects/object-fields.ts";
import { type ApiCall, watchError } from "../requests/api-error.ts";
import { type CachedObject, decodeObject, type Projection } from "./decode-object.ts";

/** What happened to an object. */
export interface ObjectEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: CachedObject;
}

/** Nothing happened up to a version. */
export interface BookmarkEvent {
  readonly type: "BOOKMARK";
  readonly resourceVersion: string;
  /** The initial events of a streamed list are complete (KEP-3157). */
  readonly endsInitialEvents: boolean;
}

/** An event of a watch. */
export type WatchEvent = ObjectEvent | BookmarkEvent;

/** The context of the lines of one watch. */
export interface WatchLineContext {
  readonly kind: KindRef;
  readonly call: ApiCall;
  readonly project?: Projection;
}

const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

/**
 * The event in a line. Throws ApiError for an `ERROR` event, OperationError for a line that is no
 * event: no line is skipped, because an unreadable line may have been a change.
 */
export function parseWatchLine(line: string, context: WatchLineContext): WatchEvent {
  const value = jsonIn(line);
  const type = isFields(value) ? value["type"] : null;
  if (!isFields(value) || typeof type !== "string") throw garbage(context.kind);
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      return { type, object: decodeObject(context.kind, value["object"], context.project) };
    case "BOOKMARK":
      return bookmarkOf(value["object"], context.kind);
    case "ERROR":
      throw watchError(context.call, value["object"]);
    default:
      throw garbage(context.kind);
  }
}

function bookmarkOf(object: unknown, kind: KindRef): BookmarkEvent {
  const metadata = fieldsOf(fieldsOf(object)["metadata"]);
  const resourceVersion = textOf(metadata["resourceVersion"]);
  if (resourceVersion === null) throw garbage(kind);
  const annotations = fieldsOf(metadata["annotations"]);
  return {
    type: "BOOKMARK",
    resourceVersion,
    endsInitialEvents: annotations[INITIAL_EVENTS_END] === "true",
  };
}

function garbage(kind: KindRef): OperationError {
  return retryable("GarbageInWatch", `a line of the watch of ${kindText(kind)} is no event`);
}
