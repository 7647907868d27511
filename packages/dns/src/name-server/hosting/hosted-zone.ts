/**
 * A zone that is served and changed: its present state, and the queue of its UPDATEs. A change is
 * neither visible to a query nor acknowledged before it is durable in the Store.
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Store } from "@zonekeeper/base/ports/store";
import type { DnsName } from "../../names/dns-name.ts";
import type { Message, Rcode } from "../../wire/message/message.ts";
import { evaluateUpdate } from "../update/evaluate-update.ts";
import type { JournalLimits } from "../zone/journal.ts";
import type { ZoneDelta } from "../zone/zone-edit.ts";
import type { ZoneVersion } from "../zone/zone-version.ts";
import { changeWrites, loadZone, type ZoneState } from "./zone-store.ts";

/**
 * Updates that may wait for the store; one more is answered SERVFAIL, which clients repeat later.
 */
export const PENDING_UPDATES_MAX = 1000;
/** Updates that share one write to the store. */
const UPDATES_PER_WRITE_MAX = 64;

/** What a hosted zone needs. */
export interface HostedZoneOptions {
  readonly apex: DnsName;
  readonly store: Store;
  readonly log: Log;
  readonly journalLimits: JournalLimits;
  /** Called after a new version is durable and served. Must not throw. */
  readonly onChange?: (zone: HostedZone) => void;
}

interface PendingUpdate {
  readonly message: Message;
  readonly answer: (rcode: Rcode) => void;
}

/** One zone. Updates are carried out one after the other, in the order of their arrival. */
export class HostedZone {
  readonly apex: DnsName;
  readonly #options: HostedZoneOptions;
  #state: ZoneState;
  #pending: PendingUpdate[] = [];
  #draining: Promise<void> | null = null;
  /** A write failed: what the store holds is not known until it is read again. */
  #uncertain = false;

  /** Reads the zone from the store; throws OperationError `StoreCorrupt`. */
  constructor(options: HostedZoneOptions) {
    this.apex = options.apex;
    this.#options = options;
    this.#state = loadZone(options.store, options.apex, options.journalLimits);
  }

  /** The newest durable state. Immutable: keep it as long as you answer from it. */
  get state(): ZoneState {
    return this.#state;
  }

  /**
   * Carries out an UPDATE whose right has been checked; resolves, never rejects, with its rcode
   * when the outcome is durable. SERVFAIL when the store failed (the outcome is then unknown to us
   * too) or too many updates wait.
   */
  update(message: Message): Promise<Rcode> {
    if (this.#pending.length >= PENDING_UPDATES_MAX) return Promise.resolve("SERVFAIL");
    return new Promise((answer) => {
      this.#pending.push({ message, answer });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when no update is pending. */
  async idle(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    // Waits one turn of the event loop: updates that arrive together share one write.
    await Promise.resolve();
    while (this.#pending.length > 0)
      await this.#commit(this.#pending.splice(0, UPDATES_PER_WRITE_MAX));
    this.#draining = null;
  }

  /** One write for all; each update still has its own serial and delta, as if it had come alone. */
  async #commit(updates: readonly PendingUpdate[]): Promise<void> {
    if (!this.#isCertain()) {
      for (const { answer } of updates) answer("SERVFAIL");
      return;
    }
    const deltas: ZoneDelta[] = [];
    const rcodes: Rcode[] = [];
    let { version } = this.#state;
    for (const { message } of updates) {
      const { rcode, change } = evaluateUpdate(version, message);
      rcodes.push(rcode);
      if (change === null) continue;
      version = change.version;
      if (change.delta !== null) deltas.push(change.delta);
    }
    const stored = deltas.length === 0 || (await this.#store(version, deltas));
    for (const [index, { answer }] of updates.entries())
      answer(stored ? (rcodes[index] ?? "SERVFAIL") : "SERVFAIL");
  }

  /** False = the write failed. */
  async #store(version: ZoneVersion, deltas: readonly ZoneDelta[]): Promise<boolean> {
    const before = this.#state;
    const after = { version, journal: before.journal.with(deltas) };
    try {
      await this.#options.store.write(changeWrites(before, after, deltas));
      this.#state = after;
      this.#options.onChange?.(this);
      return true;
    } catch (cause) {
      const details = { zone: this.apex, error: messageOf(cause) };
      this.#options.log.error("zone could not be stored", details);
      this.#uncertain = true;
      this.#isCertain();
      return false;
    }
  }

  /** After a failed write the store decides what is true: it may have taken it. */
  #isCertain(): boolean {
    if (!this.#uncertain) return true;
    const { store, apex, journalLimits, log } = this.#options;
    try {
      this.#state = loadZone(store, apex, journalLimits);
      this.#uncertain = false;
    } catch (error) {
      log.error("zone could not be read back", { zone: apex, error: messageOf(error) });
    }
    return !this.#uncertain;
  }
}
