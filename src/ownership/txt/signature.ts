/**
 * Signed markers and permits: `sig=<key id>.<base64url HMAC-SHA256>` over zone, owner name, type,
 * set identifier and the other labels (Z-13, RFC 2104), so that a marker that somebody wrote,
 * copied or altered gives no right. Where that is too long for a marker the HMAC is truncated to
 * its first half (RFC 2104 §5). Pure but for the Crypto port; shows no key.
 */
import { base64Text } from "@zonekeeper/base/bytes";
import { compareText } from "@zonekeeper/base/compare-text";
import { invariant } from "@zonekeeper/base/invariant";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { MarkerLabels } from "./marker-value.ts";

/** One secret. */
export interface SigningKey {
  /** Letters, digits, `-` and `_`. */
  readonly id: string;
  /** At least 32 bytes, RFC 2104 §3. */
  readonly secret: Uint8Array;
}

/** What markers are signed with. */
export interface MarkerSigning {
  /**
   * `write`: signed when written, and checked where there is a signature. `require`: unsigned ones
   * give no right.
   */
  readonly mode: "write" | "require";
  /** Not empty. The first signs; all verify. */
  readonly keys: readonly SigningKey[];
  readonly crypto: Crypto;
}

/** The record that a marker or a permit is for, by its name, and its zone. */
export interface SignedRecord {
  /** A permit is signed; absent = a marker. A signature of one is not valid for the other. */
  readonly kind?: "permit";
  readonly apex: DnsName;
  readonly name: DnsName;
  /** Null = legacy: no type. */
  readonly type: string | null;
  readonly setIdentifier: string | null;
}

/** How a signature is written. */
export interface SignatureForm {
  readonly signing: MarkerSigning;
  /** Only the first 16 of its 32 bytes. */
  readonly isShort: boolean;
}

/** The labels with their signature in place of any other. */
export function signLabels(
  labels: MarkerLabels,
  record: SignedRecord,
  { signing, isShort }: SignatureForm,
): MarkerLabels {
  const { sig: _, ...rest } = labels;
  const [key] = signing.keys;
  invariant(key !== undefined, "markers are signed with a key");
  const mac = macOf(rest, record, { key, signing });
  return { ...rest, sig: `${key.id}.${macText(mac, isShort)}` };
}

/**
 * `good`, `forged` (also: signed with a key that is not ours), or `unsigned`. Compares in constant
 * time.
 */
export function checkSignature(
  labels: MarkerLabels,
  record: SignedRecord,
  signing: MarkerSigning,
): "good" | "forged" | "unsigned" {
  const { sig, ...rest } = labels;
  if (sig === undefined) return "unsigned";
  const at = sig.indexOf(".");
  const key = signing.keys.find(({ id }) => id === sig.slice(0, Math.max(at, 0)));
  if (key === undefined) return "forged";
  const given = new TextEncoder().encode(sig.slice(at + 1));
  const mac = macOf(rest, record, { key, signing });
  const wanted = new TextEncoder().encode(macText(mac, given.length === SHORT_CHARS));
  return signing.crypto.equal(wanted, given) ? "good" : "forged";
}

interface MacKey {
  readonly key: SigningKey;
  readonly signing: MarkerSigning;
}

/** A JSON list, so that no two different inputs have the same bytes. */
function macOf(labels: MarkerLabels, record: SignedRecord, { key, signing }: MacKey): Uint8Array {
  const { kind = "marker", apex, name, type, setIdentifier } = record;
  const pairs = Object.entries(labels).sort(([a], [b]) => compareText(a, b));
  const text = JSON.stringify([`zonekeeper-${kind}-1`, apex, name, type, setIdentifier, pairs]);
  return signing.crypto.hmac("sha256", key.secret, new TextEncoder().encode(text));
}

/** Half of a HMAC-SHA256, the least that RFC 2104 §5 allows, and so many characters of base64. */
const SHORT_BYTES = 16;
const SHORT_CHARS = 22;

function macText(mac: Uint8Array, isShort: boolean): string {
  // RFC 4648 §5, without padding: no parser has to accept `=` inside of a label's value.
  const bytes = isShort ? mac.subarray(0, SHORT_BYTES) : mac;
  const base64 = base64Text(bytes);
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
