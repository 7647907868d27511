/**
 * An immutable map from text to values, made for zones: a changed copy shares all but the touched
 * buckets with its original, so that a version is cheap to keep while a transfer reads it. Knows
 * nothing of DNS.
 */

/** Buckets of every map: a copy costs this many references, a change one bucket. */
const BUCKETS = 1024;

type Bucket<K, V> = ReadonlyMap<K, V>;

/**
 * An immutable map. Order of iteration is fixed for equal contents made by equal histories, else
 * unspecified.
 */
export class BucketMap<K extends string, V> {
  readonly #buckets: readonly (Bucket<K, V> | undefined)[];
  /** Number of keys. */
  readonly size: number;

  private constructor(buckets: readonly (Bucket<K, V> | undefined)[], size: number) {
    this.#buckets = buckets;
    this.size = size;
  }

  /** The map without keys. */
  static empty<K extends string, V>(): BucketMap<K, V> {
    return new BucketMap<K, V>(new Array<Bucket<K, V> | undefined>(BUCKETS).fill(undefined), 0);
  }

  /** The value, or undefined when the key is not there. */
  get(key: K): V | undefined {
    return this.#buckets[bucketOf(key)]?.get(key);
  }

  /** All pairs. */
  *entries(): Generator<readonly [key: K, value: V]> {
    for (const bucket of this.#buckets) if (bucket !== undefined) yield* bucket;
  }

  /** A copy with these changes; `undefined` removes. The original stays as it is. */
  with(changes: ReadonlyMap<K, V | undefined>): BucketMap<K, V> {
    const buckets = [...this.#buckets];
    const copied = new Map<number, Map<K, V>>();
    let size = this.size;
    for (const [key, value] of changes) {
      const index = bucketOf(key);
      const bucket = copied.get(index) ?? new Map(buckets[index]);
      copied.set(index, bucket);
      const before = bucket.size;
      if (value === undefined) bucket.delete(key);
      else bucket.set(key, value);
      size += bucket.size - before;
    }
    for (const [index, bucket] of copied) buckets[index] = bucket.size === 0 ? undefined : bucket;
    return new BucketMap(buckets, size);
  }
}

/** FNV-1a over code units; spreads, does not protect: a flooded bucket is slow, never wrong. */
function bucketOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++)
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 15)) & (BUCKETS - 1);
}
