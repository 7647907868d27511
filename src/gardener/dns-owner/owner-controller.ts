/**
 * The DNSOwner controller: tells the zones which owner ids besides the one of --owner are on,
 * counts the entries of each id, and writes the status of DNSOwners. Every rule is in
 * decide-owner.ts. It never writes to a zone. A zone may keep an id waiting while another
 * installation writes for it there.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import type { StartQueue, WorkQueue } from "@zonekeeper/kube/ports/work-queue";
import { MainClass } from "../../controllers/objects/main-class.ts";
import { LEFT_TO_OTHERS, StatusPace } from "../../controllers/objects/status-pace.ts";
import { changedFields } from "../../controllers/objects/status-patch.ts";
import { unlessGone } from "../../controllers/objects/unless-gone.ts";
import { type DnsClasses, isOfClass } from "../../model/dns-class.ts";
import { DNS_OWNER } from "../../model/kinds.ts";
import type { Resolver } from "../../ports/resolver.ts";
import type { FurtherIds } from "../../sync/contract/fence-status.ts";
import type { EntryUse, OwnerUses } from "../dns-entry/owner-use.ts";
import { decideOwner, type OwnerVerdict, readOwnerSpec, UNREAD } from "./decide-owner.ts";
import { type EntryCount, EntryCounts } from "./entry-counts.ts";

/** Everything that the controller works with. */
export interface OwnerControllerOptions {
  /** The target cluster. */
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly recorder: EventRecorder;
  readonly resolver: Pick<Resolver, "textsOf">;
  readonly clock: Clock;
  readonly log: Log;
  readonly startQueue: StartQueue;
  readonly dnsClasses: DnsClasses;
  /** The id of --owner. */
  readonly mainOwner: string;
  /** Called when other ids are on or off; `wanted` answers which. */
  readonly onChange: () => void;
}

/** Milliseconds between two look-ups of a TXT record that switches an id. */
const LOOKUP_MS = 30_000;
/** Milliseconds after which changed counts are written: many entries change together. */
const USAGE_MS = 5_000;
/** Begins the message about zones where an id that is on waits. */
const WAITS = "waits in ";
const KEEPS = { keepsConditions: true };
/** Milliseconds that the longest timer waits. */
const WAIT_MAX_MS = 86_400_000;

/** Runs until stopped. */
export class OwnerController implements FurtherIds, OwnerUses {
  readonly #options: OwnerControllerOptions;
  readonly #queue: WorkQueue;
  readonly #counts: EntryCounts;
  readonly #mainClass: MainClass;
  readonly #texts = new Map<DnsName, readonly string[]>();
  readonly #troubles = new Map<DnsName, string>();
  readonly #others: StatusPace;
  /** By DNSOwner: the owner id that its stored status is about. */
  readonly #shownIds = new Map<string, string>();
  readonly #unsubscribe: readonly (() => void)[];
  /** By zone: ids that are on and wait there, and why. */
  readonly #waiting = new Map<DnsName, ReadonlyMap<string, string>>();
  /** Null = DNSOwners were not listed yet. */
  #wanted: ReadonlyMap<string, boolean | null> | null = null;

  constructor(options: OwnerControllerOptions) {
    this.#options = options;
    this.#others = new StatusPace(options.clock, LEFT_TO_OTHERS);
    const { view, mainOwner } = options;
    this.#mainClass = new MainClass({ ...options, kind: DNS_OWNER, classes: options.dnsClasses });
    this.#counts = new EntryCounts(mainOwner);
    this.#queue = options.startQueue({
      name: "dnsowner",
      reconcile: (key) => unlessGone(() => this.#reconcile(key)),
    });
    this.#unsubscribe = [
      view.subscribe(DNS_OWNER, { onChange: () => this.#addAll(), onState: () => this.#addAll() }),
    ];
    // A live kind without objects sends no event.
    this.#addAll();
  }

  /** By owner id: true = on, false = off, null = as it is. Null = DNSOwners were not listed yet. */
  wanted(): ReadonlyMap<string, boolean | null> | null {
    return this.#wanted;
  }

