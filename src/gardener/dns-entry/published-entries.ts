/**
 * The DNSEntry as a `PublishedKind`, which the publication controller runs: gathers the context of
 * an entry, and turns what decide-entry.ts and decide-entry-deletion.ts decide into steps and a
 * status (entry-status.ts). It decides nothing itself.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import { MainClass } from "../../controllers/objects/main-class.ts";
import { asksForReconcile } from "../../controllers/objects/operation-annotation.ts";
import { definitionIn } from "../../controllers/objects/read-now.ts";
import { PublicationController } from "../../controllers/publication/publication-controller.ts";
import type {
  KnownObject,
  NewContribution,
  PublicationDecision,
  PublishedKind,
  PublishedObject,
  Wake,
} from "../../controllers/publication/published-kind.ts";
import { Admission } from "../../controllers/zone-choice/admission.ts";
import { entryApplicant } from "../../controllers/zone-choice/applicant.ts";
import type { Selection } from "../../controllers/zone-choice/select-provider.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { objectKeyText } from "../../model/provenance.ts";
import type { ContributionReport } from "../../sync/contract/contribution.ts";
import { decideEntry, decideRefused } from "./decide-entry.ts";
import { type Entry, isZoneChanged, readEntry, withNotedZone } from "./entry.ts";
import type { EntryContext, EntryDecision, StatusZone } from "./entry-context.ts";
import type { EntryControllerOptions } from "./entry-controller-options.ts";
import { EntryStatusWriter } from "./entry-status.ts";
import { foundIn, promisedAnnotations, successorOf } from "./hand-over.ts";
import { OriginStates } from "./origins.ts";
import { ownerUseOf } from "./owner-use.ts";
import { isOfOtherType } from "./served-by-others.ts";

/** The controller of DNSEntries; runs until stopped. */
export function startEntryController(options: EntryControllerOptions): PublicationController {
  return new PublicationController(options, (wake) => new PublishedEntries(options, wake));
}

/** A decision, and what it rests on. */
interface DecidedEntry extends PublicationDecision {
  readonly context: EntryContext;
  readonly decision: EntryDecision;
}

class PublishedEntries implements PublishedKind<DecidedEntry> {
  readonly #options: EntryControllerOptions;
  readonly #status: EntryStatusWriter;
  readonly #origins: OriginStates;
  readonly #admission: Admission;
  readonly #mainClass: MainClass;
  readonly #definition: EntryDefinition;
  readonly #unsubscribe: readonly (() => void)[];

