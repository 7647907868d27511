/**
 * Objects (ConfigMaps) of the registry's store as this process last saw them. Each write compares
 * the object with that, so that of two writers one notices the other; a lost answer is followed by
 * a read. Knows nothing of the rows in objects.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { RegistryStore, StoredObject } from "../../ports/stores.ts";

type Data = StoredObject["data"];

/**
 * An object as it was last seen; version null = it is gone from the store, and is written again.
 */
interface KnownObject {
  readonly data: Data;
  readonly version: string | null;
}

/** Codes after which the object is read again. */
const UNCERTAIN: ReadonlySet<string> = new Set([
  "Conflict",
  "AlreadyExists",
  "NotFound",
  "UnknownOutcome",
]);

/** Reads and writes objects; one call at a time. */
export class KnownObjects {
  readonly #store: RegistryStore;
  readonly #kept = new Map<string, KnownObject>();
  #isStale = false;

  constructor(store: RegistryStore) {
    this.#store = store;
  }

  /** True once somebody else was seen to write here: everything must be read anew. */
  get isStale(): boolean {
    return this.#isStale;
  }

  /**
   * Everything was read anew: `found` is what exists. `lost` are objects that this process knew and
   * somebody removed: their data stays known until it is written again.
   */
  replace(found: ReadonlyMap<string, StoredObject>, lost: readonly string[] = []): void {
    const gone = lost.flatMap((name): readonly [string, KnownObject][] => {
      const data = this.dataOf(name);
      return data === null ? [] : [[name, { data, version: null }]];
    });
    this.#kept.clear();
    for (const [name, object] of [...found, ...gone]) this.#kept.set(name, object);
    this.#isStale = false;
  }

  /** What this process read or wrote last; null = nothing. */
  dataOf(name: string): Data | null {
    return this.#kept.get(name)?.data ?? null;
  }

  /** Reads past everything that is known. Null = there is none. Throws OperationError. */
  read(name: string): Promise<StoredObject | null> {
    return this.#store.read(name);
  }

  /**
   * Writes unless the object has these data already. `mayStand`: an object that this process does
   * not know may exist and is overwritten. Throws OperationError; `RegistryChanged` when somebody
   * else wrote it.
   */
  async write(name: string, data: Data, { mayStand = false } = {}): Promise<void> {
    const kept = this.#kept.get(name) ?? null;
    if (kept !== null && kept.version !== null && isEqual(kept.data, data)) return;
    const version = await this.#writeOnce(name, data, kept);
    if (version !== null) {
      this.#kept.set(name, { data, version });
      return;
    }
    this.#kept.set(name, await this.#compareAndWrite(name, data, { kept, mayStand }));
  }

  /** Reads the object after a lost answer or a conflict; writes it if nobody else has. */
  async #compareAndWrite(
    name: string,
    data: Data,
    { kept, mayStand }: { readonly kept: KnownObject | null; readonly mayStand: boolean },
  ): Promise<StoredObject> {
    const found = await this.#store.read(name);
    if (found !== null && isEqual(found.data, data)) return found;
    const isLeftOver = mayStand && kept === null;
    // Nobody changed the content; one that was removed counts as such, to be written again.
    const isAsKept = found === null || (kept !== null && isEqual(found.data, kept.data));
    if (!isLeftOver && !isAsKept) throw this.#changed(name);
    return { data, version: await this.#store.write(name, data, found?.version ?? null) };
  }

  /** Null = the object must be read. */
  async #writeOnce(name: string, data: Data, kept: KnownObject | null): Promise<string | null> {
    try {
      return await this.#store.write(name, data, kept?.version ?? null);
    } catch (error) {
      if (error instanceof OperationError && UNCERTAIN.has(error.code)) return null;
      throw error;
    }
  }

  #changed(name: string): OperationError {
    this.#isStale = true;
    return new OperationError({
      code: "RegistryChanged",
      message: `somebody else changed ${name} of the registry; it is read anew before anything is written. If that happens again, look for a second instance with this owner id`,
      retry: "backoff",
    });
  }
}

/** True for equal texts under equal keys. */
export function isEqual(a: Data, b: Data): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
