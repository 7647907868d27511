/**
 * An object that is published directly, without DNSEntries, as a `PublishedKind`, which the
 * publication controller runs. Such an object may list names of many zones, has no finalizer (as in
 * external-dns), and shows its state by Events and by an annotation or `status.conditions`.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { LiveChecks } from "../../controllers/objects/live-checks.ts";
import { PendingWaits } from "../../controllers/objects/pending-waits.ts";
import { isOutcomeOnly } from "../../controllers/objects/status-patch.ts";
import {
  PublicationController,
  type PublicationOptions,
} from "../../controllers/publication/publication-controller.ts";
import {
  type KnownObject,
  NO_STEPS,
  type PublicationDecision,
  type PublishedKind,
  type PublishedObject,
  type Wake,
} from "../../controllers/publication/published-kind.ts";
import { applicantOf } from "../../controllers/zone-choice/applicant.ts";
import type { DnsClasses } from "../../model/dns-class.ts";
import { leavesRecords } from "../../model/object-annotations.ts";
import type { Problem } from "../../model/problem.ts";
import { objectKeyText } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { NO_TRANSFER } from "../../model/transfer-request.ts";
import { type Found, listedNames, NOTHING, type Source } from "../../sources/source.ts";
import type { ContributionReport } from "../../sync/contract/contribution.ts";
import { unreadProblems } from "../entries/unread-records.ts";
import { LinkedEntries, type LinkedEntriesOptions } from "./linked-entries.ts";
import { ObjectStatus } from "./object-status.ts";
import { PENDING_LINE } from "./outcome.ts";
import { Outcomes, type OutcomesOptions, type ReadObject } from "./outcomes.ts";
import { type Split, splitByZone } from "./split-by-zone.ts";
import type { StatusAnnotation } from "./status-annotation.ts";
import { contributionOf, contributionsTo } from "./zone-contributions.ts";

/** Everything that the controller works with, in the cluster of the objects. */
export interface DirectOptions extends PublicationOptions {
  readonly source: Source;
  /**
   * True = the objects are in a further cluster, so that DNSProviders must allow that cluster.
   * Absent = false.
   */
  readonly isFurther?: boolean;
  /** Realms of objects that name none; null = none. */
  readonly realms: string | null;
  /** Where generated DNSEntries of its objects may still exist; absent = there never were any. */
  readonly entries?: LinkedEntriesOptions;
  /** Absent = its objects get no annotation. */
  readonly annotation?: StatusAnnotation;
  /** Reason of the Events (`OutcomesOptions`). */
  readonly reason: string;
  readonly knownReasons?: OutcomesOptions["knownReasons"];
  readonly clock: Clock;
  readonly live: LiveChecks;
  /** Classes of the objects that are published here. */
  readonly dnsClasses: DnsClasses;
}

/** The controller of a source that publishes directly; runs until stopped. */
export function startDirectController(options: DirectOptions): PublicationController {
  return new PublicationController(options, (wake) => new PublishedObjects(options, wake));
}

/** A decision, and what was read. */
interface DecidedObject extends PublicationDecision {
  readonly read: ReadObject;
}

class PublishedObjects implements PublishedKind<DecidedObject> {
  readonly #options: DirectOptions;
  /** Deleted objects with the release annotation: their records stay, and lose their markers. */
  readonly #released = new Set<string>();
  readonly #outcomes: Outcomes;
  /** Objects whose change is under way and that have no annotation yet. */
  readonly #waits: PendingWaits;
  /** Null = the source never made any. */
  readonly #entries: LinkedEntries | null;
  /** Null = the kind has no status for it. */
  readonly #status: ObjectStatus | null;

  constructor(options: DirectOptions, wake: Wake) {
    this.#options = options;
    const { source, entries, engine } = options;
    this.#outcomes = new Outcomes({ ...options, isOpen: (zone) => engine.isOpen(zone) });
    this.#waits = new PendingWaits(options.clock, wake.last);
    this.#status =
      source.writesStatus === true ? new ObjectStatus({ ...options, wake }, source.primary) : null;
    this.#entries =
      entries === undefined
        ? null
        : new LinkedEntries(entries, (key) => (key === null ? wake.all() : wake.soon(key)));
  }

  stop(): void {
    this.#entries?.stop();
    this.#status?.stop();
    this.#waits.stop();
  }

