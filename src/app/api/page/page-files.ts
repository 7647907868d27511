/** The built files of the page, read once from the folder beside the program. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A file as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
  readonly etag: string;
}

/** Bounds of a build, which has a dozen files of some tens of kB. */
const FILES_MAX = 64;
const BYTES_MAX = 5_000_000;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * Where the folder may be: the program is one file with a folder beside it, or runs from its
 * sources.
 */
const FOLDERS = ["./page/", "../page/", "../../../../dist/page/"];

/** Path below the folder → file; empty = this build has no page. */
export function readPageFiles(
  folder: string | null = foundFolder(),
): ReadonlyMap<string, PageFile> {
  if (folder === null) return new Map();
  const files = new Map<string, PageFile>();
  let bytes = 0;
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const type = TYPES[extname(path)];
    if (type === undefined || !statSync(join(folder, path)).isFile()) continue;
    const content = readFileSync(join(folder, path));
    bytes += content.length;
    if (files.size === FILES_MAX || bytes > BYTES_MAX)
      throw new Error(`page-files: ${folder} has more than ${FILES_MAX} files or 5 MB`);
    const hash = createHash("sha256").update(content).digest("base64url");
    files.set(path.replaceAll("\\", "/"), { type, content, etag: `"${hash}"` });
  }
  return files;
}

function foundFolder(): string | null {
  const folders = FOLDERS.map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return folders.find((one) => statSync(join(one, "index.html"), NO_THROW)?.isFile()) ?? null;
}

const NO_THROW = { throwIfNoEntry: false } as const;
