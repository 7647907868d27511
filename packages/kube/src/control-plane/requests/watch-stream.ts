/**
 * The body of a watch: the present objects (if asked for), then every change of the kind from a
 * revision on, as lines of JSON. Reads from the bounded event log, so that a slow reader costs
 * nothing and gets `Expired`.
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import { expired } from "../errors/api-error.ts";
import type { JsonObject } from "../json/json.ts";
import type { ObjectForms } from "../objects/object-forms.ts";
import type { Selector } from "../objects/selectors.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import type { EventLog, LoggedChange } from "../storage/event-log.ts";

/** What a watch sends. */
export interface WatchOptions {
  readonly log: EventLog;
  readonly forms: ObjectForms;
  readonly selector: Selector;
  /** Objects to send as ADDED first, already selected; null = none. */
  readonly initial: readonly StoredObject[] | null;
  /** True = a bookmark marks the end of `initial`. */
  readonly endsInitialWithBookmark: boolean;
  /** Changes after this revision follow. */
  readonly fromRevision: number;
  /** The newest revision of the storage, for bookmarks. */
  readonly newestRevision: () => number;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Aborts when the client goes away or the server stops. */
  readonly signal: AbortSignal;
}

/** Time between bookmarks. */
const BOOKMARK_INTERVAL_MS = 60_000;
const ENCODER = new TextEncoder();

/** The stream; ends at the timeout, on abort, with its log, or after an ERROR event. */
export function watchStream(options: WatchOptions): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const waker = new Waker();
      const lines = watchLines(options, waker);
      return {
        next: () => lines.next(),
        // A generator that waits cannot be returned from; it has to be woken first.
        return: () => {
          waker.end();
          return lines.return(undefined);
        },
      };
    },
  };
}

async function* watchLines(options: WatchOptions, waker: Waker): AsyncGenerator<Uint8Array> {
  const stop = arm(options, waker);
  try {
    yield* initialLines(options);
    let cursor = options.fromRevision;
    while (!waker.ended) {
      // Read before the changes: a commit in between is found by the next turn.
      const newest = options.newestRevision();
      const changes = options.log.since(cursor);
      if (changes === null) {
        yield line("ERROR", expired(`too old resource version: ${cursor}`).toStatus());
        return;
      }
      yield* changeLines(options, changes, waker);
      cursor = Math.max(changes.at(-1)?.revision ?? cursor, newest, cursor);
      if (options.bookmarks && waker.takeBookmark())
        yield line("BOOKMARK", options.forms.bookmark(versionOnly(cursor)));
      if (changes.length === 0 && options.log.isClosed) return;
      if (changes.length === 0) await waker.wait();
    }
  } finally {
    stop();
  }
}

/** Wakes the stream on changes, at the bookmark interval, at the timeout and on abort. */
function arm(options: WatchOptions, waker: Waker): () => void {
  const { clock, log, signal } = options;
  const end = (): void => waker.end();
  let bookmark: Timer | null = null;
  const repeat = (): void => {
    bookmark = clock.setTimer(BOOKMARK_INTERVAL_MS, () => {
      waker.bookmark();
      repeat();
    });
  };
  if (options.bookmarks) repeat();
  const timeout = clock.setTimer(options.timeoutMs, end);
  const unlisten = log.listen(() => waker.wake());
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  return () => {
    timeout.cancel();
    bookmark?.cancel();
    unlisten();
    signal.removeEventListener("abort", end);
  };
}

function* initialLines(options: WatchOptions): Generator<Uint8Array> {
  for (const object of options.initial ?? []) yield line("ADDED", options.forms.one(object));
  if (!options.endsInitialWithBookmark) return;
  const annotations = { "k8s.io/initial-events-end": "true" };
  const metadata = { ...versionOnly(options.fromRevision), annotations };
  yield line("BOOKMARK", options.forms.bookmark(metadata));
}

function* changeLines(
  options: WatchOptions,
  changes: readonly LoggedChange[],
  waker: Waker,
): Generator<Uint8Array> {
  for (const change of changes) {
    const bytes = changeLine(change, options);
    if (bytes !== null) yield bytes;
    if (waker.ended) return;
  }
}

/**
 * The event type of a change for this watch; null = no event. An object may enter or leave a
 * selection.
 */
function typeOf(change: LoggedChange, selector: Selector): "ADDED" | "MODIFIED" | "DELETED" | null {
  const isIn = !change.removed && selector(change.object);
  const wasIn = change.previous !== null && selector(change.previous);
  if (isIn) return wasIn ? "MODIFIED" : "ADDED";
  return wasIn ? "DELETED" : null;
}

/** Null = the change is not for this watch. Encoded once for all watches of a form. */
function changeLine(change: LoggedChange, options: WatchOptions): Uint8Array | null {
  const type = typeOf(change, options.selector);
  if (type === null) return null;
  const form = options.forms.sharedKey;
  const object = type === "DELETED" ? lastOf(change) : change.object;
  if (form === null) return line(type, options.forms.one(object));
  const key = `${type}/${form}`;
  const bytes = change.encoded.get(key) ?? line(type, options.forms.one(object));
  change.encoded.set(key, bytes);
  return bytes;
}

/**
 * An object that leaves the selection is sent as it was when it was selected, with the version of
 * the change (cacher, cache_watcher.go).
 */
function lastOf({ object, previous, removed }: LoggedChange): StoredObject {
  if (removed || previous === null) return object;
  const { resourceVersion = "" } = object.metadata;
  return { ...previous, metadata: { ...previous.metadata, resourceVersion } };
}

function line(type: string, object: JsonObject): Uint8Array {
  return ENCODER.encode(`${JSON.stringify({ type, object })}\n`);
}

const versionOnly = (revision: number): JsonObject => ({
  resourceVersion: String(revision),
  creationTimestamp: null,
});

/** Lets one reader sleep until something happens. */
class Waker {
  #resolve: (() => void) | null = null;
  #woken = false;
  #bookmark = false;
  #ended = false;

  get ended(): boolean {
    return this.#ended;
  }

  wake(): void {
    this.#woken = true;
    this.#resolve?.();
    this.#resolve = null;
  }

  end(): void {
    this.#ended = true;
    this.wake();
  }

  bookmark(): void {
    this.#bookmark = true;
    this.wake();
  }

  /** True once after each `bookmark`. */
  takeBookmark(): boolean {
    const due = this.#bookmark;
    this.#bookmark = false;
    return due;
  }

  /** Resolves when woken, at once if that happened since the last wait. */
  async wait(): Promise<void> {
    if (!this.#woken)
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
    this.#woken = false;
  }
}
