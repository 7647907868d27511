/**
 * Settings of an rfc2136 account: the Secret's keys as Gardener has them and `providerConfig`.
 * Checks and parses only; problems name the key and never its value.
 */
import { fromBase64 } from "@zonekeeper/base/bytes";
import type { SocketAddress, TlsClientOptions, TlsCredentials } from "@zonekeeper/base/ports/net";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, parseDnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { parseRdataName } from "@zonekeeper/dns/rdata/name-text";
import { parseTsigScheme, type TsigKey, type TsigScheme } from "@zonekeeper/dns/wire/tsig/tsig-key";
import {
  type Fields,
  fieldsOf,
  isFields,
  textOf,
  textsOf,
} from "@zonekeeper/kube/objects/object-fields";
import { parseHostPort } from "../../model/addresses.ts";
import type { Problem } from "../../model/problem.ts";
import type { ProviderSettings } from "../provider.ts";
import {
  BOOLEAN_CHECK,
  configProblem,
  type FieldChecks,
  readConfig,
  secretProblem,
} from "../shared/settings.ts";

/** Settings that were checked. */
export interface Rfc2136Options {
  readonly server: SocketAddress;
  /** At least one; sorted as configured, without duplicates. */
  readonly zones: readonly DnsName[];
  /** Null = unsigned, which `allowUnsigned` permits. */
  readonly key: TsigKey | null;
  /** Null = plain TCP. */
  readonly tls: TlsClientOptions | null;
}

/** RFC 7858 §3.1. */
const DOT_PORT = 853;
const DOT_ALPN = "dot";
const DNS_PORT = 53;

const CA = "TLSCACertificate";
const CERTIFICATE = "TLSClientCertificate";
const KEY = "TLSClientKey";
const TLS_KEYS = [CA, CERTIFICATE, KEY];
const KEYS: readonly string[] = [
  ...["Server", "Zone", "TSIGKeyName", "TSIGSecret", "TSIGSecretAlgorithm"],
  ...TLS_KEYS,
];

/** What each field must be; a value that is absent is fine. */
const CONFIG_CHECKS: FieldChecks = {
  server: [(value) => typeof value === "string", "must be a text such as 192.0.2.53:53"],
  zones: [(value) => value !== null && textsOf(value) !== null, "must be a list of zone names"],
  reads: [(value) => value === "axfr", "must be axfr: zones are read by transfer"],
  tls: [
    isTlsField,
    "must be true, false or an object with the name in the server's certificate as serverName",
  ],
  allowMd5: BOOLEAN_CHECK,
  allowUnsigned: BOOLEAN_CHECK,
};

/** What is given, and what is wrong with it. */
interface Given {
  readonly secret: ProviderSettings["secret"];
  readonly fields: Fields;
  readonly problems: Problem[];
}

/**
 * All problems at once, so that one edit can repair them. A key that is not known may be a slip for
 * one without which the account means something else. One that is known in another case is told
 * where that one is missing: beside it, it is what `kubectl apply` leaves of a Secret whose
 * `stringData` was mended.
 */
export function parseOptions({
  secret,
  config,
}: ProviderSettings): Result<Rfc2136Options, readonly Problem[]> {
  const problems: Problem[] = [];
  for (const key of Object.keys(secret))
    if (!KEYS.some((known) => isSimilar(key, known)))
      problems.push(secretProblem(key, "is not known", `possible are ${KEYS.join(", ")}`));
  const given = { secret, fields: readConfig(config, CONFIG_CHECKS, problems), problems };
  const server = parseServer(given);
  const zones = parseZones(given);
  const key = parseKey(given);
  const tls = parseTls(given);
  if (server === null || problems.length > 0) return fail(problems);
  return ok({ server, zones, key, tls });
}

/** Zones that Secret and `providerConfig` name, whatever is wrong with the rest. */
export function namedZones({ secret, config }: ProviderSettings): readonly DnsName[] {
  return parseZones({ secret, fields: readConfig(config, CONFIG_CHECKS, []), problems: [] });
}

/** That a key is missing, and which key of the Secret was probably meant for it. */
function missingText({ secret }: Given, key: string): string {
  const similar = Object.keys(secret).find((other) => isSimilar(other, key));
  return similar === undefined ? "is missing" : `is missing (the Secret has ${similar})`;
}

