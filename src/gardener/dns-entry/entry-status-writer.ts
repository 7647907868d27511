/**
 * Writes the status of entries at its pace, with the conditions; never the same one twice. What the
 * status is to be, decide-entry.ts decides.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { type LiveChecks, liveRequests } from "../../controllers/objects/live-checks.ts";
import { isOutcomeOnly } from "../../controllers/objects/own-change.ts";
import { PendingWaits } from "../../controllers/objects/pending-waits.ts";
import { ENTRY_PACE, StatusPace } from "../../controllers/objects/status-pace.ts";
import { ConditionsSupport } from "../../controllers/objects/status-patch.ts";
import type { Assignment } from "../../controllers/publication/assignments.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import type { Entry, EntryStatus } from "./entry.ts";
import type { EntryDecision } from "./entry-context.ts";
import { entryStatusPatch } from "./entry-status.ts";
import { PUBLISHING, WAITING } from "./shown-entry.ts";

/** What it works with. */
export interface EntryStatusWriterOptions {
  readonly writer: ClusterWriter;
  readonly clock: Clock;
  readonly live: LiveChecks;
  /** Called when an entry is to be shown, now or after a while. */
  readonly again: (key: string, afterMs?: number) => void;
}

/** What is to be shown of an entry. */
export interface ShownEntry {
  /** `namespace/name`. */
  readonly key: string;
  readonly entry: Entry;
  readonly decision: EntryDecision;
  readonly assignments: readonly Assignment[];
}

/** A status that we wrote. */
interface OwnStatus {
  /** Of the entry with it. */
  readonly version: string | undefined;
  /** The entry is Ready, and nothing else was decided about it. */
  readonly isSettled: boolean;
}

/** Of all entries of one cluster. */
export class EntryStatusWriter {
  readonly #options: EntryStatusWriterOptions;
  readonly #pace: StatusPace;
  readonly #conditions = new ConditionsSupport();
  /** Entries without a state whose zone has not reported on them yet. */
  readonly #unheard: PendingWaits;
  /** What our last status write made of entries, until the watch shows it. */
  readonly #own = new Map<string, OwnStatus>();
  /** While a status is being written: versions that the watch has shown since. */
  readonly #during = new Map<string, (string | undefined)[]>();

  constructor(options: EntryStatusWriterOptions) {
    this.#options = options;
    this.#pace = new StatusPace(options.clock, ENTRY_PACE);
    this.#unheard = new PendingWaits(options.clock, options.again);
  }

  stop(): void {
    this.#unheard.stop();
  }

  forget(key: string, object: ObjectKey): void {
    this.#unheard.ended(key);
    this.#own.delete(key);
    this.#options.live.forget(objectKeyText(object));
  }

  /**
   * The watch shows a status that we have written ourselves: whether there is anything left to do
   * about the entry. Null = somebody else's change; said once for each. While a status is being
   * written it cannot be known whose it is: `again` is called once the answer says.
   */
  ownChange(key: string, change: ObjectChange): "settled" | "unsettled" | null {
    const version = change.object.metadata.resourceVersion;
    const during = this.#during.get(key);
    if (
      during !== undefined &&
      /* clause: edit-during-write-is-enqueued */ isOutcomeOnly(change, true)
    ) {
      during.push(version);
      return "settled";
    }
    const own = this.#own.get(key);
    if (own === undefined || own.version !== version) return null;
    this.#own.delete(key);
    return own.isSettled && isOutcomeOnly(change, true) ? "settled" : "unsettled";
  }

  /**
   * False while the status must wait; `again` is called when it need not. The status of an entry
   * whose finalizer is removed never waits. Throws as the writer does.
   */
  async show(shown: ShownEntry): Promise<boolean> {
    const { key, entry, decision } = shown;
    const { status, cause, finalizer } = decision;
    this.#unsettle(key);
    if (status === null) return true;
    const { clock, writer } = this.#options;
    const { keepsConditions } = this.#conditions;
    const options = { nowMs: clock.nowMs(), keepsConditions };
    const live = this.#live(shown, status);
    const patch = entryStatusPatch(entry.object, { status, cause, live }, options);
    if (patch !== null && finalizer !== "remove" && this.#mustWait(shown, status)) return false;
    this.#unheard.ended(key);
    if (patch === null) return true;
    this.#pace.wrote(key, versionOf(entry));
    const { namespace, name } = entry.key;
    this.#during.set(key, []);
    try {
      const written = await writer.patchStatus({ kind: DNS_ENTRY, namespace, name }, patch);
      this.#conditions.wrote(patch, written);
      const isSettled = status.state === "Ready" && isCarriedOut(decision);
      this.#wrote(key, { version: written.metadata.resourceVersion, isSettled });
    } finally {
      this.#during.delete(key);
    }
    return true;
  }

  /** The watch is often faster than the answer. */
  #wrote(key: string, own: OwnStatus): void {
    const seen = this.#during.get(key) ?? [];
    const others = seen.filter((version) => version !== own.version);
    if (others.length === seen.length) this.#own.set(key, own);
    // clause: foreign-status-is-enqueued
    if (
      others.length > 0 ||
      /* clause: unsettled-status-is-enqueued */ (seen.length > 0 && !own.isSettled)
    )
      this.#options.again(key);
  }

  /** This look knows no status that the watch has not shown yet: that one is looked at again. */
  #unsettle(key: string): void {
    const own = this.#own.get(key);
    if (own !== undefined) this.#own.set(key, { ...own, isSettled: false });
  }

  /** The condition Live; null = nobody asks for it. */
  #live({ key, entry, assignments }: ShownEntry, { state }: EntryStatus) {
    const { live, again } = this.#options;
    return live.conditionOf({
      id: objectKeyText(entry.key),
      object: entry.object,
      isReady: state === "Ready",
      requests: assignments.flatMap(({ report }) => liveRequests(report, entry.generation)),
      again: () => again(key),
    });
  }

  /** A first `Pending` that says nothing waits: most entries are Ready before anybody looks. */
  #mustWait({ key, entry }: ShownEntry, { state, message }: EntryStatus): boolean {
    const isNews = state !== "Pending" || (message !== WAITING && message !== PUBLISHING);
    if (entry.status.state === "" && !isNews && this.#unheard.waitMs(key) > 0) return true;
    const paceMs = this.#pace.waitMs(key, versionOf(entry));
    if (paceMs > 0) this.#options.again(key, paceMs);
    return paceMs > 0;
  }
}

/** The status is all that it decides. */
function isCarriedOut({ send, unassign, withoutZone, ...decision }: EntryDecision): boolean {
  const isElse = decision.finalizer !== null || decision.againAfterMs !== null;
  return send.length === 0 && unassign.length === 0 && withoutZone === null && !isElse;
}

function versionOf({ object, generation }: Entry): string {
  return `${object.metadata.uid}/${generation}`;
}
