/**
 * The controller of a source that publishes to zones directly: contributes the record sets of each
 * object to the zones that serve their names. Objects have no finalizer, as in external-dns. What
 * becomes of them is in Events, and in an annotation or `status.conditions`.
 */

import type { Clock } from "@zonekeeper/base/ports/clock";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName, splitName } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView, ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import type { StartQueue, WorkQueue } from "@zonekeeper/kube/ports/work-queue";
import { Dependents } from "../../controllers/objects/dependents.ts";
import type { HostLookups } from "../../controllers/objects/host-lookups.ts";
import type { LiveChecks } from "../../controllers/objects/live-checks.ts";
import { isOutcomeOnly } from "../../controllers/objects/own-change.ts";
import { publishedIn } from "../../controllers/objects/published-addresses.ts";
import { unlessGone } from "../../controllers/objects/unless-gone.ts";
import { applicantOf } from "../../controllers/zone-choice/applicant.ts";
import type { ProviderDirectory } from "../../controllers/zone-choice/provider-directory.ts";
import type { DnsClasses } from "../../model/dns-class.ts";
import { markerKindOf } from "../../model/kinds.ts";
import { objectKeyOf } from "../../model/object-key.ts";
import { leavesRecords } from "../../model/pause-annotation.ts";
import type { Problem } from "../../model/problem.ts";
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { isSameJson } from "../../model/same-json.ts";
import { NO_TRANSFER } from "../../model/transfer-request.ts";
import { type Found, NOTHING, type Source } from "../../sources/source.ts";
import type { Contribution } from "../../sync/contract/contribution.ts";
import type { ContributionReport } from "../../sync/contract/contribution-report.ts";
import type { Publisher, ReportSource } from "../../sync/contract/publish-engine.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import { UnreadRecords } from "../entries/unread-records.ts";
import { LinkedEntries, type LinkedEntriesOptions } from "./linked-entries.ts";
import { type KnownObject, ObjectStatus } from "./object-status.ts";
import { Outcomes, type ReadObject } from "./outcomes.ts";
import { type Split, splitByZone } from "./split-by-zone.ts";
import type { StatusAnnotation } from "./status-annotation.ts";
import { contributionsTo, type Sent } from "./zone-contributions.ts";

/** What the controller works with. */
export interface ZoneSourceControllerOptions {
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly recorder: EventRecorder;
  readonly source: Source;
  readonly directory: ProviderDirectory;
  /** Of objects that name no realm; null = none. */
  readonly realms: string | null;
  readonly engine: Publisher & ReportSource;
  /** Where DNSEntries of its objects may be; absent = the source never made any. */
  readonly entries?: LinkedEntriesOptions;
  /** Absent = its objects get no annotation. */
  readonly annotation?: StatusAnnotation;
  /** Reason of the Events. */
  readonly reason: string;
  /** Asked before something is contributed to a zone that is not open. */
  readonly ensureOpen: (key: ZoneKey) => void;
  readonly startQueue: StartQueue;
  readonly clock: Clock;
  readonly live: LiveChecks;
  readonly lookups: HostLookups;
  /** Of its objects. */
  readonly dnsClasses: DnsClasses;
}

/** Runs until stopped. */
export class ZoneSourceController {
  readonly #options: ZoneSourceControllerOptions;
  readonly #queue: WorkQueue;
  readonly #sent = new Map<string, ReadonlyMap<string, Sent>>();
  /** Objects that are to be read: of the others only the outcome is shown. */
  readonly #toRead = new Set<string>();
  /** Deleted objects whose records stay without markers. */
  readonly #released = new Set<string>();
  readonly #outcomes: Outcomes;
  readonly #unread: UnreadRecords;
  /** Null = the source never made any. */
  readonly #entries: LinkedEntries | null;
  /** Null = the kind has no status for it. */
  readonly #status: ObjectStatus | null;
  readonly #dependents = new Dependents();
  readonly #unsubscribe: readonly (() => void)[];

