/**
 * Signatures of RPC-style calls ("Request syntax and signature method V2 for RPC APIs" of the
 * vendor's documents): HMAC-SHA1 over all parameters. Discontinued, and what older SDKs send: that
 * of external-dns among them.
 */
import { createHmac } from "node:crypto";

/** Parameters of every call; those of the action are the others. */
const COMMON: ReadonlySet<string> = new Set([
  ...["Action", "Version", "Format", "AccessKeyId", "SecurityToken", "Timestamp", "RegionId"],
  ...["SignatureMethod", "SignatureVersion", "SignatureNonce", "SignatureType", "Signature"],
]);

/** All parameters of a call that is signed so: of its query and its form. Null = it is not. */
export function rpcParameters(query: URLSearchParams, body: string): URLSearchParams | null {
  const all = new URLSearchParams([...query, ...new URLSearchParams(body)]);
  return all.has("Signature") ? all : null;
}

/** Parameters of the action. */
export function withoutCommon(parameters: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([name]) => !COMMON.has(name)));
}

/** Without the signature itself. */
export function rpcStringToSign(method: string, parameters: URLSearchParams): string {
  const signed = new URLSearchParams([...parameters].filter(([name]) => name !== "Signature"));
  return [method, percentEncoded("/"), percentEncoded(canonicalQuery(signed))].join("&");
}

/** The key is the secret and "&". */
export function rpcSignature(secret: string, text: string): string {
  return createHmac("sha1", `${secret}&`).update(text).digest("base64");
}

/** Whatever was sent: sorted, and encoded but for what RFC 3986 does not reserve. */
export function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.map(percentEncoded).join("="))
    .join("&");
}

function percentEncoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => String.fromCharCode(byte))
    .map((byte) => (/[A-Za-z0-9._~-]/.test(byte) ? byte : percent(byte)))
    .join("");
}

function percent(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