  /** A zone says which ids that are on it does not write for yet, each with the reason. */
  settled(zone: DnsName, waiting: ReadonlyMap<string, string>): void {
    const before = this.#waiting.get(zone);
    if (waiting.size > 0) this.#waiting.set(zone, waiting);
    else this.#waiting.delete(zone);
    for (const one of this.#owners() ?? []) {
      const ownerId = ownerIdIn(one);
      if (waiting.has(ownerId) || before?.has(ownerId) === true) this.#queue.add(one.metadata.name);
    }
  }

  entryUses(entry: string, use: EntryUse | null): void {
    const owners = this.#counts.note(entry, use);
    for (const one of owners.length === 0 ? [] : (this.#owners() ?? []))
      if (owners.includes(ownerIdIn(one))) this.#queue.addAfter(one.metadata.name, USAGE_MS);
  }

  /** For metrics. */
  counts(): readonly EntryCount[] {
    return this.#counts.counts();
  }

  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await this.#queue.stop();
  }

  /**
   * DNSOwners of our classes that are not being deleted; null = they cannot be read now, and ids
   * stay as they are (Z-1).
   */
  #owners(): readonly KubeObject[] | null {
    const all = this.#options.view.list(DNS_OWNER);
    if (all.state !== "value") return null;
    return all.value.filter(
      (one) =>
        isOfClass(one, this.#mainClass.classesFor(one)) &&
        one.metadata.deletionTimestamp === undefined,
    );
  }

  /** A change of one DNSOwner may change the verdicts on all others of its id. */
  #addAll(): void {
    this.#switch();
    const all = this.#options.view.list(DNS_OWNER);
    for (const { metadata } of all.state === "value" ? all.value : [])
      this.#queue.add(metadata.name);
  }

  /** Computes which ids are on, and calls `onChange` if that has changed. */
  #switch(): void {
    const all = this.#owners();
    const isLive = this.#options.view.state(DNS_OWNER) === "live";
    if (all === null || (this.#wanted === null && !isLive)) return;
    const wanted = new Map<string, boolean | null>();
    for (const one of all) {
      const { ownerId, isActive } = this.#verdictOn(one, all);
      if (ownerId !== null) wanted.set(ownerId, isActive);
    }
    const former = this.#wanted;
    if (former !== null && textOfIds(wanted) === textOfIds(former)) return;
    this.#wanted = wanted;
    this.#options.onChange();
    if (wanted.size === 0 && former === null) return;
    const on = [...wanted].flatMap(([id, isOn]) => (isOn === true ? [id] : []));
    this.#options.log.info("owner ids that DNSOwners switch on", { owners: on.join(",") });
  }

  #verdictOn(one: KubeObject, all: readonly KubeObject[]): OwnerVerdict {
    const { mainOwner, clock, view } = this.#options;
    return decideOwner(one, {
      mainOwner,
      all,
      clusterId: view.clusterId,
      nowMs: clock.nowMs(),
      textsAt: (name) => this.#texts.get(name) ?? null,
      troubleAt: (name) => this.#troubles.get(name) ?? null,
      shownId: (name) => this.#shownIds.get(name) ?? null,
    });
  }

