/**
 * Long texts cut into ConfigMaps (an object has 1 MiB at most: Kubernetes core/validation
 * `MaxSecretSize`).
 */
import type { Crypto } from "@zonekeeper/base/ports/crypto";

/** One shard of a text that is too long for one object. */
export interface StateShard {
  /** Name of its ConfigMap: the name of the head and a hash of the content. */
  readonly name: string;
  readonly value: string;
}

/** UTF-16 units in one object: at most 900 kB as UTF-8, of which each takes up to 3 bytes. */
const UNITS_MAX = 300_000;
/** Shards of one text: about 38 MB, or 300 000 removals. */
export const SHARDS_MAX = 128;
/** Bytes of the hash in a name. */
const HASH_BYTES = 8;

/**
 * The shards of a text in order; empty = the text fits into one object. Equal texts have equal
 * shards.
 */
export function cutIntoShards(name: string, text: string, crypto: Crypto): readonly StateShard[] {
  if (text.length <= UNITS_MAX) return [];
  const shards: StateShard[] = [];
  for (let at = 0; at < text.length; ) {
    const value = text.slice(at, endOf(text, at));
    const digest = crypto.hash("sha256", new TextEncoder().encode(`${shards.length} ${value}`));
    shards.push({ name: `${name}-${hexOf(digest.slice(0, HASH_BYTES))}`, value });
    at += value.length;
  }
  return shards;
}

/** Bytes as lower-case hexadecimal digits. */
export function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Never between the two halves of a surrogate pair, which UTF-8 could not carry. */
function endOf(text: string, start: number): number {
  const end = start + UNITS_MAX;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
