/**
 * Events about objects (core/v1). Equal notes are counted up on one Event; a bounded queue and a
 * rate limit protect the API server. It never throws and never blocks its caller.
 */

import { EVENT } from "../../model/kinds.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { messageOf, OperationError } from "../../model/operation-error.ts";
import { type Clock, sleep } from "../../ports/clock.ts";
import type { ClusterWriter, EventNote, EventRecorder } from "../../ports/cluster-writer.ts";
import type { Log } from "../../ports/log.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { Random } from "../../ports/random.ts";
import { backOffMs } from "../../timing/back-off.ts";
import { type Rate, TokenBucket } from "../../timing/token-bucket.ts";

/** What the recorder works with. */
export interface ApiEventRecorderOptions {
  /** Its own rate limit comes on top of the recorder's. */
  readonly writer: Pick<ClusterWriter, "clusterId" | "create" | "patch">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** `source.component`; default `zonekeeper`. */
  readonly component?: string;
  /** Default: 5 per second, bursts of 25. */
  readonly rate?: Rate;
}

const RATE: Rate = { perSecond: 5, burst: 25 };
/** Events that wait to be written; more are dropped and counted. */
const QUEUE_MAX = 1_000;
/** Series that are remembered to be counted up; the least recently used is forgotten first. */
const SERIES_MAX = 4_096;
/** The API refuses longer ones (core/v1 Event validation). */
const MESSAGE_BYTES_MAX = 1_024;
/** The server forgets Events after an hour by default; a series is not counted up for longer. */
const SERIES_AGE_MS = 3_000_000;
const ATTEMPTS_MAX = 4;
const RETRY = { firstMs: 500, maxMs: 10_000 };

/** Equal notes on one object. */
interface Series {
  readonly object: KubeObject;
  readonly note: EventNote;
  /** Name of the Event. */
  name: string;
  count: number;
  firstMs: number;
  lastMs: number;
  /** Monotonic, of the creation. */
  bornMs: number;
  /** The Event was created, as far as is known. */
  written: boolean;
  queued: boolean;
}

/** The EventRecorder of an API server. */
export class ApiEventRecorder implements EventRecorder {
  readonly #options: ApiEventRecorderOptions;
  readonly #bucket: TokenBucket;
  readonly #series = new Map<string, Series>();
  readonly #queue: Series[] = [];
  readonly #stopping = new AbortController();
  #writing: Promise<void> | null = null;

  constructor(options: ApiEventRecorderOptions) {
    this.#options = options;
    this.#bucket = new TokenBucket(options.clock, options.rate ?? RATE);
  }

  record(object: KubeObject, note: EventNote): void {
    if (this.#stopping.signal.aborted) return;
    const series = this.#seriesOf(object, { ...note, message: shorten(note.message) });
    if (!series.queued && this.#queue.length >= QUEUE_MAX) {
      const cluster = this.#options.writer.clusterId;
      this.#options.metrics.count("zonekeeper_events_dropped_total", { cluster });
      return;
    }
    series.count += 1;
    series.lastMs = this.#options.clock.nowMs();
    if (series.queued) return;
    series.queued = true;
    this.#queue.push(series);
    this.#writing ??= this.#writeAll();
  }

  /**
   * Writes what waits, for at most `graceMs`, then drops the rest. Nothing is recorded afterwards.
   */
  async stop(graceMs: number): Promise<void> {
    const timer = this.#options.clock.setTimer(graceMs, () => this.#stopping.abort());
    await this.#writing;
    timer.cancel();
    this.#stopping.abort();
  }

  #seriesOf(object: KubeObject, note: EventNote): Series {
    const { uid = "", namespace = "", name } = object.metadata;
    const key = JSON.stringify([object.kind, namespace, name, uid, note]);
    const { clock } = this.#options;
    const known = this.#series.get(key);
    const fresh = known !== undefined && clock.monotonicMs() - known.bornMs < SERIES_AGE_MS;
    const series = fresh ? known : this.#newSeries(object, note);
    // Deleted and set again: a Map keeps the order of insertion, so the first is the least recently
    // used.
    this.#series.delete(key);
    this.#series.set(key, series);
    for (const oldest of this.#series.keys()) {
      if (this.#series.size <= SERIES_MAX) break;
      this.#series.delete(oldest);
    }
    return series;
  }