  constructor(options: ZoneSourceControllerOptions) {
    this.#options = options;
    const { view, source, engine, directory, entries } = options;
    this.#outcomes = new Outcomes(options);
    const again = (key: string): void => this.#queue.addAfter(key, 0);
    this.#status =
      source.writesStatus === true ? new ObjectStatus({ ...options, again }, source.primary) : null;
    this.#unread = new UnreadRecords({ kind: source.primary, cluster: view.clusterId });
    this.#queue = options.startQueue({
      name: source.primary.kind.toLowerCase(),
      reconcile: (key) => unlessGone(() => this.#reconcile(key)),
    });
    this.#entries =
      entries === undefined
        ? null
        : new LinkedEntries(entries, (key) =>
            key === null ? this.#addAll("") : this.#addEach([key]),
          );
    this.#unsubscribe = [
      () => this.#entries?.stop(),
      engine.onUnwantedRecords((object, names) => {
        const key = this.#unread.apply(object, names);
        if (key !== null) this.#addEach([key]);
      }),
      engine.onReport((report) => this.#onReport(report)),
      directory.onChange((namespace) => this.#addAll(source.primary.namespaced ? namespace : "")),
      ...source.secondary.map((kind) =>
        view.subscribe(kind, {
          onChange: /* clause: reader-is-enqueued-again */ (change) =>
            this.#addEach(this.#dependents.readersOf(change)),
          onState: (_, state) => this.#addEach(this.#dependents.outdatedBy(kind, state)),
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
    this.#status?.stop();
    await this.#queue.stop();
  }

  #onChange(change: ObjectChange): void {
    const { type, object, proof } = change;
    const key = namespacedName(object);
    const { view, source } = this.#options;
    this.#released.delete(key);
    const isOutcome = isOutcomeOnly(change, source.writesStatus === true);
    if (isOutcome && this.#isShown(key, object)) return;
    if (type === "deleted") this.#onDeleted(object, proof === "watched");
    else if (view.state(source.primary) === "live") this.#outcomes.changed(key);
    this.#addEach([key]);
  }

  #onDeleted(object: KubeObject, isSeen: boolean): void {
    const { view, engine } = this.#options;
    const key = objectKeyOf(object, view.clusterId);
    const sent = this.#sent.get(objectKeyText(key)) ?? new Map<string, Sent>();
    this.#dependents.forget(namespacedName(object));
    this.#sent.delete(objectKeyText(key));
    this.#outcomes.forget(namespacedName(object));
    this.#options.lookups.forget(objectKeyText(key));
    this.#status?.forget(namespacedName(object), objectKeyText(key));
    this.#options.annotation?.forget(object);
    if (!isSeen || !leavesRecords(object)) {
      engine.withdraw(key, isSeen ? "deleted-object" : "missing-from-list");
      return;
    }
    this.#released.add(namespacedName(object));
    const objectTransfer = { object: key, transfer: { ...NO_TRANSFER, release: true } };
    const released = contributionOf(object, key, { ...NOTHING, objectTransfer });
    for (const { key: zone } of sent.values())
      engine.contribute(zone, { ...released, deleting: true });
  }

  #addEach(keys: Iterable<string>): void {
    for (const key of keys) {
      this.#toRead.add(key);
      this.#queue.add(key);
    }
  }

  #addAll(namespace: string): void {
    const { view, source } = this.#options;
    const all = view.list(source.primary, namespace === "" ? undefined : namespace);
    for (const object of all.state === "value" ? all.value : [])
      this.#addBulk(namespacedName(object));
  }

  #addBulk(key: string): void {
    this.#toRead.add(key);
    this.#queue.addAfter(key, 0);
  }

  /** What became of its names; of an object that is gone, that its records are released. */
  #onReport(report: ContributionReport): void {
    const { object: key, zone, names } = report;
    const { view, source, engine } = this.#options;
    if (key.kind !== markerKindOf(source.primary) || key.cluster !== view.clusterId) return;
    const name = `${key.namespace}/${key.name}`;
    const object = this.#get(name);
    if (object === null) {
      if (names.length === 0 && this.#released.has(name)) engine.unassign(zone, key);
      return;
    }
    this.#outcomes.reported(name, object, report);
    // Behind edits and what was not read yet: in a burst there are as many reports as objects.
    if (!this.#isShown(name, object)) this.#queue.addAfter(name, 0);
  }

  /** Status and annotation say what is known of the object. */
  #isShown(key: string, object: KubeObject): boolean {
    if (this.#status?.isShown(this.#known(key, object)) === false) return false;
    const line = this.#outcomes.lineOf(key);
    return line === undefined || this.#options.annotation?.isWritten(object, line) !== false;
  }

  #get(key: string): KubeObject | null {
    const { view, source } = this.#options;
    const lookup = view.get(source.primary, ...splitName(key));
    return lookup.state === "value" ? lookup.value : null;
  }

