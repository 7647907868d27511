/**
 * `run --dry-run`: needs no Lease, keeps what it would store in memory, and knows who writes
 * meanwhile.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { type Clock, sleep } from "@zonekeeper/base/ports/clock";
import { recordOfLease } from "@zonekeeper/kube/client/lease/lease-record";
import { LEASE } from "@zonekeeper/kube/objects/kinds";
import type { LeaseConfig } from "../../../config/safety-options.ts";
import type { StateStore } from "../../../ports/state-store.ts";
import type { LeaseCluster } from "./open-clusters.ts";
import { leaseNamespace } from "./open-state.ts";

/** Reads what the running instance has stored; writes stay in this process. */
export class PreviewState implements StateStore {
  readonly #stored: StateStore;
  readonly #written = new Map<string, string>();

  constructor(stored: StateStore) {
    this.#stored = stored;
  }

  async read(key: string): Promise<string | null> {
    return this.#written.get(key) ?? this.#stored.read(key);
  }

  async write(key: string, value: string): Promise<void> {
    this.#written.set(key, value);
  }
}

const LEADER_MS = 15_000;

/** Follows who holds the Lease, until the signal aborts; empty = nobody, or it may not be read. */
export async function followLeader(
  {
    lease,
    cluster,
    clock,
  }: {
    readonly lease: LeaseConfig;
    readonly cluster: LeaseCluster;
    readonly clock: Clock;
  },
  onLeader: (leader: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const ref = { kind: LEASE, namespace: leaseNamespace(lease, cluster), name: lease.name };
  while (!signal.aborted) {
    try {
      const found = await cluster.writer.read(ref);
      onLeader(found === null ? "" : recordOfLease(found).holder);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      onLeader("");
    }
    await sleep(clock, LEADER_MS, signal);
  }
}

/**
 * For `plan`, and for who tries to decide something here. `leader`: empty = nobody holds the Lease;
 * null = there is none.
 */
export function previewText(leader: string | null): string {
  const what = "Dry run: this instance writes nothing, neither to zones nor to clusters.";
  if (leader === null) return what;
  return `${what} ${leader === "" ? "No instance holds the Lease." : `${leader} holds the Lease and writes.`}`;
}
