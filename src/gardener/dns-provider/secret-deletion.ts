/**
 * Whether a Secret that is being deleted, and that DNSProviders refer to, may end (Z-19): our
 * finalizer keeps it while DNSEntries that are being deleted need it. Decides only; the provider
 * controller removes the finalizer.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { DnsClasses } from "../../model/dns-class.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";
import { holdersOf } from "./decide-provider.ts";
import { providersOfSecret } from "./secrets.ts";

/**
 * Milliseconds that a deletion waits for DNSEntries that are deleted together with the provider or
 * its Secret (`kubectl delete -f`, a namespace).
 */
export const DELETION_GRACE_MS = 5_000;

/** The decision about a Secret that is being deleted. */
export interface SecretEnd {
  /** False = it is still needed. */
  readonly isOver: boolean;
  /** For the status of each DNSProvider that refers to it. */
  readonly message: string;
  /** DNSProviders, `namespace/name`, whose deleting entries need it. */
  readonly neededBy: readonly string[];
  /** Milliseconds after which to decide again; null = when an object changes. */
  readonly againInMs: number | null;
}

interface SecretDeletionOptions {
  /** The provider cluster. */
  readonly view: ClusterView;
  /** The target cluster: DNSEntries. */
  readonly entries: ClusterView;
  readonly dnsClasses: DnsClasses;
  readonly clock: Clock;
}

/** Remembers since when each deletion is known, and for which providers a Secret waits. */
export class SecretDeletions {
  readonly #options: SecretDeletionOptions;
  /** By `namespace/name`; monotonic milliseconds. */
  readonly #seenMs = new Map<string, number>();
  /** By `namespace/name` of the Secret. */
  readonly #neededBy = new Map<string, readonly string[]>();

  constructor(options: SecretDeletionOptions) {
    this.#options = options;
  }

  /** Null = it is not being deleted. */
  judge(secret: KubeObject): SecretEnd | null {
    const { namespace = "", name, deletionTimestamp } = secret.metadata;
    const key = `${namespace}/${name}`;
    if (deletionTimestamp === undefined) {
      this.forget(key);
      return null;
    }
    const nowMs = this.#options.clock.monotonicMs();
    const seenMs = this.#seenMs.get(key) ?? nowMs;
    this.#seenMs.set(key, seenMs);
    const end = this.#decide(namespace, name, seenMs + DELETION_GRACE_MS - nowMs);
    this.#neededBy.set(key, end.neededBy);
    return end;
  }

  /** The Secret, `namespace/name`, does not exist any more, or is not being deleted. */
  forget(key: string): void {
    this.#seenMs.delete(key);
    this.#neededBy.delete(key);
  }

  /** True if entries of the DNSProvider keep a Secret. */
  isWaitedFor(provider: string): boolean {
    return [...this.#neededBy.values()].some((providers) => providers.includes(provider));
  }

  #decide(namespace: string, name: string, leftMs: number): SecretEnd {
    const { view, entries, dnsClasses } = this.#options;
    const users = providersOfSecret({ view, dnsClasses }, namespace, name) ?? [];
    const held = users.map((user) => {
      const id = `${namespace}/${user}`;
      return { id, holders: holdersOf(entries, id, dnsClasses) };
    });
    const neededBy = held.filter(({ holders }) => holders === "deleting").map(({ id }) => id);
    const isUnknown =
      view.list(DNS_PROVIDER, namespace).state === "unknown" ||
      entries.list(DNS_ENTRY).state === "unknown";
    const mayFollow = leftMs > 0 && held.some(({ holders }) => holders === "living");
    const why =
      neededBy.length === 0
        ? ""
        : `, and stays until the deleting DNSEntries of DNSProvider ${neededBy.join(", ")} are gone`;
    return {
      isOver: neededBy.length === 0 && !isUnknown && !mayFollow,
      message: `secret ${namespace}/${name} is being deleted${why}; create it again, or correct spec.secretRef`,
      neededBy,
      againInMs: mayFollow ? leftMs : null,
    };
  }
}
