/**
 * Small deterministic ports for tests: seeded randomness, and logs and metrics that can be looked
 * at.
 */
import { invariant } from "@zonekeeper/base/invariant";
import type { Log, LogFields } from "@zonekeeper/base/ports/log";
import type { MetricLabels, Metrics } from "@zonekeeper/base/ports/metrics";
import type { Random } from "@zonekeeper/base/ports/random";

/**
 * Randomness from a seed (a multiplicative congruential generator: good enough for tests, not for
 * keys).
 */
export class SeededRandom implements Random {
  #state: number;

  constructor(seed = 1) {
    this.#state = (seed >>> 0) % 2_147_483_646 || 1;
  }

  next(): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state / 2_147_483_647;
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => Math.floor(this.next() * 256));
  }

  uuid(): string {
    const hex = [...this.bytes(16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const variant = "89ab".charAt(Math.floor(this.next() * 4));
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}

/** One line of a log. */
export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: LogFields;
}

/** A log that keeps its lines. */
export class MemoryLog implements Log {
  readonly lines: LogLine[];
  readonly #fixed: LogFields;

  constructor(lines: LogLine[] = [], fixed: LogFields = {}) {
    this.lines = lines;
    this.#fixed = fixed;
  }

  debug(message: string, fields?: LogFields): void {
    this.#add("debug", message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#add("info", message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#add("warn", message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#add("error", message, fields);
  }

  child(fields: LogFields): Log {
    return new MemoryLog(this.lines, { ...this.#fixed, ...fields });
  }

  #add(level: LogLine["level"], message: string, fields: LogFields = {}): void {
    this.lines.push({ level, message, fields: { ...this.#fixed, ...fields } });
  }
}

/**
 * Metrics that keep their last values, by `name{label="value",…}` with labels sorted. A zone whose
 * self-check misses something is a bug wherever nobody provokes it (`mayMiss`).
 */
export class MemoryMetrics implements Metrics {
  readonly values = new Map<string, number>();
  readonly #measures = new Set<() => void>();
  readonly #mayMiss: boolean;

  constructor({ mayMiss = false }: { readonly mayMiss?: boolean } = {}) {
    this.#mayMiss = mayMiss;
  }

  count(name: string, labels?: MetricLabels, by = 1): void {
    const isMiss = name === "zonekeeper_self_check_missed_total";
    invariant(this.#mayMiss || !isMiss, "changes tell of all that a full pass finds");
    const key = keyOf(name, labels);
    this.values.set(key, (this.values.get(key) ?? 0) + by);
  }

  gauge(name: string, value: number, labels?: MetricLabels): void {
    this.values.set(keyOf(name, labels), value);
  }

  beforeScrape(measure: () => void): () => void {
    this.#measures.add(measure);
    return () => this.#measures.delete(measure);
  }

  /** Keeps the number of observations. */
  observe(name: string, _value: number, labels?: MetricLabels): void {
    this.count(name, labels);
  }

  /** The value, 0 when it was never set. */
  value(name: string, labels?: MetricLabels): number {
    for (const measure of this.#measures) measure();
    return this.values.get(keyOf(name, labels)) ?? 0;
  }
}

function keyOf(name: string, labels: MetricLabels = {}): string {
  const names = Object.keys(labels);
  if (names.length > 1) names.sort();
  // Called for every change of a gauge in every simulated story.
  let pairs = "";
  for (const one of names) pairs += `${pairs === "" ? "" : ","}${one}="${labels[one] ?? ""}"`;
  return `${name}{${pairs}}`;
}
