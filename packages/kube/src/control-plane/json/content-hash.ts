/** A short hash of text for ETags. Not for anything that an attacker may want to forge. */

/** 64 bits as 16 hex digits: FNV-1a twice, with different offsets. */
export function contentHash(text: string): string {
  return hex(fnv(text, 0x811c9dc5)) + hex(fnv(text, 0x01000193));
}

function fnv(text: string, offset: number): number {
  let hash = offset;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

const hex = (value: number): string => value.toString(16).padStart(8, "0");