/** One key is the other in another case. */
function isSimilar(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function parseServer(given: Given): SocketAddress | null {
  const { secret, fields } = given;
  const text = (typeof fields["server"] === "string" ? fields["server"] : secret["Server"]) ?? "";
  const address = text.trim();
  const isText = /^[\x21-\x7e]+$/.test(address);
  const server = isText
    ? parseHostPort(address, tlsIn(given) === null ? DNS_PORT : DOT_PORT)
    : null;
  const trouble = address === "" ? missingText(given, "Server") : "is malformed";
  if (server === null) given.problems.push(secretProblem("Server", trouble, SERVER_REMEDY));
  return server;
}

const SERVER_REMEDY = "write the DNS server as host, host:port or [IPv6 address]:port";
const ZONE_REMEDY = "write the zone, such as example.org.";

function parseZones(given: Given): readonly DnsName[] {
  const { secret, fields, problems } = given;
  const single = secret["Zone"];
  const listed = textsOf(fields["zones"]) ?? [];
  const names: DnsName[] = [];
  // Without its text: who mixes the keys up has written the TSIG secret there.
  const zone = single === undefined ? null : parseDnsName(single);
  if (zone?.ok === true) names.push(zone.value);
  else if (zone !== null) problems.push(secretProblem("Zone", "holds no zone name", ZONE_REMEDY));
  for (const text of listed) {
    const name = parseDnsName(text);
    if (name.ok) names.push(name.value);
    else problems.push(configProblem("zones", `holds no zone name: ${name.error}`));
  }
  if (single === undefined && listed.length === 0)
    problems.push(secretProblem("Zone", missingText(given, "Zone"), ZONE_REMEDY));
  return [...new Set(names)];
}

function parseKey({ secret, fields, problems }: Given): TsigKey | null {
  const { TSIGKeyName: name, TSIGSecret: encoded, TSIGSecretAlgorithm = "hmac-sha256" } = secret;
  if (name === undefined && encoded === undefined && fields["allowUnsigned"] === true) return null;
  const scheme = parseAlgorithm(TSIGSecretAlgorithm, fields["allowMd5"] === true, problems);
  const keyName = parseKeyName(name ?? "", problems);
  const bytes = parseKeySecret(encoded ?? "", problems);
  if (scheme === null || keyName === null || bytes === null) return null;
  return { name: keyName, ...scheme, secret: bytes };
}

function parseAlgorithm(text: string, allowMd5: boolean, problems: Problem[]): TsigScheme | null {
  const scheme = parseTsigScheme(text);
  const field = "TSIGSecretAlgorithm";
  const remedy =
    "use hmac-sha256, -sha512, -sha384, -sha224 or -sha1, or one with a shorter MAC such as hmac-sha256-128";
  if (scheme === null) problems.push(secretProblem(field, "is not known", remedy));
  // RFC 8945 §6: MD5 must not be used; some old servers have nothing else.
  else if (scheme.algorithm === "hmac-md5" && !allowMd5) {
    const more = `${remedy}, or set allowMd5 in providerConfig`;
    problems.push(secretProblem(field, "is hmac-md5, which is broken", more));
  }
  return scheme;
}

function parseKeyName(text: string, problems: Problem[]): DnsName | null {
  const name = parseRdataName(text.trim());
  if (name.ok && name.value !== ".") return trustedDnsName(name.value);
  const trouble = text === "" ? "is missing" : "is no key name";
  const remedy =
    "write the name of the key as the server knows it, or set allowUnsigned in providerConfig";
  problems.push(secretProblem("TSIGKeyName", trouble, remedy));
  return null;
}

function parseKeySecret(text: string, problems: Problem[]): Uint8Array | null {
  const base64 = text.replaceAll(/\s/g, "");
  const form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  if (form.test(base64) && base64 !== "") return fromBase64(base64);
  const trouble = text === "" ? "is missing" : "is not base64";
  const remedy = "write the key's secret in base64, as tsig-keygen prints it";
  problems.push(secretProblem("TSIGSecret", trouble, remedy));
  return null;
}

// TLS (RFC 7858, RFC 9103): `tls` of providerConfig enables it and sets the server name; the Secret
// has the CA and the client certificate.

/** A boolean, or an object whose only field `serverName` is a text. */
function isTlsField(value: unknown): boolean {
  if (!isFields(value)) return typeof value === "boolean";
  return Object.entries(value).every(
    ([field, name]) => field === "serverName" && textOf(name) !== null,
  );
}

/** Null = plain TCP. */
function tlsIn({ fields: { tls } }: Given): unknown {
  return isTlsField(tls) && tls !== false ? tls : null;
}

/** Null = plain TCP; then certificates in the Secret are a mistake and not ignored. */
function parseTls(given: Given): TlsClientOptions | null {
  const { secret, problems } = given;
  const field = tlsIn(given);
  const keys = TLS_KEYS.filter((key) => secret[key] !== undefined);
  if (field === null) {
    const remedy = `the Secret holds ${keys.join(", ")}; set it to true, or remove them`;
    if (keys.length > 0) problems.push(configProblem("tls", `is not set: ${remedy}`));
    return null;
  }
  for (const key of keys)
    if (!/-----BEGIN [A-Z0-9 ]+-----[\s\S]+-----END [A-Z0-9 ]+-----/.test(secret[key] ?? ""))
      problems.push(secretProblem(key, "is no PEM text", "write it with its BEGIN and END lines"));
  return {
    serverName: textOf(fieldsOf(field)["serverName"]),
    caCertificates: secret[CA] ?? null,
    client: parseClient(given),
    alpn: DOT_ALPN,
  };
}

function parseClient({ secret, problems }: Given): TlsCredentials | null {
  const { [CERTIFICATE]: certificate, [KEY]: key } = secret;
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  if (certificate !== undefined)
    problems.push(secretProblem(KEY, "is missing", `it belongs to ${CERTIFICATE}`));
  if (key !== undefined)
    problems.push(secretProblem(CERTIFICATE, "is missing", `it belongs to ${KEY}`));
  return null;
}