  changed(known: KnownObject, change: ObjectChange, isNews: boolean): "settled" | null {
    const { source } = this.#options;
    this.#released.delete(known.key);
    if (isOutcomeOnly(change, source.writesStatus === true) && this.#isShown(known))
      return "settled";
    if (isNews) this.#outcomes.changed(known.key);
    return null;
  }

  ended(known: KnownObject, isSeen: boolean, withdraw: () => void): void {
    const { key, object, id, assignments } = known;
    this.#outcomes.forget(key);
    this.#status?.forget(key, id);
    this.#options.annotation?.forget(object);
    this.#waits.ended(key);
    this.#released.delete(key);
    if (!isSeen || !leavesRecords(object)) {
      withdraw();
      return;
    }
    this.#released.add(key);
    const objectTransfer = { object: id, transfer: { ...NO_TRANSFER, release: true } };
    const found = { ...NOTHING, objectTransfer };
    const contribution = { ...contributionOf(known, found), deleting: true };
    for (const { key: zone } of assignments) this.#options.engine.contribute(zone, contribution);
  }

  reported(
    { zone, object, names }: ContributionReport,
    known: KnownObject | null,
  ): "decide" | "show" | null {
    if (known === null) {
      // A released object's records have lost their markers: the zone may forget the object.
      const isReleased = this.#released.has(`${object.namespace}/${object.name}`);
      if (names.length === 0 && isReleased) this.#options.engine.unassign(zone, object);
      return null;
    }
    this.#outcomes.reported(known.key, known.object, known.reports);
    if (this.#isShown(known)) return null;
    // With host names as targets, the published addresses are part of the decision.
    return this.#options.lookups.isUsedBy(objectKeyText(known.id)) ? "decide" : "show";
  }

  async isReady(): Promise<boolean> {
    return this.#entries?.isListed !== false;
  }

  decide(published: PublishedObject): DecidedObject {
    const { source, view, directory, realms, isFurther = false } = this.#options;
    const { key, object } = published;
    const read = source.endpoints(object, view);
    const plain = this.#entries?.without(key, read) ?? read;
    const found = published.resolve(plain) ?? plain;
    const cluster = isFurther ? view.clusterId : null;
    const applicant = {
      ...applicantOf(object, realms),
      ...(cluster === null ? {} : { cluster }),
    };
    const split = splitByZone(
      found,
      (name) => directory.select({ name, applicant, present: null, presentZone: null }),
      cluster,
    );
    return {
      ...NO_STEPS,
      ...contributionsTo(published, found, split),
      read: readObject(published, { read, found, split }),
    };
  }

  async show(known: KnownObject, decision: DecidedObject | null): Promise<boolean> {
    if (decision !== null) this.#outcomes.read(known.key, known.object, decision.read);
    const { key, object, reports } = known;
    const hasMoved = this.#outcomes.hasMoved(key);
    await this.#status?.show(known, this.#outcomes.factsOf(key, reports), hasMoved);
    const { annotation } = this.#options;
    const line = this.#outcomes.lineOf(key, reports);
    if (line !== undefined) await annotation?.write(object, line);
    // "Under way" is for a change that takes long, and not for a restart with nothing changed.
    else if (annotation !== undefined && hasMoved && this.#waits.waitMs(key) === 0)
      await annotation.write(object, PENDING_LINE);
    return true;
  }

  /** True = status and annotation are as desired. */
  #isShown(known: KnownObject): boolean {
    const { key, object, reports } = known;
    if (this.#status !== null) {
      const facts = this.#outcomes.factsOf(key, reports);
      if (!this.#status.isShown(known, facts, this.#outcomes.hasMoved(key))) return false;
    }
    if (this.#options.annotation === undefined) return true;
    const line = this.#outcomes.lineOf(key, reports);
    if (line === undefined) return true;
    this.#waits.ended(key);
    return this.#options.annotation.isWritten(object, line);
  }
}

/** The record sets that were found, before and after look-ups, and the zones they go to. */
interface FoundObject {
  readonly read: Found<DesiredRecordSet>;
  readonly found: Found<DesiredRecordSet>;
  readonly split: Split;
}

function readObject(
  { object, unlisted }: KnownObject,
  { read, found, split }: FoundObject,
): ReadObject {
  const { unserved, zones } = split;
  const isHeld = read.waiting.some(({ reason }) => reason !== "NoTargets");
  // Problems that keep no name from being published, such as an annotation without effect.
  const listed = listedNames(read);
  const remarks = read.complete && !isHeld && listed.size > 0 ? read.problems : [];
  const left = unlisted.filter(({ name }) => !listed.has(name));
  const isTrouble = (one: Problem): boolean => !remarks.includes(one);
  const problems = [...found.problems.filter(isTrouble), ...unreadProblems(object, left)];
  const [code = unserved.length > 0 ? NO_PROVIDER : null] = problems.map((one) => one.code);
  return {
    code,
    isMistake: read.problems.some(isTrouble),
    troubles: [...problems.map(problemText), ...unserved],
    remarks: remarks.map(problemText),
    isComplete: found.complete,
    hasUnlisted: left.length > 0,
    hasNames: listed.size > 0,
    zones: [...zones.keys()],
  };
}

/** The code that an unserved DNSEntry has, too. */
const NO_PROVIDER = "NoProvider";

function problemText({ field, subject, message }: Problem): string {
  return `${field ?? subject}: ${message}`;
}
