/**
 * The pool of connections to one origin: TLS settings, TCP keep-alive and the way through a proxy
 * by CONNECT (RFC 9110 §9.3.6).
 */
import { request as httpRequest, Agent as PlainAgent } from "node:http";
import { request as httpsRequest, Agent as SecureAgent } from "node:https";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { createSecureContext, type SecureContextOptions, connect as startTls } from "node:tls";
import { retryable } from "@zonekeeper/base/operation-error";
import type { SocketAddress } from "@zonekeeper/base/ports/net";
import { addressOf, type MayDial } from "./guarded-lookup.ts";
import { addressText, networkError, timeoutError } from "./system-error.ts";

/** How a server proves itself and how we do. Texts are PEM. */
export interface TlsTrust {
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
  /** Client certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
  /** Name to expect in the certificate (and SNI) in place of the URL's host. */
  readonly servername?: string;
  /** Trusts any certificate. For people who ask for it by name only. */
  readonly insecureSkipVerify?: boolean;
}

/** Where and how to connect. */
export interface AgentOptions {
  readonly origin: URL;
  readonly tls: TlsTrust;
  /** `http://[user:password@]host:port` or https; null = connect directly. */
  readonly proxy: URL | null;
  readonly connectTimeoutMs: number;
  /** A proxy is asked for an address of which this is true; absent = for the name. */
  readonly mayDial?: MayDial | undefined;
}

/**
 * A connection that is silent for this long is probed by the system, so that a dead path is
 * noticed.
 */
export const TCP_KEEPALIVE_MS = 30_000;
/** As many as are used at once by those who write most: a new one costs more than a request. */
const IDLE_CONNECTIONS_MAX = 32;

type Made = (error: Error | null, stream: Duplex) => void;

/** A pool for the origin. Whoever makes it destroys it. */
export function makeAgent(options: AgentOptions): PlainAgent {
  const common = {
    keepAlive: true,
    keepAliveMsecs: TCP_KEEPALIVE_MS,
    maxFreeSockets: IDLE_CONNECTIONS_MAX,
    noDelay: true,
  };
  const secure = options.origin.protocol === "https:";
  const agent = secure
    ? new SecureAgent({ ...common, ...tlsOptions(options) })
    : new PlainAgent(common);
  const proxy = options.proxy;
  if (proxy !== null) {
    agent.createConnection = (_request: unknown, made?: Made) => {
      tunnelled(options, proxy).then(
        (stream) => made?.(null, stream),
        // The declared type wants a stream beside the error; nobody looks at it.
        (error: unknown) => made?.(error instanceof Error ? error : new Error(), new Duplex()),
      );
      return undefined;
    };
  }
  return agent;
}

function tlsOptions({ origin, tls }: AgentOptions): Record<string, unknown> {
  const host = hostOf(origin);
  return {
    ...certificatesOf(tls),
    servername: tls.servername ?? (/^[\d.]+$|:/.test(host) ? "" : host),
    rejectUnauthorized: tls.insecureSkipVerify !== true,
  };
}

/**
 * Certificates read once for all connections. As texts they would be read for each connection, and
 * be a part of the name by which the pool is asked for each request. Texts that cannot be read are
 * passed on, so that the connection says so.
 */
function certificatesOf(tls: TlsTrust): Record<string, unknown> {
  const texts: SecureContextOptions = {
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
  };
  try {
    return { secureContext: createSecureContext(texts) };
  } catch {
    return { ...texts };
  }
}

/** The URL's host without the brackets of an IPv6 address. */
export function hostOf(origin: URL): string {
  return origin.hostname.replace(/^\[|\]$/g, "");
}

/** The URL's port, or the default of its scheme. */
export function portOf(origin: URL): number {
  if (origin.port !== "") return Number(origin.port);
  return origin.protocol === "https:" ? 443 : 80;
}

async function tunnelled(options: AgentOptions, proxy: URL): Promise<Duplex> {
  const { origin, connectTimeoutMs, mayDial } = options;
  const name = hostOf(origin);
  const host = mayDial === undefined ? name : await addressOf(name, mayDial);
  const socket = await openTunnel(proxy, { host, port: portOf(origin) }, connectTimeoutMs);
  socket.setKeepAlive(true, TCP_KEEPALIVE_MS);
  if (origin.protocol !== "https:") return socket;
  const secured = startTls({ socket, host: name, ...tlsOptions(options) });
  return new Promise((resolve, reject) => {
    secured.once("error", reject);
    secured.once("secureConnect", () => {
      secured.off("error", reject);
      resolve(secured);
    });
  });
}

/**
 * Opens a tunnel to `to`. Credentials in the proxy's URL are sent as Basic; they never get into a
 * message.
 */
function openTunnel(proxy: URL, to: SocketAddress, timeoutMs: number): Promise<Socket> {
  const where = `proxy ${proxy.host}`;
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const basic = { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === "https:" ? httpsRequest : httpRequest)({
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port === "" ? (proxy.protocol === "https:" ? 443 : 80) : Number(proxy.port),
      method: "CONNECT",
      path: addressText(to),
      agent: false,
      headers: { host: addressText(to), ...(proxy.username === "" ? {} : basic) },
    });
    const late = () => request.destroy(timeoutError("ConnectTimeout", where, timeoutMs));
    const timer = setTimeout(late, timeoutMs);
    request.once("error", (error) => {
      clearTimeout(timer);
      reject(networkError("connect", where, error));
    });
    request.once("connect", (response, socket) => {
      clearTimeout(timer);
      if (response.statusCode === 200) {
        resolve(socket);
        return;
      }
      socket.destroy();
      const message = `${where} refused a tunnel to ${addressText(to)} with status ${response.statusCode ?? 0}`;
      reject(retryable("ConnectFailed", message));
    });
    request.end();
  });
}
