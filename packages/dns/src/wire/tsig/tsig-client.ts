/**
 * The client side of TSIG: signs one request, then checks its answer, which may have many messages
 * (RFC 8945 §5.3, §5.4). One object for one request. Verdicts are values; no content of an
 * unverified message may be used.
 */
import { WireReader } from "../bytes/wire-reader.ts";
import { type Rcode, TSIG_ERRORS } from "../message/message.ts";
import { isTimely, isTruncatedTooFar, macTrouble, signMessage, tsigOf } from "./tsig-chain.ts";
import { type TsigCrypto, type TsigKey, tsigFacts } from "./tsig-key.ts";
import { splitTsig, type TsigRecord } from "./tsig-record.ts";

/** Messages that may come between two signed ones (RFC 8945 §5.3.1). */
export const UNSIGNED_MESSAGES_MAX = 99;

/** The verdict on one message of an answer. `message` is without TSIG. */
export type TsigVerdict =
  | { readonly status: "verified"; readonly message: Uint8Array }
  /** Unsigned inside a longer answer: verified once a later message verifies. */
  | { readonly status: "pending"; readonly message: Uint8Array }
  | TsigFailure;

/** Why an answer is not verified. */
export interface TsigFailure {
  readonly status: "failed";
  /**
   * `BADKEY`, `BADSIG`, `BADTIME`, `BADTRUNC`: reported by the server, or found in its answer.
   * `FORMERR`: malformed or a MAC below the floor. `NOTAUTH`: the answer is not signed at all.
   */
  readonly error: Rcode;
  /** True when the server reported the error; false when this client found it in the answer. */
  readonly reported: boolean;
  /** With BADTIME: the server's clock in Unix seconds; a hint only. */
  readonly serverTimeSeconds: number | null;
  /** The message without TSIG for diagnosis (its response code); null when it cannot be read. */
  readonly message: Uint8Array | null;
}

/** Signs a request and verifies its answer. */
export class TsigClient {
  readonly #key: TsigKey;
  readonly #crypto: TsigCrypto;
  #prior: Uint8Array | null = null;
  #verifiedMessages = 0;
  /** Unsigned messages since the last signed one. */
  #unsigned: readonly Uint8Array[] = [];

  constructor(key: TsigKey, crypto: TsigCrypto) {
    this.#key = key;
    this.#crypto = crypto;
  }

  /** The request with TSIG; to be called once, before `verify`. */
  sign(request: Uint8Array, nowSeconds: number): Uint8Array {
    const signed = signMessage(this.#key, this.#crypto, {
      prior: null,
      message: request,
      tsig: tsigOf(this.#key, request, nowSeconds),
      scope: "all-variables",
    });
    this.#prior = signed.mac;
    return signed.bytes;
  }

  /** True when no unsigned message waits for a signature: an answer may end only here. */
  get isSettled(): boolean {
    return this.#unsigned.length === 0;
  }

  /** Checks the next message of the answer. After a failure the object cannot be used again. */
  verify(bytes: Uint8Array, nowSeconds: number): TsigVerdict {
    const split = splitTsig(bytes);
    if (!split.ok) return failure("FORMERR", { message: null });
    const { message, tsig } = split.value;
    if (tsig === null) return this.#unsignedMessage(message);
    const trouble = this.#trouble(message, tsig, nowSeconds);
    if (trouble !== null) return trouble;
    this.#prior = tsig.mac;
    this.#unsigned = [];
    this.#verifiedMessages += 1;
    return { status: "verified", message };
  }

  #unsignedMessage(message: Uint8Array): TsigVerdict {
    // RFC 8945 §5.3.1: the first message is always signed, and at least every hundredth.
    if (this.#verifiedMessages === 0 || this.#unsigned.length >= UNSIGNED_MESSAGES_MAX)
      return failure("NOTAUTH", { message });
    this.#unsigned = [...this.#unsigned, message];
    return { status: "pending", message };
  }

  #trouble(message: Uint8Array, tsig: TsigRecord, nowSeconds: number): TsigFailure | null {
    const reported = TSIG_ERRORS.of(tsig.error);
    // RFC 8945 §5.3.2: such answers are unsigned; BADTIME is signed and checked below.
    if (tsig.mac.length === 0)
      return failure(tsig.error === 0 ? "BADSIG" : reported, { message, reported: tsig.error > 0 });
    const { wireName } = tsigFacts(this.#key.algorithm);
    if (tsig.keyName !== this.#key.name || tsig.algorithmName !== wireName)
      return failure("BADKEY", { message });
    const trouble = macTrouble(this.#key, this.#crypto, {
      prior: this.#prior,
      messages: [...this.#unsigned, message],
      tsig,
      scope: this.#verifiedMessages === 0 ? "all-variables" : "timers-only",
    });
    if (trouble !== null) return failure(trouble, { message });
    if (tsig.error !== 0) return failure(reported, { message, reported: true, tsig });
    if (!isTimely(tsig, nowSeconds)) return failure("BADTIME", { message, tsig });
    return isTruncatedTooFar(this.#key, tsig) ? failure("BADTRUNC", { message }) : null;
  }
}

interface FailureDetails {
  readonly message: Uint8Array | null;
  readonly reported?: boolean;
  readonly tsig?: TsigRecord;
}

function failure(error: Rcode, { message, reported = false, tsig }: FailureDetails): TsigFailure {
  const serverTimeSeconds = error === "BADTIME" && tsig !== undefined ? serverTime(tsig) : null;
  return { status: "failed", error, reported, serverTimeSeconds, message };
}

/** The time in BADTIME's other data, else the time of signing. */
function serverTime({ otherData, timeSeconds }: TsigRecord): number {
  return otherData.length === 6 ? new WireReader(otherData).u48() : timeSeconds;
}
