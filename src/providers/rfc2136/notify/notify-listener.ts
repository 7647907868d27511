/**
 * Listens for NOTIFY (RFC 1996) on UDP and TCP and wakes the readers of the zone. A forged or
 * repeated message can cause no more than an early read of the change token; the reader limits how
 * often.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { Log } from "@zonekeeper/base/ports/log";
import type {
  Datagram,
  Net,
  SocketAddress,
  TcpListener,
  TcpStream,
  UdpSocket,
} from "@zonekeeper/base/ports/net";
import { frameMessage, TcpFrames } from "@zonekeeper/dns/wire/framing/tcp-frames";
import type { NotifyFeed, NotifyInterest } from "../../provider.ts";
import { judgeNotify } from "./notify-judge.ts";

/** What a listener works with. */
export interface NotifyListenerOptions {
  readonly net: Net;
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly log: Log;
}

/** Connections at once; one more is closed at once. */
export const NOTIFY_CONNECTIONS_MAX = 32;
/** Milliseconds without a byte after which a connection is closed. */
const IDLE_MS = 5_000;
/** Messages on one connection. */
const MESSAGES_MAX = 100;

interface Subscription extends NotifyInterest {
  readonly onHint: () => void;
}

/** See above. */
export class NotifyListener implements NotifyFeed {
  readonly #options: NotifyListenerOptions;
  readonly #subscriptions = new Set<Subscription>();
  readonly #streams = new Set<TcpStream>();
  #udp: UdpSocket | null = null;
  #tcp: TcpListener | null = null;

  private constructor(options: NotifyListenerOptions) {
    this.#options = options;
  }

  /**
   * Throws OperationError `AddressInUse`, or the error of the Net port; then neither socket is
   * open. Port 0 = a free one.
   */
  static async open(options: NotifyListenerOptions, at: SocketAddress): Promise<NotifyListener> {
    const listener = new NotifyListener(options);
    const { net, log } = options;
    const tcp = await net.listenTcp(at, (stream) => void listener.#serve(stream));
    const local = { host: at.host, port: tcp.local.port };
    try {
      listener.#udp = await net.bindUdp(local, (datagram) => void listener.#answer(datagram));
    } catch (error) {
      await tcp.close();
      throw error;
    }
    listener.#tcp = tcp;
    log.info("listening for NOTIFY", local);
    return listener;
  }

  /** UDP and TCP. */
  get port(): number {
    return this.#tcp?.local.port ?? 0;
  }

  subscribe(interest: NotifyInterest, onHint: () => void): () => void {
    const subscription = { ...interest, onHint };
    this.#subscriptions.add(subscription);
    return () => void this.#subscriptions.delete(subscription);
  }

  /** Idempotent. */
  async close(): Promise<void> {
    for (const stream of this.#streams) stream.close();
    await Promise.all([this.#udp?.close(), this.#tcp?.close()]);
  }

  async #answer({ from, bytes }: Datagram): Promise<void> {
    const reply = this.#take(from.host, bytes);
    if (reply === null) return;
    try {
      await this.#udp?.send(from, reply);
    } catch (error) {
      this.#options.log.debug("answer to NOTIFY not sent", { error: messageOf(error) });
    }
  }

  /** Knot 3.2 sends its NOTIFYs over TCP. */
  async #serve(stream: TcpStream): Promise<void> {
    if (this.#streams.size >= NOTIFY_CONNECTIONS_MAX) {
      stream.close();
      return;
    }
    this.#streams.add(stream);
    try {
      await this.#exchange(stream);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      this.#options.log.debug("connection for NOTIFY ended", { error: messageOf(error) });
    } finally {
      this.#streams.delete(stream);
      stream.close();
    }
  }

  async #exchange(stream: TcpStream): Promise<void> {
    const frames = new TcpFrames();
    let left = MESSAGES_MAX;
    for (
      let chunk = await stream.read(IDLE_MS);
      chunk !== null;
      chunk = await stream.read(IDLE_MS)
    ) {
      frames.push(chunk);
      for (let bytes = frames.take(); bytes !== null; bytes = frames.take()) {
        const reply = left > 0 ? this.#take(stream.remote.host, bytes) : null;
        if (reply === null) return;
        left -= 1;
        await stream.write(frameMessage(reply));
      }
    }
  }

  /** The answer; null = none. */
  #take(host: string, bytes: Uint8Array): Uint8Array | null {
    const { clock, crypto, log } = this.#options;
    const nowSeconds = Math.floor(clock.nowMs() / 1000);
    const { reply, woken } = judgeNotify({ host, bytes, nowSeconds }, this.#subscriptions, crypto);
    log.debug("NOTIFY", { from: host, woken: woken.length });
    for (const { onHint } of woken) onHint();
    return reply;
  }
}
