/**
 * What both ends of a TSIG exchange do (RFC 8945 §4.3, §5.2, §5.3.1): compute and check the MAC of
 * a message, which is chained to the MAC before it. In the first message of an answer the MAC
 * covers all variables, in later ones only the timers.
 */
import { WireReader } from "../bytes/wire-reader.ts";
import { WireWriter } from "../bytes/wire-writer.ts";
import { macBytesMin, type TsigCrypto, type TsigKey, tsigFacts } from "./tsig-key.ts";
import { appendTsig, type TsigRecord } from "./tsig-record.ts";

/** Seconds that clocks may differ, RFC 8945 §10. */
export const FUDGE_SECONDS = 300;

/** Which fields of the record are digested. */
export type TsigScope = "all-variables" | "timers-only";

/** One message's part in the chain. */
export interface DigestInput {
  /** MAC of the message before; null for a request. */
  readonly prior: Uint8Array | null;
  /** This message without TSIG, after unsigned ones that came since `prior` (RFC 8945 §5.3.1). */
  readonly messages: readonly Uint8Array[];
  readonly tsig: Omit<TsigRecord, "mac">;
  readonly scope: TsigScope;
}

/** The full-length MAC. */
function computeMac(key: TsigKey, crypto: TsigCrypto, input: DigestInput): Uint8Array {
  const writer = new WireWriter();
  if (input.prior !== null) {
    writer.u16(input.prior.length);
    writer.bytes(input.prior);
  }
  for (const message of input.messages) writer.bytes(message);
  const { tsig } = input;
  const all = input.scope === "all-variables";
  if (all) {
    writer.name(tsig.keyName, false);
    writer.u16(255);
    writer.u32(0);
    writer.name(tsig.algorithmName, false);
  }
  writer.u48(tsig.timeSeconds);
  writer.u16(tsig.fudgeSeconds);
  if (all) {
    writer.u16(tsig.error);
    writer.u16(tsig.otherData.length);
    writer.bytes(tsig.otherData);
  }
  return crypto.hmac(tsigFacts(key.algorithm).hash, key.secret, writer.finish());
}

/**
 * Signs `message`, truncated as the key requires, and appends the record; `mac` is the MAC in the
 * record.
 */
export function signMessage(
  key: TsigKey,
  crypto: TsigCrypto,
  input: Omit<DigestInput, "messages"> & { readonly message: Uint8Array },
): { readonly bytes: Uint8Array; readonly mac: Uint8Array } {
  const { message, ...rest } = input;
  const whole = computeMac(key, crypto, { ...rest, messages: [message] });
  const mac = whole.subarray(0, key.macBytes ?? whole.length);
  return { bytes: appendTsig(message, { ...input.tsig, mac }), mac };
}

/**
 * `FORMERR`: its length is impossible or below the floor. `BADSIG`: it is wrong. Null = it is
 * right.
 */
export function macTrouble(
  key: TsigKey,
  crypto: TsigCrypto,
  check: DigestInput & { readonly tsig: TsigRecord },
): "FORMERR" | "BADSIG" | null {
  const { mac } = check.tsig;
  const { macBytes } = tsigFacts(key.algorithm);
  if (mac.length > macBytes || mac.length < macBytesMin(macBytes)) return "FORMERR";
  const right = computeMac(key, crypto, check).subarray(0, mac.length);
  return crypto.equal(right, mac) ? null : "BADSIG";
}

/** True when the time differs from our clock by at most its fudge (RFC 8945 §5.2.3). */
export function isTimely(tsig: TsigRecord, nowSeconds: number): boolean {
  return Math.abs(nowSeconds - tsig.timeSeconds) <= tsig.fudgeSeconds;
}

/**
 * True when the MAC is cut shorter than the key allows: BADTRUNC, checked last (RFC 8945 §5.2.4).
 */
export function isTruncatedTooFar(key: TsigKey, tsig: TsigRecord): boolean {
  return tsig.mac.length < (key.macBytes ?? 0);
}

/** The record of `key` for a message, not signed yet. */
export function tsigOf(
  key: TsigKey,
  message: Uint8Array,
  timeSeconds: number,
): Omit<TsigRecord, "mac"> {
  return {
    keyName: key.name,
    algorithmName: tsigFacts(key.algorithm).wireName,
    timeSeconds,
    fudgeSeconds: FUDGE_SECONDS,
    originalId: new WireReader(message).u16(),
    error: 0,
    otherData: new Uint8Array(0),
  };
}

/** Six bytes of Unix seconds, as BADTIME carries them (RFC 8945 §5.2.3). */
export function timeBytes(timeSeconds: number): Uint8Array {
  const writer = new WireWriter();
  writer.u48(timeSeconds);
  return writer.finish();
}
