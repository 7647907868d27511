/**
 * Writes the status of DNSAnnotations, objects that add annotations to another object (ADR 0048):
 * whether each one has an effect, and which of its keys have none because the object or another
 * DNSAnnotation sets them. It publishes nothing: sources merge DNSAnnotations by themselves. Where
 * the right to write the status is missing, it is not written, and one log line says so.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";
import { type KubeObject, refOf } from "@zonekeeper/kube/objects/kubernetes";
import {
  fieldsOf,
  namespacedName,
  splitName,
  textOf,
} from "@zonekeeper/kube/objects/object-fields";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import type { StartQueue, WorkQueue } from "@zonekeeper/kube/ports/work-queue";
import { changedFields } from "../../controllers/objects/status-patch.ts";
import { unlessGone } from "../../controllers/objects/unless-gone.ts";
import { BY_REFERENCED_NAME } from "../../model/dns-annotation.ts";
import { DNS_ANNOTATION, DNS_ENTRY } from "../../model/kinds.ts";
import { isSameJson } from "../../model/same-json.ts";
import { type AnnotationFacts, type AnnotationVerdict, verdictOn } from "./annotation-verdict.ts";

/** Everything that the controller works with: one source cluster. */
export interface AnnotationControllerOptions extends AnnotationFacts {
  readonly writer: Pick<ClusterWriter, "patchStatus">;
  readonly recorder: EventRecorder;
  readonly startQueue: StartQueue;
  readonly log: Log;
}

/** Runs until stopped. */
export class AnnotationController {
  readonly #options: AnnotationControllerOptions;
  readonly #queue: WorkQueue;
  readonly #unsubscribe: readonly (() => void)[];
  #isForbidden = false;

  constructor(options: AnnotationControllerOptions) {
    this.#options = options;
    const { view, served, publishedClasses } = options;
    const entries = publishedClasses === null ? [] : [DNS_ENTRY];
    this.#queue = options.startQueue({
      name: "dnsannotation",
      reconcile: (key) => unlessGone(() => this.#reconcile(key)),
    });
    this.#unsubscribe = [
      ...[...new Set([...served, ...entries])].map((kind) =>
        view.subscribe(kind, {
          onChange: ({ object }) => this.#addAt(object.metadata.name, object),
          onState: () => this.#addAll(),
        }),
      ),
      view.subscribe(DNS_ANNOTATION, {
        onChange: (change) => this.#onAnnotation(change),
        onState: () => this.#addAll(),
      }),
    ];
  }

  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await this.#queue.stop();
  }

  /**
   * Queues the DNSAnnotation and all others of the same object, whose keys may gain or lose effect
   * by it. A change of the status alone queues nothing.
   */
  #onAnnotation({ type, object, previous }: ObjectChange): void {
    const isOwnStatus = previous !== undefined && isSameJson(previous["spec"], object["spec"]);
    if (type === "modified" && isOwnStatus) return;
    if (type !== "deleted") this.#queue.add(namespacedName(object));
    for (const one of [object, ...(previous === undefined ? [] : [previous])])
      for (const value of BY_REFERENCED_NAME.valuesOf(one)) this.#addAt(value, one);
  }

  /** Queues the DNSAnnotations that refer to this name, in the namespace of `near`. */
  #addAt(value: string, near: KubeObject): void {
    const { namespace } = near.metadata;
    const all = this.#options.view.indexed(BY_REFERENCED_NAME, value, namespace);
    if (all.state === "value") this.#addEach(all.value);
  }

  #addAll(): void {
    const all = this.#options.view.list(DNS_ANNOTATION);
    if (all.state === "value") this.#addEach(all.value);
  }

  #addEach(annotations: readonly KubeObject[]): void {
    for (const one of annotations) this.#queue.addAfter(namespacedName(one), 0);
  }

  async #reconcile(key: string): Promise<void> {
    const { view } = this.#options;
    const one = view.get(DNS_ANNOTATION, ...splitName(key));
    if (one.state !== "value" || this.#isForbidden) return;
    const verdict = verdictOn(one.value, this.#options);
    if (verdict !== null) await this.#show(one.value, verdict);
  }

  async #show(one: KubeObject, { active, message, state }: AnnotationVerdict): Promise<void> {
    const { recorder } = this.#options;
    const current = fieldsOf(one["status"]);
    const wanted = { active, message: message === "" ? null : message };
    const status = changedFields(current, wanted, { keepsConditions: true });
    if (status === null || !(await this.#write(one, status))) return;
    if (state === "mistake" && message !== textOf(current["message"]))
      recorder.record(one, { type: "Warning", reason: "AnnotationIgnored", message });
  }

  /** False = the API server forbids it. */
  async #write(one: KubeObject, status: object): Promise<boolean> {
    try {
      await this.#options.writer.patchStatus(refOf(DNS_ANNOTATION, one), { status });
      return true;
    } catch (error) {
      if (!(error instanceof OperationError) || error.code !== "Forbidden") throw error;
      this.#isForbidden = true;
      this.#options.log.warn("the status of DNSAnnotations is not written: not allowed", {
        remedy: "allow patch of dnsannotations/status: apply deploy/rbac again",
      });
      return false;
    }
  }
}