  #newSeries(object: KubeObject, note: EventNote): Series {
    const { clock, random } = this.#options;
    return {
      object,
      note,
      name: eventName(object, random),
      count: 0,
      firstMs: clock.nowMs(),
      lastMs: clock.nowMs(),
      bornMs: clock.monotonicMs(),
      written: false,
      queued: false,
    };
  }

  async #writeAll(): Promise<void> {
    const { signal } = this.#stopping;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (signal.aborted) break;
      next.queued = false;
      await this.#bucket.take(signal);
      await this.#write(next);
    }
    this.#writing = null;
  }

  async #write(series: Series): Promise<void> {
    const { clock, log, random } = this.#options;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      try {
        await this.#send(series);
        return;
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !isTransient(error)) {
          log.debug("an Event was not written", {
            reason: series.note.reason,
            error: messageOf(error),
          });
          return;
        }
        const askedMs = error instanceof OperationError ? (error.retryAfterMs ?? 0) : 0;
        const waitMs = Math.max(askedMs, backOffMs(RETRY, attempt, random));
        await sleep(clock, waitMs, this.#stopping.signal);
        if (this.#stopping.signal.aborted) return;
      }
    }
  }

  /** Creates the Event, or counts it up. One that expired on the server is created anew. */
  async #send(series: Series): Promise<void> {
    const { writer, component = "zonekeeper" } = this.#options;
    const namespace = namespaceOf(series.object);
    if (series.written) {
      const ref = { kind: EVENT, namespace, name: series.name };
      const lastTimestamp = timestamp(series.lastMs);
      try {
        await writer.patch(ref, { count: series.count, lastTimestamp });
        return;
      } catch (error) {
        if (!hasCode(error, "NotFound")) throw error;
        series.name = eventName(series.object, this.#options.random);
        series.written = false;
      }
    }
    try {
      await writer.create(EVENT, eventOf(series, { component, namespace }));
    } catch (error) {
      // An earlier attempt succeeded and its answer was lost: the name is unique to this Event.
      if (!hasCode(error, "AlreadyExists")) throw error;
    }
    series.written = true;
  }
}

function eventOf(
  series: Series,
  origin: { readonly component: string; readonly namespace: string },
): KubeObject {
  const { object, note } = series;
  const { name, namespace, uid, resourceVersion } = object.metadata;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: series.name, namespace: origin.namespace },
    involvedObject: {
      apiVersion: object.apiVersion,
      kind: object.kind,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    type: note.type,
    reason: note.reason,
    message: note.message,
    source: { component: origin.component },
    reportingComponent: origin.component,
    reportingInstance: "",
    firstTimestamp: timestamp(series.firstMs),
    lastTimestamp: timestamp(series.lastMs),
    count: series.count,
  };
}

/** Events about cluster-scoped objects live in `default`. */
function namespaceOf(object: KubeObject): string {
  return object.metadata.namespace || "default";
}

/** As client-go names them: the object's name and something unique. */
function eventName(object: KubeObject, random: Random): string {
  return `${object.metadata.name.slice(0, 200)}.${random.uuid().replaceAll("-", "").slice(0, 16)}`;
}

/** RFC 3339 with seconds, as metav1.Time. */
function timestamp(unixMs: number): string {
  return new Date(unixMs).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** At most MESSAGE_BYTES_MAX bytes of UTF-8, cut between characters. */
function shorten(message: string): string {
  if (message.length * 3 <= MESSAGE_BYTES_MAX) return message;
  const bytes = new TextEncoder().encode(message);
  if (bytes.length <= MESSAGE_BYTES_MAX) return message;
  const cut = new TextDecoder().decode(bytes.subarray(0, MESSAGE_BYTES_MAX - 3));
  return `${cut.replace(/\uFFFD+$/, "")}…`;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof OperationError && error.code === code;
}

/** False for a missing or terminating namespace and for a refusal: a retry would fail as well. */
function isTransient(error: unknown): boolean {
  return (
    error instanceof OperationError &&
    ["Unavailable", "UnknownOutcome", "TooManyRequests", "Unauthorized"].includes(error.code)
  );
}
