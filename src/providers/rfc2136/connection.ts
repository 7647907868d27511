/**
 * One TCP connection to a DNS server, with one request under way at most; its id tells its answer
 * from a late one (RFC 7766 §7). Every byte passes here: in a dry run, or while the zone is paused,
 * nothing but a query is sent.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { TcpStream } from "@zonekeeper/base/ports/net";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { frameMessage, TcpFrames } from "@zonekeeper/dns/wire/framing/tcp-frames";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import type { WriteRails } from "../../ports/write-gate.ts";
import { refuseWrites } from "../shared/guarded-http.ts";

/** Why there is no answer. */
export interface ExchangeTrouble {
  readonly code: "Unreachable" | "ConnectionLost" | "Timeout" | "Aborted";
  /** False = the server cannot have seen the request. */
  readonly sent: boolean;
  readonly message: string;
}

/** How to wait for the answer to a request. */
export interface ExchangeOptions {
  /** Milliseconds for each message of the answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Takes each message of the answer; `done` ends the exchange. Must not throw. */
  readonly onMessage: (bytes: Uint8Array) => "more" | "done";
}

/** What a connection needs. */
export interface ConnectionOptions extends WriteRails {
  readonly stream: TcpStream;
  readonly clock: Clock;
}

interface Pending {
  readonly id: number;
  readonly options: ExchangeOptions;
  readonly resolve: (trouble: ExchangeTrouble | null) => void;
  readonly onAbort: () => void;
  timer: Timer;
}

/** See above. */
export class DnsConnection {
  readonly #options: ConnectionOptions;
  #pending: Pending | null = null;
  #isOpen = true;
  #lastUsedMs: number;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#lastUsedMs = options.clock.monotonicMs();
    void this.#pump();
  }

  /** True until it has ended. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Milliseconds since the last request was answered. */
  get idleMs(): number {
    return this.#options.clock.monotonicMs() - this.#lastUsedMs;
  }

  /**
   * Sends `request` (with its id) and passes its answer to `onMessage`; null = complete. Rejects
   * only in a dry run or a pause.
   */
  async exchange(request: Uint8Array, options: ExchangeOptions): Promise<ExchangeTrouble | null> {
    // Opcode 0 = QUERY, RFC 1035 §4.1.1.
    const isQuery = (((request[2] ?? 0) >> 3) & 0xf) === 0;
    if (!isQuery) refuseWrites(this.#options, zoneOf(request));
    if (options.signal.aborted)
      return { code: "Aborted", sent: false, message: "stopped before the request was sent" };
    if (!this.#isOpen || this.#pending !== null)
      return { code: "ConnectionLost", sent: false, message: "the connection cannot be used" };
    const answered = new Promise<ExchangeTrouble | null>((resolve) => {
      const onAbort = (): void =>
        this.#settle({ code: "Aborted", sent: true, message: "stopped while waiting" });
      options.signal.addEventListener("abort", onAbort, { once: true });
      const timer = this.#timer(options);
      this.#pending = { id: idOf(request), options, resolve, onAbort, timer };
    });
    await this.#write(frameMessage(request));
    return answered;
  }

  /** Idempotent. A request under way ends as lost. */
  close(): void {
    this.#end("the connection was closed");
  }

  #timer(options: ExchangeOptions): Timer {
    return this.#options.clock.setTimer(options.timeoutMs, () => {
      const message = `no answer within ${options.timeoutMs} ms`;
      this.#settle({ code: "Timeout", sent: true, message });
      this.close();
    });
  }

  #settle(trouble: ExchangeTrouble | null): void {
    const pending = this.#pending;
    if (pending === null) return;
    this.#pending = null;
    this.#lastUsedMs = this.#options.clock.monotonicMs();
    pending.timer.cancel();
    pending.options.signal.removeEventListener("abort", pending.onAbort);
    pending.resolve(trouble);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#options.stream.write(bytes);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      this.#end(messageOf(error));
    }
  }

  async #pump(): Promise<void> {
    const frames = new TcpFrames();
    for (let bytes = await this.#read(); bytes !== null; bytes = await this.#read()) {
      frames.push(bytes);
      for (let message = frames.take(); message !== null; message = frames.take())
        this.#receive(message);
    }
  }

  /** The next bytes, or null when the connection has ended. */
  async #read(): Promise<Uint8Array | null> {
    let reason = "the server closed the connection";
    try {
      const bytes = this.#isOpen ? await this.#options.stream.read() : null;
      if (bytes !== null) return bytes;
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      reason = messageOf(error);
    }
    this.#end(reason);
    return null;
  }

  /** Drops a message that does not answer the request under way (late, or never asked). */
  #receive(message: Uint8Array): void {
    const pending = this.#pending;
    if (pending?.id !== idOf(message)) return;
    if (pending.options.onMessage(message) === "done") this.#settle(null);
    else {
      pending.timer.cancel();
      pending.timer = this.#timer(pending.options);
    }
  }

  #end(reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#options.stream.close();
    this.#settle({ code: "ConnectionLost", sent: true, message: reason });
  }
}

function idOf(message: Uint8Array): number {
  return ((message[0] ?? 0) << 8) | (message[1] ?? 0);
}

/** The zone of an UPDATE (RFC 2136 §2.3), from the very bytes that are about to be sent. */
function zoneOf(request: Uint8Array): DnsName | null {
  const message = decodeMessage(request);
  return message.ok ? (message.value.question[0]?.name ?? null) : null;
}
