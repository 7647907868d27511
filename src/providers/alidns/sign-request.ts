/**
 * Signature V3 of the vendor's API gateway (docs "V3 request structure and signature", which says
 * that V2 is discontinued): ACS3-HMAC-SHA256 over a request without a body. Pure.
 */
import { hexText } from "@zonekeeper/base/bytes";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import { timeText } from "@zonekeeper/base/time-text";

/** A key, with the token of those that end. */
export interface AccessKey {
  readonly id: string;
  readonly secret: string;
  /** Null = a key that does not end. */
  readonly securityToken: string | null;
}

/** What is signed. */
export interface UnsignedCall {
  readonly host: string;
  readonly action: string;
  readonly version: string;
  /** As it is sent: `a=1&b=2`, sorted and encoded. */
  readonly query: string;
  readonly key: AccessKey;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Another one for each request. */
  readonly nonce: string;
}

const ALGORITHM = "ACS3-HMAC-SHA256";

/** The headers of a POST to `/`, all but `host`. */
export function signedHeaders(call: UnsignedCall, crypto: Crypto): HttpHeaders {
  const hash = (text: string): string => hexText(crypto.hash("sha256", bytes(text)));
  const { key } = call;
  const headers: Record<string, string> = {
    host: call.host,
    "x-acs-action": call.action,
    "x-acs-content-sha256": hash(""),
    "x-acs-date": timeText(call.nowMs),
    "x-acs-signature-nonce": call.nonce,
    "x-acs-version": call.version,
    ...(key.securityToken === null ? {} : { "x-acs-security-token": key.securityToken }),
  };
  const sorted = Object.entries(headers).sort();
  const names = sorted.map(([name]) => name).join(";");
  const lines = sorted.map(([name, value]) => `${name}:${value}\n`).join("");
  const canonical = ["POST", "/", call.query, lines, names, hash("")].join("\n");
  const text = `${ALGORITHM}\n${hash(canonical)}`;
  const signature = hexText(crypto.hmac("sha256", bytes(key.secret), bytes(text)));
  const { host: _host, ...sent } = headers;
  const authorization = `${ALGORITHM} Credential=${key.id},SignedHeaders=${names},Signature=${signature}`;
  return { ...sent, authorization };
}

/** Sorted by name, with what RFC 3986 §2.3 does not reserve left as it is. */
export function queryOf(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
}

function encode(text: string): string {
  const reserved = /[!'()*]/g;
  return encodeURIComponent(text).replace(
    reserved,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
