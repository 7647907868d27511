/**
 * The controller of a source that publishes to zones directly (DNSEndpoint): contributes the record
 * sets of each object to the zones that serve their names. Objects have no state and no finalizer,
 * as in external-dns: it writes `status.observedGeneration` if the kind has it, and Events.
 */

import { unlessGone } from "../../controllers/objects/unless-gone.ts";
import type { ProviderDirectory } from "../../controllers/zone-choice/provider-directory.ts";
import { compareText } from "../../model/dns-name.ts";
import { markerKindOf } from "../../model/kinds.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { fieldsOf, objectKeyOf } from "../../model/object-fields.ts";
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { ObjectTransfer } from "../../model/transfer-request.ts";
import type { ClusterView, ObjectChange } from "../../ports/cluster-view.ts";
import type { ClusterWriter, EventRecorder } from "../../ports/cluster-writer.ts";
import type { StartQueue, WorkQueue } from "../../ports/work-queue.ts";
import { type Found, NOTHING, objectTransferOf, type Source } from "../../sources/source.ts";
import type { Contribution } from "../../sync/contract/contribution.ts";
import type { ContributionReport } from "../../sync/contract/contribution-report.ts";
import type { Publisher, ReportSource } from "../../sync/contract/publish-engine.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import { type Split, splitByZone } from "./split-by-zone.ts";

/** What the controller works with. */
export interface ZoneSourceControllerOptions {
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly recorder: EventRecorder;
  /** Publishes to zones directly: `crd`. */
  readonly source: Source;
  readonly directory: ProviderDirectory;
  readonly engine: Publisher & ReportSource;
  /** Asked before something is contributed to a zone that is not open. */
  readonly ensureOpen: (key: ZoneKey) => void;
  readonly startQueue: StartQueue;
}

/** The last contribution to a zone. */
interface Sent {
  readonly key: ZoneKey;
  readonly contribution: Contribution;
}

/** Runs until stopped. */
export class ZoneSourceController {
  readonly #options: ZoneSourceControllerOptions;
  readonly #queue: WorkQueue;
  readonly #sent = new Map<string, ReadonlyMap<string, Sent>>();
  /** The last Event's text of each object, so that no Event is repeated. */
  readonly #lastMessages = new Map<string, string>();
  readonly #unsubscribe: readonly (() => void)[];

  constructor(options: ZoneSourceControllerOptions) {
    this.#options = options;
    const { view, source, engine, directory } = options;
    this.#queue = options.startQueue({
      name: source.primary.kind.toLowerCase(),
      reconcile: (key) => unlessGone(() => this.#reconcile(key)),
    });
    this.#unsubscribe = [
      engine.onReport((report) => this.#onReport(report)),
      directory.onChange((namespace) => this.#addAll(namespace)),
      ...source.secondary.map((kind) =>
        view.subscribe(kind, {
          onChange: (change) => {
            for (const { namespace, name } of source.affected(change, view))
              this.#queue.add(`${namespace}/${name}`);
          },
          onState: () => {},
        }),
      ),
      view.subscribe(source.primary, {
        onChange: (change) => this.#onChange(change),
        onState: () => this.#addAll(""),
      }),
    ];
  }