  async #reconcile(name: string): Promise<void> {
    const present = this.#options.view.get(DNS_OWNER, "", name);
    if (present.state === "value" && (await this.#mainClass.joins(present.value))) return;
    const all = this.#owners();
    const owner = all?.find(({ metadata }) => metadata.name === name);
    if (all !== null && owner === undefined) this.#shownIds.delete(name);
    if (all === null || owner === undefined) return;
    if (!this.#shownIds.has(name)) this.#shownIds.set(name, ownerIdIn(owner));
    await this.#askTexts(owner);
    this.#switch();
    const verdict = this.#verdictOn(owner, all);
    if (verdict.changesInMs !== null)
      this.#queue.addAfter(name, Math.min(verdict.changesInMs, WAIT_MAX_MS));
    await this.#show(owner, this.#withWaits(verdict));
  }

  /** The verdict, with the zones where the id still waits. */
  #withWaits(verdict: OwnerVerdict): OwnerVerdict {
    const { ownerId } = verdict;
    const zones = [...this.#waiting].filter(([, ids]) => ownerId !== null && ids.has(ownerId));
    const [first] = zones;
    if (ownerId === null || first === undefined) return verdict;
    const names = zones.map(([zone]) => zone).sort();
    return { ...verdict, message: `${WAITS}${names.join(", ")}: ${first[1].get(ownerId)}` };
  }

  /**
   * Looks up the TXT record that switches the id. A failed look-up keeps the last answer (Z-31).
   */
  async #askTexts(owner: KubeObject): Promise<void> {
    const { resolver, view, log } = this.#options;
    const spec = readOwnerSpec(owner, view.clusterId);
    if (typeof spec === "string" || spec.activation === null) return;
    const { dnsName } = spec.activation;
    this.#queue.addAfter(owner.metadata.name, LOOKUP_MS);
    try {
      this.#texts.set(dnsName, await resolver.textsOf(dnsName));
      this.#troubles.delete(dnsName);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      this.#troubles.set(dnsName, error.message);
      const fields = { owner: owner.metadata.name, name: dnsName, reason: error.message };
      log.warn("a TXT record that switches an owner id cannot be looked up", fields);
    }
  }

  /**
   * True = another installation overwrote the same status of ours: its text stays for a while. Not
   * where the id is that of --owner, nor where the stored status lacks a message and ours has one.
   */
  #isForOthersToShow(owner: KubeObject, text: string, isUnsaid: boolean): boolean {
    const { name } = owner.metadata;
    const waitMs = this.#others.waitMs(name, text);
    if (waitMs === 0 || isUnsaid || ownerIdIn(owner) === this.#options.mainOwner) return false;
    this.#queue.addAfter(name, waitMs);
    return true;
  }

  async #show(owner: KubeObject, { isActive, message }: OwnerVerdict): Promise<void> {
    const { writer, recorder } = this.#options;
    const ownerId = ownerIdIn(owner);
    const { name, generation, uid } = owner.metadata;
    const current = fieldsOf(owner["status"]);
    const { amount, types } = this.#counts.of(ownerId);
    // A merge patch keeps fields that it does not name: types without entries are set to null.
    const shownTypes = Object.keys(fieldsOf(fieldsOf(current["entries"])["types"]));
    const counts = { ...Object.fromEntries(shownTypes.map((type) => [type, null])), ...types };
    const entries = { amount, types };
    const wanted = { active: isActive, message: message === "" ? null : message, entries };
    const status = changedFields(current, wanted, KEEPS);
    if (status === null) this.#shownIds.set(name, ownerId);
    if (status === null) return;
    const text = JSON.stringify([uid, generation, wanted]);
    const isUnsaid = message !== "" && textOf(current["message"]) === null;
    if (this.#isForOthersToShow(owner, text, isUnsaid)) return;
    const patch = "entries" in status ? { ...status, entries: { amount, types: counts } } : status;
    const ref = { kind: DNS_OWNER, namespace: "", name };
    const stored = await writer.patchStatus(ref, { status: patch });
    // Counts as written only if the stored status is as desired; an older one may be in the cache.
    if (changedFields(fieldsOf(stored["status"]), wanted, KEEPS) === null)
      this.#others.wrote(name, text);
    if (message === "" || message === textOf(current["message"])) return;
    const lookup = message.startsWith(UNREAD) ? "LookupFailed" : "DNSOwnerOff";
    const reason = message.startsWith(WAITS) ? "HeldBy" : lookup;
    recorder.record(owner, { type: "Warning", reason, message });
  }
}

/** `spec.ownerId` as it is written; empty = there is none. */
function ownerIdIn({ spec }: KubeObject): string {
  return textOf(fieldsOf(spec)["ownerId"])?.trim() ?? "";
}

function textOfIds(ids: ReadonlyMap<string, boolean | null>): string {
  return JSON.stringify([...ids].sort());
}
