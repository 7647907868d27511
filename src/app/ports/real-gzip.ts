/**
 * The Gzip port over node:zlib, with the framing of Go's writer where bytes must be those that Go
 * makes.
 */
import { constants, crc32, deflateRawSync, gunzipSync } from "node:zlib";
import type { Gzip } from "../../ports/gzip.ts";

/**
 * RFC 1952 §2.3: deflate, no flags, no time, XFL 2 (best compression), OS 255 (unknown), as Go
 * writes it.
 */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 0xff);
/** An empty final stored block, RFC 1951 §3.2.4: what Go's Close adds after its Flush. */
const LAST_BLOCK = Uint8Array.of(1, 0, 0, 0xff, 0xff);
const BEST = 9;

/** gzip of the platform. */
export class RealGzip implements Gzip {
  pack(plain: Uint8Array): Uint8Array {
    const flushed = deflateRawSync(plain, { level: BEST, finishFlush: constants.Z_SYNC_FLUSH });
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(plain), 0);
    trailer.writeUInt32LE(plain.length, 4);
    return new Uint8Array(Buffer.concat([HEADER, flushed, LAST_BLOCK, trailer]));
  }

  unpack(packed: Uint8Array, bytesMax: number): Uint8Array | null {
    try {
      return new Uint8Array(gunzipSync(packed, { maxOutputLength: bytesMax }));
    } catch {
      // Not a gzip stream, a broken one, or one that is too long: all the same to who reads
      // markers.
      return null;
    }
  }
}
