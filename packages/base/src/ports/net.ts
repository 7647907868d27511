/** TCP and UDP. Reading is pulled, so that a slow reader holds the sender back. */

/** Where to connect or listen. */
export interface SocketAddress {
  /** An IP address, or a host name that the platform resolves. */
  readonly host: string;
  /** 0 to 65535; 0 when listening = a free one. */
  readonly port: number;
}

/** One TCP connection. Not for concurrent readers. */
export interface TcpStream {
  readonly remote: SocketAddress;
  /**
   * The next bytes, or null at the end of the stream. Rejects with OperationError on a reset or
   * after `timeoutMs` without bytes.
   */
  read(timeoutMs?: number): Promise<Uint8Array | null>;
  /**
   * Resolves when the bytes are handed to the system. Rejects with OperationError on a broken
   * connection.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Idempotent. Pending reads end with null. */
  close(): void;
}

/** One UDP datagram with its sender. */
export interface Datagram {
  readonly from: SocketAddress;
  readonly bytes: Uint8Array;
}

/** A bound UDP socket. */
export interface UdpSocket {
  readonly local: SocketAddress;
  send(to: SocketAddress, bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** A listening TCP socket. */
export interface TcpListener {
  readonly local: SocketAddress;
  /** Stops listening and closes every open connection. */
  close(): Promise<void>;
}

/** TLS 1.3 as a client; the peer's certificate is always checked (RFC 9103 §7.1, §9.3.2). */
export interface TlsClientOptions {
  /** Name in the peer's certificate; null = the host that is connected to, an IP address too. */
  readonly serverName: string | null;
  /** PEM; null = the authorities of the system. */
  readonly caCertificates: string | null;
  /** Ours, if the peer asks for one; null = none. */
  readonly client: TlsCredentials | null;
  /** Application protocol that the peer must choose (RFC 7301). */
  readonly alpn: string;
}

/** PEM texts. */
export interface TlsCredentials {
  readonly certificate: string;
  readonly key: string;
}

/** TLS 1.3 as a server. */
export interface TlsServerOptions extends TlsCredentials {
  /** Application protocol; a client that offers others only is refused. */
  readonly alpn: string;
}

/** How to connect. */
export interface ConnectOptions {
  readonly timeoutMs: number;
  /** Absent = plain TCP. */
  readonly tls?: TlsClientOptions;
  /** Asked for the IP address that is about to be dialled; absent = any may be. */
  readonly mayDial?: (address: string) => boolean;
}

/** The network. All failures are OperationErrors that name the address. */
export interface Net {
  /** With `tls` the stream is what TLS carries. `timeoutMs` is for the handshake too. */
  connectTcp(to: SocketAddress, options: ConnectOptions): Promise<TcpStream>;
  /** With `tls` a connection is handed on after its handshake. */
  listenTcp(
    at: SocketAddress,
    onConnection: (stream: TcpStream) => void,
    tls?: TlsServerOptions,
  ): Promise<TcpListener>;
  bindUdp(at: SocketAddress, onDatagram: (datagram: Datagram) => void): Promise<UdpSocket>;
}
