/**
 * The TLS settings of an rfc2136 account (RFC 7858, RFC 9103): `tls` of providerConfig enables TLS
 * and sets the server name; the Secret has the CA and the client certificate. Checks and parses
 * only; problems name the key and never its value.
 */
import type { TlsClientOptions, TlsCredentials } from "@zonekeeper/base/ports/net";
import { fieldsOf, isFields, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import { configProblem, secretProblem } from "../shared/settings.ts";

/** RFC 7858 §3.1. */
export const DOT_PORT = 853;
const DOT_ALPN = "dot";

/** Keys of the Secret. */
const CA = "TLSCACertificate";
const CERTIFICATE = "TLSClientCertificate";
const KEY = "TLSClientKey";
/** All of them. */
export const TLS_KEYS: readonly string[] = [CA, CERTIFICATE, KEY];

type Secret = Readonly<Record<string, string>>;

/** `true`, or an object whose only field `serverName` is a text. */
export function isTlsField(value: unknown): boolean {
  if (!isFields(value)) return typeof value === "boolean";
  return Object.entries(value).every(
    ([field, name]) => field === "serverName" && textOf(name) !== null,
  );
}

/**
 * Null = plain TCP; then certificates in the Secret are a mistake and not ignored. `field` has
 * passed `isTlsField`.
 */
export function parseTls(
  field: unknown,
  secret: Secret,
  problems: Problem[],
): TlsClientOptions | null {
  const given = TLS_KEYS.filter((key) => secret[key] !== undefined);
  if (field === undefined || field === null || field === false) {
    const remedy = `the Secret holds ${given.join(", ")}; set it to true, or remove them`;
    if (given.length > 0) problems.push(configProblem("tls", `is not set: ${remedy}`));
    return null;
  }
  for (const key of given)
    if (!/-----BEGIN [A-Z0-9 ]+-----[\s\S]+-----END [A-Z0-9 ]+-----/.test(secret[key] ?? ""))
      problems.push(secretProblem(key, "is no PEM text", "write it with its BEGIN and END lines"));
  return {
    serverName: textOf(fieldsOf(field)["serverName"]),
    caCertificates: secret[CA] ?? null,
    client: parseClient(secret, problems),
    alpn: DOT_ALPN,
  };
}

function parseClient(secret: Secret, problems: Problem[]): TlsCredentials | null {
  const certificate = secret[CERTIFICATE];
  const key = secret[KEY];
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  if (certificate !== undefined)
    problems.push(secretProblem(KEY, "is missing", `it belongs to ${CERTIFICATE}`));
  if (key !== undefined)
    problems.push(secretProblem(CERTIFICATE, "is missing", `it belongs to ${KEY}`));
  return null;
}