  /** Contributions stay with the engine. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await this.#queue.stop();
  }

  #onChange({ type, object, proof }: ObjectChange): void {
    if (type === "deleted") {
      const key = objectKeyOf(object, this.#options.view.clusterId);
      this.#sent.delete(objectKeyText(key));
      this.#lastMessages.delete(objectKeyText(key));
      const isSeen = proof === "watched";
      this.#options.engine.withdraw(key, isSeen ? "deleted-object" : "missing-from-list");
    }
    this.#queue.add(queueKey(object));
  }

  #addAll(namespace: string): void {
    const { view, source } = this.#options;
    const all = view.list(source.primary, namespace === "" ? undefined : namespace);
    for (const object of all.state === "value" ? all.value : [])
      this.#queue.addAfter(queueKey(object), 0);
  }

  /**
   * Held and failed names become an Event of the object, after all its changes have ended.
   */
  #onReport({ object: key, names }: ContributionReport): void {
    const { view, source } = this.#options;
    if (key.kind !== markerKindOf(source.primary) || key.cluster !== view.clusterId) return;
    const object = this.#get(`${key.namespace}/${key.name}`);
    if (object === null || names.some(({ state }) => state === "pending")) return;
    const troubles = names
      .filter(({ state }) => state === "held" || state === "failed")
      .map(({ name, message }) => `${name}: ${message}`);
    this.#report(object, "zone", troubles);
  }

  #get(key: string): KubeObject | null {
    const slash = key.indexOf("/");
    const { view, source } = this.#options;
    const lookup = view.get(source.primary, key.slice(0, slash), key.slice(slash + 1));
    return lookup.state === "value" ? lookup.value : null;
  }

  async #reconcile(key: string): Promise<void> {
    const object = this.#get(key);
    if (object === null) return;
    const { source, view, directory } = this.#options;
    const found = source.endpoints(object, view);
    const split = splitByZone(found, (name) =>
      directory.select({
        name,
        namespace: object.metadata.namespace ?? "",
        present: null,
        presentZone: null,
      }),
    );
    this.#contribute(object, split, objectTransferOf(found));
    this.#report(object, "object", [
      ...found.problems.map(({ field, message }) => `${field}: ${message}`),
      ...split.unserved,
    ]);
    await this.#writeGeneration(object);
  }

  /** A zone that serves no name of the object any more gets an empty contribution. */
  #contribute(object: KubeObject, split: Split, lastMessages: ObjectTransfer | null): void {
    const key = objectKeyOf(object, this.#options.view.clusterId);
    const before = this.#sent.get(objectKeyText(key)) ?? new Map<string, Sent>();
    const now = new Map<string, Sent>();
    const nothing: Found<DesiredRecordSet> = {
      ...NOTHING,
      complete: split.isComplete,
      ...(lastMessages === null ? {} : { objectTransfer: lastMessages }),
    };
    for (const [id, { key: zone }] of before)
      now.set(id, { key: zone, contribution: contributionOf(object, key, nothing) });
    for (const [id, { key: zone, found }] of split.zones)
      now.set(id, { key: zone, contribution: contributionOf(object, key, found) });
    for (const [id, sent] of now) {
      if (isSameJson(before.get(id)?.contribution, sent.contribution)) continue;
      if (!this.#options.engine.isOpen(sent.key)) this.#options.ensureOpen(sent.key);
      this.#options.engine.contribute(sent.key, sent.contribution);
    }
    this.#sent.set(objectKeyText(key), now);
  }

  #report(object: KubeObject, about: string, troubles: readonly string[]): void {
    const id = `${about} ${queueKey(object)}`;
    const message = [...troubles].sort(compareText).join("; ");
    if ((this.#lastMessages.get(id) ?? "") === message) return;
    this.#lastMessages.set(id, message);
    const { recorder, source } = this.#options;
    if (message !== "")
      recorder.record(object, { type: "Warning", reason: source.primary.kind, message });
  }

  /** `status.observedGeneration`, if the source's kind has it. */
  async #writeGeneration(object: KubeObject): Promise<void> {
    const { source, writer } = this.#options;
    if (source.writesGeneration !== true) return;
    const { generation, namespace = "", name } = object.metadata;
    if (generation === undefined) return;
    if (fieldsOf(object["status"])["observedGeneration"] === generation) return;
    const patch = { status: { observedGeneration: generation } };
    await writer.patchStatus({ kind: source.primary, namespace, name }, patch);
  }
}

function contributionOf(
  object: KubeObject,
  key: ObjectKey,
  found: Found<DesiredRecordSet>,
): Contribution {
  return { object: key, generation: object.metadata.generation ?? 0, found, deleting: false };
}

function queueKey(object: KubeObject): string {
  return `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
}
