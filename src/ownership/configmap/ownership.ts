/**
 * The ConfigMap registry: the zone holds data alone; rows in ConfigMaps state the owner of each
 * record set (ADR 0013). So that a crash leaves no record without owner (Z-14):
 *
 *   recordIntents: intent h2 ─► the call to the provider: data h2 ─► confirm: row h2, no intent
 *
 * A release writes no data: its row goes with `recordIntents`, since nothing that is confirmed may
 * be missing from the store.
 */

import { invariant } from "@zonekeeper/base/invariant";
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import { Turns } from "@zonekeeper/base/turns";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { resourceOf } from "../../model/provenance.ts";
import {
  isSameKey,
  type RecordSet,
  type RecordSetKey,
  recordSetKeyText,
} from "../../model/record-set.ts";
import type {
  ChangeGroup,
  KeyChange,
  NamePlan,
  Outcome,
  OwnedRecordSet,
} from "../../plan/changes.ts";
import { asRead } from "../../plan/preconditions.ts";
import { dataHash } from "../data-hash.ts";
import type { ExternalStore, Ownership, Prepared, ZoneContent } from "../ownership.ts";
import { dataGroup } from "../shared/write-order.ts";
import type { RegistryLocation } from "./locate-registry.ts";
import { RegistryRows, type RegistryRowsOptions } from "./registry-rows.ts";
import { Resync } from "./resync.ts";
import { type Claim, type Intent, type KeyRecord, type Row, rowOf, viewOf } from "./row.ts";

/** How the registry of a zone is opened. A process opens one for each zone, as it keeps state. */
export interface ConfigMapOwnershipOptions extends RegistryRowsOptions {
  readonly apex: DnsName;
  /** True when the changes of a name go in one all-or-nothing call. */
  readonly atomic: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Where the rows are; asked before the first reading until it answers. Default `id` and `zone`.
   * May throw OperationError.
   */
  readonly find?: () => Promise<RegistryLocation>;
}

/** Hashes of earlier calls at a key that an intent keeps, because their answers were lost. */
const EARLIER_MAX = 2;

/** A key that the call in flight is about. */
interface Begun {
  /** The intent that the one of the call replaced; null = there was none. */
  readonly before: Intent | null;
  /**
   * Row and intent of a key that the call releases, whose row is removed; null = it is written.
   */
  readonly released: KeyRecord | null;
}

/** Opens the registry; nothing is read before `refresh`. */
export function openConfigMapOwnership(options: ConfigMapOwnershipOptions): Ownership {
  return new ConfigMapOwnership(options);
}

class ConfigMapOwnership implements Ownership, ExternalStore {
  readonly format = "configmap";
  readonly externalStore = this;
  readonly #options: ConfigMapOwnershipOptions;
  #rows: RegistryRows;
  #resync: Resync;
  #isFound = false;
  /** Names of the groups of the call in flight. */
  #open = new Set<string>();
  /** Keys that the call in flight is about, by `recordSetKeyText`. */
  readonly #begun = new Map<string, Begun>();
  /** Store calls come one after the other, also when two accounts show the same zone. */
  readonly #turns = new Turns();

  constructor(options: ConfigMapOwnershipOptions) {
    this.#options = options;
    this.#rows = new RegistryRows(options);
    this.#resync = new Resync(this.#rows, options);
  }

  get isStale(): boolean {
    return this.#rows.isStale;
  }

