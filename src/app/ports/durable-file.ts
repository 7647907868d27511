/**
 * Whole files that a crash leaves either as they were or as they shall be. For small files with
 * restricted modes.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** Only the user who runs the program may read or write. */
export const PRIVATE_MODE = 0o600;

/** Writes beside the file, brings it to the disk, renames over it. */
export function writeDurably(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.new`;
  const handle = openSync(temporary, "w", PRIVATE_MODE);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
  syncFolder(dirname(file));
}

/** The file's text; null when there is none. */
export function readIfThere(file: string): string | null {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
