/**
 * Collects the initial events of a streamed list (KEP-3157) until the bookmark that completes it.
 * An incomplete list is never returned.
 */
import { type OperationError, retryable } from "@zonekeeper/base/operation-error";
import type { KindRef } from "../../objects/kubernetes.ts";
import { kindText } from "../../objects/kubernetes.ts";
import { namespacedName } from "../../objects/object-fields.ts";
import { ApiError } from "../requests/api-error.ts";
import type { CachedObject } from "./decode-object.ts";
import type { CompleteList } from "./list-pages.ts";
import type { WatchEvent } from "./watch-event.ts";

/**
 * Statuses by which servers refuse `sendInitialEvents`: unknown, forbidden by validation, not for
 * this kind.
 */
const REFUSALS = new Set([400, 405, 406, 415, 422]);

/** True when the server refuses to stream lists, so that the caller must list by pages. */
export function refusesStreamedList(error: unknown): boolean {
  return error instanceof ApiError && REFUSALS.has(error.status);
}

/** True when no answer of a server came. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** One streamed list on its way. */
export class StreamedList {
  readonly #kind: KindRef;
  readonly #objects = new Map<string, CachedObject>();

  constructor(kind: KindRef) {
    this.#kind = kind;
  }

  /**
   * Takes the next event; the list once it is complete, else null. Throws OperationError
   * `NoStreamedList` at any other bookmark: the server does not know `sendInitialEvents` and would
   * never end the list.
   */
  collect(event: WatchEvent): CompleteList | null {
    if (event.type === "BOOKMARK") {
      if (!event.endsInitialEvents) throw neverEnded(this.#kind);
      const objects = [...this.#objects.values()];
      // The watch that goes on keeps this, and would keep every object as it was.
      this.#objects.clear();
      return { objects, resourceVersion: event.resourceVersion };
    }
    const key = namespacedName(event.object);
    if (event.type === "DELETED") this.#objects.delete(key);
    else this.#objects.set(key, event.object);
    return null;
  }
}

/** The error for an incomplete list, of which no object may be used. */
export function neverEnded(kind: KindRef): OperationError {
  return retryable("NoStreamedList", `the streamed list of ${kindText(kind)} was not completed`);
}
