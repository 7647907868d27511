/**
 * Messages instead of bytes: numbers, signs and sends requests, verifies and decodes answers (RFC
 * 8945). Reports what was received and whether it is verified; the callers draw the conclusions.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Random } from "@zonekeeper/base/ports/random";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import { tryEncodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Message } from "@zonekeeper/dns/wire/message/message";
import type {
  TransferProgress,
  TransferReader,
} from "@zonekeeper/dns/wire/transfer/transfer-reader";
import { TsigClient, type TsigFailure } from "@zonekeeper/dns/wire/tsig/tsig-client";
import type { TsigCrypto, TsigKey } from "@zonekeeper/dns/wire/tsig/tsig-key";
import type { ExchangeTrouble } from "./connection.ts";
import {
  ANSWER_TIMEOUT_MS,
  TRANSFER_BYTES_MAX,
  TRANSFER_TIMEOUT_MS,
  TRANSFER_TOTAL_MS,
  TRANSFERS_MAX,
} from "./limits.ts";
import { type DnsTransport, Slots } from "./transport.ts";

/** The result of one request. */
export type Answer =
  /** Signed by the key, or nothing was to be signed (`isSigned` false). */
  | { readonly status: "answer"; readonly message: Message; readonly isSigned: boolean }
  /** Not verified; `message` is for diagnosis, and null when it cannot be read. */
  | {
      readonly status: "unverified";
      readonly failure: TsigFailure;
      readonly message: Message | null;
    }
  /** Verified, but no DNS message or one for another question. */
  | { readonly status: "garbled"; readonly reason: string }
  | { readonly status: "lost"; readonly trouble: ExchangeTrouble }
  /** The request itself cannot be written as bytes; nothing was sent. */
  | { readonly status: "unsendable"; readonly reason: string };

/** How a transfer ended: by its reader, or stopped before that. */
export type TransferEnd =
  | Exclude<TransferProgress, { readonly status: "more" }>
  /** `isEnough` returned true. */
  | { readonly status: "stopped" }
  | { readonly status: "trouble"; readonly answer: Exclude<Answer, { readonly status: "answer" }> };

/** What a client needs. */
export interface DnsClientOptions {
  readonly transport: DnsTransport;
  readonly clock: Clock;
  readonly random: Random;
  readonly crypto: TsigCrypto;
  /** Null = nothing is signed. */
  readonly key: TsigKey | null;
}

/** A transfer under way. */
export interface TransferRun {
  readonly request: Message;
  readonly reader: TransferReader;
  /** Asked after each message; true = do not read on. */
  readonly isEnough: () => boolean;
}

/** See above. Requests may be made concurrently. */
export class DnsClient {
  readonly #options: DnsClientOptions;
  readonly #transfers = new Slots(TRANSFERS_MAX);
  #lastId: number;

  constructor(options: DnsClientOptions) {
    this.#options = options;
    const [high = 0, low = 0] = options.random.bytes(2);
    this.#lastId = (high << 8) | low;
  }

  /** An id that no other request under way has. */
  nextId(): number {
    this.#lastId = (this.#lastId + 1) & 0xffff;
    return this.#lastId;
  }

