/**
 * Small state in ConfigMaps next to a Lease (Z-16). Each key has its own ConfigMap, so that zones
 * never wait for each other; a long text is cut into shards. Every write compares the
 * resourceVersion that was read: a former leader cannot undo a write of the present one. State that
 * cannot be read or parsed is an error, never empty state.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import { recordOf, textOf } from "@zonekeeper/kube/client/requests/json-value";
import { CONFIG_MAP } from "@zonekeeper/kube/objects/kinds";
import { apiVersionOf, type KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import type { StateStore } from "../../ports/state-store.ts";
import { cutIntoShards, hexOf, SHARDS_MAX, type StateShard } from "./config-map-shards.ts";

/** The context of the state. */
export interface ConfigMapStateOptions {
  /** Of the cluster where the Lease lives. */
  readonly writer: Pick<ClusterWriter, "read" | "create" | "update" | "remove">;
  readonly namespace: string;
  /** Names begin with it; a shortened hash of the key follows. */
  readonly prefix: string;
  readonly crypto: Crypto;
}

/** The head of a key: its ConfigMap as last read or written. */
interface Head {
  readonly object: KubeObject;
  /** Names of all shards that may exist: the next write removes those it does not use. */
  readonly shards: readonly string[];
}

/** Bytes of the hash in a name: 2^48 for a few thousand zones. */
const HASH_BYTES = 6;

/**
 * State by key. For one writer at a time; a second one gets `Conflict`. A long text is written in
 * this order: the head lists the new shards under `next`; the shards; the head lists them under
 * `parts`, and the old ones under `next`; then the old shards are removed. The name of a shard has
 * the hash of its content, so that no writer can change a shard that another head uses. If the
 * process dies in between, the old text stays valid and the next write finds every unused shard.
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
    const found = await this.#object(this.nameOf(key));
    if (found === null) return null;
    const data = recordOf(found["data"]);
    const shards = namesIn(data["parts"]);
    const next = namesIn(data["next"]);
    const value = shards.length === 0 ? textOf(data["value"]) : await this.#joined(shards);
    // No value but announced shards: the writer died during the very first write.
    const isState = value !== null || next.length > 0;
    if (!isState || textOf(data["key"]) !== key)
      throw this.#error(found.metadata.name, `does not hold the state of ${key}`);
    this.#known.set(key, { object: found, shards: [...shards, ...next] });
    return value;
  }

  async write(key: string, value: string): Promise<void> {
    const name = this.nameOf(key);
    const shards = cutIntoShards(name, value, this.#options.crypto);
    if (shards.length > SHARDS_MAX)
      throw this.#error(name, `would need ${shards.length} shards; ${SHARDS_MAX} are allowed`);
    const known = this.#known.get(key);
    // If a call below fails, the stored objects are unknown: the next write must read first.
    this.#known.delete(key);
    const names = shards.map((shard) => shard.name);
    const base = names.length === 0 ? known : await this.#writeShards(key, shards, known);
    const unused = [...new Set(base?.shards.filter((shard) => !names.includes(shard)))];
    const text = names.length === 0 ? { value } : { parts: names.join(" ") };
    const next = unused.length === 0 ? {} : { next: unused.join(" ") };
    const object = await this.#put(name, base?.object, { key, ...text, ...next });
    this.#known.set(key, { object, shards: [...names, ...unused] });
    for (const shard of unused) await this.#remove(shard);
    this.#known.set(key, { object, shards: names });
  }

  /** The ConfigMap of a key. */
  nameOf(key: string): string {
    const { crypto, prefix } = this.#options;
    const digest = crypto.hash("sha256", new TextEncoder().encode(key));
    return `${prefix}-${hexOf(digest.slice(0, HASH_BYTES))}`;
  }

  /** Lists the new shards in the head under `next`, then writes the missing ones. */
  async #writeShards(
    key: string,
    shards: readonly StateShard[],
    known: Head | undefined,
  ): Promise<Head> {
    const names = shards.map(({ name }) => name);
    const before = known === undefined ? { key } : recordOf(known.object["data"]);
    const all = [...new Set([...(known?.shards ?? []), ...names])];
    const next = all.join(" ");
    const object = await this.#put(this.nameOf(key), known?.object, { ...before, next });
    for (const shard of shards) await this.#writeShard(shard);
    return { object, shards: all };
  }

  /** Writes a shard, unless it exists with this content. */
  async #writeShard({ name, value }: StateShard): Promise<void> {
    const found = await this.#object(name);
    if (found !== null && recordOf(found["data"])["value"] === value) return;
    await this.#put(name, found ?? undefined, { value });
  }

  async #joined(names: readonly string[]): Promise<string> {
    const { crypto } = this.#options;
    let value = "";
    for (const name of names) {
      const shard = textOf(recordOf((await this.#object(name))?.["data"])["value"]);
      if (shard === null) throw this.#error(name, "is a shard of the state and is missing");
      value += shard;
    }
    const [first] = names;
    const owner = first?.slice(0, first.lastIndexOf("-")) ?? "";
    if (cutIntoShards(owner, value, crypto).some(({ name }, at) => name !== names[at]))
      throw this.#error(owner, "has shards with changed content");
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

  /** Ignores a failure: the state itself is written, and an unused shard does no harm. */
  async #remove(name: string): Promise<void> {
    const { writer, namespace } = this.#options;
    try {
      await writer.remove({ kind: CONFIG_MAP, namespace, name });
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
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

function namesIn(value: unknown): readonly string[] {
  return (textOf(value) ?? "").split(" ").filter((name) => name !== "");
}
