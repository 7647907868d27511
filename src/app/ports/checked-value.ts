/**
 * Values of the store with a checksum over key and value: lmdb has none of its own, and a disk that
 * flips a bit must not change what a zone answers. Values of older versions have no checksum.
 */
import { crc32 } from "node:zlib";
import { OperationError } from "@zonekeeper/base/operation-error";

/**
 * No value of an older version begins so, JSON or not. One flipped bit leaves one of the two parts
 * as it was.
 */
const FIRST = "\u0001";
const SECOND = "crc:";
const DIGITS = 8;
const VALUE_AT = FIRST.length + SECOND.length + DIGITS;

/** As it is stored. */
export function withChecksum(key: string, value: string): string {
  return `${FIRST}${SECOND}${crc32(value, crc32(key)).toString(16).padStart(DIGITS, "0")}${value}`;
}

/** The value as it was given. Throws OperationError `StoreCorrupt`; `file` is for people. */
export function checkedValue(file: string, key: string, stored: string): string {
  if (!stored.startsWith(FIRST) && !stored.startsWith(SECOND, FIRST.length)) return stored;
  const value = stored.slice(VALUE_AT);
  if (stored === withChecksum(key, value)) return value;
  throw new OperationError({
    code: "StoreCorrupt",
    message: `${file}: the value of ${JSON.stringify(key)} is not what was written: the file is damaged. Stop the program and restore the file, or remove the whole folder to begin anew`,
    retry: "never",
  });
}
