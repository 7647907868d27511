/**
 * Which DNSEntries a DNSProvider takes: as many as its quota allows, and new or changed ones as
 * fast as its rate limit allows (Gardener docs, DNSProvider `quotas` and `rateLimit`). An entry
 * that the provider has taken, and a deletion, is never refused. Counts in memory; after a restart,
 * from the provider that the status of each entry names.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import { TokenBucket } from "@zonekeeper/base/timing/token-bucket";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, namespacedName, textOf } from "@zonekeeper/kube/objects/object-fields";
import { isRenamed } from "../../model/generated-entries.ts";
import type { ObjectKey } from "../../model/provenance.ts";
import type { ProviderFacts } from "./provider-facts.ts";
import type { Selection } from "./select-provider.ts";

/** Set to `true` on a DNSEntry: no rate limit counts for it. */
const NOT_LIMITED_ANNOTATION = "dns.gardener.cloud/not-rate-limited";
const DAY_SECONDS = 86_400;

/**
 * The DNSProvider would serve the entry, but does not take it (`full`) or its change (`throttled`)
 * now.
 */
export type Refusal =
  | { readonly kind: "full"; readonly message: string }
  /** It is taken after so many milliseconds. */
  | { readonly kind: "throttled"; readonly againAfterMs: number; readonly message: string };

/** How the message of a `throttled` refusal begins: Gardener's words. */
const THROTTLED_TEXT = "provider throttled";

/**
 * Whether the message of a status is that of a `throttled` refusal. Of an entry that a process has
 * read and not judged yet, as after a restart, nothing else tells.
 */
export function isThrottledText(message: string): boolean {
  return message.startsWith(THROTTLED_TEXT);
}

/** A DNSEntry that has a selection. */
export interface SelectingEntry {
  readonly key: ObjectKey;
  readonly object: KubeObject;
  readonly generation: number;
  /** Null = alive. */
  readonly deletingSinceMs: number | null;
  readonly status: { readonly state: string; readonly observedGeneration: number | null };
}

interface Bucket {
  readonly limit: string;
  readonly tokens: TokenBucket;
}

/** For all entries of one cluster. */
export class Admission {
  readonly #clock: Clock;
  /** Provider by entry. */
  readonly #providers = new Map<string, string>();
  /** Entries by provider. */
  readonly #entries = new Map<string, Set<string>>();
  /** Entries, by provider, that wait until another one leaves the provider. */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #buckets = new Map<string, Bucket>();
  /** Generations that have passed the rate limit, by entry. */
  readonly #passed = new Map<string, number>();
  readonly #again: (entry: string) => void;

  /** `again` is called with `namespace/name` of an entry that there is room for now. */
  constructor(clock: Clock, again: (entry: string) => void) {
    this.#clock = clock;
    this.#again = again;
  }

  /** The entry was made or changed: its status may name its provider. */
  noted(entry: KubeObject): void {
    const key = namespacedName(entry);
    const provider = textOf(fieldsOf(entry["status"])["provider"]);
    // An entry whose source object has another name now is replaced by another entry: it counts no
    // more.
    if (isRenamed(entry)) this.#unassign(key);
    else if (provider !== null && !this.#providers.has(key)) this.#assign(key, provider);
  }

  /** The entry is gone. */
  forget(key: string): void {
    this.#passed.delete(key);
    for (const waiting of this.#waiting.values()) waiting.delete(key);
    this.#unassign(key);
  }

  /** The selection, or why its provider does not take the entry now. */
  judge(entry: SelectingEntry, selection: Selection): Selection | Refusal {
    const isEnding =
      /* clause: deletion-needs-no-admission */ entry.deletingSinceMs !== null ||
      isRenamed(entry.object);
    if (selection.kind !== "zone" || isEnding) return selection;
    const key = `${entry.key.namespace}/${entry.key.name}`;
    return (
      this.#ofQuota(key, selection.provider) ?? this.#ofRate(key, entry, selection) ?? selection
    );
  }

  #ofQuota(key: string, { id, entriesMax }: ProviderFacts): Refusal | null {
    const count = this.#entries.get(id)?.size ?? 0;
    // clause: admitted-entry-stays
    if (this.#providers.get(key) === id) return null;
    if (entriesMax === null || /* clause: quota-has-a-limit */ count < entriesMax) {
      this.#unassign(key);
      this.#assign(key, id);
      return null;
    }
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(key));
    const message = `provider ${id} has reached its entries quota (max=${entriesMax}); delete an entry of it, or raise spec.quotas.entries`;
    return { kind: "full", message };
  }

  #ofRate(
    key: string,
    { object, generation, status }: SelectingEntry,
    { provider }: Extract<Selection, { kind: "zone" }>,
  ): Refusal | null {
    const bucket = this.#bucketOf(provider);
    const isDone = status.observedGeneration === generation && status.state !== "Pending";
    // clause: not-rate-limited-is-true
    const isFree = object.metadata.annotations?.[NOT_LIMITED_ANNOTATION] === "true";
    if (
      bucket === null ||
      isDone ||
      /* clause: not-rate-limited-passes */ isFree ||
      /* clause: change-is-limited-once */ this.#passed.get(key) === generation
    )
      return null;
    const againAfterMs = bucket.waitMs();
    // clause: rate-limit-spreads-changes
    if (againAfterMs > 0)
      return {
        kind: "throttled",
        againAfterMs,
        message: `${THROTTLED_TEXT}: ${provider.id} takes ${provider.rateLimit?.requestsPerDay} changes a day; raise its spec.rateLimit, or annotate this entry with ${NOT_LIMITED_ANNOTATION}: "true"`,
      };
    bucket.reserve();
    this.#passed.set(key, generation);
    return null;
  }

  /** Null = no limit. Another limit begins with another bucket. */
  #bucketOf({ id, rateLimit }: ProviderFacts): TokenBucket | null {
    if (rateLimit === null) {
      this.#buckets.delete(id);
      return null;
    }
    const { requestsPerDay, burst } = rateLimit;
    const limit = `${requestsPerDay} ${burst}`;
    const present = this.#buckets.get(id);
    if (present?.limit === limit) return present.tokens;
    const tokens = new TokenBucket(this.#clock, { perSecond: requestsPerDay / DAY_SECONDS, burst });
    this.#buckets.set(id, { limit, tokens });
    return tokens;
  }

  #assign(key: string, provider: string): void {
    this.#providers.set(key, provider);
    const entries = this.#entries.get(provider) ?? new Set();
    this.#entries.set(provider, entries.add(key));
    this.#waiting.get(provider)?.delete(key);
  }

  #unassign(key: string): void {
    const provider = this.#providers.get(key);
    if (provider === undefined) return;
    this.#providers.delete(key);
    // clause: deleted-entry-frees-quota
    this.#entries.get(provider)?.delete(key);
    // clause: freed-quota-wakes-waiting
    for (const other of this.#waiting.get(provider) ?? []) this.#again(other);
  }
}
