/**
 * Stands between a process and the provider and watches what the process does: reads after lost
 * answers (S12), calls within the account's rate (S20), nothing in a dry run (S10). Carries out
 * trouble with the whole account.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { Zone } from "../../../src/model/zone.ts";
import type { ChangeGroup, Outcome } from "../../../src/plan/changes.ts";
import type { ProviderSession, ZoneSnapshot } from "../../../src/providers/provider.ts";
import type { Way } from "./account.ts";

/** What a session is watched with. */
export interface WatchOptions {
  readonly inner: ProviderSession;
  readonly way: Way;
  readonly clock: Clock;
  /**
   * Names with a lost answer that were not read since, of every zone. One set for all ways of a
   * process: a zone that two of them lead to is read through either.
   */
  readonly lost: Set<string>;
  /** An invariant was looked at and held (null), or did not (what happened). */
  readonly checked: (id: string, trouble: string | null) => void;
}

/** Milliseconds over which calls are counted. */
const RATE_WINDOW_MS = 1_000;

/** One process's session. */
export class WatchedSession implements ProviderSession {
  readonly capabilities;
  /** Where the one inside has receipts. */
  readonly propagationOf?: NonNullable<ProviderSession["propagationOf"]>;
  /** Where the one inside has a change token. */
  readonly changeToken?: NonNullable<ProviderSession["changeToken"]>;
  readonly changesSince?: NonNullable<ProviderSession["changesSince"]>;
  readonly #options: WatchOptions;
  /** When a name may be tried again, virtual ms. */
  readonly #notBefore = new Map<string, number>();
  #calls: readonly number[] = [];

  constructor(options: WatchOptions) {
    this.#options = options;
    const { inner } = options;
    this.capabilities = inner.capabilities;
    const ask = inner.propagationOf?.bind(inner);
    if (ask !== undefined) this.propagationOf = (...given) => this.#through(() => ask(...given));
    const token = inner.changeToken?.bind(inner);
    if (token !== undefined) this.changeToken = (...given) => this.#through(() => token(...given));
    const since = inner.changesSince?.bind(inner);
    if (since !== undefined) this.changesSince = (...given) => this.#through(() => since(...given));
  }

  zones(signal: AbortSignal): Promise<readonly Zone[]> {
    return this.#through(() => this.#options.inner.zones(signal));
  }

  pace(before: () => Promise<void>): void {
    this.#options.inner.pace?.(before);
  }

  records(
    zone: Zone,
    names: readonly DnsName[] | null,
    signal: AbortSignal,
  ): Promise<ZoneSnapshot> {
    return this.#through(async () => {
      const snapshot = await this.#options.inner.records(zone, names, signal);
      this.#wasRead(zone, names);
      return snapshot;
    });
  }

  audit(set: RecordSet, zone: Zone) {
    return this.#options.inner.audit(set, zone);
  }

  normalize(set: RecordSet, zone: Zone): RecordSet {
    return this.#options.inner.normalize(set, zone);
  }

  async *apply(
    zone: Zone,
    groups: readonly ChangeGroup[],
    signal: AbortSignal,
  ): AsyncGenerator<Outcome> {
    this.#checkLost(zone, groups);
    this.#checkPatience(groups);
    const outcomes = await this.#through(async () => {
      const all: Outcome[] = [];
      for await (const one of this.#options.inner.apply(zone, groups, signal)) all.push(one);
      return all;
    });
    for (const outcome of outcomes) this.#learn(zone, outcome);
    yield* outcomes;
  }

  close(): void {
    this.#options.inner.close();
  }

  /** `names`: null = all of the zone. */
  #wasRead(zone: Zone, names: readonly DnsName[] | null): void {
    const { lost } = this.#options;
    if (names !== null) for (const name of names) lost.delete(keyOf(zone, name));
    else for (const key of lost) if (key.startsWith(keyOf(zone, ""))) lost.delete(key);
  }

  #learn(zone: Zone, outcome: Outcome): void {
    if (outcome.status === "unknown") this.#options.lost.add(keyOf(zone, outcome.name));
    if (outcome.status !== "retry" || outcome.afterMs === null) return;
    this.#notBefore.set(outcome.name, this.#options.clock.monotonicMs() + outcome.afterMs);
  }

  /** S20: whoever is told when to come back does not come sooner. */
  #checkPatience(groups: readonly ChangeGroup[]): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const { name } of groups) {
      const sinceMs = this.#notBefore.get(name);
      if (sinceMs === undefined) continue;
      const trouble = nowMs < sinceMs ? `${name} is tried ${sinceMs - nowMs} ms too early` : null;
      this.#options.checked("S20", trouble);
      this.#notBefore.delete(name);
    }
  }

  /** S12. */
  #checkLost(zone: Zone, groups: readonly ChangeGroup[]): void {
    const { lost } = this.#options;
    if (lost.size === 0) return;
    const unread = groups.find(({ name }) => lost.has(keyOf(zone, name)));
    this.#options.checked(
      "S12",
      unread === undefined ? null : `${unread.name} is written again before it was read`,
    );
  }

  async #through<T>(call: () => Promise<T>): Promise<T> {
    this.#countCall();
    this.#options.way.enter();
    return call();
  }

  /** S20: no window holds more calls than a full bucket and what it is refilled with. */
  #countCall(): void {
    const { rate } = this.capabilities;
    if (rate === null) return;
    const nowMs = this.#options.clock.monotonicMs();
    this.#calls = [...this.#calls.filter((atMs) => atMs > nowMs - RATE_WINDOW_MS), nowMs];
    const most = rate.burst + (rate.perSecond * RATE_WINDOW_MS) / 1000;
    this.#options.checked(
      "S20",
      this.#calls.length <= most
        ? null
        : `${this.#calls.length} calls in a second, at most ${most}`,
    );
  }
}

function keyOf(zone: Zone, name: string): string {
  return `${zone.name}/${name}`;
}
