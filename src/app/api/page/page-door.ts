/**
 * Who may use the page: one-time codes, and the sessions that they begin. A session is one
 * browser's, ends with this process, and lets in only requests that a page of ours made.
 */
import { hash, randomBytes } from "node:crypto";
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { FastifyRequest } from "fastify";
import { isLoopback } from "../../../model/internal-address.ts";
import type { GivenToken } from "../readers/cluster-readers.ts";

/** Codes that wait, and sessions; the oldest go first. */
const CODES_MAX = 16;
const SESSIONS_MAX = 64;
const CODE_MS = 60_000;
const SESSION_MS = 12 * 3_600_000;
/** 256 bits. */
const SECRET_BYTES = 32;

/** Where the page is served. */
export interface PageOptions {
  /** As `--page-origin`; empty = loopback only. */
  readonly origins: readonly string[];
  /** The address is a loopback one. */
  readonly isLocal: boolean;
  /** TLS is spoken here. */
  readonly isSecure: boolean;
}

/** One browser's. */
export interface Session {
  /** Hash of its cookie, by which it is found. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly endsAtMs: number;
  /** The token of the API as it was: with another one the session is over. */
  readonly token: string;
  /** With what a person has begun it, asked about at each request; null = by a link. */
  readonly given: GivenToken | null;
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly code:
    | "Unauthorized"
    | "TokenNeeded"
    | "ForeignHost"
    | "ForeignOrigin"
    | "ProxyReadsOnly";
  readonly message: string;
}

/** One for each listener. */
export class PageDoor {
  readonly #options: PageOptions;
  readonly #nowMs: () => number;
  /** By hash: what is compared is not the secret. */
  readonly #codes = new BoundedMap<string, number>(CODES_MAX);
  readonly #sessions = new BoundedMap<string, Session>(SESSIONS_MAX);

  constructor(options: PageOptions, nowMs: () => number = Date.now) {
    this.#options = options;
    this.#nowMs = nowMs;
  }

  /** Nobody gets in where nobody said how browsers come here. */
  get isOpen(): boolean {
    return this.#options.isLocal || this.#options.origins.length > 0;
  }

  /** A code that is good once, for a minute. */
  makeCode(): { readonly code: string; readonly untilMs: number } {
    const code = secret();
    const untilMs = this.#nowMs() + CODE_MS;
    this.#codes.set(hashOf(code), untilMs);
    return { code, untilMs };
  }

  /** The cookie of a new session; null = the code is unknown, was used, or is too old. */
  enter(code: string, request: FastifyRequest, token: string): string | null {
    const key = hashOf(code);
    const untilMs = this.#codes.get(key) ?? 0;
    this.#codes.delete(key);
    return untilMs <= this.#nowMs() ? null : this.begin(null, request, token);
  }

  /** The cookie of a new session for who may have one; null = not under this host name. */
  begin(given: GivenToken | null, request: FastifyRequest, token: string): string | null {
    const origin = this.originOf(request);
    if (origin === null) return null;
    const cookie = secret();
    const id = hashOf(cookie);
    this.#sessions.set(id, { id, endsAtMs: this.#nowMs() + SESSION_MS, token, given });
    const age = `Max-Age=${SESSION_MS / 1000}`;
    return `${cookieName(origin)}=${cookie}; ${age}; ${attributes(request, origin)}`;
  }

  /** Ends it, and answers the cookie that forgets it. */
  leave(request: FastifyRequest, origin: string): string {
    this.#sessions.delete(hashOf(cookieIn(request, origin)));
    return `${cookieName(origin)}=; Max-Age=0; ${attributes(request, origin)}`;
  }

  /** Why a request without a session may not begin one; null = a page of ours has made it. */
  refuseForeign(request: FastifyRequest): Refusal | null {
    const origin = this.originOf(request);
    if (origin === null) return FOREIGN_HOST;
    return isOwnRequest(request, origin) ? null : FOREIGN_ORIGIN;
  }

