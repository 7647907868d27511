/**
 * One watch request from its start to its end: opens it, passes on each event, notices silence. The
 * reflector interprets the events and decides when to retry.
 */
import { type OperationError, retryable } from "@zonekeeper/base/operation-error";
import { type Clock, Slices } from "@zonekeeper/base/ports/clock";
import { type KindRef, kindText } from "../../objects/kubernetes.ts";
import { chunksOf, Deadline } from "../requests/abort.ts";
import { type ApiClient, callOf } from "../requests/api-client.ts";
import { resourcePath } from "../requests/api-path.ts";
import { LineSplitter } from "../requests/line-splitter.ts";
import type { Projection } from "./decode-object.ts";
import { parseWatchLine, type WatchEvent, type WatchLineContext } from "./watch-event.ts";

/** What to watch and how. */
export interface WatchQuestion {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly kind: KindRef;
  readonly namespace?: string;
  readonly project?: Projection;
  /** Events after this version; null = the most recent one (with initial events). */
  readonly resourceVersion: string | null;
  /** Ask for a streamed list first (KEP-3157 `sendInitialEvents`). */
  readonly initialEvents: boolean;
  /** The server ends the watch after this time, in seconds. */
  readonly timeoutSeconds: number;
  /** Milliseconds without a byte after which the watch ends as `WatchStalled`. */
  readonly inactivityMs: number;
  /** Milliseconds after which this client ends the watch; absent = never. */
  readonly endAfterMs?: number;
  readonly signal: AbortSignal;
}

/** Callbacks of a watch. Both may throw to end the watch with their error. */
export interface WatchHandler {
  /** The server accepted the watch. */
  onOpen(): void;
  /** If it returns a promise, the next event waits for it. */
  onEvent(event: WatchEvent): Promise<void> | void;
}

/**
 * Resolves when the server ends the watch properly, or `endAfterMs` has passed. Throws ApiError or
 * OperationError otherwise: refused, reset, an `ERROR` event, a line that cannot be read, code
 * `WatchStalled` after `inactivityMs` of silence.
 */
export async function runWatch(question: WatchQuestion, handler: WatchHandler): Promise<void> {
  const deadline = new Deadline(question.clock, question.signal);
  const request = requestOf(question, deadline.signal);
  const { clock, kind, project, endAfterMs } = question;
  const splitter = new LineSplitter();
  const lineContext = {
    ...{ kind, call: callOf(request), handler, slices: new Slices(clock) },
    ...(project === undefined ? {} : { project }),
  };
  let isTaking = false;
  let isOver = false;
  const onEnd = (): void => {
    isOver = true;
    deadline.abort(OVER);
  };
  const end = endAfterMs === undefined ? null : clock.setTimer(endAfterMs, onEnd);
  try {
    const response = await question.client.stream(request);
    handler.onOpen();
    deadline.extend(question.inactivityMs, () => stalled(question));
    for await (const chunk of chunksOf(response.body, deadline.signal)) {
      deadline.extend(question.inactivityMs, () => stalled(question));
      isTaking = true;
      await dispatchLines(splitter.push(chunk), lineContext);
      isTaking = false;
      deadline.signal.throwIfAborted();
    }
    // Bytes after the last newline are an incomplete event; the next watch sends it again.
  } catch (error) {
    // `onEvent` may still run after the end: its errors are thrown all the same.
    if (!isOver || isTaking) throw error;
  } finally {
    end?.cancel();
    deadline.abort(OVER);
  }
}

const OVER = new Error("the watch is over");

interface LineContext extends WatchLineContext {
  readonly handler: WatchHandler;
  readonly slices: Slices;
}

/**
 * A server sends tens of thousands of initial events without a break: yields to other work in
 * between.
 */
async function dispatchLines(lines: Iterable<string>, lineContext: LineContext): Promise<void> {
  const { handler, slices } = lineContext;
  for (const line of lines) {
    if (line === "") continue;
    if (slices.isOver) await slices.next();
    const taken = handler.onEvent(parseWatchLine(line, lineContext));
    if (taken !== undefined) await taken;
  }
}

function requestOf(question: WatchQuestion, signal: AbortSignal) {
  const { kind, namespace, initialEvents } = question;
  return {
    method: "GET" as const,
    path: resourcePath(kind, {
      ...(namespace === undefined ? {} : { namespace }),
      query: {
        watch: "true",
        allowWatchBookmarks: "true",
        resourceVersion: question.resourceVersion,
        sendInitialEvents: initialEvents ? "true" : null,
        resourceVersionMatch: initialEvents ? "NotOlderThan" : null,
        timeoutSeconds: String(question.timeoutSeconds),
      },
    }),
    subject: `watch of ${kindText(kind)}`,
    kind,
    signal,
  };
}

function stalled(question: WatchQuestion): OperationError {
  return retryable(
    "WatchStalled",
    `the watch of ${kindText(question.kind)} was silent for ${question.inactivityMs} ms`,
  );
}
