/**
 * Bytes, joined and as the texts that carry them: hexadecimal digits and base64 (RFC 4648). Pure.
 */

/** The number at `index`; 0 beyond the end. */
export function byteAt(bytes: ArrayLike<number>, index: number): number {
  return bytes[index] ?? 0;
}

/** Lower-case hexadecimal digits, two a byte. */
export function hexText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Base64 with its padding (RFC 4648 §4) of bytes, or of a text as UTF-8. */
export function base64Text(data: Uint8Array | string): string {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The bytes of base64. Throws when the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** The bytes of all pieces, one after the other. */
export function joinedBytes(pieces: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}
