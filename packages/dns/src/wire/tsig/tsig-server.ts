/**
 * The server side of TSIG: checks a request, then signs the answer to it, which may have many
 * messages (RFC 8945 §5.2, §5.3). Verdicts are values; the caller decides what an unsigned request
 * may do.
 */
import type { DnsName } from "../../names/dns-name.ts";
import { TSIG_ERRORS } from "../message/codes.ts";
import { isTimely, isTruncatedTooFar, macTrouble } from "./check-mac.ts";
import { signMessage, timeBytes, tsigOf } from "./tsig-chain.ts";
import { type TsigCrypto, type TsigKey, tsigFacts } from "./tsig-key.ts";
import { appendTsig, splitTsig, type TsigRecord } from "./tsig-record.ts";

/**
 * Errors that a server reports in TSIG; the response code of the message is then NOTAUTH (RFC 8945
 * §5.2).
 */
export type TsigRequestError = "BADKEY" | "BADSIG" | "BADTIME" | "BADTRUNC";

/** The verdict on a request. `message` is without TSIG and may be decoded. */
export type TsigRequestVerdict =
  | { readonly status: "unsigned"; readonly message: Uint8Array }
  | {
      readonly status: "verified";
      readonly message: Uint8Array;
      readonly key: TsigKey;
      readonly tsig: TsigRecord;
      readonly signer: TsigSigner;
    }
  /** Answer with NOTAUTH through `signer`. */
  | {
      readonly status: "refused";
      readonly error: TsigRequestError;
      readonly message: Uint8Array;
      readonly signer: TsigSigner;
    }
  /** Answer with FORMERR and no TSIG; the message itself may be unreadable. */
  | { readonly status: "malformed"; readonly reason: string };

/** The context of a check. */
export interface TsigServerContext {
  readonly crypto: TsigCrypto;
  /** Unix seconds. */
  readonly nowSeconds: number;
  /** The key of that name; null = unknown. */
  readonly keyOf: (name: DnsName) => TsigKey | null;
}

/** Checks key, MAC, time and truncation, in this order (RFC 8945 §5.2). */
export function checkRequest(bytes: Uint8Array, context: TsigServerContext): TsigRequestVerdict {
  const split = splitTsig(bytes);
  if (!split.ok) return { status: "malformed", reason: split.error };
  const { message, tsig } = split.value;
  if (tsig === null) return { status: "unsigned", message };
  const key = context.keyOf(tsig.keyName);
  if (key === null || tsigFacts(key.algorithm).wireName !== tsig.algorithmName)
    return refused("BADKEY", { message, tsig, key: null, context });
  const trouble = macTrouble(key, context.crypto, {
    prior: null,
    messages: [message],
    tsig,
    scope: "all-variables",
  });
  if (trouble === "FORMERR")
    return { status: "malformed", reason: "the MAC of TSIG has a length that is not accepted" };
  if (trouble !== null) return refused(trouble, { message, tsig, key: null, context });
  if (!isTimely(tsig, context.nowSeconds))
    return refused("BADTIME", { message, tsig, key, context });
  if (isTruncatedTooFar(key, tsig)) return refused("BADTRUNC", { message, tsig, key, context });
  const signer = new TsigSigner({ request: tsig, key, crypto: context.crypto, error: null });
  return { status: "verified", message, key, tsig, signer };
}

interface RefusedRequest {
  readonly message: Uint8Array;
  readonly tsig: TsigRecord;
  /** Null = the answer stays unsigned (RFC 8945 §5.3.2). */
  readonly key: TsigKey | null;
  readonly context: TsigServerContext;
}

function refused(error: TsigRequestError, request: RefusedRequest): TsigRequestVerdict {
  const { message, tsig, key, context } = request;
  const signer = new TsigSigner({ request: tsig, key, crypto: context.crypto, error });
  return { status: "refused", error, message, signer };
}

interface SignerOptions {
  readonly request: TsigRecord;
  readonly key: TsigKey | null;
  readonly crypto: TsigCrypto;
  readonly error: TsigRequestError | null;
}

/** Signs the messages of one answer, in order. */
export class TsigSigner {
  readonly #options: SignerOptions;
  #prior: Uint8Array;
  #signedMessages = 0;

  constructor(options: SignerOptions) {
    this.#options = options;
    this.#prior = options.request.mac;
  }

  /**
   * `message` with TSIG; the first of an answer in full, later ones over timers only (RFC 8945
   * §5.3.1).
   */
  sign(message: Uint8Array, nowSeconds: number): Uint8Array {
    const { key, crypto } = this.#options;
    if (key === null) return appendTsig(message, this.#unsignedRecord(message));
    const signed = signMessage(key, crypto, {
      prior: this.#prior,
      message,
      tsig: { ...tsigOf(key, message, nowSeconds), ...this.#errorFields(nowSeconds) },
      scope: this.#signedMessages === 0 ? "all-variables" : "timers-only",
    });
    this.#prior = signed.mac;
    this.#signedMessages += 1;
    return signed.bytes;
  }

  /** RFC 8945 §5.2.3: BADTIME repeats the client's time and has our time in the other data. */
  #errorFields(nowSeconds: number): Partial<TsigRecord> {
    const { request, error } = this.#options;
    if (error === null) return {};
    if (error === "BADTRUNC") return { error: TSIG_ERRORS.numberOf(error) ?? 0 };
    return {
      error: TSIG_ERRORS.numberOf(error) ?? 0,
      timeSeconds: request.timeSeconds,
      fudgeSeconds: request.fudgeSeconds,
      otherData: error === "BADTIME" ? timeBytes(nowSeconds) : new Uint8Array(0),
    };
  }

  #unsignedRecord(message: Uint8Array): TsigRecord {
    const { request, error } = this.#options;
    const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
    return {
      ...request,
      mac: new Uint8Array(0),
      originalId: view.getUint16(0),
      error: error === null ? 0 : (TSIG_ERRORS.numberOf(error) ?? 0),
      otherData: new Uint8Array(0),
    };
  }
}
