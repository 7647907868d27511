/**
 * TLS for the Net port over node:tls: version 1.3 only (RFC 9103 §7.1 asks for it), certificates
 * always checked, and the application protocol must be agreed on (RFC 7301). No secret is logged or
 * put into an error.
 */
import { isIP, type Socket } from "node:net";
import {
  type ConnectionOptions,
  checkServerIdentity,
  createServer,
  connect as dial,
  type Server,
  TLSSocket,
} from "node:tls";
import { type OperationError, retryable } from "@zonekeeper/base/operation-error";
import type { SocketAddress, TlsClientOptions, TlsServerOptions } from "@zonekeeper/base/ports/net";
import { lookupFor, type MayDial } from "./guarded-lookup.ts";
import { addressText } from "./system-error.ts";

const VERSION = "TLSv1.3";
/**
 * Milliseconds for a client's handshake; before it has ended the client costs a socket and nothing
 * else.
 */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** A client socket that emits `secureConnect` when the peer is who it should be. */
export function dialTls(to: SocketAddress, options: TlsClientOptions, mayDial?: MayDial): Socket {
  const name = options.serverName ?? to.host;
  const settings: ConnectionOptions = {
    ...{ host: to.host, port: to.port },
    ...lookupFor(mayDial),
    minVersion: VERSION,
    ALPNProtocols: [options.alpn],
    // An address is no name for SNI (RFC 6066 §3); it is compared with the certificate all the
    // same.
    servername: isIP(name) === 0 ? name : "",
    checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate),
    ...(options.caCertificates === null ? {} : { ca: options.caCertificates }),
    ...(options.client === null
      ? {}
      : { cert: options.client.certificate, key: options.client.key }),
  };
  const socket = dial(settings);
  socket.setNoDelay(true);
  return socket;
}

/** Null = the peer chose the protocol. */
export function alpnTrouble(
  socket: Socket,
  to: SocketAddress,
  alpn: string,
): OperationError | null {
  const chosen = socket instanceof TLSSocket ? socket.alpnProtocol : false;
  if (chosen === alpn) return null;
  return retryable(
    "ConnectFailed",
    `connect ${addressText(to)}: the server does not choose the application protocol "${alpn}" (ALPN); check that the port is the one for DNS over TLS`,
  );
}

/**
 * A server that emits `secureConnection` after each handshake; failed ones end their own connection
 * only.
 */
export function createTlsServer(options: TlsServerOptions): Server {
  const server = createServer({
    allowHalfOpen: true,
    noDelay: true,
    minVersion: VERSION,
    cert: options.certificate,
    key: options.key,
    ALPNProtocols: [options.alpn],
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  });
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  return server;
}
