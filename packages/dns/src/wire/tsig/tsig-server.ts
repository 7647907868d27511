/**
 * The server side of TSIG: checks a request, then signs the answer to it, which may have many
 * messages (RFC 8945 §5.2, §5.3). Verdicts are values; the caller decides what an unsigned request
 * may do.
 */
import type { DnsName } from "../../names/dns-name.ts";
import { WireReader } from "../bytes/wire-reader.ts";
import { TSIG_ERRORS } from "../message/message.ts";
import {
  isTimely,
  isTruncatedTooFar,
  macTrouble,
  signMessage,
  timeBytes,
  tsigOf,
} from "./tsig-chain.ts";
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
  const { crypto, nowSeconds } = context;
  const refused = (error: TsigRequestError, key: TsigKey | null): TsigRequestVerdict => {
    const signer = new TsigSigner({ request: tsig, key, crypto, error });
    return { status: "refused", error, message, signer };
  };
  const key = context.keyOf(tsig.keyName);
  if (key === null || tsigFacts(key.algorithm).wireName !== tsig.algorithmName)
    return refused("BADKEY", null);
  const trouble = macTrouble(key, crypto, {
    prior: null,
    messages: [message],
    tsig,
    scope: "all-variables",
  });
  if (trouble === "FORMERR")
    return { status: "malformed", reason: "the MAC of TSIG has a length that is not accepted" };
  if (trouble !== null) return refused(trouble, null);
  if (!isTimely(tsig, nowSeconds)) return refused("BADTIME", key);
  if (isTruncatedTooFar(key, tsig)) return refused("BADTRUNC", key);
  const signer = new TsigSigner({ request: tsig, key, crypto, error: null });
  return { status: "verified", message, key, tsig, signer };
}

interface SignerOptions {
  readonly request: TsigRecord;
  /** Null = the answer stays unsigned (RFC 8945 §5.3.2). */
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
    const { key, crypto, request, error } = this.#options;
    const number = error === null ? 0 : (TSIG_ERRORS.numberOf(error) ?? 0);
    if (key === null) {
      const [mac, otherData] = [new Uint8Array(0), new Uint8Array(0)];
      const originalId = new WireReader(message).u16();
      return appendTsig(message, { ...request, mac, originalId, error: number, otherData });
    }
    const { timeSeconds, fudgeSeconds } = request;
    // RFC 8945 §5.2.3: BADTIME repeats the client's time and has our time in the other data.
    const clocks = { timeSeconds, fudgeSeconds, otherData: timeBytes(nowSeconds) };
    const differing = error === "BADTIME" ? clocks : {};
    const signed = signMessage(key, crypto, {
      prior: this.#prior,
      message,
      tsig: { ...tsigOf(key, message, nowSeconds), error: number, ...differing },
      scope: this.#signedMessages === 0 ? "all-variables" : "timers-only",
    });
    this.#prior = signed.mac;
    this.#signedMessages += 1;
    return signed.bytes;
  }
}
