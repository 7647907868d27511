/**
 * Keeps the store of one kind equal to the API server: list, watch, and again after any trouble,
 * until it is stopped. It decides when content counts as `live`; it never uses an incomplete list.
 */
import { InvariantError } from "@zonekeeper/base/invariant";
import { OperationError, retryable } from "@zonekeeper/base/operation-error";
import { type Clock, Slices, sleep } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { Random } from "@zonekeeper/base/ports/random";
import { BackOff } from "@zonekeeper/base/timing/back-off";
import { type KindRef, kindText } from "../../objects/kubernetes.ts";
import type { KindState } from "../../ports/cluster-view.ts";
import type { ApiClient } from "../requests/api-client.ts";
import type { Projection } from "./decode-object.ts";
import type { KindStore } from "./kind-store.ts";
import {
  type CompleteList,
  type ListQuestion,
  listAll,
  PAGE_OBJECTS,
  refuseDeniedList,
} from "./list-pages.ts";
import { hasOrder } from "./resource-version.ts";
import { isUnanswered, neverEnded, refusesStreamedList, StreamedList } from "./streamed-list.ts";
import type { WatchEvent } from "./watch-event.ts";
import { runWatch, type WatchQuestion } from "./watch-stream.ts";
import type { ServerTraits, WatchTiming } from "./watch-timing.ts";
import {
  askAfterSilence,
  disorder,
  isSilence,
  judgeTrouble,
  olderList,
  type WatchTrouble,
} from "./watch-trouble.ts";

/**
 * Milliseconds after which the first watch after trouble is opened again; doubled for each next
 * one, up to SETTLE_MAX_MS. After its start an API server creates the storage of custom kinds
 * again. An earlier watch then never sends an event (observed with kube-apiserver 1.20).
 */
const SETTLE_MS = 10_000;
const SETTLE_MAX_MS = 160_000;
/**
 * Milliseconds to wait for the bookmark that completes catching up; kube-apiserver sends one every
 * minute.
 */
const CATCH_UP_MS = 75_000;
/** A watch that the server ends sooner is not repeated at once. */
const ENDED_AT_ONCE_MS = 1_000;
/** Milliseconds after which a kind without a list is told. */
const UNLISTED_MS = 30_000;

/** What a reflector works with. */
export interface ReflectorOptions {
  readonly clusterId: string;
  readonly client: ApiClient;
  readonly store: KindStore;
  readonly traits: ServerTraits;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly timing: WatchTiming;
  /** Absent = all namespaces. */
  readonly namespace?: string;
  readonly project?: Projection;
  /** Shows the state and the number of objects, after either has changed. */
  readonly showGauges: () => void;
  /** True = what is forbidden here is read in another way: no news. */
  readonly hasSubstitute: () => boolean;
  /** Lists only what a review does not deny. */
  readonly reviewsLists: boolean;
}

