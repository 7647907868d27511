/**
 * Decides which browsers may use the page: `zonekeeper open` prints a link with a one-time code,
 * which begins a session, a cookie of one browser. A session ends with this process at the latest,
 * and lets in only requests that a page of ours made (no other site, CSRF).
 */
import { hash, randomBytes } from "node:crypto";
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { FastifyRequest } from "fastify";
import { isLoopback } from "../../../model/addresses.ts";
import type { Refusal } from "../exchange.ts";
import type { GivenToken } from "../readers/cluster-readers.ts";

/** Unused codes and sessions that are kept; the oldest ones go first. */
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

/** The session of one browser. */
export interface Session {
  /** Hash of its cookie, by which it is found. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly endsAtMs: number;
  /** The token of the API when the session began: with another token the session is over. */
  readonly token: string;
  /**
   * The token of a user of the cluster that began it, which is reviewed at each request; null = a
   * link began it.
   */
  readonly given: GivenToken | null;
}

/** There is one for each listener. */
export class PageDoor {
  readonly #options: PageOptions;
  readonly #nowMs: () => number;
  /** Ends of codes, Unix milliseconds, by hash: no secret is kept or compared. */
  readonly #codes = new BoundedMap<string, number>(CODES_MAX);
  readonly #sessions = new BoundedMap<string, Session>(SESSIONS_MAX);

  constructor(options: PageOptions, nowMs: () => number = Date.now) {
    this.#options = options;
    this.#nowMs = nowMs;
  }

  /**
   * False = the page is not served: the address is not loopback, and no `--page-origin` is given.
   */
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

  /** The cookie of a new session; null = browsers may not use this host name. */
  begin(given: GivenToken | null, request: FastifyRequest, token: string): string | null {
    const origin = this.originOf(request);
    if (origin === null) return null;
    const cookie = secret();
    const id = hashOf(cookie);
    this.#sessions.set(id, { id, endsAtMs: this.#nowMs() + SESSION_MS, token, given });
    const age = `Max-Age=${SESSION_MS / 1000}`;
    return `${cookieName(origin)}=${cookie}; ${age}; ${attributes(request, origin)}`;
  }

  /** Ends the session, and answers the cookie header that deletes the cookie. */
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

  /** True = the session was not ended, and its time is not over. */
  hasSession(session: Session, token: string): boolean {
    return isOpen(session, token, this.#nowMs()) && this.#sessions.get(session.id) === session;
  }

  /** True = the request came through the API server's proxy (pods/proxy). */
  isProxied(request: FastifyRequest): boolean {
    return proxiedPath(request) !== null;
  }

  /**
   * The origin of the page for this request; null = its host name is not ours, as with DNS
   * rebinding, where another site lets its own name lead here.
   */
  originOf(request: Pick<FastifyRequest, "headers" | "host" | "url">): string | null {
    const { origins, isLocal, isSecure } = this.#options;
    const given = request.headers.host ?? request.host;
    const own = origins.find((origin) => new URL(origin).host === given.toLowerCase());
    if (own !== undefined) return own;
    // The host name is that of the API server, or of `kubectl proxy`, which admits loopback names
    // only.
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

/**
 * True = a page of ours made the request. Browsers say where a request comes from: by Origin, for
 * one that changes something (RFC 6454), by Sec-Fetch-Site for all. Ports of one host share
 * cookies, but are different origins.
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

/**
 * The name binds the cookie to its host, and has the port, since ports share cookies (RFC 6265
 * §8.5).
 */
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

/** The request has neither token nor session. */
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

/** The same, where tokens of users of the cluster are accepted. */
export const TOKEN_NEEDED: Refusal = {
  status: 401,
  code: "TokenNeeded",
  message:
    "the API needs a token of its own or of a user of the cluster, with x-zonekeeper-namespaces; a browser needs a session",
};