  /** The session of a request that a page of ours made, or why it has none. */
  admit(request: FastifyRequest, token: string): Session | Refusal {
    const origin = this.originOf(request);
    if (origin === null) return FOREIGN_HOST;
    const session = this.#sessions.get(hashOf(cookieIn(request, origin)));
    if (session === undefined || !isOpen(session, token, this.#nowMs())) return UNAUTHENTICATED;
    if (!isOwnRequest(request, origin)) return FOREIGN_ORIGIN;
    return isRead(request) || proxiedPath(request) === null || request.url === "/api/v1/session/end"
      ? session
      : PROXY_READS;
  }

  /** Nobody has left it, and its time is not over. */
  hasSession(session: Session, token: string): boolean {
    return isOpen(session, token, this.#nowMs()) && this.#sessions.get(session.id) === session;
  }

  /** The API server has passed it on (pods/proxy). */
  isProxied(request: FastifyRequest): boolean {
    return proxiedPath(request) !== null;
  }

  /**
   * The origin of pages that may be served for this request; null = its host is none of ours, as
   * where another site has let its name lead here.
   */
  originOf(request: Pick<FastifyRequest, "headers" | "host" | "url">): string | null {
    const { origins, isLocal, isSecure } = this.#options;
    const given = request.headers.host ?? request.host;
    const own = origins.find((origin) => new URL(origin).host === given.toLowerCase());
    if (own !== undefined) return own;
    // Which name the API server has is not known here; kubectl proxy admits loopback names alone.
    if (proxiedPath(request) !== null)
      return origins.find((one) => one.startsWith("http:")) ?? null;
    const url = `${isSecure ? "https" : "http"}://${given}`;
    if (!isLocal || !URL.canParse(url)) return null;
    const { origin, hostname } = new URL(url);
    return isLoopback(hostname.replace(/^\[|\]$/g, "")) ? origin : null;
  }
}

function isOpen({ endsAtMs, token: begun }: Session, token: string, nowMs: number): boolean {
  return endsAtMs > nowMs && begun === token;
}

/** True for a refusal. */
export function isRefusal(answer: Session | Refusal): answer is Refusal {
  return "status" in answer;
}

/**
 * A browser says where a request comes from: by Origin for what changes something (RFC 6454), by
 * Sec-Fetch-Site for all. Ports of one host share cookies, and are not one origin.
 */
function isOwnRequest(request: FastifyRequest, origin: string): boolean {
  const { headers } = request;
  const site = headers["sec-fetch-site"] ?? "same-origin";
  if (!isRead(request) && headers.origin !== origin) return false;
  return site === "same-origin" || (isRead(request) && site === "none");
}

function isRead({ method }: FastifyRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * The path of this server as a browser has it behind the API server's proxy, which says so; null =
 * the request came directly. Other Pods have pages of the same origin there.
 */
function proxiedPath({ headers, url }: Pick<FastifyRequest, "headers" | "url">): string | null {
  const forwarded = headers["x-forwarded-uri"];
  const [path = ""] = url.split("?", 1);
  if (typeof forwarded !== "string") return null;
  const prefix = forwarded.endsWith(path) ? forwarded.slice(0, -path.length) : "";
  return /^(\/[\w.:~%-]+)+$/.test(prefix) ? `${prefix}/` : "/";
}

function cookieIn({ headers }: FastifyRequest, origin: string): string {
  const begins = `${cookieName(origin)}=`;
  const found = (headers.cookie ?? "").split(/; */).find((one) => one.startsWith(begins));
  return found?.slice(begins.length) ?? "";
}

/** Bound to its host, and with the port, since ports share cookies (RFC 6265 §8.5). */
function cookieName(origin: string): string {
  const { protocol, port } = new URL(origin);
  const isSecure = protocol === "https:";
  return `${isSecure ? "__Host-" : ""}zonekeeper-${port || (isSecure ? 443 : 80)}`;
}

function attributes(request: FastifyRequest, origin: string): string {
  return `Path=${proxiedPath(request) ?? "/"}; HttpOnly; SameSite=Strict${origin.startsWith("https:") ? "; Secure" : ""}`;
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

function hashOf(text: string): string {
  return hash("sha256", text, "base64");
}

/** Neither token nor session. */
export const UNAUTHENTICATED: Refusal = {
  status: 401,
  code: "Unauthorized",
  message:
    "the API needs its token: of the data folder (ready.json), or of the Secret of its Pod; a browser needs a session: zonekeeper open prints a link that begins one",
};

const FOREIGN_HOST: Refusal = {
  status: 403,
  code: "ForeignHost",
  message:
    "the page is not served under this host name; open it on this host by zonekeeper open, or name its origin with --page-origin",
};

const FOREIGN_ORIGIN: Refusal = {
  status: 403,
  code: "ForeignOrigin",
  message: "the request does not come from the page of this instance; nothing was done",
};

const PROXY_READS: Refusal = {
  status: 403,
  code: "ProxyReadsOnly",
  message:
    "through the API server's proxy the page orders nothing, since pages of other Pods have its origin there; use kubectl zonekeeper, or open the page by kubectl port-forward",
};

/** As `UNAUTHENTICATED`, where tokens of users are taken. */
export const TOKEN_NEEDED: Refusal = {
  status: 401,
  code: "TokenNeeded",
  message:
    "the API needs a token of its own or of a user of the cluster, with x-zonekeeper-namespaces; a browser needs a session",
};
