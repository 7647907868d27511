/**
 * Judges a NOTIFY (RFC 1996 §3.10, §3.11): which accounts it wakes, and the answer. Pure but for
 * hashing. A NOTIFY counts when a key of the account signed it, or when it comes unsigned from the
 * account's own server.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { responseTo } from "@zonekeeper/dns/wire/message/compose";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import { encodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Message, Rcode } from "@zonekeeper/dns/wire/message/message";
import type { TsigCrypto, TsigKey } from "@zonekeeper/dns/wire/tsig/tsig-key";
import { checkRequest, type TsigRequestVerdict } from "@zonekeeper/dns/wire/tsig/tsig-server";
import type { NotifyInterest } from "../../provider.ts";

/** A NOTIFY as received. */
export interface ReceivedNotify {
  /** IP address of the sender. */
  readonly host: string;
  readonly bytes: Uint8Array;
  /** Unix seconds. */
  readonly nowSeconds: number;
}

/** The answer (null = the bytes are no request), and the interests that ask for the SOA now. */
export interface NotifyVerdict<T> {
  readonly reply: Uint8Array | null;
  readonly woken: readonly T[];
}

/** Keys of one name that are tried on one message; more such accounts are a mistake. */
const KEYS_TRIED_MAX = 16;
const HEADER_BYTES = 12;
/** QR, and opcode NOTIFY (RFC 1996 §3.1). */
const KIND_BITS = 0xf8;
const NOTIFY_REQUEST = 0x20;

/** Judges one message against the interests of all accounts. */
export function judgeNotify<T extends NotifyInterest>(
  received: ReceivedNotify,
  interests: Iterable<T>,
  crypto: TsigCrypto,
): NotifyVerdict<T> {
  const { bytes } = received;
  // The cheap check comes first: other messages need no hash, and answers are never answered.
  const isNotify = ((bytes[2] ?? 0) & KIND_BITS) === NOTIFY_REQUEST;
  if (bytes.length < HEADER_BYTES || !isNotify) return { reply: null, woken: [] };
  const all = [...interests];
  const verdict = verdictOf(received, all, crypto);
  if (verdict.status === "malformed") return { reply: null, woken: [] };
  const request = decodeMessage(verdict.message);
  if (!request.ok) return { reply: null, woken: [] };
  const { rcode, woken } = outcomeOf(received, { request: request.value, verdict, all });
  const reply = encodeMessage(responseTo(request.value, rcode, true));
  const signed =
    verdict.status === "unsigned" ? reply : verdict.signer.sign(reply, received.nowSeconds);
  return { reply: signed, woken };
}

interface Judged<T> {
  readonly request: Message;
  readonly verdict: TsigRequestVerdict;
  readonly all: readonly T[];
}

function outcomeOf<T extends NotifyInterest>(
  { host }: ReceivedNotify,
  { request, verdict, all }: Judged<T>,
): { readonly rcode: Rcode; readonly woken: readonly T[] } {
  if (verdict.status === "refused") return { rcode: "NOTAUTH", woken: [] };
  const [question, ...more] = request.question;
  // RFC 1996 §3.6, §3.7.
  const isZone = question?.type === "SOA" && question.class === "IN" && more.length === 0;
  if (!isZone) return { rcode: "FORMERR", woken: [] };
  const known = all.filter((interest) => interest.zone === question.name);
  if (known.length === 0) return { rcode: "NOTAUTH", woken: [] };
  const key = verdict.status === "verified" ? verdict.key : null;
  const woken = known.filter((interest) =>
    key === null ? plainHost(interest.host) === plainHost(host) : isSameKey(interest.key, key),
  );
  return { rcode: woken.length > 0 ? "NOERROR" : "REFUSED", woken };
}

/** Accounts may hold different keys of one name: the key that verifies counts. */
function verdictOf(
  { bytes, nowSeconds }: ReceivedNotify,
  interests: readonly NotifyInterest[],
  crypto: TsigCrypto,
): TsigRequestVerdict {
  const keys: TsigKey[] = [];
  for (const { key } of interests)
    if (key !== null && !keys.some((other) => isSameKey(other, key))) keys.push(key);
  const check = (keyOf: (name: DnsName) => TsigKey | null): TsigRequestVerdict =>
    checkRequest(bytes, { crypto, nowSeconds, keyOf });
  let named: readonly TsigKey[] = [];
  const first = check((name) => {
    named = keys.filter((key) => key.name === name).slice(0, KEYS_TRIED_MAX);
    return named[0] ?? null;
  });
  if (first.status !== "refused") return first;
  for (const key of named.slice(1)) {
    const next = check(() => key);
    if (next.status === "verified") return next;
  }
  return first;
}

function isSameKey(a: TsigKey | null, b: TsigKey): boolean {
  return (
    a !== null &&
    a.name === b.name &&
    a.algorithm === b.algorithm &&
    a.secret.length === b.secret.length &&
    a.secret.every((byte, index) => byte === b.secret[index])
  );
}

/** A dual-stack socket shows IPv4 senders as `::ffff:192.0.2.1` (RFC 4291 §2.5.5.2). */
function plainHost(host: string): string {
  return host.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
}
