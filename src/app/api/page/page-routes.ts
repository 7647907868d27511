/**
 * The routes of the page: the link that begins a session, and the built files for browsers with a
 * session. What the page shows, it asks of the API.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isRefusal } from "../exchange.ts";
import type { CallerContext } from "../readers/caller.ts";

/**
 * Content-Security-Policy (CSP level 3): nothing from other origins, nothing inline, in no frame.
 */
const POLICY = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "font-src", "connect-src", "manifest-src"].map(
    (directive) => `${directive} 'self'`,
  ),
  ...["base-uri", "form-action", "frame-ancestors"].map((directive) => `${directive} 'none'`),
].join("; ");

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

/** Hook: security headers, and no caching unless the route says otherwise. */
export async function hardened(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers({ "cache-control": "no-store", ...HEADERS });
}

const USED =
  "This link was used already, or is older than a minute. zonekeeper open prints another one. If you did not use it, somebody else did: give the API another token, which ends all sessions.\n";
const NO_SESSION = "This page opens by a link: run zonekeeper open.\n";
const NO_PAGE = "This build of Zonekeeper has no page (npm run build makes it).\n";
const NO_SUCH_PAGE =
  "There is no such page. All that Zonekeeper shows is below /page/, and its menu leads there.\n";
/**
 * The answer is a page that goes on to the real one: a SameSite=Strict cookie is not sent in a
 * navigation that a link on another site began.
 */
const ENTERED =
  '<!doctype html><meta charset="utf-8"><title>Zonekeeper</title><meta http-equiv="refresh" content="0;url=./"><a href="./">Zonekeeper</a>\n';
const ASSETS = "assets/";

interface PageFolder {
  /** Folder of the built files; undefined = beside the program. */
  readonly folder: string | undefined;
}

/** Adds `/page/open` and the files; each route is behind a host name of ours. */
export function addPage(
  app: FastifyInstance,
  { door, token, folder, readers }: CallerContext & PageFolder,
): void {
  let files: ReadonlyMap<string, PageFile> | null = null;
  app.register(async (page) => {
    page.addHook("onRequest", hardened);
    page.addHook("onRequest", async (request, reply) => {
      if (door.originOf(request) !== null) return undefined;
      const message = "the page is not served under this host name: run zonekeeper open\n";
      return reply.code(403).type("text/plain").send(message);
    });
    page.get("/", async (_request, reply) => reply.redirect("page/"));
    page.get<{ readonly Querystring: { readonly code?: string } }>(
      "/page/open",
      { exposeHeadRoute: false },
      async (request, reply) => {
        const wanted = token();
        const code = String(request.query.code);
        const cookie = wanted.ok ? door.enter(code, request, wanted.value) : null;
        if (cookie === null) return reply.code(403).type("text/plain").send(USED);
        return reply.header("set-cookie", cookie).type("text/html; charset=utf-8").send(ENTERED);
      },
    );
    page.get<{ readonly Params: { readonly "*": string } }>("/page/*", async (request, reply) => {
      const wanted = token();
      const text = reply.type("text/plain");
      if (!wanted.ok) return text.code(503).send(`no page: ${wanted.error}\n`);
      const admitted = door.admit(request, wanted.value);
      if (isRefusal(admitted) && !readers.isOpen)
        return text.code(admitted.status).send(NO_SESSION);
      files ??= readPageFiles(folder);
      const path = request.params["*"];
      const file = files.get(path === "" ? "index.html" : path);
      if (file === undefined)
        return text.code(404).send(files.has("index.html") ? NO_SUCH_PAGE : NO_PAGE);
      return sendFile(request, reply, { file, isAsset: path.startsWith(ASSETS) });
    });
    page.get("/page", async (_request, reply) => reply.redirect("page/"));
  });
}

/** The names of assets change with their content. */
function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { file, isAsset }: { readonly file: PageFile; readonly isAsset: boolean },
): FastifyReply {
  const { type, content, etag } = file;
  if (isAsset) reply.header("cache-control", "private, max-age=31536000, immutable");
  reply.header("etag", etag);
  if (headers["if-none-match"] === etag) return reply.code(304).send();
  return reply.type(type).send(content);
}

/** A file as it is sent. */
interface PageFile {
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
function readPageFiles(given: string | undefined): ReadonlyMap<string, PageFile> {
  const folders = FOLDERS.map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const isBuilt = (one: string): boolean =>
    statSync(join(one, "index.html"), { throwIfNoEntry: false })?.isFile() === true;
  const folder = given ?? folders.find(isBuilt);
  if (folder === undefined) return new Map();
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
