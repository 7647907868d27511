/**
 * Long texts cut into ConfigMaps (an object has 1 MiB at most: Kubernetes core/validation
 * `MaxSecretSize`).
 */
import type { Crypto } from "../../ports/crypto.ts";

/** One piece of a text that is too long for one object. */
export interface StatePart {
  /** Name of its ConfigMap: that of the whole, and a hash of the content. */
  readonly name: string;
  readonly value: string;
}

/** UTF-16 units in one object: at most 900 kB as UTF-8, of which each takes up to 3 bytes. */
const UNITS_MAX = 300_000;
/** Parts of one text: about 38 MB, or 300 000 removals. */
export const PARTS_MAX = 128;
/** Bytes of the hash in a name. */
const HASH_BYTES = 8;

/**
 * The parts of a text in order; empty = it fits into one object. The same text has the same parts,
 * always.
 */
export function partsOf(name: string, text: string, crypto: Crypto): readonly StatePart[] {
  if (text.length <= UNITS_MAX) return [];
  const parts: StatePart[] = [];
  for (let at = 0; at < text.length; ) {
    const value = text.slice(at, endOf(text, at));
    const digest = crypto.hash("sha256", new TextEncoder().encode(`${parts.length} ${value}`));
    parts.push({ name: `${name}-${hexOf(digest.slice(0, HASH_BYTES))}`, value });
    at += value.length;
  }
  return parts;
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
