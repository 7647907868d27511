/**
 * Rows of one zone in shards: small objects instead of one that outgrows its 1 MiB (ADR 0013).
 * Shards are numbered as the nodes of a binary heap: 1 is the root, and one that got too big passes
 * its rows on to 2n and 2n+1 by the next bit of each name's hash. In memory only.
 */
import { invariant } from "@zonekeeper/base/invariant";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { fingerprint64 } from "../../model/fingerprint.ts";
import { formatRows, type Row } from "./row.ts";

/** Number of the first shard. */
export const ROOT = 1;
/** Splits from the root to a leaf: 1024 leaves. A leaf there is not split any more. */
const DEPTH_MAX = 10;
/** Hexadecimal digits of a name's hash that choose its leaf. */
const HASH_DIGITS = 3;

type Rows = ReadonlyMap<DnsName, readonly Row[]>;

/** A mutable tree. Every name belongs to exactly one leaf. */
export class ShardTree {
  /** Null = the shard was split. */
  readonly #shards = new Map<number, Map<DnsName, readonly Row[]> | null>([[ROOT, new Map()]]);

  /** Rows of a name; empty = none. */
  at(name: DnsName): readonly Row[] {
    return this.#shards.get(this.leafOf(name))?.get(name) ?? [];
  }

  /** Replaces a name's rows, none to forget it; answers the leaf that they are in. */
  put(name: DnsName, rows: readonly Row[]): number {
    const leaf = this.leafOf(name);
    const shard = this.#shards.get(leaf);
    if (rows.length === 0) shard?.delete(name);
    else shard?.set(name, rows);
    return leaf;
  }

  /** Puts a shard as it was read; null = it was split. Parents go before their children. */
  putShard(shard: number, rows: Rows | null): void {
    this.#shards.set(shard, rows === null ? null : new Map(rows));
  }

  /** All names, in no special order. */
  *names(): Iterable<DnsName> {
    for (const rows of this.#shards.values()) yield* rows?.keys() ?? [];
  }

  /** True when any row has an owner. */
  get hasClaims(): boolean {
    const shards = [...this.#shards.values()];
    return shards.some((rows) => [...(rows?.values() ?? [])].flat().some((row) => row.claim));
  }

  /** The text of a shard's rows; null when it was split or does not exist. */
  textOf(shard: number): string | null {
    const rows = this.#shards.get(shard);
    return rows == null ? null : formatRows([...rows.values()].flat());
  }

  /** True when the shard may be split. */
  isDivisible(shard: number): boolean {
    const depth = Math.floor(Math.log2(shard));
    return depth < DEPTH_MAX && (this.#shards.get(shard)?.size ?? 0) > 1;
  }

  /** Splits a leaf; answers the two that have its rows now. */
  split(shard: number): readonly [number, number] {
    const rows = this.#shards.get(shard);
    invariant(rows, "only a leaf is split");
    const children = childrenOf(shard);
    this.#shards.set(shard, null);
    for (const child of children) this.#shards.set(child, new Map());
    for (const [name, some] of rows) this.put(name, some);
    return children;
  }

  /** The leaf that a name belongs to. */
  leafOf(name: DnsName): number {
    let bits = Number.parseInt(fingerprint64(name).slice(-HASH_DIGITS), 16);
    let shard = ROOT;
    while (this.#shards.get(shard) === null) {
      shard = 2 * shard + (bits % 2);
      bits = Math.floor(bits / 2);
    }
    return shard;
  }
}

/** The two shards that a split one passes its rows on to. */
export function childrenOf(shard: number): readonly [number, number] {
  return [2 * shard, 2 * shard + 1];
}
