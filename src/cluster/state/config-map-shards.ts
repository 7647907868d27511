/**
 * Long texts cut into ConfigMaps (an object has 1 MiB at most: Kubernetes core/validation
 * `MaxSecretSize`).
 */
import { hexText } from "@zonekeeper/base/bytes";
import type { Crypto } from "@zonekeeper/base/ports/crypto";

/** One shard of a text that is too long for one object. */
export interface StateShard {
  /** Hash of its number and its content. */
  readonly hash: string;
  readonly value: string;
}

/** Where a shard is: the number of its ConfigMap, and what that has to hold. */
export interface ShardSlot {
  readonly slot: number;
  readonly hash: string;
}

/** UTF-16 units in one object: at most 900 kB as UTF-8, of which each takes up to 3 bytes. */
const UNITS_MAX = 300_000;
/** Shards of one text: about 38 MB, or 300 000 removals. */
export const SHARDS_MAX = 128;
/** Bytes of a hash. */
const HASH_BYTES = 8;

/**
 * The shards of a text in order; empty = the text fits into one object. Equal texts have equal
 * shards.
 */
export function cutIntoShards(text: string, crypto: Crypto): readonly StateShard[] {
  if (text.length <= UNITS_MAX) return [];
  const shards: StateShard[] = [];
  for (let at = 0; at < text.length; ) {
    const value = text.slice(at, endOf(text, at));
    const digest = crypto.hash("sha256", new TextEncoder().encode(`${shards.length} ${value}`));
    shards.push({ hash: hexText(digest.slice(0, HASH_BYTES)), value });
    at += value.length;
  }
  return shards;
}

/**
 * A slot for each shard: a shard that is stored keeps its own, another one never gets a slot that
 * is in use.
 */
export function assignSlots(
  shards: readonly StateShard[],
  stored: readonly ShardSlot[],
): readonly ShardSlot[] {
  const used = new Set(stored.map(({ slot }) => slot));
  let free = 0;
  return shards.map(({ hash }) => {
    const kept = stored.find((shardSlot) => shardSlot.hash === hash);
    if (kept !== undefined) return kept;
    while (used.has(free)) free += 1;
    used.add(free);
    return { slot: free, hash };
  });
}

/** Never between the two halves of a surrogate pair, which UTF-8 could not carry. */
function endOf(text: string, start: number): number {
  const end = start + UNITS_MAX;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
