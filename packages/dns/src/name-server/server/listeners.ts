/**
 * The sockets of a name server: UDP and TCP on one port, and TLS on another if it is wanted (RFC
 * 7858). Opens and closes them, and hands on what they receive.
 */
import type {
  Datagram,
  Net,
  SocketAddress,
  TcpListener,
  TcpStream,
  TlsServerOptions,
  UdpSocket,
} from "@zonekeeper/base/ports/net";

/** Where to listen. */
export interface ListenOptions {
  /** Default 127.0.0.1, any free port. */
  readonly address?: SocketAddress;
  /** DNS over TLS on the same host; port 0 = a free one. Absent = none. */
  readonly tls?: Omit<TlsServerOptions, "alpn"> & { readonly port: number };
}

/** Where it listens now. */
export interface ListenPorts {
  readonly port: number;
  /** Null = no TLS. */
  readonly tlsPort: number | null;
}

/** They get the connections and the datagrams that arrive. */
export interface Receivers {
  readonly onStream: (stream: TcpStream) => void;
  readonly onDatagram: (datagram: Datagram) => void;
}

/** RFC 7858 §3.1, RFC 9103 §7.1 (the registered ALPN name of DNS over TLS). */
export const DOT_ALPN = "dot";

const LOOPBACK: SocketAddress = { host: "127.0.0.1", port: 0 };
/** How many free TCP ports are tried: one that is free for TCP may be taken for UDP. */
const PORT_TRIES = 10;

/** Open sockets. Not to be used after `close`. */
export class Listeners {
  readonly #streams: readonly TcpListener[];
  readonly #udp: UdpSocket;
  readonly ports: ListenPorts;

  private constructor(udp: UdpSocket, tcp: TcpListener, tls: TcpListener | null) {
    this.#udp = udp;
    this.#streams = tls === null ? [tcp] : [tcp, tls];
    this.ports = { port: tcp.local.port, tlsPort: tls?.local.port ?? null };
  }

  /**
   * All of them or none: throws OperationError when a port is taken (`AddressInUse`, or what the
   * Net port says).
   */
  static async open(
    net: Net,
    receivers: Receivers,
    { address = LOOPBACK, tls }: ListenOptions,
  ): Promise<Listeners> {
    const { host } = address;
    const { onStream } = receivers;
    const dot = tls && { certificate: tls.certificate, key: tls.key, alpn: DOT_ALPN };
    const secure = tls ? await net.listenTcp({ host, port: tls.port }, onStream, dot) : null;
    try {
      const { tcp, udp } = await listenPlain(net, receivers, address);
      return new Listeners(udp, tcp, secure);
    } catch (error) {
      await secure?.close();
      throw error;
    }
  }

  /** Sends from the UDP port. Rejects with OperationError. */
  send(to: SocketAddress, bytes: Uint8Array): Promise<void> {
    return this.#udp.send(to, bytes);
  }

  /** Stops listening and closes every connection. */
  async close(): Promise<void> {
    await Promise.all([this.#udp.close(), ...this.#streams.map((listener) => listener.close())]);
  }
}

async function listenPlain(
  net: Net,
  { onStream, onDatagram }: Receivers,
  address: SocketAddress,
): Promise<{ readonly tcp: TcpListener; readonly udp: UdpSocket }> {
  for (let tries = 1; ; tries++) {
    const tcp = await net.listenTcp(address, onStream);
    try {
      const udp = await net.bindUdp({ host: address.host, port: tcp.local.port }, onDatagram);
      return { tcp, udp };
    } catch (error) {
      await tcp.close();
      if (address.port !== 0 || tries >= PORT_TRIES) throw error;
    }
  }
}
