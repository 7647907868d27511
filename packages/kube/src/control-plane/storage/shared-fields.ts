/**
 * Keeps one copy of equal managedFields entries, so that thousands of objects that one program
 * wrote in the same way do not hold thousands of equal trees. Bounded; what is dropped is only
 * shared no longer.
 */
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import { isObject } from "../json/json.ts";
import type { Meta } from "../objects/served-kind.ts";

/** Different values kept at most, each a few hundred bytes. */
export const SHARED_MAX = 4096;

/** One pool for each storage. */
export class SharedFields {
  readonly #values = new BoundedMap<string, unknown>(SHARED_MAX);
  /** Entries that are shared already. */
  readonly #known = new WeakSet<object>();

  /** The metadata with shared entries; the same metadata when it has none. */
  share(metadata: Meta): Meta {
    const entries = metadata["managedFields"];
    if (!Array.isArray(entries)) return metadata;
    return { ...metadata, managedFields: entries.map((each: unknown) => this.#entry(each)) };
  }

  /** Entries of one second are one object; others share at least their fields. */
  #entry(entry: unknown): unknown {
    if (!isObject(entry) || this.#known.has(entry)) return entry;
    const shared = this.#one({ ...entry, fieldsV1: this.#one(entry["fieldsV1"]) });
    if (isObject(shared)) this.#known.add(shared);
    return shared;
  }

  #one(value: unknown): unknown {
    const key = JSON.stringify(value) ?? "";
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    this.#values.set(key, value);
    return value;
  }
}