  async #reconcile(key: string): Promise<void> {
    const object = this.#get(key);
    if (object === null) this.#toRead.delete(key);
    if (object === null || this.#entries?.isListed === false) return;
    if (this.#toRead.has(key)) this.#publish(key, object);
    this.#outcomes.closed(key, (zone) => this.#isOpen(object, zone));
    await this.#status?.show(this.#known(key, object));
    const line = this.#outcomes.lineOf(key);
    if (line !== undefined) await this.#options.annotation?.write(object, line);
  }

  #publish(key: string, object: KubeObject): void {
    const { source, view, directory } = this.#options;
    const read = source.endpoints(object, view);
    this.#dependents.answered(key, read);
    const plain = this.#entries?.without(key, read) ?? read;
    const found = this.#lookedUp(key, object, plain);
    const split = splitByZone(found, (name) =>
      directory.select({
        name,
        applicant: applicantOf(object, this.#options.realms),
        present: null,
        presentZone: null,
      }),
    );
    this.#contribute(object, split, found);
    const remarks = remarksOf(read);
    const isTrouble = (one: Problem): boolean => !remarks.includes(one);
    const problems = [...found.problems.filter(isTrouble), ...this.#unread.problemsOf(key, object)];
    const isMistake = read.problems.some(isTrouble);
    const hasNames = read.items.length + read.waiting.length > 0;
    const hasUnlisted = this.#unread.has(key);
    const trouble = { ...troubleOf(problems, split), isComplete: found.complete, hasUnlisted };
    const more = { isMistake, hasNames, remarks: remarks.map(problemText) };
    this.#outcomes.read(key, object, { ...trouble, ...more });
    // What is looked up depends on what is reported as published, too.
    if (found === plain) this.#toRead.delete(key);
  }

  #lookedUp(
    key: string,
    object: KubeObject,
    found: Found<DesiredRecordSet>,
  ): Found<DesiredRecordSet> {
    const resolved = this.#options.lookups.resolved({
      id: objectKeyText(objectKeyOf(object, this.#options.view.clusterId)),
      found,
      publishedAt: publishedIn(this.#outcomes.reportsOf(key)),
      again: () => this.#addBulk(key),
    });
    return resolved ?? found;
  }

  #contribute(object: KubeObject, split: Split, found: Found<DesiredRecordSet>): void {
    const { engine, view, ensureOpen } = this.#options;
    const key = objectKeyOf(object, view.clusterId);
    const before = this.#sent.get(objectKeyText(key)) ?? new Map<string, Sent>();
    const contribution = contributionOf(object, key, NOTHING);
    const now = contributionsTo({ contribution, before, split, found });
    if (now.withoutZone !== null) engine.contribute(null, now.withoutZone);
    for (const [id, sent] of now.zones) {
      if (isSameJson(before.get(id)?.contribution, sent.contribution)) continue;
      if (!engine.isOpen(sent.key)) ensureOpen(sent.key);
      engine.contribute(sent.key, sent.contribution);
    }
    this.#sent.set(objectKeyText(key), now.zones);
  }

  #isOpen(object: KubeObject, zone: string): boolean {
    const { view, engine } = this.#options;
    const sent = this.#sent.get(objectKeyText(objectKeyOf(object, view.clusterId)))?.get(zone);
    return sent !== undefined && engine.isOpen(sent.key);
  }

  #known(key: string, object: KubeObject): KnownObject {
    return {
      key,
      object,
      id: objectKeyText(objectKeyOf(object, this.#options.view.clusterId)),
      facts: this.#outcomes.factsOf(key),
      reports: this.#outcomes.reportsOf(key),
      again: () => this.#queue.add(key),
    };
  }
}

/** Problems that keep no name from being published: an annotation without effect, say. */
function remarksOf({ complete, items, waiting, problems }: Found<DesiredRecordSet>) {
  const isHeld = waiting.some(({ reason }) => reason !== "NoTargets");
  return complete && !isHeld && items.length + waiting.length > 0 ? problems : [];
}

function troubleOf(
  problems: readonly Problem[],
  { unserved, zones }: Split,
): Pick<ReadObject, "troubles" | "code" | "zones"> {
  const [code = unserved.length > 0 ? NO_PROVIDER : null] = problems.map((one) => one.code);
  const troubles = [...problems.map(problemText), ...unserved];
  return { troubles, code, zones: [...zones.keys()] };
}

/** As a DNSEntry that nobody serves says it. */
const NO_PROVIDER = "NoProvider";

function problemText({ field, subject, message }: Problem): string {
  return `${field ?? subject}: ${message}`;
}

function contributionOf(
  object: KubeObject,
  key: ObjectKey,
  found: Found<DesiredRecordSet>,
): Contribution {
  return { object: key, generation: object.metadata.generation ?? 0, found, deleting: false };
}
