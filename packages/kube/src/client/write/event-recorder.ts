/**
 * Events about objects (core/v1). Equal notes are counted up on one Event; a bounded queue and a
 * rate limit protect the API server. Where more Events wait than the queue takes, those are dropped
 * that a later Event of the same object follows. Events that say most in an accident are written
 * first: those of urgent kinds, and of each kind the first Warning with a reason in a minute. It
 * never throws and never blocks its caller.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import { isRefusal, messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { type Clock, sleep } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { Random } from "@zonekeeper/base/ports/random";
import { timeText } from "@zonekeeper/base/time-text";
import { backOffMs } from "@zonekeeper/base/timing/back-off";
import { type Rate, TokenBucket } from "@zonekeeper/base/timing/token-bucket";
import { EVENT } from "../../objects/kinds.ts";
import type { KubeObject } from "../../objects/kubernetes.ts";
import type { ClusterWriter, EventNote, EventRecorder } from "../../ports/cluster-writer.ts";

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
  /** Kinds whose Events go first. */
  readonly urgentKinds: readonly string[];
  /** Default: 5 per second, bursts of 25. */
  readonly rate?: Rate;
}

const RATE: Rate = { perSecond: 5, burst: 25 };
/** Events that wait. Beyond this, those are dropped that a later one of their object follows. */
const QUEUE_MAX = 1_000;
/** Objects whose last Event waits. Beyond this, the new Event is dropped. */
const LAST_MAX = 100_000;
/** Series that are remembered to be counted up; the least recently used is forgotten first. */
const SERIES_MAX = 4_096;
/** The API refuses longer ones (core/v1 Event validation). */
const MESSAGE_BYTES_MAX = 1_024;
/** The server forgets Events after an hour by default; a series is not counted up for longer. */
const SERIES_AGE_MS = 3_000_000;
/** Events that are written together where they wait for the rate: the process wakes less often. */
const STRETCH = 25;
/** A Warning goes first if none with its reason did so for this long, per kind of object. */
const FIRST_WARNING_MS = 60_000;
const ATTEMPTS_MAX = 4;
const RETRY = { firstMs: 500, maxMs: 10_000 };
/** Codes of errors after which another attempt may succeed. */
const TRANSIENT = ["Unavailable", "UnknownOutcome", "TooManyRequests", "Unauthorized"];

/** Equal notes on one object. */
interface Series {
  readonly object: Involved;
  /** Equal for one object. */
  readonly objectKey: string;
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

/** What an Event says of its object; the object itself may be large. */
interface Involved {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
  };
}

/** The EventRecorder of an API server. */
export class ApiEventRecorder implements EventRecorder {
  readonly #options: ApiEventRecorderOptions;
  readonly #bucket: TokenBucket;
  readonly #series = new BoundedMap<string, Series>(SERIES_MAX);
  /** Series that wait, in order; one that was dropped is still in it and is skipped. */
  readonly #queue: Series[] = [];
  /** Like `#queue`, and before it. */
  readonly #urgent: Series[] = [];
  /** Monotonic milliseconds of the last Warning that went first, by kind of object and reason. */
  readonly #warnedMs = new Map<string, number>();
  #waiting = 0;
  /** The last series of each object that waits. */
  readonly #last = new Map<string, Series>();
  /** Series that wait and are not the last of their object, the oldest first. */
  readonly #passed = new Set<Series>();
  readonly #stopping = new AbortController();
  #writing: Promise<void> | null = null;
  #refusal: string | null = null;

  constructor(options: ApiEventRecorderOptions) {
    this.#options = options;
    this.#bucket = new TokenBucket(options.clock, options.rate ?? RATE);
  }

