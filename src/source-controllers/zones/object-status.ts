/**
 * Writes `status.observedGeneration` and `status.conditions` of objects that are published
 * directly, for kinds that have a status. Where all goes well there is one write for each
 * generation: "a change is under way" is written only after it has lasted for a while.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import { type KindRef, type KubeObject, refOf } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { conditionsOf } from "../../controllers/objects/conditions.ts";
import { type LiveChecks, liveRequests } from "../../controllers/objects/live-checks.ts";
import { PendingWaits } from "../../controllers/objects/pending-waits.ts";
import { type StateFacts, stateConditions } from "../../controllers/objects/state-conditions.ts";
import { LEFT_TO_OTHERS, StatusPace } from "../../controllers/objects/status-pace.ts";
import { ConditionsSupport, changedFields } from "../../controllers/objects/status-patch.ts";
import type { KnownObject, Wake } from "../../controllers/publication/published-kind.ts";
import { type DnsClasses, isOfClass } from "../../model/dns-class.ts";
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";

/** Everything that it is written with. */
export interface ObjectStatusPorts {
  readonly writer: Pick<ClusterWriter, "patchStatus">;
  readonly clock: Clock;
  readonly live: LiveChecks;
  /** Classes of the objects that are published here; objects of other classes get no status. */
  readonly dnsClasses: DnsClasses;
  /** Queues objects whose change lasts long, or whose condition Live changed. */
  readonly wake: Pick<Wake, "soon" | "later" | "last">;
}

/** For the objects of one kind. */
export class ObjectStatus {
  readonly #ports: ObjectStatusPorts;
  readonly #kind: KindRef;
  readonly #conditions = new ConditionsSupport();
  /** Objects with a change under way. */
  readonly #waits: PendingWaits;
  readonly #others: StatusPace;

  constructor(ports: ObjectStatusPorts, kind: KindRef) {
    this.#ports = ports;
    this.#kind = kind;
    this.#others = new StatusPace(ports.clock, LEFT_TO_OTHERS);
    this.#waits = new PendingWaits(ports.clock, ports.wake.last);
  }

  stop(): void {
    this.#waits.stop();
  }

  forget(key: string, id: ObjectKey): void {
    this.#waits.ended(key);
    this.#ports.live.forget(objectKeyText(id));
  }

  /** True = the stored status is as desired, so that nothing is to be written, now or later. */
  isShown(known: KnownObject, facts: StateFacts, hasMoved: boolean): boolean {
    return isKept(known, facts, hasMoved) || this.#changeOf(known, facts) === null;
  }

  /**
   * Writes only what differs, when it is time; throws as the writer does. `hasMoved` false = since
   * a list showed the object first, neither it nor its zones have changed anything: after a restart
   * the stored status then stays, and is not replaced by "under way".
   */
  async show(known: KnownObject, facts: StateFacts, hasMoved: boolean): Promise<void> {
    const { key } = known;
    if (isKept(known, facts, hasMoved)) return;
    const change = this.#changeOf(known, facts);
    if (change !== null && isUnderWay(facts) && this.#waits.waitMs(key) > 0) return;
    this.#waits.ended(key);
    if (change === null) return;
    const { status, wanted, text } = change;
    const waitMs = isDescribed(known.object) ? this.#others.waitMs(key, text) : 0;
    if (waitMs > 0) return this.#ports.wake.later(key, waitMs);
    const ref = refOf(this.#kind, known.object);
    const written = await this.#ports.writer.patchStatus(ref, { status });
    this.#conditions.wrote({ status }, written);
    if (changedFields(fieldsOf(written["status"]), wanted, this.#conditions) === null)
      this.#others.wrote(key, text);
  }

  /** The change to write; null = none. `text` identifies the content, without times. */
  #changeOf(
    { key, object, id, reports }: KnownObject,
    facts: StateFacts,
  ): { readonly status: Fields; readonly wanted: Fields; readonly text: string } | null {
    const { generation: observedGeneration, uid } = object.metadata;
    if (observedGeneration === undefined) return null;
    if (!isOfClass(object, this.#ports.dnsClasses)) return null;
    const current = fieldsOf(object["status"]);
    const requests = reports.flatMap((report) => liveRequests(report, observedGeneration));
    const isReady = facts.state === "Ready";
    const again = (): void => this.#ports.wake.soon(key);
    const asked = { id: objectKeyText(id), object, isReady, requests, again };
    const live = this.#ports.live.conditionOf(asked);
    const conditions = conditionsOf({
      current: current["conditions"],
      wanted: [...stateConditions(facts, current), ...(live === null ? [] : [live])],
      generation: observedGeneration,
      nowMs: this.#ports.clock.nowMs(),
    });
    const wanted = { observedGeneration, conditions };
    const status = changedFields(current, wanted, this.#conditions);
    const text = JSON.stringify([uid, observedGeneration, facts, live]);
    return status === null ? null : { status, wanted, text };
  }
}

/** True = its status is about its present generation. */
function isDescribed({ metadata, status }: KubeObject): boolean {
  return fieldsOf(status)["observedGeneration"] === metadata.generation;
}

/** True = the stored status stays: "under way" after a restart, with nothing changed since. */
function isKept({ object }: KnownObject, facts: StateFacts, hasMoved: boolean): boolean {
  return isUnderWay(facts) && !hasMoved && isDescribed(object);
}

function isUnderWay({ state, code }: StateFacts): boolean {
  return state === "Pending" && code === null;
}
