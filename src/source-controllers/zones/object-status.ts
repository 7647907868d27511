/**
 * `status.observedGeneration` and `status.conditions` of an object that is published directly, for
 * kinds that have a status. One write for a generation where all goes well: a status that says only
 * that a change is under way waits until somebody may look for it.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { conditionsOf } from "../../controllers/objects/conditions.ts";
import { type LiveChecks, liveRequests } from "../../controllers/objects/live-checks.ts";
import { PendingWaits } from "../../controllers/objects/pending-waits.ts";
import { type StateFacts, stateConditions } from "../../controllers/objects/state-conditions.ts";
import { ConditionsSupport, changedFields } from "../../controllers/objects/status-patch.ts";
import { type DnsClasses, isOfClass } from "../../model/dns-class.ts";
import type { ContributionReport } from "../../sync/contract/contribution-report.ts";

/** What it is written with. */
export interface ObjectStatusPorts {
  readonly writer: Pick<ClusterWriter, "patchStatus">;
  readonly clock: Clock;
  readonly live: LiveChecks;
  /** Others' objects get no status. */
  readonly dnsClasses: DnsClasses;
  /** Called when an object is still not done after a while. */
  readonly again: (key: string) => void;
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
  /** Objects with a change under way. */
  readonly #waits: PendingWaits;

  constructor(ports: ObjectStatusPorts, kind: KindRef) {
    this.#ports = ports;
    this.#kind = kind;
    this.#waits = new PendingWaits(ports.clock, ports.again);
  }

  stop(): void {
    this.#waits.stop();
  }

  forget(key: string, id: string): void {
    this.#waits.ended(key);
    this.#ports.live.forget(id);
  }

  isShown(known: KnownObject): boolean {
    return this.#patchOf(known) === null;
  }

  /** Writes only what differs, when it is time; throws as the writer does. */
  async show(known: KnownObject): Promise<void> {
    const { key } = known;
    const patch = this.#patchOf(known);
    if (patch !== null && isUnderWay(known.facts) && this.#waits.waitMs(key) > 0) return;
    this.#waits.ended(key);
    if (patch === null) return;
    const { namespace = "", name } = known.object.metadata;
    const ref = { kind: this.#kind, namespace, name };
    this.#conditions.wrote(patch, await this.#ports.writer.patchStatus(ref, patch));
  }

  #patchOf({ object, facts, reports, ...known }: KnownObject): Fields | null {
    const { generation: observedGeneration } = object.metadata;
    if (observedGeneration === undefined) return null;
    if (!isOfClass(object, this.#ports.dnsClasses)) return null;
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

function isUnderWay({ state, code }: StateFacts): boolean {
  return state === "Pending" && code === null;
}
