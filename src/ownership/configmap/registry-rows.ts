/**
 * The rows (owners of record sets) and intents (what calls in flight may write) of one zone, in
 * memory and in the registry's store, where rows are in shards and intents in one object. The store
 * is read as a whole or not at all; an object that cannot be read is unknown, never empty. Rows are
 * stored after the zone was written, intents before (Z-14).
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type RecordSetKey, recordSetKeyText } from "../../model/record-set.ts";
import { type RegistryStore, type StoredObject, titleIn } from "../../ports/stores.ts";
import { isEqual, KnownObjects } from "./known-objects.ts";
import { byName, formatIntents, type Intent, parseIntents, parseRows, type Row } from "./row.ts";
import { childrenOf, ROOT, ShardTree } from "./shard-tree.ts";

/** Where the rows are kept. */
export interface RegistryRowsOptions {
  readonly store: RegistryStore;
  /** Part of object names: letters, digits, `-`; different for each zone. */
  readonly id: string;
  /** The zone's text, as people know it and unique among zones; written in each object. */
  readonly zone: string;
  /**
   * Bytes of a shard above which it is split; default 128 KiB: every change of a name writes its
   * shard.
   */
  readonly shardBytesMax?: number;
}

const SHARD_BYTES_MAX = 131_072;
/**
 * Bytes of data in one object; the API server takes 1 MiB (Kubernetes core/validation
 * `MaxSecretSize`).
 */
const OBJECT_BYTES_MAX = 900_000;

/** Fields of an object. */
const ZONE = "zone";
const RECORDS = "records";
const SPLIT = "split";
const INTENTS = "intents";

/** Names of the objects that exist as long as the registry of a zone does. */
export function objectsOf(id: string): { readonly root: string; readonly intents: string } {
  return { root: shardName(id, ROOT), intents: `intents-${id}` };
}

/**
 * The rows and intents of a zone. `refresh` and `flush` must not overlap; the rows in memory may be
 * changed while either waits.
 */
export class RegistryRows {
  readonly #options: RegistryRowsOptions;
  readonly #objects: KnownObjects;
  #tree = new ShardTree();
  #intents: ReadonlyMap<string, Intent> = new Map();
  /** Shards whose text is not in the store yet. */
  readonly #dirty = new Set<number>([ROOT]);
  /** Shards made by a split: an object with that name is left from an unfinished split. */
  readonly #fresh = new Set<number>();

  constructor(options: RegistryRowsOptions) {
    this.#options = options;
    this.#objects = new KnownObjects(options.store);
  }

  /** True when the store must be read before anything is written. */
  get isStale(): boolean {
    return this.#objects.isStale;
  }

  /** True when any row or intent claims a record. */
  get hasRights(): boolean {
    return this.#intents.size > 0 || this.#tree.hasClaims;
  }

  /** Rows of a name. */
  rowsAt(name: DnsName): readonly Row[] {
    return this.#tree.at(name);
  }

  /** Every name with rows. */
  names(): Iterable<DnsName> {
    return this.#tree.names();
  }

  /** The intents in memory, by `recordSetKeyText`. */
  get intents(): ReadonlyMap<string, Intent> {
    return this.#intents;
  }

  /** The intent about a key, or null. */
  intentAt(key: RecordSetKey): Intent | null {
    return this.#intents.get(recordSetKeyText(key)) ?? null;
  }

  /** Replaces a name's rows in memory. */
  put(name: DnsName, rows: readonly Row[]): void {
    this.#dirty.add(this.#tree.put(name, rows));
  }

  /** Forgets an intent in memory. */
  settle(key: RecordSetKey): void {
    this.#remember(key, null);
  }

  /** Replaces an intent in memory. */
  amend(intent: Intent): void {
    this.#remember(intent, intent);
  }

  #remember(key: RecordSetKey, intent: Intent | null): void {
    const next = new Map(this.#intents);
    if (intent === null) next.delete(recordSetKeyText(key));
    else next.set(recordSetKeyText(key), intent);
    this.#intents = next;
  }