  constructor(options: EntryControllerOptions, wake: Wake) {
    this.#options = options;
    this.#status = new EntryStatusWriter({ ...options, again: wake.later });
    this.#origins = new OriginStates(options, wake.onceRead);
    this.#mainClass = new MainClass({ ...options, kind: DNS_ENTRY, classes: options.dnsClasses });
    this.#definition = new EntryDefinition(options);
    this.#admission = new Admission(options.clock, wake.later);
    this.#unsubscribe = [
      options.waits.onChange(wake.soon),
      options.refused.onChange((entry) => wake.later(entry)),
      options.origins.onGateChange(wake.unread),
    ];
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#status.stop();
    this.#origins.stop();
  }

  changed({ key, object }: KnownObject, change: ObjectChange): "settled" | "unsettled" | null {
    this.#admission.noted(object);
    this.#origins.seen(key);
    return this.#status.own.seen(key, change);
  }

  ended({ key, object, id }: KnownObject, _isSeen: boolean, withdraw: () => void): void {
    this.#admission.forget(key);
    this.#options.owners?.entryUses(key, null);
    this.#status.forget(key, id);
    this.#origins.ended(key, object, withdraw);
  }

  reported(_report: ContributionReport, known: KnownObject | null): "decide" | null {
    return known && "decide";
  }

  async isReady(object: KubeObject): Promise<boolean> {
    if (object.metadata.deletionTimestamp !== undefined) await this.#definition.ask();
    return !(await this.#mainClass.joins(object));
  }

  decide(published: PublishedObject): DecidedEntry {
    const { owners, directory, lookups } = this.#options;
    const { key, object, id } = published;
    const context = this.#contextOf(published);
    const { entry } = context;
    const decision = decideEntry(context);
    owners?.entryUses(key, ownerUseOf(context, decision.status ?? entry.status, directory));
    // clause: reconcile-looks-hosts-up
    if (asksForReconcile(object)) lookups.refresh(objectKeyText(id));
    // clause: operation-needs-own-class
    const isServed = entry.isOfClass && !isOfOtherType(context);
    return { ...stepsOf(entry, decision), isOperation: isServed, context, decision };
  }

  async show(
    { key, assignments }: KnownObject,
    decided: DecidedEntry | null,
    refusal: string | null,
  ): Promise<boolean> {
    if (decided === null) return true;
    const { context } = decided;
    const decision = refusal === null ? decided.decision : decideRefused(context, refusal);
    return this.#status.show({ key, entry: context.entry, decision, assignments });
  }

  #contextOf({ object, assignments, unlisted, resolve, key }: PublishedObject): EntryContext {
    const { view, directory, providerTypes, clock, ownerId, defaultTtlSeconds } = this.#options;
    const stored = readEntry(object, view.clusterId, this.#mainClass.classesFor(object));
    const successor = successorOf(stored, ownerId);
    const found = foundIn(object, successor, this.#options);
    const [first] = successor === null ? found.items : found.waiting;
    const name = first?.name ?? null;
    const applicant = entryApplicant(object, this.#options.targetNamespace);
    const wanted = stored.deletingSinceMs === null ? name : null;
    const entry = withNotedZone(stored, (note) => directory.mayNote(note, applicant, wanted));
    const { provider, zone } = entry.status;
    const selection: Selection =
      name === null
        ? { kind: "none" }
        : directory.select({ name, applicant, present: provider, presentZone: zone });
    return {
      entry,
      found,
      lookedUp: resolve(found),
      selection: successor === null ? this.#admission.judge(entry, selection) : selection,
      ...this.#statusZoneOf(entry),
      providerTypes,
      assignments,
      unwantedRecords: unlisted,
      origin: this.#origins.of(found, entry),
      refused: this.#options.refused.of(key),
      endsWithDefinition: this.#definition.isEnding,
      ...{ successor, ownerId, defaultTtlSeconds },
      nowMs: clock.nowMs(),
    };
  }

  #statusZoneOf(entry: Entry): Pick<EntryContext, "statusZone" | "statusProvider"> {
    const { directory, blockedZones, targetNamespace } = this.#options;
    const { provider, zone } = entry.status;
    if (provider === null || zone === null) return { statusZone: null, statusProvider: "gone" };
    const remover =
      entry.deletingSinceMs === null ? null : entryApplicant(entry.object, targetNamespace);
    const found = directory.findStatusZone({ ...entry.status, provider, zone }, remover);
    if (found.state !== "usable") return { statusZone: null, statusProvider: found.state };
    const { key, isReplaced } = found;
    const isBlocked = blockedZones.includes(key.zone);
    const statusZone: StatusZone = { key, zone: found.zone.name, isReplaced, isBlocked };
    return { statusZone: { ...statusZone, provider: found.provider }, statusProvider: "usable" };
  }
}

/**
 * The steps of a decision. The zone that the entry names already gets its contribution at once; the
 * first zone of an entry, once it is stored with the finalizer (`note`); the new zone of an entry
 * that moves has no note and gets it once the status names that zone (Z-19).
 */
function stepsOf(entry: Entry, decision: EntryDecision): Omit<PublicationDecision, "isOperation"> {
  const { send, note, finalizer, withoutZone, unassign, event, againAfterMs, status } = decision;
  const isStored = ({ key: { zone } }: NewContribution): boolean =>
    entry.hasFinalizer && zone === entry.status.zone;
  const others = send.filter((one) => !isStored(one));
  const annotations = finalizer === "add" ? promisedAnnotations(decision) : {};
  return {
    withoutZone,
    atOnce: send.filter(isStored),
    finalizer: finalizer && { to: finalizer, finalizers: entry.finalizers, annotations },
    afterFinalizer: note === null ? [] : others,
    isZoneChanged: isZoneChanged(entry, status),
    afterStatus: note === null ? others : [],
    unassign,
    event,
    againAfterMs,
  };
}

// Whether the definition of DNSEntries is being deleted, for entries with a deletionTimestamp
// (Z-2). The API server is asked, past every cache, at most once a second: a thousand entries may
// end.

/** An answer counts for so many milliseconds. */
const ANSWER_MS = 1_000;

/** There is one for each controller of DNSEntries. */
class EntryDefinition {
  readonly #ports: Pick<EntryControllerOptions, "view" | "writer" | "clock">;
  #askedMs = Number.NEGATIVE_INFINITY;
  #answer = Promise.resolve();
  /** True = by the last answer it is being deleted, or gone. False also where it cannot be read. */
  isEnding = false;

  constructor(ports: Pick<EntryControllerOptions, "view" | "writer" | "clock">) {
    this.#ports = ports;
  }

  /** Asks, unless an answer still counts. Never rejects for want of one. */
  ask(): Promise<void> {
    const { view, writer: reader, clock } = this.#ports;
    if (clock.monotonicMs() >= this.#askedMs + ANSWER_MS) {
      this.#askedMs = clock.monotonicMs();
      this.#answer = definitionIn({ view, kind: DNS_ENTRY, reader }).then(({ state }) => {
        this.isEnding = state === "ends";
      });
    }
    return this.#answer;
  }
}