  /** One request, one answer. */
  async ask(request: Message, signal: AbortSignal): Promise<Answer> {
    const opened = this.#openExchange(request);
    if (!opened.ok) return { status: "unsendable", reason: opened.reason };
    let answer: Answer | null = null;
    const trouble = await this.#options.transport.exchange(opened.bytes, {
      timeoutMs: ANSWER_TIMEOUT_MS,
      signal,
      onMessage: (bytes) => {
        answer = this.#readAnswer(bytes, opened.tsig);
        return "done";
      },
    });
    if (trouble !== null) return { status: "lost", trouble };
    return answer ?? { status: "garbled", reason: "no message came" };
  }

  /**
   * One request, many messages (AXFR, IXFR). Everything in the result is covered by a signature.
   */
  transfer(run: TransferRun, signal: AbortSignal): Promise<TransferEnd> {
    // It is signed when its turn comes: a signature is good for five minutes.
    return this.#transfers.run(() => this.#transfer(run, signal));
  }

  async #transfer(run: TransferRun, signal: AbortSignal): Promise<TransferEnd> {
    const opened = this.#openExchange(run.request);
    if (!opened.ok)
      return { status: "trouble", answer: { status: "unsendable", reason: opened.reason } };
    let end: TransferEnd | null = null;
    let bytesRead = 0;
    const startedAtMs = this.#options.clock.monotonicMs();
    const trouble = await this.#options.transport.exchangeAlone(opened.bytes, {
      timeoutMs: TRANSFER_TIMEOUT_MS,
      signal,
      onMessage: (bytes) => {
        bytesRead += bytes.length;
        const tookMs = this.#options.clock.monotonicMs() - startedAtMs;
        end = excess(bytesRead, tookMs) ?? this.#readPart(run, bytes, opened.tsig);
        return end === null ? "more" : "done";
      },
    });
    if (trouble !== null) return { status: "trouble", answer: { status: "lost", trouble } };
    return end ?? { status: "stopped" };
  }

  #openExchange(request: Message): OpenExchange {
    const encoded = tryEncodeMessage(request);
    if (!encoded.ok) return { ok: false, reason: encoded.error };
    const { key, crypto } = this.#options;
    if (key === null) return { ok: true, bytes: encoded.value, tsig: null };
    const tsig = new TsigClient(key, crypto);
    return { ok: true, bytes: tsig.sign(encoded.value, this.#nowSeconds()), tsig };
  }

  /**
   * One message. An unsigned message inside a longer answer counts as read, and as verified once
   * `isSettled` is true.
   */
  #readAnswer(bytes: Uint8Array, tsig: TsigClient | null): ReadMessage {
    if (tsig === null) return decoded(bytes, false);
    const verdict = tsig.verify(bytes, this.#nowSeconds());
    if (verdict.status !== "failed") return decoded(verdict.message, verdict.status === "verified");
    const message = verdict.message === null ? null : decodeMessage(verdict.message);
    return { status: "unverified", failure: verdict, message: message?.ok ? message.value : null };
  }

  /** Null = more messages are needed. */
  #readPart(run: TransferRun, bytes: Uint8Array, tsig: TsigClient | null): TransferEnd | null {
    const part = this.#readAnswer(bytes, tsig);
    if (part.status !== "answer") return { status: "trouble", answer: part };
    const progress = run.reader.push(part.message);
    if (progress.status === "failed") return progress;
    // RFC 8945 §5.3.1: the last message must be signed; until then nothing is verified.
    if (tsig?.isSettled === false) return progress.status === "done" ? UNSIGNED : null;
    if (progress.status === "done") return progress;
    return run.isEnough() ? { status: "stopped" } : null;
  }

  #nowSeconds(): number {
    return Math.floor(this.#options.clock.nowMs() / 1000);
  }
}

type OpenExchange =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly tsig: TsigClient | null }
  | { readonly ok: false; readonly reason: string };

type ReadMessage = Extract<Answer, { readonly status: "answer" | "unverified" | "garbled" }>;

function decoded(bytes: Uint8Array, isSigned: boolean): ReadMessage {
  const message = decodeMessage(bytes);
  if (!message.ok) return { status: "garbled", reason: message.error };
  return message.value.response
    ? { status: "answer", message: message.value, isSigned }
    : { status: "garbled", reason: "the message is no response" };
}

/** A transfer without an end must not block its zone for ever; null = within bounds. */
function excess(bytesRead: number, tookMs: number): TransferEnd | null {
  const isSlow = tookMs > TRANSFER_TOTAL_MS;
  if (!isSlow && bytesRead <= TRANSFER_BYTES_MAX) return null;
  const message = isSlow
    ? `the transfer did not end within ${TRANSFER_TOTAL_MS / 1000} seconds`
    : `the transfer has more than ${TRANSFER_BYTES_MAX} bytes`;
  return { status: "failed", rcode: "NOERROR", message };
}

const UNSIGNED: TransferEnd = {
  ...{ status: "failed", rcode: "NOERROR" },
  message: "the last message of the transfer is not signed",
};
