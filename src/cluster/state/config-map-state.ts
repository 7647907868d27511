/**
 * Small state in ConfigMaps next to a Lease (Z-16). Each key has its own ConfigMap, so that zones
 * never wait for each other; a long text is cut into shards. Every write compares the
 * resourceVersion that was read: a former leader cannot undo a write of the present one. State that
 * cannot be read or parsed is an error, never empty state.
 */
import { hexText } from "@zonekeeper/base/bytes";
import { OperationError } from "@zonekeeper/base/operation-error";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import { CONFIG_MAP } from "@zonekeeper/kube/objects/kinds";
import { apiVersionOf, type KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import type { StateStore } from "../../ports/stores.ts";
import {
  assignSlots,
  cutIntoShards,
  SHARDS_MAX,
  type ShardSlot,
  type StateShard,
} from "./config-map-shards.ts";

/** The context of the state. */
export interface ConfigMapStateOptions {
  /** Writes to the cluster where the Lease lives. */
  readonly writer: Pick<ClusterWriter, "read" | "create" | "update">;
  readonly namespace: string;
  /** Names begin with it; a shortened hash of the key follows. */
  readonly prefix: string;
  readonly crypto: Crypto;
}

/** The head of a key: its ConfigMap as last read or written. */
interface Head {
  readonly object: KubeObject;
  /** The shards of its text, in order. */
  readonly assigned: readonly ShardSlot[];
  /** Slots that may hold text: the next write empties those it does not use. */
  readonly slots: readonly number[];
}

/** ConfigMaps of slots, as read before the head is written; null = there is none. */
type Slots = ReadonlyMap<number, KubeObject | null>;

/** The shards of a text that is to be written. */
interface NewShards {
  readonly shards: readonly StateShard[];
  /** A slot for each shard, in order. */
  readonly assigned: readonly ShardSlot[];
  /** Slots of `assigned` that the head lists already. */
  readonly kept: ReadonlySet<ShardSlot>;
  readonly slots: Slots;
}

/** Bytes of the hash in a name: 2^48 for a few thousand zones. */
const HASH_BYTES = 6;

/**
 * State by key. For one writer at a time; a second one gets `Conflict`. Nothing is ever deleted, so
 * that no right to delete is needed: the shards of a long text are in ConfigMaps with a number
 * (slots), which are emptied and used again. A long text is written in this order: the head lists
 * the slots under `next`; the shards; the head lists them with their hashes under `parts`, and
 * those it had under `next`, which are emptied then. If the process dies in between, the former
 * text stays valid and the next write empties what is not used.
 *
 * A slot is read before the head is written, and is only changed as it was then: once a second
 * writer has used it, a former one cannot.
 */
export class ConfigMapState implements StateStore {
  readonly #options: ConfigMapStateOptions;
  /** By key; bounded by the zones. */
  readonly #known = new Map<string, Head>();

  constructor(options: ConfigMapStateOptions) {
    this.#options = options;
  }

  async read(key: string): Promise<string | null> {
    this.#known.delete(key);
    const name = this.nameOf(key);
    const found = await this.#object(name);
    if (found === null) return null;
    const data = fieldsOf(found["data"]);
    const assigned = slotsIn(data["parts"]);
    const next = tokensIn(data["next"]).map(Number);
    const isState = assigned !== null && data["key"] === key;
    const whole = typeof data["value"] === "string" ? data["value"] : null;
    const value = isState && assigned.length > 0 ? await this.#joined(name, assigned) : whole;
    // No value but announced slots: the writer died during the very first write.
    if (!isState || (value === null && next.length === 0))
      throw this.#error(name, `does not hold the state of ${key}`);
    const slots = [...assigned.map(({ slot }) => slot), ...next];
    this.#known.set(key, { object: found, assigned, slots });
    return value;
  }

  async write(key: string, value: string): Promise<void> {
    const name = this.nameOf(key);
    const shards = cutIntoShards(value, this.#options.crypto);
    if (shards.length > SHARDS_MAX)
      throw this.#error(name, `would need ${shards.length} shards; ${SHARDS_MAX} are allowed`);
    const known = this.#known.get(key);
    // If a call below fails, the stored objects are unknown: the next write must read first.
    this.#known.delete(key);
    const assigned = assignSlots(shards, known?.assigned ?? []);
    const used = assigned.map(({ slot }) => slot);
    const unused = [...new Set(known?.slots)].filter((slot) => !used.includes(slot));
    const slots = await this.#readSlots(name, [...used, ...unused]);
    let object = known?.object;
    if (shards.length > 0) {
      const before = object === undefined ? { key } : fieldsOf(object["data"]);
      object = await this.#put(name, object, { ...before, next: [...slots.keys()].join(" ") });
      const kept = new Set(known?.assigned);
      await this.#writeShards(object, { shards, assigned, kept, slots });
    }
    const text = shards.length === 0 ? { value } : { parts: assigned.map(slotText).join(" ") };
    const next = unused.length === 0 ? {} : { next: unused.join(" ") };
    object = await this.#put(name, object, { key, ...text, ...next });
    const isEmpty = await this.#empty(unused.map((slot) => slots.get(slot)));
    this.#known.set(key, { object, assigned, slots: isEmpty ? used : [...used, ...unused] });
  }

  /** The ConfigMap of a key. */
  nameOf(key: string): string {
    const { crypto, prefix } = this.#options;
    const digest = crypto.hash("sha256", new TextEncoder().encode(key));
    return `${prefix}-${hexText(digest.slice(0, HASH_BYTES))}`;
  }

  async #readSlots(name: string, numbers: readonly number[]): Promise<Slots> {
    const slots = new Map<number, KubeObject | null>();
    for (const slot of numbers) slots.set(slot, await this.#object(slotName(name, slot)));
    return slots;
  }

  /** A shard that is in its slot already is not written. */
  async #writeShards(
    head: KubeObject,
    { shards, assigned, kept, slots }: NewShards,
  ): Promise<void> {
    const { name, resourceVersion } = head.metadata;
    for (const [at, shardSlot] of assigned.entries()) {
      const value = shards[at]?.value ?? "";
      const found = slots.get(shardSlot.slot) ?? undefined;
      if (kept.has(shardSlot) && fieldsOf(found?.["data"])["value"] === value) continue;
      // `head` is of this write alone: without it, writing what is there would keep its version.
      const data = { value, head: resourceVersion ?? "" };
      await this.#put(slotName(name, shardSlot.slot), found, data);
    }
  }

  async #joined(name: string, assigned: readonly ShardSlot[]): Promise<string> {
    let value = "";
    for (const { slot } of assigned) {
      const shard = slotName(name, slot);
      const text = textOf(fieldsOf((await this.#object(shard))?.["data"])["value"]);
      if (text === null) throw this.#error(shard, "is a shard of the state and is missing");
      value += text;
    }
    const shards = cutIntoShards(value, this.#options.crypto);
    if (assigned.some(({ hash }, at) => shards[at]?.hash !== hash))
      throw this.#error(name, "has shards with changed content");
    return value;
  }

  async #object(name: string): Promise<KubeObject | null> {
    const { writer, namespace } = this.#options;
    return writer.read({ kind: CONFIG_MAP, namespace, name });
  }

  async #put(
    name: string,
    known: KubeObject | undefined,
    data: Readonly<Record<string, unknown>>,
  ): Promise<KubeObject> {
    const { writer, namespace } = this.#options;
    const metadata = known?.metadata ?? { name, namespace, labels: LABELS };
    const next = { apiVersion: apiVersionOf(CONFIG_MAP), kind: CONFIG_MAP.kind, metadata, data };
    return known === undefined ? writer.create(CONFIG_MAP, next) : writer.update(CONFIG_MAP, next);
  }

  /**
   * Empties unused slots; false = some may hold text still. A failure is ignored: the state itself
   * is written, and an unused shard does no harm.
   */
  async #empty(slots: readonly (KubeObject | null | undefined)[]): Promise<boolean> {
    try {
      for (const slot of slots) if (slot) await this.#put(slot.metadata.name, slot, { value: "" });
      return true;
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      return false;
    }
  }

  #error(name: string, what: string): OperationError {
    return new OperationError({
      code: "StateUnusable",
      message: `the ConfigMap ${this.#options.namespace}/${name} ${what}; check it, or delete it to start with empty state`,
      retry: "backoff",
    });
  }
}

const LABELS = { "app.kubernetes.io/managed-by": "zonekeeper" } as const;

function slotName(name: string, slot: number): string {
  return `${name}-${slot}`;
}

function slotText({ slot, hash }: ShardSlot): string {
  return `${slot}:${hash}`;
}

/** Empty = the text is in the head itself; null = not as this version writes it. */
function slotsIn(value: unknown): readonly ShardSlot[] | null {
  const assigned = tokensIn(value).map((token): ShardSlot | null => {
    const [, slot, hash] = SHARD_SLOT.exec(token) ?? [];
    return slot === undefined || hash === undefined ? null : { slot: Number(slot), hash };
  });
  return assigned.every((shardSlot) => shardSlot !== null) ? assigned : null;
}

/** As the head lists it: `slot:hash`. */
const SHARD_SLOT = /^(\d{1,3}):([0-9a-f]+)$/;

function tokensIn(value: unknown): readonly string[] {
  return (textOf(value) ?? "").split(" ").filter((token) => token !== "");
}
