/**
 * Looks at a file before lmdb maps it: on a file that is not lmdb's, or that was cut short, the
 * native code ends the process with a signal (lmdb 3.5.6, tried). Reads the two meta pages only and
 * changes nothing.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * `MDB_MAGIC` and the offsets of the meta page's fields (lmdb.h, mdb.c `MDB_meta`, 64-bit
 * little-endian).
 */
const MAGIC = 0xbeefc0de;
const MAGIC_AT = 24;
const PAGE_SIZE_AT = 48;
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const META_BYTES = 160;

/**
 * Why the file cannot be a whole database; null = it can, or there is none yet. Throws what the
 * system says.
 */
export function whyNotDatabase(file: string): string | null {
  const handle = openIfThere(file);
  if (handle === null) return null;
  try {
    const sizeBytes = fstatSync(handle).size;
    if (sizeBytes === 0) return null;
    const first = readMeta(handle, 0);
    if (first === null) return "it is not a database of this program";
    const second = readMeta(handle, first.pageBytes);
    const newest = second !== null && second.transaction > first.transaction ? second : first;
    const wanted = (newest.lastPage + 1n) * BigInt(newest.pageBytes);
    return BigInt(sizeBytes) < wanted ? "it was cut short" : null;
  } finally {
    closeSync(handle);
  }
}

interface Meta {
  readonly pageBytes: number;
  readonly lastPage: bigint;
  readonly transaction: bigint;
}

function readMeta(handle: number, position: number): Meta | null {
  const page = Buffer.alloc(META_BYTES);
  if (readSync(handle, page, 0, META_BYTES, position) < META_BYTES) return null;
  if (page.readUInt32LE(MAGIC_AT) !== MAGIC) return null;
  return {
    pageBytes: page.readUInt32LE(PAGE_SIZE_AT),
    lastPage: page.readBigUInt64LE(LAST_PAGE_AT),
    transaction: page.readBigUInt64LE(TRANSACTION_AT),
  };
}

function openIfThere(file: string): number | null {
  try {
    return openSync(file, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
