/**
 * A watch cache of one kind behind the fault front, what it told its listener, and what of that was
 * untrue.
 */
import type { HttpClient } from "@zonekeeper/base/ports/http";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { WatchCache } from "@zonekeeper/kube/client/watch/watch-cache";
import { WATCH_TIMING } from "@zonekeeper/kube/client/watch/watch-timing";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { KindState, ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import { RealClock } from "../../../src/app/ports/real-clock.ts";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../ports/test-ports.ts";
import { identityOf } from "./truth.ts";

/** What differs from the usual. */
export interface ReaderOptions {
  /** Default 30 000. */
  readonly inactivityMs?: number;
  /** Default 30 000. */
  readonly requestTimeoutMs?: number;
  /** The listener keeps the event loop busy for so long with each change; default 0. */
  readonly listenerMs?: number;
  /** Default all. */
  readonly namespace?: string;
  /** Default DNSEntry. */
  readonly kind?: KindRef;
}

/** Subscribes at once. */
export class FaultReader {
  readonly cache: WatchCache;
  /** `added web`, `deleted web UID`, `stale`, in order. */
  readonly diary: string[] = [];
  readonly log = new MemoryLog();
  readonly #kind: KindRef;
  readonly #reported = new Map<string, KubeObject>();
  readonly #untrue: string[] = [];
  readonly #deleted: string[] = [];

  constructor(http: HttpClient, options: ReaderOptions) {
    this.#kind = options.kind ?? DNS_ENTRY;
    const clock = new RealClock();
    const { inactivityMs = 30_000, requestTimeoutMs = 30_000, listenerMs = 0, namespace } = options;
    this.cache = new WatchCache({
      clusterId: "c1",
      client: new ApiClient({ http, clock, requestTimeoutMs }),
      clock,
      random: new SeededRandom(5),
      log: this.log,
      metrics: new MemoryMetrics(),
      timing: {
        ...WATCH_TIMING,
        inactivityMs,
        backOffFirstMs: 50,
        backOffMaxMs: 500,
        absentMs: 500,
      },
      ...(namespace === undefined ? {} : { namespace }),
    });
    this.cache.subscribe(this.#kind, {
      onChange: (change) => {
        this.#hear(change);
        const until = performance.now() + listenerMs;
        while (performance.now() < until);
      },
      onState: (_kind, state) => void this.diary.push(state),
    });
  }

  get trouble(): string | null {
    return this.cache.trouble(this.#kind);
  }

  get state(): KindState {
    return this.cache.state(this.#kind);
  }

  /** What is known about an object of that name. */
  lookup(name: string): string {
    return this.cache.get(this.#kind, "default", name).state;
  }

  /** Identities of what is cached, sorted. */
  content(): readonly string[] {
    const found = this.cache.list(this.#kind);
    return found.state === "value" ? found.value.map(identityOf).sort() : [];
  }

  /** Reasons of interruptions, in order. */
  restarts(): readonly string[] {
    const lines = this.log.lines.filter(({ message }) => message === "watch interrupted");
    return lines.map(({ fields }) => String(fields["reason"]));
  }

  /**
   * What it was told that was not so: deletions of what was not removed, gaps, and a sum that is
   * not the content.
   */
  untruths(removed: ReadonlySet<string>): readonly string[] {
    const invented = this.#deleted
      .filter((uid) => !removed.has(uid))
      .map((uid) => `deleted ${uid}`);
    const reported = JSON.stringify([...this.#reported.values()].map(identityOf).sort());
    const differs = reported === JSON.stringify(this.content()) ? [] : [`told: ${reported}`];
    return [...this.#untrue, ...invented, ...differs];
  }

  #hear({ type, object }: ObjectChange): void {
    const { name, uid = "" } = object.metadata;
    const known = this.#reported.get(name);
    this.diary.push(`${type} ${name}`);
    const fits = type === "added" ? known === undefined : known?.metadata.uid === uid;
    if (!fits) this.#untrue.push(`${type} ${name} ${uid}`);
    if (type === "deleted") {
      this.#deleted.push(uid);
      this.#reported.delete(name);
    } else this.#reported.set(name, object);
  }
}
