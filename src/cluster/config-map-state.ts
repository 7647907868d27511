/**
 * Small state in ConfigMaps beside a Lease (SAFETY Z-16), one for each key, so that zones never wait for each other and
 * none outgrows an object. Every write compares the resourceVersion that was read: a leader of yesterday cannot undo
 * what the one of today wrote down. An object that cannot be read or understood is an error, never "nothing".
 */
import { CONFIG_MAP } from "../model/kinds.ts";
import { apiVersionOf, type KubeObject } from "../model/kubernetes.ts";
import { OperationError } from "../model/operation-error.ts";
import type { ClusterWriter } from "../ports/cluster-writer.ts";
import type { Crypto } from "../ports/crypto.ts";
import type { StateStore } from "../ports/state-store.ts";
import { recordOf, textOf } from "./json-value.ts";

/** What the state is kept with. */
export interface ConfigMapStateOptions {
  /** Of the cluster where the Lease lives. */
  readonly writer: Pick<ClusterWriter, "read" | "create" | "update">;
  readonly namespace: string;
  /** Names begin with it; a part of a hash of the key follows. */
  readonly prefix: string;
  readonly crypto: Crypto;
}

/** Bytes of one value; an object has 1 MiB at most (Kubernetes core/validation `MaxSecretSize`). */
const VALUE_BYTES_MAX = 900_000;
/** Bytes of the hash in a name: 2^48 for a few thousand zones. */
const HASH_BYTES = 6;

/** State by key. For one writer at a time; a second one gets `Conflict`. */
export class ConfigMapState implements StateStore {
  readonly #options: ConfigMapStateOptions;
  /** Objects as last read or written, by key; bounded by the zones. */
  readonly #known = new Map<string, KubeObject>();

  constructor(options: ConfigMapStateOptions) {
    this.#options = options;
  }

  async read(key: string): Promise<string | null> {
    const { writer, namespace } = this.#options;
    this.#known.delete(key);
    const found = await writer.read({ kind: CONFIG_MAP, namespace, name: this.nameOf(key) });
    if (found === null) return null;
    const value = this.#valueOf(found, key);
    this.#known.set(key, found);
    return value;
  }

  async write(key: string, value: string): Promise<void> {
    const { writer, namespace } = this.#options;
    const name = this.nameOf(key);
    const bytes = new TextEncoder().encode(value).length;
    if (bytes > VALUE_BYTES_MAX)
      throw stateError(`${namespace}/${name} would have ${bytes} bytes of ${VALUE_BYTES_MAX}`);
    const known = this.#known.get(key);
    const metadata = known?.metadata ?? { name, namespace, labels: LABELS };
    const next = { ...object(metadata), data: { key, value } };
    // Whatever becomes of the call, what was known before it does not count any more.
    this.#known.delete(key);
    const written =
      known === undefined
        ? await writer.create(CONFIG_MAP, next)
        : await writer.update(CONFIG_MAP, next);
    this.#known.set(key, written);
  }

  /** The ConfigMap of a key. */
  nameOf(key: string): string {
    const { crypto, prefix } = this.#options;
    const digest = crypto.hash("sha256", new TextEncoder().encode(key));
    const hex = [...digest.slice(0, HASH_BYTES)].map((byte) => byte.toString(16).padStart(2, "0"));
    return `${prefix}-${hex.join("")}`;
  }

  #valueOf(found: KubeObject, key: string): string {
    const data = recordOf(found["data"]);
    const value = textOf(data["value"]);
    if (value !== null && textOf(data["key"]) === key) return value;
    const { namespace, name } = found.metadata;
    throw stateError(`${namespace}/${name} holds something else than the state of ${key}`);
  }
}

const LABELS = { "app.kubernetes.io/managed-by": "zonekeeper" } as const;

function object(metadata: KubeObject["metadata"]): KubeObject {
  return { apiVersion: apiVersionOf(CONFIG_MAP), kind: CONFIG_MAP.kind, metadata };
}

function stateError(what: string): OperationError {
  return new OperationError({
    code: "StateUnusable",
    message: `the ConfigMap ${what}; look at it, and delete it to begin anew`,
    retry: "backoff",
  });
}
