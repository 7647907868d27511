/**
 * Writes the status of entries with its conditions: never an equal one, and not faster than
 * `ENTRY_PACE`. Recognises the watch events of its own writes. What the status is to be,
 * decide-entry.ts decides.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { type LiveChecks, liveRequests } from "../../controllers/objects/live-checks.ts";
import { PendingWaits } from "../../controllers/objects/pending-waits.ts";
import { ENTRY_PACE, StatusPace } from "../../controllers/objects/status-pace.ts";
import { ConditionsSupport, isOutcomeOnly } from "../../controllers/objects/status-patch.ts";
import type { Assignment } from "../../controllers/publication/assignments.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import type { Entry, EntryStatus } from "./entry.ts";
import type { EntryDecision } from "./entry-context.ts";
import { entryStatusPatch } from "./entry-status.ts";
import { PUBLISHING, WAITING } from "./shown-entry.ts";

/** Everything that it works with. */
export interface EntryStatusWriterOptions {
  readonly writer: ClusterWriter;
  readonly clock: Clock;
  readonly live: LiveChecks;
  /** Called when an entry is to be shown, now or after a while. */
  readonly again: (key: string, afterMs?: number) => void;
}

/** The facts of an entry that its status is to show. */
export interface ShownEntry {
  /** `namespace/name`. */
  readonly key: string;
  readonly entry: Entry;
  readonly decision: EntryDecision;
  readonly assignments: readonly Assignment[];
}

/** A status that we wrote. */
interface OwnStatus {
  /** `resourceVersion` of the entry after the write. */
  readonly version: string | undefined;
  /**
   * True = the entry is Ready and needs no further step, so that the event of the write needs no
   * work.
   */
  readonly isSettled: boolean;
}

/** For all entries of one cluster. */
export class EntryStatusWriter {
  readonly #options: EntryStatusWriterOptions;
  readonly #pace: StatusPace;
  readonly #conditions = new ConditionsSupport();
  /** Entries without a state whose zone has not reported on them yet. */
  readonly #unheard: PendingWaits;
  /** Our last write of each entry, until the watch shows it. */
  readonly #own = new Map<string, OwnStatus>();
  /** While a status is being written, by entry: the versions that the watch has shown since. */
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
   * Asked at each event of an entry. `settled` = it shows our own write, and nothing is left to do;
   * `unsettled` = it shows our own write, and the entry is to be decided again; null = somebody
   * else's change. While a write is under way it cannot be known whose change it is: the answer is
   * `settled`, and `again` is called after the write if the change was another one. Each write is
   * recognised once.
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
   * Writes the decided status, if it differs. False = it must wait; `again` is called when it need
   * not. The status of an entry whose finalizer is removed never waits. Throws as the writer does.
   */
  async show(shown: ShownEntry): Promise<boolean> {
    const { key, entry, decision } = shown;
    const { status, cause, finalizer } = decision;
    // This decision was made without our last write, which the watch has not shown yet: its
    // event is work.
    const own = this.#own.get(key);
    if (own !== undefined) this.#own.set(key, { ...own, isSettled: false });
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

  /** Compares the write with the events that came before its answer. */
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

  /**
   * True = the status must not be written yet: a first `Pending` without a cause, for most entries
   * are Ready within seconds, or one that exceeds the pace.
   */
  #mustWait({ key, entry }: ShownEntry, { state, message }: EntryStatus): boolean {
    const isNews = state !== "Pending" || (message !== WAITING && message !== PUBLISHING);
    if (entry.status.state === "" && !isNews && this.#unheard.waitMs(key) > 0) return true;
    const paceMs = this.#pace.waitMs(key, versionOf(entry));
    if (paceMs > 0) this.#options.again(key, paceMs);
    return paceMs > 0;
  }
}

/** True = the decision asks for nothing but the status. */
function isCarriedOut({ send, unassign, withoutZone, ...decision }: EntryDecision): boolean {
  const isElse = decision.finalizer !== null || decision.againAfterMs !== null;
  return send.length === 0 && unassign.length === 0 && withoutZone === null && !isElse;
}

function versionOf({ object, generation }: Entry): string {
  return `${object.metadata.uid}/${generation}`;
}
