/**
 * One TCP connection of a client: requests may be pipelined and are answered as they get ready (RFC
 * 7766 §6.2.1). Bounded in requests under way, idle time and the time a peer may take to read.
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { TcpStream } from "@zonekeeper/base/ports/net";
import { frameMessage, TcpFrames } from "../../wire/framing/tcp-frames.ts";
import { HEADER_BYTES } from "./reply-writer.ts";
import type { Reply, Responder } from "./responder.ts";

/** Bounds of a connection. */
export interface TcpLimits {
  /** Milliseconds without a byte from the client after which the connection is closed. */
  readonly idleMs: number;
  /**
   * Milliseconds from a message's first byte to its last: a client that sends single bytes does not
   * hold a connection.
   */
  readonly messageMs: number;
  /** Milliseconds that the client may take to read one message. */
  readonly writeMs: number;
  /** Requests under way; more are not read from the connection until one is answered. */
  readonly requestsMax: number;
}

/** What a session works with. */
export interface TcpSessionOptions {
  readonly responder: Pick<Responder, "respond">;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: TcpLimits;
}

/** One connection, served until it ends. */
export class TcpSession {
  readonly #stream: TcpStream;
  readonly #options: TcpSessionOptions;
  readonly #frames = new TcpFrames();
  readonly #underWay = new Set<Promise<void>>();
  /** Replies are sent one after the other, each whole. */
  #writing: Promise<void> = Promise.resolve();
  /** When the message began that is not whole yet; null = none has. */
  #begunAtMs: number | null = null;
  #hasAsked = false;

  constructor(stream: TcpStream, options: TcpSessionOptions) {
    this.#stream = stream;
    this.#options = options;
  }

  /** True once a whole message came. */
  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  /** Ends it: what is under way is still answered. Idempotent. */
  close(): void {
    this.#stream.close();
  }

  /**
   * Resolves when the connection is closed; a fault of the connection ends it and is not an error.
   */
  async run(): Promise<void> {
    try {
      await this.#serve();
    } catch (error) {
      this.#options.log.debug("connection ended", { error: messageOf(error) });
    }
    await Promise.all(this.#underWay);
    this.#stream.close();
  }

  async #serve(): Promise<void> {
    const { requestsMax } = this.#options.limits;
    for (;;) {
      const patienceMs = this.#patienceMs();
      const chunk = patienceMs > 0 ? await this.#stream.read(patienceMs) : null;
      if (chunk === null) return;
      this.#frames.push(chunk);
      for (let bytes = this.#frames.take(); bytes !== null; bytes = this.#frames.take()) {
        while (this.#underWay.size >= requestsMax) await Promise.race(this.#underWay);
        // Without a header there is no answer (RFC 1035 §4.1.1): the connection would be kept idle.
        if (bytes.length < HEADER_BYTES) return;
        this.#begin(bytes);
        this.#begunAtMs = null;
        this.#hasAsked = true;
      }
      if (this.#frames.pendingBytes === 0) this.#begunAtMs = null;
      else this.#begunAtMs ??= this.#options.clock.monotonicMs();
    }
  }

  /** Milliseconds to wait for the next bytes; 0 or less = the client is too slow. */
  #patienceMs(): number {
    const { clock, limits } = this.#options;
    if (this.#begunAtMs === null) return limits.idleMs;
    const leftMs = this.#begunAtMs + limits.messageMs - clock.monotonicMs();
    return Math.min(limits.idleMs, leftMs);
  }

  #begin(bytes: Uint8Array): void {
    const answered = this.#options.responder
      .respond(bytes, "tcp")
      .then((reply) => {
        this.#writing = this.#writing.then(() => this.#write(reply));
        return this.#writing;
      })
      .finally(() => this.#underWay.delete(answered));
    this.#underWay.add(answered);
  }

  /**
   * Never rejects: a connection that cannot be written to is closed, which ends the reading too.
   */
  async #write(reply: Reply): Promise<void> {
    const { clock, log, limits } = this.#options;
    try {
      for (const message of reply) {
        const timer = clock.setTimer(limits.writeMs, () => this.#stream.close());
        await this.#stream.write(frameMessage(message)).finally(() => timer.cancel());
      }
    } catch (error) {
      log.debug("answer could not be written", { error: messageOf(error) });
      this.#stream.close();
    }
  }
}
