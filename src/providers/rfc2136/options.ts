/**
 * Settings of an rfc2136 account: the Secret's keys as Gardener has them and `providerConfig`.
 * Checks and parses only; problems name the key and never its value.
 */
import { fromBase64 } from "@zonekeeper/base/bytes";
import type { SocketAddress, TlsClientOptions } from "@zonekeeper/base/ports/net";
import { type DnsName, parseDnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { parseRdataName } from "@zonekeeper/dns/rdata/name-text";
import { parseTsigScheme, type TsigKey } from "@zonekeeper/dns/wire/tsig/tsig-key";
import { type Fields, fieldsOf, isFields, textOf } from "@zonekeeper/kube/objects/object-fields";
import { parseHostPort } from "../../model/addresses.ts";
import type { Problem } from "../../model/problem.ts";
import type { ProviderSettings } from "../provider.ts";
import {
  BOOLEAN_CHECK,
  configProblem,
  type FieldChecks,
  type SecretKeys,
  type SecretValues,
  secretProblem,
  settingsParser,
  type TlsKeys,
  tlsOf,
  tlsSecretKeys,
  zonesCheck,
  zonesOf,
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

const SERVER_REMEDY = "write the DNS server as host, host:port or [IPv6 address]:port";
const ZONE_REMEDY = "write the zone, such as example.org.";
const NAME_REMEDY =
  "write the name of the key as the server knows it, or set allowUnsigned in providerConfig";
const SECRET_REMEDY = "write the key's secret in base64, as tsig-keygen prints it";
const ALGORITHMS =
  "use hmac-sha256, -sha512, -sha384, -sha224 or -sha1, or one with a shorter MAC such as hmac-sha256-128";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** RFC 7858, RFC 9103; with `tls` of providerConfig only. */
const PEM_KEYS: TlsKeys = {
  ca: ["TLSCACertificate", "TLSCACertificate"],
  cert: ["TLSClientCertificate", "TLSClientCertificate"],
  key: ["TLSClientKey", "TLSClientKey"],
};
/** Keys of the Secret; Gardener has one spelling of each. */
const KEYS: SecretKeys = {
  Server: "Server",
  Zone: {
    other: "Zone",
    isLoose: true,
    checks: [[(value) => parseDnsName(value).ok, "holds no zone name", ZONE_REMEDY]],
  },
  TSIGKeyName: {
    other: "TSIGKeyName",
    checks: [[(value) => keyNameOf(value) !== null, "is no key name", NAME_REMEDY]],
  },
  TSIGSecret: {
    other: "TSIGSecret",
    isLoose: true,
    checks: [[BASE64, "is not base64", SECRET_REMEDY]],
  },
  TSIGSecretAlgorithm: {
    other: "TSIGSecretAlgorithm",
    checks: [[(value) => parseTsigScheme(value) !== null, "is not known", ALGORITHMS]],
  },
  ...tlsSecretKeys(PEM_KEYS),
};

/** What each field must be. */
const CONFIG_CHECKS: FieldChecks = {
  server: [(value) => typeof value === "string", "must be a text such as 192.0.2.53:53"],
  zones: zonesCheck(0),
  tls: [
    isTlsField,
    "must be true, false or an object with the name in the server's certificate as serverName",
  ],
  allowMd5: BOOLEAN_CHECK,
  allowUnsigned: BOOLEAN_CHECK,
};

/** All problems at once, so that one edit can repair them. */
export const parseOptions = settingsParser<Rfc2136Options>(
  KEYS,
  CONFIG_CHECKS,
  ({ values, fields, problems }) => {
    const tls = parseTls(values, fields, problems);
    const address = textOf(fields["server"]) ?? values["Server"];
    const server = parseHostPort(address ?? "", tls === null ? DNS_PORT : DOT_PORT);
    const trouble = address === undefined ? "is missing" : "is malformed";
    if (server === null) problems.push(secretProblem("Server", trouble, SERVER_REMEDY));
    const zones = zonesIn(values, fields);
    if (values["Zone"] === undefined && zonesOf(fields["zones"])?.length === 0)
      problems.push(secretProblem("Zone", "is missing", ZONE_REMEDY));
    const key = parseKey(values, fields, problems);
    return server && { server, zones, key, tls };
  },
);

/** Zones that Secret and `providerConfig` name, whatever is wrong with the rest. */
export function namedZones({ secret, config }: ProviderSettings): readonly DnsName[] {
  return zonesIn(secret, fieldsOf(config));
}

function zonesIn({ Zone: single = "" }: SecretValues, fields: Fields): readonly DnsName[] {
  const zone = parseDnsName(single);
  const listed = zonesOf(fields["zones"]) ?? [];
  return [...new Set([...(zone.ok ? [zone.value] : []), ...listed])];
}

function parseKey(values: SecretValues, fields: Fields, problems: Problem[]): TsigKey | null {
  const { TSIGKeyName = "", TSIGSecret = "", TSIGSecretAlgorithm = "hmac-sha256" } = values;
  const missing = KEY_REMEDIES.filter(([key]) => values[key] === undefined);
  const isUnsigned = missing.length === KEY_REMEDIES.length && fields["allowUnsigned"] === true;
  if (isUnsigned) return null;
  for (const [key, remedy] of missing) problems.push(secretProblem(key, "is missing", remedy));
  const scheme = parseTsigScheme(TSIGSecretAlgorithm);
  // RFC 8945 §6: MD5 must not be used; some old servers have nothing else.
  if (scheme?.algorithm === "hmac-md5" && fields["allowMd5"] !== true) {
    const remedy = `${ALGORITHMS}, or set allowMd5 in providerConfig`;
    problems.push(secretProblem("TSIGSecretAlgorithm", "is hmac-md5, which is broken", remedy));
  }
  const name = keyNameOf(TSIGKeyName);
  if (scheme === null || name === null || !BASE64.test(TSIGSecret)) return null;
  return { name, ...scheme, secret: fromBase64(TSIGSecret) };
}

const KEY_REMEDIES = [
  ["TSIGKeyName", NAME_REMEDY],
  ["TSIGSecret", SECRET_REMEDY],
] as const;

/** Null = it is none. */
function keyNameOf(text: string): DnsName | null {
  const name = parseRdataName(text);
  return name.ok && name.value !== "." ? trustedDnsName(name.value) : null;
}

/** A boolean, or an object whose only field `serverName` is a text. */
function isTlsField(value: unknown): boolean {
  if (!isFields(value)) return typeof value === "boolean";
  return Object.entries(value).every(
    ([field, name]) => field === "serverName" && textOf(name) !== null,
  );
}

/** Null = plain TCP; then certificates in the Secret are a mistake and not ignored. */
function parseTls(
  values: SecretValues,
  { tls: field = false }: Fields,
  problems: Problem[],
): TlsClientOptions | null {
  if (field === false || !isTlsField(field)) {
    const keys = Object.values(PEM_KEYS).flatMap(([name]) => (values[name] ? [name] : []));
    const remedy = `the Secret holds ${keys.join(", ")}; set it to true, or remove them`;
    if (keys.length > 0) problems.push(configProblem("tls", `is not set: ${remedy}`));
    return null;
  }
  const { ca = null, cert, key } = tlsOf(values, PEM_KEYS, problems) ?? {};
  return {
    serverName: textOf(fieldsOf(field)["serverName"]),
    caCertificates: ca,
    client: cert && key ? { certificate: cert, key } : null,
    alpn: DOT_ALPN,
  };
}
