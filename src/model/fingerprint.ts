/** A short, stable fingerprint of text. Not secret and not collision-proof against an attacker. */
import { byteAt } from "@zonekeeper/base/bytes";

/** The 64-bit FNV prime is 2^40 + this. */
const PRIME_LOW = 0x1b3;
const TWO_TO_32 = 0x1_0000_0000;

/** FNV-1a with 64 bits over the UTF-8 bytes, as 16 hexadecimal digits (draft-eastlake-fnv §5). */
export function fingerprint64(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  const bytes = isAscii(text) ? null : new TextEncoder().encode(text);
  const count = bytes === null ? text.length : bytes.length;
  for (let index = 0; index < count; index++) {
    const byte = bytes === null ? text.charCodeAt(index) : byteAt(bytes, index);
    const mixed = (low ^ byte) >>> 0;
    const product = mixed * PRIME_LOW;
    // Bits above 2^64 fall away; `mixed << 8` is the part of 2^40 that reaches the upper half.
    high = (high * PRIME_LOW + Math.floor(product / TWO_TO_32) + (mixed << 8)) >>> 0;
    low = product >>> 0;
  }
  return hex(high) + hex(low);
}

/** Its bytes are its characters then, and need not be made. */
function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}

function hex(half: number): string {
  return half.toString(16).padStart(8, "0");
}
