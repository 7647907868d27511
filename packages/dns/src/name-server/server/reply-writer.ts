/**
 * Turns a response into bytes for the transport of its request: size limits, truncation, case of
 * the question, TSIG. Decides no content.
 */
import type { DnsName } from "../../names/dns-name.ts";
import { tryEncodeMessage } from "../../wire/message/encode-message.ts";
import {
  MESSAGE_BYTES_MAX,
  type Message,
  UDP_BYTES_WITHOUT_EDNS,
} from "../../wire/message/message.ts";
import { tsigRecordBytesMax } from "../../wire/tsig/tsig-key.ts";
import type { TsigSigner } from "../../wire/tsig/tsig-server.ts";
import type { UpdateSignature } from "./seen-updates.ts";

/** The transport by which a request came. */
export type Transport = "udp" | "tcp";

/** UDP payload that we send and announce: fits every path without fragments (DNS flag day 2020). */
export const UDP_BYTES_MAX = 1232;
/** RFC 1035 §4.1.1. */
export const HEADER_BYTES = 12;

/** One request, as far as its answer depends on it. */
export interface Exchange {
  readonly transport: Transport;
  /** The request as it came. */
  readonly bytes: Uint8Array;
  /** Null = the answer is not signed. */
  readonly signer: TsigSigner | null;
  /** The key that verified the request, and its signature; null when none did. */
  readonly signature: UpdateSignature | null;
  /** Unix seconds now; a long transfer signs its last message later than its first. */
  readonly nowSeconds: () => number;
}

/** The name of the key that verified the request; null = none did. */
export function keyNameOf(exchange: Exchange): DnsName | null {
  return exchange.signature?.key.name ?? null;
}

/** The bytes of a response to `request`. What cannot be encoded becomes SERVFAIL. */
export function writeReply(exchange: Exchange, request: Message, response: Message): Uint8Array {
  const encoded = tryEncodeMessage(response, { bytesMax: roomFor(exchange, request) });
  if (!encoded.ok) return sign(exchange, bareReply(exchange.bytes, "SERVFAIL"));
  const bytes = encoded.value;
  if (response.question.length > 0) keepCase(exchange.bytes, bytes);
  if (lacksGlue(bytes, response)) bytes[2] = (bytes[2] ?? 0) | 0x02;
  return sign(exchange, bytes);
}

/**
 * A header without sections: for requests that cannot be read (RFC 1035 §4.1.1). `bytes` has at
 * least twelve.
 */
export function bareReply(
  bytes: Uint8Array,
  rcode: "FORMERR" | "SERVFAIL" | "NOTAUTH",
): Uint8Array {
  const reply = new Uint8Array(HEADER_BYTES);
  reply.set(bytes.subarray(0, 2));
  // QR, then opcode and RD as they came.
  reply[2] = 0x80 | ((bytes[2] ?? 0) & 0x79);
  reply[3] = { FORMERR: 1, SERVFAIL: 2, NOTAUTH: 9 }[rcode];
  return reply;
}

/** Signs if the exchange does. */
export function sign(exchange: Exchange, bytes: Uint8Array): Uint8Array {
  return exchange.signer === null ? bytes : exchange.signer.sign(bytes, exchange.nowSeconds());
}

/** Bytes for the message without TSIG (RFC 6891 §6.2.5, RFC 8945 §5.3). */
function roomFor(exchange: Exchange, request: Message): number {
  const { signature: signed } = exchange;
  const signature = signed === null ? 0 : tsigRecordBytesMax(signed.key);
  if (exchange.transport === "tcp") return MESSAGE_BYTES_MAX - signature;
  const asked = request.edns?.udpPayloadBytes ?? UDP_BYTES_WITHOUT_EDNS;
  return Math.min(Math.max(asked, UDP_BYTES_WITHOUT_EDNS), UDP_BYTES_MAX) - signature;
}

/** The question goes back with the letters' case as it came: resolvers check it against forgery. */
function keepCase(request: Uint8Array, response: Uint8Array): void {
  let end = HEADER_BYTES;
  for (let length = request[end] ?? 0; length > 0 && length < 64; length = request[end] ?? 0)
    end += length + 1;
  // A compressed question name cannot be copied byte by byte; no client sends one.
  if (request[end] === 0 && end < response.length)
    response.set(request.subarray(HEADER_BYTES, end), HEADER_BYTES);
}

/** A referral that leaves out glue has TC set (RFC 9471 §3). */
function lacksGlue(bytes: Uint8Array, response: Message): boolean {
  if (response.authoritative || response.additional.length === 0) return false;
  const written = ((bytes[10] ?? 0) << 8) | (bytes[11] ?? 0);
  return written < response.additional.length + (response.edns === null ? 0 : 1);
}