  /**
   * Reads all objects. If any differs from what is known, the stored state replaces that in memory;
   * objects that somebody removed while this process runs are written again. Answers the names
   * whose rows or intents may differ. Throws OperationError, and nothing changes then.
   */
  async refresh(): Promise<readonly DnsName[]> {
    const found = new Map<string, StoredObject>();
    const lost: number[] = [];
    const tree = new ShardTree();
    const intents = await this.#readIntents(found);
    // The root is written before the first intents: intents without a root mean that it was lost.
    const parent = intents === null ? null : this.#intentsName;
    await this.#readShard(ROOT, { tree, found, lost, parent });
    // Rows that claim records are only written after an intent was.
    if (intents === null && tree.hasClaims)
      throw this.#missing(this.#intentsName, this.#shardName(ROOT));
    const isSame = [...found].every(([name, { data }]) => {
      const known = this.#objects.dataOf(name);
      return known !== null && isEqual(known, data);
    });
    const names = [this.#intentsName, ...lost.map((shard) => this.#shardName(shard))];
    this.#objects.replace(
      found,
      names.filter((name) => !found.has(name)),
    );
    for (const shard of lost) this.#dirty.add(shard);
    if (isSame) return [];
    const before = [...this.#tree.names(), ...namesOf(this.#intents)];
    this.#dirty.clear();
    this.#fresh.clear();
    // The root is written where it is not there yet.
    for (const shard of [ROOT, ...lost]) this.#dirty.add(shard);
    this.#tree = tree;
    this.#intents = intents ?? new Map();
    return [...new Set([...before, ...tree.names(), ...namesOf(this.#intents)])];
  }

  /**
   * Writes changed rows, then these intents. In memory only the intents that differ are replaced,
   * once they are stored, because others may be settled meanwhile. Throws OperationError; rows that
   * are not stored yet stay due.
   */
  async flush(intents: ReadonlyMap<string, Intent> = this.#intents): Promise<void> {
    if (this.isStale) throw stale();
    const before = this.#intents;
    for (const shard of this.#dirty) this.#splitIfLarge(shard);
    // Children first: until their parent says that it was split, it is the one that counts.
    for (const shard of [...this.#dirty].sort((a, b) => b - a)) await this.#writeShard(shard);
    const text = formatIntents([...intents.values()]);
    this.#checkSize(this.#intentsName, text);
    const isNeeded = intents.size > 0 || this.#objects.dataOf(this.#intentsName) !== null;
    const data = { [ZONE]: this.#options.zone, [INTENTS]: text };
    if (isNeeded) await this.#objects.write(this.#intentsName, data);
    const merged = new Map(this.#intents);
    for (const key of before.keys()) if (!intents.has(key)) merged.delete(key);
    for (const [key, intent] of intents) if (before.get(key) !== intent) merged.set(key, intent);
    this.#intents = merged;
  }

  /** Writes one shard; a row that is put meanwhile makes the shard due again. */
  async #writeShard(shard: number): Promise<void> {
    const mayStand = this.#fresh.has(shard);
    this.#dirty.delete(shard);
    try {
      await this.#objects.write(this.#shardName(shard), this.#dataOf(shard), { mayStand });
      this.#fresh.delete(shard);
    } catch (error) {
      this.#dirty.add(shard);
      throw error;
    }
  }

  #splitIfLarge(shard: number): void {
    const text = this.#tree.textOf(shard);
    const limit = this.#options.shardBytesMax ?? SHARD_BYTES_MAX;
    if (text === null || bytesOf(text) <= limit || !this.#tree.isDivisible(shard)) return;
    for (const child of this.#tree.split(shard)) {
      this.#dirty.add(child);
      this.#fresh.add(child);
      this.#splitIfLarge(child);
    }
  }

  #dataOf(shard: number): StoredObject["data"] {
    const { zone } = this.#options;
    const text = this.#tree.textOf(shard);
    if (text === null) return { [ZONE]: zone, [SPLIT]: childrenOf(shard).join(" ") };
    this.#checkSize(this.#shardName(shard), text);
    return { [ZONE]: zone, [RECORDS]: text };
  }

  #checkSize(name: string, text: string): void {
    const bytes = bytesOf(text);
    if (bytes <= OBJECT_BYTES_MAX) return;
    throw new OperationError({
      code: "RegistryFull",
      message: `${titleIn(this.#options.store, name)} would have ${bytes} bytes of ${OBJECT_BYTES_MAX}: the zone has more records than the registry holds; choose the registry txt for it`,
      retry: "backoff",
    });
  }

  /** The stored intents, else those that this process saw last. Null = it never saw any. */
  async #readIntents(
    found: Map<string, StoredObject>,
  ): Promise<ReadonlyMap<string, Intent> | null> {
    const name = this.#intentsName;
    const object = await this.#readObject(name);
    const data = object?.data ?? this.#objects.dataOf(name);
    if (data === null) return null;
    const parsed = parseIntents(data[INTENTS] ?? "");
    if (!parsed.ok) throw this.#unusable(name, parsed.error);
    if (object !== null) found.set(name, object);
    return new Map(parsed.value.map((intent) => [recordSetKeyText(intent), intent]));
  }

  /** Reads a shard and those below it into the tree. */
  async #readShard(shard: number, context: ShardContext): Promise<void> {
    const name = this.#shardName(shard);
    const object = await this.#readObject(name);
    const data = object?.data ?? this.#objects.dataOf(name);
    if (data === null) {
      if (context.parent !== null) throw this.#missing(name, context.parent);
      return;
    }
    if (object === null) context.lost.push(shard);
    else context.found.set(name, object);
    if (data[SPLIT] !== undefined) {
      context.tree.putShard(shard, null);
      for (const child of childrenOf(shard))
        await this.#readShard(child, { ...context, parent: name });
      return;
    }
    const parsed = parseRows(data[RECORDS] ?? "");
    if (!parsed.ok) throw this.#unusable(name, parsed.error);
    context.tree.putShard(shard, byName(parsed.value));
  }

  async #readObject(name: string): Promise<StoredObject | null> {
    const object = await this.#objects.read(name);
    const zone = object?.data[ZONE];
    if (object !== null && zone !== this.#options.zone)
      throw this.#unusable(name, `it belongs to the zone "${zone ?? ""}"`);
    return object;
  }

  /** The error for a missing object: `present` exists, and is only written after it. */
  #missing(name: string, present: string): OperationError {
    const other = titleIn(this.#options.store, present);
    return this.#unusable(name, `it is missing, and ${other} is there, which was written after it`);
  }

  #unusable(name: string, why: string): OperationError {
    const { store, zone } = this.#options;
    const all = ["registry", "intents"].map((part) => `${part}-${this.#options.id}`).join("…, …");
    return new OperationError({
      code: "RegistryUnusable",
      message: `${titleIn(store, name)} cannot be used: ${why}; nothing is written to the zone ${zone} until it can. Restore it, or delete all objects of the zone's registry (…${all}…) to begin anew without any rights`,
      retry: "backoff",
    });
  }

  get #intentsName(): string {
    return objectsOf(this.#options.id).intents;
  }

  #shardName(shard: number): string {
    return shardName(this.#options.id, shard);
  }
}

interface ShardContext {
  readonly tree: ShardTree;
  readonly found: Map<string, StoredObject>;
  /** Shards that this process knew and that are gone. */
  readonly lost: number[];
  /** An object that is only written after the shard; null = the shard may not exist yet. */
  readonly parent: string | null;
}

function shardName(id: string, shard: number): string {
  return `registry-${id}-${shard}`;
}

function namesOf(intents: ReadonlyMap<string, Intent>): readonly DnsName[] {
  return [...intents.values()].map(({ name }) => name);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function stale(): OperationError {
  return new OperationError({
    code: "RegistryStale",
    message: "the registry was changed by somebody else and is read anew first",
    retry: "backoff",
  });
}