  record(object: KubeObject, note: EventNote): void {
    if (this.#stopping.signal.aborted) return;
    const series = this.#seriesOf(object, { ...note, message: shorten(note.message) });
    const before = this.#last.get(series.objectKey);
    if (before !== undefined && before !== series && before.queued) this.#passed.add(before);
    this.#passed.delete(series);
    this.#last.set(series.objectKey, series);
    if (!series.queued && this.#waiting >= QUEUE_MAX && !this.#makeRoom(series)) return;
    series.count += 1;
    series.lastMs = this.#options.clock.nowMs();
    if (series.queued) return;
    series.queued = true;
    this.#waiting += 1;
    (this.#isUrgent(series) ? this.#urgent : this.#queue).push(series);
    this.#writing ??= this.#writeAll();
  }

  refusal(): string | null {
    return this.#refusal;
  }

  /** True = the Event is written before others. Notes the time of a Warning that is. */
  #isUrgent({ object: { kind }, note: { type, reason } }: Series): boolean {
    if (kind !== undefined && this.#options.urgentKinds.includes(kind)) return true;
    if (type !== "Warning") return false;
    const id = `${kind}|${reason}`;
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - (this.#warnedMs.get(id) ?? Number.NEGATIVE_INFINITY) < FIRST_WARNING_MS)
      return false;
    this.#warnedMs.set(id, nowMs);
    return true;
  }

  /** Drops an Event that a later one of its object follows; false = the new one is dropped. */
  #makeRoom(series: Series): boolean {
    const [passed] = this.#passed;
    const cluster = this.#options.writer.clusterId;
    if (passed !== undefined || this.#waiting >= LAST_MAX)
      this.#options.metrics.count("zonekeeper_events_dropped_total", { cluster });
    if (passed !== undefined) this.#left(passed);
    else if (this.#waiting >= LAST_MAX) this.#last.delete(series.objectKey);
    return passed !== undefined || this.#waiting < LAST_MAX;
  }

  /** The series waits no more: it is being written, or was dropped. */
  #left(series: Series): void {
    series.queued = false;
    this.#waiting -= 1;
    this.#passed.delete(series);
    if (this.#last.get(series.objectKey) === series) this.#last.delete(series.objectKey);
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
    const objectKey = `${object.kind}|${namespace}|${name}|${uid}`;
    const key = JSON.stringify([objectKey, note]);
    const { clock } = this.#options;
    const known = this.#series.get(key);
    const fresh = known !== undefined && clock.monotonicMs() - known.bornMs < SERIES_AGE_MS;
    const series = fresh ? known : this.#newSeries(object, objectKey, note);
    // Also one that is known: the least recently used goes first.
    this.#series.set(key, series);
    return series;
  }

  #newSeries(object: KubeObject, objectKey: string, note: EventNote): Series {
    const { clock, random } = this.#options;
    const { apiVersion, kind, metadata } = object;
    const { name, namespace, uid, resourceVersion } = metadata;
    return {
      object: { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } },
      objectKey,
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
    while (this.#waiting > 0 && !signal.aborted) {
      const count = this.#bucket.waitMs() === 0 ? 1 : Math.min(STRETCH, this.#waiting);
      await this.#bucket.take(signal, count);
      for (let left = count; left > 0 && !signal.aborted; left--) {
        const next = this.#next();
        if (next === null) break;
        this.#left(next);
        await this.#write(next);
      }
    }
    this.#writing = null;
  }

  #next(): Series | null {
    const take = (): Series | undefined => this.#urgent.shift() ?? this.#queue.shift();
    for (let next = take(); next !== undefined; next = take())
      // One that was dropped may be queued again behind.
      if (next.queued) return next;
    return null;
  }

  async #write(series: Series): Promise<void> {
    const { clock, log, random } = this.#options;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      try {
        await this.#send(series);
        this.#refusal = null;
        return;
      } catch (error) {
        this.#noteRefusal(error);
        // A missing or terminating namespace and a refusal are not transient.
        const isTransient = error instanceof OperationError && TRANSIENT.includes(error.code);
        if (attempt === ATTEMPTS_MAX || !isTransient) {
          const { reason } = series.note;
          log.debug("an Event was not written", { reason, error: messageOf(error) });
          return;
        }
        const waitMs = Math.max(error.retryAfterMs ?? 0, backOffMs(RETRY, attempt, random));
        await sleep(clock, waitMs, this.#stopping.signal);
        if (this.#stopping.signal.aborted) return;
      }
    }
  }

  /** Counts a refusal. That a namespace is being deleted is none: nothing is created there. */
  #noteRefusal(error: unknown): void {
    if (!isRefusal(error) || error.message.includes("being terminated")) return;
    const { metrics, writer } = this.#options;
    metrics.count("zonekeeper_events_refused_total", { cluster: writer.clusterId });
    this.#refusal = error.message;
  }

  /** Creates the Event, or counts it up. One that expired on the server is created anew. */
  async #send(series: Series): Promise<void> {
    const { writer, component = "zonekeeper" } = this.#options;
    // Events about cluster-scoped objects live in `default`.
    const namespace = series.object.metadata.namespace || "default";
    if (series.written) {
      const ref = { kind: EVENT, namespace, name: series.name };
      const lastTimestamp = timeText(series.lastMs);
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
    firstTimestamp: timeText(series.firstMs),
    lastTimestamp: timeText(series.lastMs),
    count: series.count,
  };
}

/** As client-go names them: the object's name and something unique. */
function eventName(object: Involved, random: Random): string {
  return `${object.metadata.name.slice(0, 200)}.${random.uuid().replaceAll("-", "").slice(0, 16)}`;
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
