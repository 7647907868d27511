/**
 * `status.observedGeneration` and `status.conditions` of an object that is published directly, for
 * kinds that have a status. One write for a generation where all goes well: a status that says only
 * that a change is under way waits until somebody may look for it.
 */
import { conditionsOf } from "../../controllers/objects/conditions.ts";
import { type LiveChecks, liveRequests } from "../../controllers/objects/live-checks.ts";
import { type StateFacts, stateConditions } from "../../controllers/objects/state-conditions.ts";
import { ConditionsSupport, changedFields } from "../../controllers/objects/status-patch.ts";
import type { KindRef, KubeObject } from "../../model/kubernetes.ts";
import { type Fields, fieldsOf } from "../../model/object-fields.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ClusterWriter } from "../../ports/cluster-writer.ts";
import type { ContributionReport } from "../../sync/contract/contribution-report.ts";

/** Milliseconds after which an object that is not done yet says so. */
const PENDING_AFTER_MS = 10_000;

/** What it is written with. */
export interface ObjectStatusPorts {
  readonly writer: Pick<ClusterWriter, "patchStatus">;
  readonly clock: Clock;
  readonly live: LiveChecks;
}

/** An object, and what is known of it. */
export interface KnownObject {
  /** Its key in the queue. */
  readonly key: string;
  readonly object: KubeObject;
  /** In all clusters. */
  readonly id: string;
  readonly facts: StateFacts;
  readonly reports: readonly ContributionReport[];
  /** Called when its condition Live is another one. */
  readonly again: () => void;
}

/** Of the objects of one kind. */
export class ObjectStatus {
  readonly #ports: ObjectStatusPorts;
  readonly #kind: KindRef;
  readonly #conditions = new ConditionsSupport();
  /** Since when a change is under way; monotonic milliseconds, by namespace/name. */
  readonly #underWaySinceMs = new Map<string, number>();

  constructor(ports: ObjectStatusPorts, kind: KindRef) {
    this.#ports = ports;
    this.#kind = kind;
  }

  forget(key: string, id: string): void {
    this.#underWaySinceMs.delete(key);
    this.#ports.live.forget(id);
  }

  isShown(known: KnownObject): boolean {
    return this.#patchOf(known) === null;
  }

  /**
   * Writes only what differs; throws as the writer does. Milliseconds until it is to be called
   * again; 0 = no need.
   */
  async show(known: KnownObject): Promise<number> {
    const { key } = known;
    const patch = this.#patchOf(known);
    const waitMs = patch === null ? 0 : this.#waitMs(key, known.facts);
    if (patch === null || waitMs > 0) return waitMs;
    this.#underWaySinceMs.delete(key);
    const { namespace = "", name } = known.object.metadata;
    const ref = { kind: this.#kind, namespace, name };
    this.#conditions.wrote(patch, await this.#ports.writer.patchStatus(ref, patch));
    return 0;
  }

  #waitMs(key: string, { state, code }: StateFacts): number {
    if (state !== "Pending" || code !== null) return 0;
    const nowMs = this.#ports.clock.monotonicMs();
    const sinceMs = this.#underWaySinceMs.get(key) ?? nowMs;
    this.#underWaySinceMs.set(key, sinceMs);
    return Math.max(0, sinceMs + PENDING_AFTER_MS - nowMs);
  }

  #patchOf({ object, facts, reports, ...known }: KnownObject): Fields | null {
    const { generation: observedGeneration } = object.metadata;
    if (observedGeneration === undefined) return null;
    const current = fieldsOf(object["status"]);
    const requests = reports.flatMap((report) => liveRequests(report, observedGeneration));
    const isReady = facts.state === "Ready";
    const live = this.#ports.live.conditionOf({ ...known, object, isReady, requests });
    const conditions = conditionsOf({
      current: current["conditions"],
      wanted: [...stateConditions(facts, current), ...(live === null ? [] : [live])],
      generation: observedGeneration,
      nowMs: this.#ports.clock.nowMs(),
    });
    const wanted = { observedGeneration, conditions };
    const changed = changedFields(current, wanted, this.#conditions);
    return changed === null ? null : { status: changed };
  }
}