  async read(sets: readonly RecordSet[]): Promise<readonly OwnedRecordSet[]> {
    return sets.map((set) => viewOf(set, this.#known(set)));
  }

  affected(name: string): readonly string[] {
    return [name];
  }

  related(name: string): readonly string[] {
    return [name];
  }

  async prepare(plan: NamePlan, content: ZoneContent): Promise<Prepared> {
    const more = plan.changes.map(({ key }) => asRead(key, content));
    return dataGroup(plan, content, { atomic: this.#options.atomic, more });
  }

  recordIntents(groups: readonly ChangeGroup[]): Promise<void> {
    return this.#turns.take(async () => {
      const changes = groups.flatMap(changesIn);
      const intents = new Map(this.#rows.intents);
      for (const change of changes)
        intents.set(recordSetKeyText(change.key), this.#intentOf(change));
      // A batch that was refused and split is begun again in parts: what was before the batch stays
      // what is restored.
      const begun = changes.filter(({ key }) => !this.#begun.has(recordSetKeyText(key)));
      for (const change of begun) this.#begin(change);
      this.#open = new Set();
      try {
        await this.#rows.flush(intents);
      } catch (error) {
        for (const { key } of begun) this.#takeBack(key);
        throw error;
      }
      this.#open = new Set(groups.map(({ name }) => name));
    });
  }

  async confirm(group: ChangeGroup, outcome: Outcome): Promise<void> {
    const changes = changesIn(group);
    // A group that was begun with a whole batch and was in none of the parts that were sent.
    const wasBegun = changes.some(({ key }) => this.#begun.has(recordSetKeyText(key)));
    for (const change of changes) this.#learn(change, outcome);
    const isOver = this.#open.delete(group.name) || (wasBegun && isNotWritten(outcome));
    if (isOver && this.#open.size === 0) await this.#tryFlush();
  }

  refresh(): Promise<readonly string[]> {
    return this.#turns.take(async () => {
      if (!this.#isFound) await this.#find();
      return this.#rows.refresh();
    });
  }

  async #find(): Promise<void> {
    const { find, ...options } = this.#options;
    const location = await find?.();
    this.#isFound = true;
    if (location === undefined || location.id === options.id) return;
    this.#rows = new RegistryRows({ ...options, ...location });
    this.#resync = new Resync(this.#rows, options);
  }

  async resync(sets: readonly RecordSet[], others?: ReadonlyMap<string, string>): Promise<void> {
    this.#resync.run(sets, others);
    await this.#tryFlush();
  }

  /**
   * Stores the rows; if that fails, they are stored with the next change. Until then the intents
   * give the same rights.
   */
  async #tryFlush(): Promise<void> {
    try {
      await this.#turns.take(() => this.#rows.flush());
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      const { zone, log } = this.#options;
      log.warn("the registry is behind its zone", { zone, reason: messageOf(error) });
    }
  }

  #begin(change: KeyChange): void {
    const { key } = change;
    const released = isRelease(change) ? this.#known(key) : null;
    this.#begun.set(recordSetKeyText(key), { before: this.#rows.intentAt(key), released });
    if (released !== null) this.#rows.put(key.name, this.#othersThan(key));
  }

  #learn(change: KeyChange, outcome: Outcome): void {
    const { key } = change;
    if (isNotWritten(outcome) || (isRelease(change) && outcome.status !== "applied")) {
      // This call wrote nothing: restores the intent of earlier calls, which may have written.
      const begun = this.#takeBack(key);
      if (begun?.before === null) this.#rows.settle(key);
      else if (begun !== undefined) this.#rows.amend(begun.before);
    }
    this.#begun.delete(recordSetKeyText(key));
    if (outcome.status !== "applied") return;
    const others = this.#othersThan(key);
    const data = nextOf(change);
    const claim = claimOf(change);
    this.#rows.put(key.name, data === null ? others : [...others, rowOf(data, claim)]);
    this.#rows.settle(key);
  }

  /** The call is not about the key any more, whose row is there again; what was before the call. */
  #takeBack(key: RecordSetKey): Begun | undefined {
    const begun = this.#begun.get(recordSetKeyText(key));
    this.#begun.delete(recordSetKeyText(key));
    const row = begun?.released?.row ?? null;
    if (row !== null) this.#rows.put(key.name, [...this.#othersThan(key), row]);
    return begun;
  }

  #intentOf(change: KeyChange): Intent {
    const { name, type, setIdentifier } = change.key;
    const claim = claimOf(change);
    const data = nextOf(change);
    const hash = data === null ? null : dataHash(data);
    const earlier = isRelease(change) ? [] : (this.#rows.intentAt(change.key)?.next ?? []);
    const kept = earlier.filter((one) => one !== hash).slice(-EARLIER_MAX);
    const next = hash === null ? kept : [...kept, hash];
    return { name, type, setIdentifier, claim, next };
  }

  #known(key: RecordSetKey): KeyRecord {
    const released = this.#begun.get(recordSetKeyText(key))?.released ?? null;
    if (released !== null) return released;
    const row = this.#rows.rowsAt(key.name).find((one) => isSameKey(one, key)) ?? null;
    return { row, intent: this.#rows.intentAt(key) };
  }

  #othersThan(key: RecordSetKey): readonly Row[] {
    return this.#rows.rowsAt(key.name).filter((row) => !isSameKey(row, key));
  }
}

/** True when only the ownership is given up and the data stays. */
function isRelease({ change, marker }: KeyChange): boolean {
  return change === null && marker === null;
}

/**
 * True when it is certain that the call wrote nothing, so that the data there is of another writer.
 */
function isNotWritten(outcome: Outcome): boolean {
  if (outcome.status === "retry") return outcome.mayStand !== true;
  return outcome.status === "precondition-failed" || outcome.status === "rejected";
}

/**
 * The changes that the call of this group is about. In a sequence each call is about the key that
 * it writes; changes without data belong to the last call.
 */
function changesIn({ keys, changes, rest }: ChangeGroup): readonly KeyChange[] {
  return keys.filter(({ change, key }) => {
    if (change === null) return rest === undefined;
    return changes.some((one) => isSameKey(one.op === "remove" ? one.previous : one.next, key));
  });
}

/** The data of the key afterwards; null = none of ours. */
function nextOf({ change, current, marker }: KeyChange): RecordSet | null {
  if (marker === null || change?.op === "remove") return null;
  if (change !== null) return change.next;
  invariant(current?.data, "a marker alone is written for existing data");
  return current.data;
}

/** The owner after the change; for a removal, the owner before it. */
function claimOf({ marker, current }: KeyChange): Claim {
  if (marker === null) {
    invariant(current?.marker, "what goes was ours");
    return current.marker;
  }
  const { owner, provenance } = marker;
  return { owner, resource: resourceOf(provenance), cluster: provenance.cluster };
}
