/**
 * The border between one simulated process and the world. Every external call passes here, may fail
 * on the way, and is where a crash happens (F05): before the call, or after it took effect and
 * before its answer is seen.
 */

import { type Clock, sleep } from "@zonekeeper/base/ports/clock";
import type { ClusterWriter, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import type { ProviderSession, ProviderType } from "../../../src/providers/provider.ts";

/** What happens to a call. */
export type Passage = "pass" | "crash-before" | "crash-after" | Standstill;

/** The process stands still before its call. */
export interface Standstill {
  readonly pauseMs: number;
}

const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** One process's border. A dead process's calls neither act nor answer. */
export class ProcessGate {
  readonly #decide: (what: string) => Passage;
  readonly #clock: Clock;
  readonly #onCrash: () => void;
  readonly #onLate: (what: string) => void;
  #dead = false;
  #retired = false;

  /** `onLate`: a write was begun after the process had been told to stop (S6). */
  constructor(options: {
    readonly decide: (what: string) => Passage;
    readonly clock: Clock;
    readonly onCrash: () => void;
    readonly onLate: (what: string) => void;
  }) {
    this.#decide = options.decide;
    this.#clock = options.clock;
    this.#onCrash = options.onCrash;
    this.#onLate = options.onLate;
  }

  /** The process has lost the lease and was told: calls in flight may end, no write may begin. */
  retire(): void {
    this.#retired = true;
  }

  /** Ends the process at once. */
  die(): void {
    this.#dead = true;
  }

  /** Lets a call through, or not. */
  async call<T>(what: string, act: () => Promise<T>): Promise<T> {
    if (this.#dead) return never();
    if (this.#retired && what === "apply") this.#onLate(what);
    const passage = this.#decide(what);
    if (passage === "crash-before") return this.#crash();
    if (typeof passage === "object") await sleep(this.#clock, passage.pauseMs);
    if (this.#dead) return never();
    try {
      const answer = await act();
      if (passage === "crash-after") return await this.#crash();
      return this.#dead ? await never() : answer;
    } catch (error) {
      if (this.#dead) return never();
      throw error;
    }
  }

  /** A cluster's API as this process reaches it. */
  writer(inner: ClusterWriter): ClusterWriter {
    return {
      clusterId: inner.clusterId,
      read: (ref) => this.call("read", () => inner.read(ref)),
      readAll: (kind, namespace) => this.call("read", () => inner.readAll(kind, namespace)),
      create: (kind, object) => this.call("create", () => inner.create(kind, object)),
      update: (kind, object) => this.call("update", () => inner.update(kind, object)),
      patch: (ref, patch) => this.call("patch", () => inner.patch(ref, patch)),
      patchStatus: (ref, patch) => this.call("patchStatus", () => inner.patchStatus(ref, patch)),
      remove: (ref, conditions) => this.call("remove", () => inner.remove(ref, conditions)),
    };
  }

  /** Events are lost with the process. */
  recorder(inner: EventRecorder): EventRecorder {
    return {
      record: (object, note) => {
        if (!this.#dead) inner.record(object, note);
      },
    };
  }

  /** A provider type whose sessions pass this border. */
  provider(inner: ProviderType): ProviderType {
    return {
      type: inner.type,
      open: async (settings, environment) => {
        const session = await inner.open(settings, environment);
        return session.ok ? { ok: true, value: this.#session(session.value) } : session;
      },
    };
  }

  #session(inner: ProviderSession): ProviderSession {
    const call = this.call.bind(this);
    const token = inner.changeToken?.bind(inner);
    const since = inner.changesSince?.bind(inner);
    return {
      capabilities: inner.capabilities,
      zones: (signal) => call("zones", () => inner.zones(signal)),
      records: (zone, names, signal) => call("records", () => inner.records(zone, names, signal)),
      ...(token && { changeToken: (...given) => call("changeToken", () => token(...given)) }),
      ...(since && { changesSince: (...given) => call("changesSince", () => since(...given)) }),
      audit: (set, zone) => inner.audit(set, zone),
      normalize: (set, zone) => inner.normalize(set, zone),
      async *apply(zone, groups, signal) {
        const outcomes = await call("apply", async () => {
          const all = [];
          for await (const outcome of inner.apply(zone, groups, signal)) all.push(outcome);
          return all;
        });
        yield* outcomes;
      },
      close: () => inner.close(),
    };
  }

  #crash<T>(): Promise<T> {
    // Two calls in flight are one crash.
    if (!this.#dead) this.#onCrash();
    this.#dead = true;
    return never();
  }
}
