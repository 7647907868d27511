/**
 * One TCP connection to a DNS server; an id identifies each request under way (RFC 7766 §6.2.1,
 * §7). Every byte passes here: in a dry run, or while the zone is paused, nothing but a query is
 * sent.
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
  readonly options: ExchangeOptions;
  readonly resolve: (trouble: ExchangeTrouble | null) => void;
  readonly onAbort: () => void;
  timer: Timer;
}

/** See above. Requests may be made concurrently; their ids must differ. */
export class DnsConnection {
  readonly #options: ConnectionOptions;
  readonly #pending = new Map<number, Pending>();
  #isOpen = true;
  #isRetired = false;
  #lastUsedMs: number;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#lastUsedMs = options.clock.monotonicMs();
    void this.#pump();
  }

  /** True while new requests may be sent. */
  get isUsable(): boolean {
    return this.#isOpen && !this.#isRetired;
  }

  /** Milliseconds since something was sent or received; 0 while a request is under way. */
  get idleMs(): number {
    return this.#pending.size > 0 ? 0 : this.#options.clock.monotonicMs() - this.#lastUsedMs;
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
    const id = idOf(request);
    if (!this.isUsable || this.#pending.has(id))
      return { code: "ConnectionLost", sent: false, message: "the connection cannot be used" };
    const answered = new Promise<ExchangeTrouble | null>((resolve) => {
      const onAbort = (): void =>
        this.#settle(id, { code: "Aborted", sent: true, message: "stopped while waiting" });
      options.signal.addEventListener("abort", onAbort, { once: true });
      this.#pending.set(id, { options, resolve, onAbort, timer: this.#timer(id, options) });
    });
    await this.#write(frameMessage(request));
    return answered;
  }

  /** Idempotent. Requests under way end as lost. */
  close(): void {
    this.#end("the connection was closed");
  }

  #timer(id: number, options: ExchangeOptions): Timer {
    return this.#options.clock.setTimer(options.timeoutMs, () => {
      const message = `no answer within ${options.timeoutMs} ms`;
      this.#isRetired = true;
      this.#settle(id, { code: "Timeout", sent: true, message });
    });
  }

  #settle(id: number, trouble: ExchangeTrouble | null): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    this.#lastUsedMs = this.#options.clock.monotonicMs();
    pending.timer.cancel();
    pending.options.signal.removeEventListener("abort", pending.onAbort);
    pending.resolve(trouble);
    if (this.#isRetired && this.#pending.size === 0) this.close();
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

  /** Drops a message that answers no request under way (late, or never asked). */
  #receive(message: Uint8Array): void {
    const id = idOf(message);
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#lastUsedMs = this.#options.clock.monotonicMs();
    if (pending.options.onMessage(message) === "done") this.#settle(id, null);
    else {
      pending.timer.cancel();
      pending.timer = this.#timer(id, pending.options);
    }
  }

  #end(reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#options.stream.close();
    for (const id of [...this.#pending.keys()])
      this.#settle(id, { code: "ConnectionLost", sent: true, message: reason });
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
