/**
 * Small state in ConfigMaps beside a Lease (Z-16), one for each key, so that zones never
 * wait for each other; a long text lies in parts beside it. Every write compares the
 * resourceVersion that was read: a leader of yesterday cannot undo what the one of today wrote
 * down. What cannot be read or understood is an error, never "nothing".
 */
import { CONFIG_MAP } from "../../model/kinds.ts";
import { apiVersionOf, type KubeObject } from "../../model/kubernetes.ts";
import { OperationError } from "../../model/operation-error.ts";
import type { ClusterWriter } from "../../ports/cluster-writer.ts";
import type { Crypto } from "../../ports/crypto.ts";
import type { StateStore } from "../../ports/state-store.ts";
import { recordOf, textOf } from "../requests/json-value.ts";
import { hexOf, PARTS_MAX, partsOf, type StatePart } from "./config-map-shards.ts";

/** What the state is kept with. */
export interface ConfigMapStateOptions {
  /** Of the cluster where the Lease lives. */
  readonly writer: Pick<ClusterWriter, "read" | "create" | "update" | "remove">;
  readonly namespace: string;
  /** Names begin with it; a part of a hash of the key follows. */
  readonly prefix: string;
  readonly crypto: Crypto;
}

/** The object of a key as last read or written, and the parts that may exist beside it. */
interface Head {
  readonly object: KubeObject;
  /**
   * Parts that it is made of, or was about to be made of: those that the next write may have to
   * remove.
   */
  readonly parts: readonly string[];
}

/** Bytes of the hash in a name: 2^48 for a few thousand zones. */
const HASH_BYTES = 6;

/**
 * State by key. For one writer at a time; a second one gets `Conflict`. A long text is written in
 * this order: the head names the parts that will come, the parts, the head that is made of them and
 * names those to remove; then these go. Parts are named by what is in them, so that no writer can
 * change one that another's head is made of, and a process that dies in between leaves the old text
 * valid and nothing that the next write would not find.
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
    const parts = namesIn(data["parts"]);
    const next = namesIn(data["next"]);
    const value = parts.length === 0 ? textOf(data["value"]) : await this.#joined(parts);
    // Without a value and with parts to come: the very first text was never completed.
    const isState = value !== null || next.length > 0;
    if (!isState || textOf(data["key"]) !== key)
      throw this.#error(found.metadata.name, `holds something else than the state of ${key}`);
    this.#known.set(key, { object: found, parts: [...parts, ...next] });
    return value;
  }

  async write(key: string, value: string): Promise<void> {
    const name = this.nameOf(key);
    const parts = partsOf(name, value, this.#options.crypto);
    if (parts.length > PARTS_MAX)
      throw this.#error(name, `would need ${parts.length} parts of ${PARTS_MAX} at most`);
    const known = this.#known.get(key);
    // Whatever becomes of the calls, what was known before them does not count any more.
    this.#known.delete(key);
    const names = parts.map((part) => part.name);
    const base = names.length === 0 ? known : await this.#writeParts(key, parts, known);
    const litter = [...new Set(base?.parts.filter((part) => !names.includes(part)))];
    const text = names.length === 0 ? { value } : { parts: names.join(" ") };
    const next = litter.length === 0 ? {} : { next: litter.join(" ") };
    const object = await this.#put(name, base?.object, { key, ...text, ...next });
    this.#known.set(key, { object, parts: [...names, ...litter] });
    for (const part of litter) await this.#remove(part);
    this.#known.set(key, { object, parts: names });
  }

  /** The ConfigMap of a key. */
  nameOf(key: string): string {
    const { crypto, prefix } = this.#options;
    const digest = crypto.hash("sha256", new TextEncoder().encode(key));
    return `${prefix}-${hexOf(digest.slice(0, HASH_BYTES))}`;
  }

  /**
   * Says in the head which parts will come, unless it does, and writes those that are not there.
   */
  async #writeParts(
    key: string,
    parts: readonly StatePart[],
    known: Head | undefined,
  ): Promise<Head> {
    const names = parts.map(({ name }) => name);
    const before = known === undefined ? { key } : recordOf(known.object["data"]);
    const all = [...new Set([...(known?.parts ?? []), ...names])];
    const next = all.join(" ");
    const object = await this.#put(this.nameOf(key), known?.object, { ...before, next });
    for (const part of parts) await this.#writePart(part);
    return { object, parts: all };
  }

  /** What is there under the name of a part has its content already, unless somebody changed it. */
  async #writePart({ name, value }: StatePart): Promise<void> {
    const found = await this.#object(name);
    if (found !== null && recordOf(found["data"])["value"] === value) return;
    await this.#put(name, found ?? undefined, { value });
  }

  async #joined(names: readonly string[]): Promise<string> {
    const { crypto } = this.#options;
    let value = "";
    for (const name of names) {
      const part = textOf(recordOf((await this.#object(name))?.["data"])["value"]);
      if (part === null) throw this.#error(name, "is a part of the state and not there");
      value += part;
    }
    const [first] = names;
    const owner = first?.slice(0, first.lastIndexOf("-")) ?? "";
    if (partsOf(owner, value, crypto).some(({ name }, at) => name !== names[at]))
      throw this.#error(owner, "has parts whose content was changed");
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

  /** A part that cannot be removed is only litter: the state itself is written. */
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
      message: `the ConfigMap ${this.#options.namespace}/${name} ${what}; look at it, and delete it to begin anew`,
      retry: "backoff",
    });
  }
}

const LABELS = { "app.kubernetes.io/managed-by": "zonekeeper" } as const;

function namesIn(value: unknown): readonly string[] {
  return (textOf(value) ?? "").split(" ").filter((name) => name !== "");
}
