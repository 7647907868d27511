/** A short, stable fingerprint of text. Not secret and not collision-proof against an attacker. */

const FNV_PRIME = 0x100000001b3n;
const FNV_OFFSET = 0xcbf29ce484222325n;

/** FNV-1a with 64 bits over the UTF-8 bytes, as 16 hexadecimal digits (draft-eastlake-fnv §5). */
export function fingerprint64(text: string): string {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  return hash.toString(16).padStart(16, "0");
}