/** The loop of one kind. `run` is called once. */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #store: KindStore;
  readonly #kind: KindRef;
  readonly #backOff: BackOff;
  /** The next round begins with a list. */
  #mustList = true;
  /** A list was used, and the listeners are not notified yet that the kind is live by it. */
  #relisted = false;
  /** Missed events may still arrive: only a bookmark shows that the content is current again. */
  #catchingUp = false;
  /** A streamed list of this kind failed; this kind is listed by pages. */
  #onlyPages = false;
  /** Greatest duration of the next watch, soon after trouble; null = the server decides. */
  #settleMs: number | null = null;
  #openedAtMs: number | null = null;
  #newsAtMs: number;
  #trouble: string | null = null;

  constructor(options: ReflectorOptions) {
    const { backOffFirstMs, backOffMaxMs } = options.timing;
    this.#options = options;
    this.#store = options.store;
    this.#kind = options.store.kind;
    this.#backOff = new BackOff({ firstMs: backOffFirstMs, maxMs: backOffMaxMs }, options.random);
    this.#newsAtMs = options.clock.monotonicMs();
  }

  /** Why the kind is not live, for people; null when nothing is wrong. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** Monotonic milliseconds of the last list, event or bookmark; at first, of the start. */
  get newsAtMs(): number {
    return this.#newsAtMs;
  }

  /** Runs until the signal aborts. Rejects only for a bug. */
  async run(signal: AbortSignal): Promise<void> {
    const unlisted = this.#options.clock.setTimer(UNLISTED_MS, () => this.#tellUnlisted());
    try {
      await this.#rounds(signal);
    } finally {
      unlisted.cancel();
    }
  }

  async #rounds(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#round(signal);
      } catch (error) {
        if (error instanceof InvariantError) throw error;
        const trouble = await this.#afterSilence(error, signal);
        if (trouble !== null && !signal.aborted) await this.#recover(trouble, signal);
      }
    }
  }

  /** What is wrong after this error; null = a watch was silent, and the kind is as it was. */
  async #afterSilence(error: unknown, signal: AbortSignal): Promise<unknown> {
    if (!isSilence(error) || this.#mustList || signal.aborted) return error;
    const question = { ...this.#listQuestion(signal), clock: this.#options.clock };
    const answer = await askAfterSilence(question, this.#store, error);
    if (typeof answer !== "string") return answer;
    this.#apply({ type: "BOOKMARK", resourceVersion: answer, endsInitialEvents: false });
    return null;
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { reviewsLists, traits } = this.#options;
    if (this.#mustList && reviewsLists) await refuseDeniedList(this.#listQuestion(signal), traits);
    if (this.#mustList && traits.streamsLists && !this.#onlyPages) {
      await this.#watchFromStreamedList(signal);
      return;
    }
    if (this.#mustList) await this.#use(await listAll(this.#listQuestion(signal)), signal);
    await this.#watch(signal);
  }

  #listQuestion(signal: AbortSignal): ListQuestion {
    const { client } = this.#options;
    const notOlderThan = this.#notOlderThan();
    return { client, kind: this.#kind, notOlderThan, signal, ...this.#restrictions() };
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const question = this.#question(signal, this.#store.newest);
    const settleMs = this.#catchingUp ? null : this.#settleMs;
    const inactivityMs = Math.min(
      question.inactivityMs,
      this.#catchingUp ? CATCH_UP_MS : Number.POSITIVE_INFINITY,
    );
    const ends = settleMs === null ? {} : { endAfterMs: settleMs };
    await runWatch(
      { ...question, inactivityMs, ...ends },
      {
        onOpen: () => {
          this.#opened();
          if (!this.#catchingUp) this.#live();
        },
        onEvent: (event) => this.#apply(event),
      },
    );
    if (settleMs !== null) this.#settleMs = settleMs >= SETTLE_MAX_MS ? null : 2 * settleMs;
    this.#ended();
  }

  async #watchFromStreamedList(signal: AbortSignal): Promise<void> {
    const list = new StreamedList(this.#kind);
    const question = { ...this.#question(signal, this.#notOlderThan()), initialEvents: true };
    try {
      await runWatch(question, {
        onOpen: () => this.#opened(),
        onEvent: (event) => {
          if (!this.#mustList) return this.#apply(event);
          const complete = list.collect(event);
          return complete === null
            ? undefined
            : this.#use(complete, signal).then(() => this.#live());
        },
      });
      if (this.#mustList) throw neverEnded(this.#kind);
    } catch (error) {
      if (!this.#fallsBack(error)) throw error;
      return;
    }
    this.#ended();
  }

  /**
   * True when the streamed list failed and the kind must be listed by pages now. Whatever failed:
   * kube-apiserver ≥ 1.32 over an old etcd answers 200 and an error in the stream. Pages come after
   * the back-off where nobody answered, or the server says when to come back.
   */
  #fallsBack(error: unknown): boolean {
    if (!this.#mustList || !(error instanceof OperationError)) return false;
    this.#onlyPages = true;
    if (refusesStreamedList(error)) this.#options.traits.streamsLists = false;
    const { clusterId, log } = this.#options;
    log.info("a list was not streamed and is read by pages", {
      cluster: clusterId,
      kind: kindText(this.#kind),
      answer: error.message,
    });
    return error.retryAfterMs === null && !isUnanswered(error);
  }

  async #use(list: CompleteList, signal: AbortSignal): Promise<void> {
    const slices = new Slices(this.#options.clock);
    if ((await this.#store.replace(list, slices, signal)) === "older") throw olderList(this.#kind);
    this.#mustList = false;
    this.#catchingUp = false;
    this.#relisted = true;
    this.#noteNews();
  }

  #apply(event: WatchEvent): void {
    const verdict = this.#store.apply(event);
    if (verdict === "disorder") throw disorder(this.#kind);
    this.#noteNews();
    if (event.type !== "BOOKMARK") return;
    if (this.#catchingUp && verdict === "applied") {
      this.#catchingUp = false;
      this.#live();
    }
  }

  /**
   * Versions without an order cannot be compared by the client, so the server must not send an
   * older one.
   */
  #notOlderThan(): string | null {
    const { newest } = this.#store;
    return newest === null || hasOrder(newest) ? null : newest;
  }

  #restrictions(): { readonly namespace?: string; readonly project?: Projection } {
    const { namespace, project } = this.#options;
    return {
      ...(namespace === undefined ? {} : { namespace }),
      ...(project === undefined ? {} : { project }),
    };
  }

  #question(signal: AbortSignal, resourceVersion: string | null): WatchQuestion {
    const { client, clock, random, timing } = this.#options;
    const [leastMs, mostMs] = timing.watchMs;
    return {
      client,
      clock,
      kind: this.#kind,
      resourceVersion,
      initialEvents: false,
      timeoutSeconds: Math.round((leastMs + random.next() * (mostMs - leastMs)) / 1_000),
      inactivityMs: timing.inactivityMs,
      signal,
      ...this.#restrictions(),
    };
  }

  #opened(): void {
    this.#openedAtMs = this.#options.clock.monotonicMs();
  }

  #livedMs(): number {
    const now = this.#options.clock.monotonicMs();
    return this.#openedAtMs === null ? 0 : now - this.#openedAtMs;
  }

  /**
   * The server ended the watch regularly. The next one continues at once, unless that would be a
   * hot loop.
   */
  #ended(): void {
    // Some servers send no bookmarks (kube-apiserver --watch-cache=false), and events alone do not
    // show that none is missing.
    if (this.#catchingUp && this.#livedMs() >= CATCH_UP_MS) this.#mustList = true;
    if (this.#livedMs() >= ENDED_AT_ONCE_MS) return;
    throw retryable(
      "WatchEndedAtOnce",
      `the server ended the watch of ${kindText(this.#kind)} at once`,
    );
  }

  #live(): void {
    this.#trouble = null;
    const relisted = this.#relisted;
    this.#relisted = false;
    this.#setState("live", relisted);
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const { client, clock, timing } = this.#options;
    const trouble = await judgeTrouble(error, { client, kind: this.#kind, signal });
    if (signal.aborted) return;
    if (this.#livedMs() >= timing.healthyMs) this.#backOff.reset();
    this.#trouble = trouble.message;
    this.#settleMs = SETTLE_MS;
    // One list page costs less than waiting for the next bookmark.
    const isInVain = this.#catchingUp && this.#livedMs() >= CATCH_UP_MS;
    if (trouble.relist || isInVain || this.#store.size <= PAGE_OBJECTS) this.#mustList = true;
    else this.#catchingUp = true;
    this.#openedAtMs = null;
    const before = this.#store.state;
    const broken = this.#store.newest === null ? "syncing" : "stale";
    this.#setState(trouble.state === "broken" ? broken : trouble.state);
    const waitMs = this.#waitMs(trouble);
    this.#report(trouble, before, waitMs);
    await sleep(clock, waitMs, signal);
  }

  #waitMs(trouble: WatchTrouble): number {
    const first = this.#backOff.failures === 0;
    const backOffMs = this.#backOff.next();
    if (trouble.prompt && first) return 0;
    const { absentMs, forbiddenMs } = this.#options.timing;
    if (trouble.state === "absent") return absentMs;
    // A right that is given is used soon.
    const leastMs = trouble.state === "forbidden" ? Math.min(backOffMs, forbiddenMs) : backOffMs;
    return Math.max(trouble.waitMs, leastMs);
  }

  #report(trouble: WatchTrouble, before: KindState, waitMs: number): void {
    const { clusterId, log, metrics } = this.#options;
    const labels = { cluster: clusterId, kind: kindText(this.#kind) };
    metrics.count("zonekeeper_watch_restarts_total", { ...labels, reason: trouble.reason });
    // What stays absent or forbidden is no news.
    const isNews = trouble.state === "broken" || trouble.state !== before;
    log[isNews && !this.#options.hasSubstitute() ? "warn" : "debug"]("watch interrupted", {
      ...labels,
      reason: trouble.reason,
      error: trouble.message,
      state: this.#store.state,
      retryInMs: Math.round(waitMs),
    });
  }

  /** An absent kind is nothing wrong: its definition may not be installed. */
  #tellUnlisted(): void {
    const { newest, state } = this.#store;
    if (newest !== null || state === "absent" || this.#options.hasSubstitute()) return;
    const { clusterId, log } = this.#options;
    log.warn("not listed yet: nothing that depends on it is published or removed", {
      ...{ cluster: clusterId, kind: kindText(this.#kind), state },
      error: this.#trouble ?? "no answer yet",
    });
  }

  #setState(state: KindState, relisted = false): void {
    this.#store.setState(state, relisted);
    this.#options.showGauges();
  }

  #noteNews(): void {
    this.#newsAtMs = this.#options.clock.monotonicMs();
    this.#options.showGauges();
  }
}
