/**
 * For instances that only plan (`run --dry-run`, and a standby): state that is never written, the
 * holder of the Lease, the texts that say so, and why a standby should not take the lead.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { type Clock, sleep } from "@zonekeeper/base/ports/clock";
import { recordOfLease } from "@zonekeeper/kube/client/lease/lease-record";
import { LEASE } from "@zonekeeper/kube/objects/kinds";
import type { LeaseConfig } from "../../../config/safety-options.ts";
import type { StateStore } from "../../../ports/stores.ts";
import { zoneKeyText } from "../../../sync/contract/zone.ts";
import type { ZoneStatus } from "../../../sync/contract/zone-status.ts";
import type { HealthCheck } from "../../compose/instance.ts";
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

interface FollowedLease {
  readonly lease: LeaseConfig;
  readonly cluster: LeaseCluster;
  readonly clock: Clock;
}

const LEADER_MS = 15_000;

/**
 * Calls `onLeader` with the holder of the Lease every 15 seconds, until the signal aborts; empty =
 * nobody holds it, or it may not be read.
 */
export async function followLeader(
  { lease, cluster, clock }: FollowedLease,
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
 * Text for `plan` of a standby. `leader` as in `previewText`; `readAtMs`: of each zone; undefined =
 * not read yet.
 */
export function standbyText(
  leader: string,
  readAtMs: readonly (number | undefined)[],
  nowMs: number,
): string {
  const read = readAtMs.filter((at) => at !== undefined);
  const unread = readAtMs.length - read.length;
  const ageS = Math.round(Math.max(0, ...read.map((at) => nowMs - at)) / 1000);
  const ages = read.length === 0 ? [] : [`zones were last read up to ${ageS} s ago`];
  const rest = unread === 0 ? [] : [`${unread} not yet`];
  return `This instance stands by and writes nothing. ${holderText(leader)} This is what it would do as it knows things: ${[...ages, ...rest].join(", ") || "no zone is open"}.`;
}

/**
 * Text for `plan`, and for orders that are refused. `leader`: empty = nobody holds the Lease; null
 * = there is no Lease.
 */
export function previewText(leader: string | null): string {
  const what = "Dry run: this instance writes nothing, neither to zones nor to clusters.";
  if (leader === null) return what;
  return `${what} ${holderText(leader)}`;
}

function holderText(leader: string): string {
  return leader === "" ? "No instance holds the Lease." : `${leader} holds the Lease and writes.`;
}

/**
 * Milliseconds after which a change of a standby's plan counts, as the present leader may be about
 * to make it; longer than a standby takes to read what the leader wrote.
 */
const OPEN_MS = 60_000;

/**
 * Says why a standby should not take the lead: its plan would change zones, or it does not know
 * enough. There is one for the life of the process.
 */
export class ShadowPlan {
  #openSinceMs = new Map<string, number>();

  /** Why it should not lead; null = its plan changes nothing. `nowMs` is monotonic. */
  trouble(
    zones: readonly ZoneStatus[],
    checks: readonly HealthCheck[],
    nowMs: number,
  ): string | null {
    const before = this.#openSinceMs;
    const open = zones.flatMap(({ key, open: names }) => {
      const changed = names.filter(({ changes }) => changes.length > 0);
      return changed.map(({ name }) => `${zoneKeyText(key)}|${name}`);
    });
    this.#openSinceMs = new Map(open.map((id) => [id, before.get(id) ?? nowMs]));
    const bad = checks.find(({ ok }) => !ok);
    if (bad !== undefined) return `${bad.name}: ${bad.message}`;
    const unread = zones.find(({ state, isPlanning }) => state !== "ready" || isPlanning === true);
    if (unread !== undefined) return `zone ${unread.zone.name} is not planned yet`;
    const held = zones.find(({ heldSets }) => heldSets.length > 0);
    if (held !== undefined) return `it would hold changes of zone ${held.zone.name}; see its plan`;
    const old = [...this.#openSinceMs.values()].filter((sinceMs) => nowMs - sinceMs > OPEN_MS);
    return old.length === 0 ? null : `it would change ${old.length} names; see its plan`;
  }
}
