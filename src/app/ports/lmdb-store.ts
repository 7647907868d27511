/**
 * The Store port over lmdb, in one file. Each batch is one transaction; a write resolves when it is
 * on the disk. One process has the file open at a time: the data folder's lock sees to that. Looks
 * at the file before lmdb maps it: on a file that is not lmdb's, or that was cut short, the native
 * code ends the process with a signal (lmdb 3.5.6, tried).
 */
import { closeSync, fstatSync, openSync, readSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { invariant } from "@zonekeeper/base/invariant";
import {
  messageOf,
  type OperationError,
  permanent,
  retryable,
} from "@zonekeeper/base/operation-error";
import type { Store, StoreOperation } from "@zonekeeper/base/ports/store";
import { open, type RootDatabase } from "lmdb";

/** lmdb's limit with 4 KiB pages is 1978 bytes. */
const KEY_BYTES_MAX = 1900;

/** Less than this on the disk of the file counts as none: a batch writes pages besides its own. */
const ROOM_BYTES = 1_048_576;
/** How long is waited for details of a failure. */
const DETAILS_WAIT_MS = 100;

/** Bytes that are free on the disk of a file. */
export type FreeBytes = (file: string) => number;

const freeBytesOfDisk: FreeBytes = (file) => {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize;
};

/**
 * A durable store. Keys are compared as UTF-8 bytes, which is code unit order for all keys without
 * surrogates.
 */
export class LmdbStore implements Store {
  readonly #database: RootDatabase<string, Buffer>;
  readonly #file: string;
  readonly #freeBytes: FreeBytes;

  /** Opens or makes `file`. Throws OperationError `StoreUnusable`. */
  static open(file: string, freeBytes: FreeBytes = freeBytesOfDisk): LmdbStore {
    try {
      const flaw = whyNotDatabase(file);
      if (flaw !== null) throw new Error(flaw);
      return new LmdbStore(file, freeBytes);
    } catch (error) {
      throw permanent(
        "StoreUnusable",
        `${file} cannot be opened: ${messageOf(error)}. Restore it, or move its whole folder away to begin anew`,
        error,
      );
    }
  }

  private constructor(file: string, freeBytes: FreeBytes) {
    this.#file = file;
    this.#freeBytes = freeBytes;
    this.#database = open<string, Buffer>({
      path: file,
      noSubdir: true,
      encoding: "string",
      keyEncoding: "binary",
      // It has a promise of its own for the writes of a turn, which nobody can reach: a failed
      // write would end the process (lmdb 3.5.6, write.js). Callers group their writes.
      eventTurnBatching: false,
    });
  }

  /** Throws OperationError `StoreCorrupt`. */
  get(key: string): string | null {
    const stored = this.#database.get(toKey(key));
    return stored === undefined ? null : checkedValue(this.#file, key, stored);
  }

  /**
   * Read at once: a lazy cursor would hold a snapshot, and its old pages, for as long as somebody
   * iterates. Throws OperationError `StoreCorrupt`.
   */
  range(prefix: string): Iterable<readonly [key: string, value: string]> {
    const start = Buffer.from(prefix);
    const end = afterPrefix(start);
    const limits = end === null ? { start } : { start, end };
    const pairs = this.#database.getRange(limits);
    return Array.from(pairs, (pair) => {
      const key = pair.key.toString();
      return [key, checkedValue(this.#file, key, pair.value)] as const;
    });
  }

  async write(operations: readonly StoreOperation[]): Promise<void> {
    if (operations.length === 0) return;
    const keyed = operations.map((operation) =>
      "put" in operation
        ? { key: toKey(operation.put), value: withChecksum(operation.put, operation.value) }
        : { key: toKey(operation.remove), value: null },
    );
    // lmdb writes to standard error for itself when the disk is full.
    const free = this.#freeBytes(this.#file);
    if (free < ROOM_BYTES) throw this.#writeFailed(`its disk is full (${free} bytes are free)`);
    try {
      await this.#database.batch(() => {
        for (const { key, value } of keyed) {
          const done = value === null ? this.#database.remove(key) : this.#database.put(key, value);
          // The batch reports for all of them; without a listener each of them would end the
          // process.
          done.catch(() => {});
        }
      });
      await this.#database.flushed;
    } catch (error) {
      throw this.#writeFailed(await reasonOf(error), error);
    }
  }

  #writeFailed(reason: string, cause?: unknown): OperationError {
    return retryable("StoreWriteFailed", `${this.#file} cannot be written: ${reason}`, cause);
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}

/** What lmdb says in an error of its own, which would end the process if nobody looked at it. */
async function reasonOf(error: unknown): Promise<string> {
  if (!(error instanceof Error) || !("commitError" in error)) return messageOf(error);
  const details = Promise.resolve(error.commitError).then(messageOf, messageOf);
  // It may never come: a failure of the next transaction has the same one.
  return Promise.race([
    details,
    new Promise<string>((resolve) => setTimeout(resolve, DETAILS_WAIT_MS, messageOf(error))),
  ]);
}

function toKey(key: string): Buffer {
  const bytes = Buffer.from(key);
  invariant(bytes.length > 0 && bytes.length <= KEY_BYTES_MAX, "a store key has 1 to 1900 bytes");
  return bytes;
}

/** The smallest key after all keys with that prefix; null = there is none. */
function afterPrefix(prefix: Buffer): Buffer | null {
  const end = Buffer.from(prefix);
  for (let index = end.length - 1; index >= 0; index--) {
    const byte = end[index] ?? 255;
    if (byte < 255) {
      end[index] = byte + 1;
      return end.subarray(0, index + 1);
    }
  }
  return null;
}

/**
 * No value of an older version begins so, JSON or not. One flipped bit leaves one of the two parts
 * as it was.
 */
const FIRST = "\u0001";
const SECOND = "crc:";
const DIGITS = 8;
const VALUE_AT = FIRST.length + SECOND.length + DIGITS;

/**
 * As it is stored. lmdb has no checksum of its own, and a disk that flips a bit must not change
 * what a zone answers. Values of older versions have none.
 */
function withChecksum(key: string, value: string): string {
  return `${FIRST}${SECOND}${crc32(value, crc32(key)).toString(16).padStart(DIGITS, "0")}${value}`;
}

/** The value as it was given. Throws OperationError `StoreCorrupt`; `file` is for people. */
function checkedValue(file: string, key: string, stored: string): string {
  if (!stored.startsWith(FIRST) && !stored.startsWith(SECOND, FIRST.length)) return stored;
  const value = stored.slice(VALUE_AT);
  if (stored === withChecksum(key, value)) return value;
  throw permanent(
    "StoreCorrupt",
    `${file}: the value of ${JSON.stringify(key)} is not what was written: the file is damaged. Stop the program and restore the file, or remove the whole folder to begin anew`,
  );
}

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
function whyNotDatabase(file: string): string | null {
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
