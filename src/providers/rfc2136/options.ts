/**
 * Settings of an rfc2136 account: the Secret's keys as Gardener has them and `providerConfig`.
 * Checks and parses only; problems name the key and never its value.
 */
import { fromBase64 } from "@zonekeeper/base/bytes";
import type { SocketAddress, TlsClientOptions } from "@zonekeeper/base/ports/net";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, parseDnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { parseRdataName } from "@zonekeeper/dns/rdata/name-text";
import { parseTsigScheme, type TsigKey, type TsigScheme } from "@zonekeeper/dns/wire/tsig/tsig-key";
import { parseHostPort } from "../../model/host-port.ts";
import type { Problem } from "../../model/problem.ts";
import type { ProviderSettings } from "../provider.ts";
import { configProblem, type FieldChecks, readConfig, secretProblem } from "../shared/settings.ts";
import { DOT_PORT, isTlsField, parseTls, TLS_KEYS } from "./tls-options.ts";

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

const KEYS: readonly string[] = [
  ...["Server", "Zone", "TSIGKeyName", "TSIGSecret", "TSIGSecretAlgorithm"],
  ...TLS_KEYS,
];
const DNS_PORT = 53;

/**
 * All problems at once, so that one edit can repair them. A key that is not known may be a slip for
 * one without which the account means something else. One that is known in another case is told
 * where that one is missing: beside it, it is what `kubectl apply` leaves of a Secret whose
 * `stringData` was mended.
 */
export function parseOptions(
  settings: ProviderSettings,
): Result<Rfc2136Options, readonly Problem[]> {
  const problems: Problem[] = [];
  const strange = Object.keys(settings.secret).filter(
    (key) => !KEYS.some((known) => isSimilar(key, known)),
  );
  for (const key of strange)
    problems.push(secretProblem(key, "is not known", `possible are ${KEYS.join(", ")}`));
  const config = parseConfig(settings.config, problems);
  const server = parseServer(settings.secret, config, problems);
  const zones = parseZones(settings.secret, config, problems);
  const key = parseKey(settings.secret, config, problems);
  const tls = parseTls(config.tls, settings.secret, problems);
  if (server === null || problems.length > 0) return fail(problems);
  return ok({ server, zones, key, tls });
}

/** Zones that Secret and `providerConfig` name, whatever is wrong with the rest. */
export function namedZones({ secret, config }: ProviderSettings): readonly DnsName[] {
  return parseZones(secret, parseConfig(config, []), []);
}

interface Config {
  readonly server: string | null;
  readonly zones: readonly string[];
  readonly allowUnsigned: boolean;
  readonly allowMd5: boolean;
  /** As it was written; null when it is malformed. */
  readonly tls: unknown;
}

/** What each field must be; a value that is absent is fine. */
const CONFIG_CHECKS: FieldChecks = {
  server: [(value) => typeof value === "string", "must be a text such as 192.0.2.53:53"],
  zones: [isTextList, "must be a list of zone names"],
  reads: [(value) => value === "axfr", "must be axfr: zones are read by transfer"],
  tls: [
    isTlsField,
    "must be true, false or an object with the name in the server's certificate as serverName",
  ],
  allowMd5: [(value) => typeof value === "boolean", "must be true or false"],
  allowUnsigned: [(value) => typeof value === "boolean", "must be true or false"],
};

function parseConfig(config: unknown, problems: Problem[]): Config {
  const fields = readConfig(config, CONFIG_CHECKS, problems);
  const { server, zones, allowUnsigned, tls } = fields;
  return {
    server: typeof server === "string" ? server : null,
    zones: isTextList(zones) ? zones : [],
    allowUnsigned: allowUnsigned === true,
    allowMd5: fields["allowMd5"] === true,
    tls: isTlsField(tls) ? tls : null,
  };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

type Secret = Readonly<Record<string, string>>;

/** That a key is missing, and which key of the Secret was probably meant for it. */
function missingText(secret: Secret, key: string): string {
  const similar = Object.keys(secret).find((other) => isSimilar(other, key));
  return similar === undefined ? "is missing" : `is missing (the Secret has ${similar})`;
}

/** One key is the other in another case. */
function isSimilar(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function parseServer(secret: Secret, config: Config, problems: Problem[]): SocketAddress | null {
  const given = (config.server ?? secret["Server"] ?? "").trim();
  const trouble = given === "" ? missingText(secret, "Server") : "is malformed";
  const usesTls = config.tls !== null && config.tls !== false;
  const isText = /^[\x21-\x7e]+$/.test(given);
  const server = isText ? parseHostPort(given, usesTls ? DOT_PORT : DNS_PORT) : null;
  if (server === null) problems.push(secretProblem("Server", trouble, SERVER_REMEDY));
  return server;
}

const SERVER_REMEDY = "write the DNS server as host, host:port or [IPv6 address]:port";
const ZONE_REMEDY = "write the zone, such as example.org.";

function parseZones(secret: Secret, config: Config, problems: Problem[]): readonly DnsName[] {
  const single = secret["Zone"];
  const names: DnsName[] = [];
  // Without its text: who mixes the keys up has written the TSIG secret there.
  const zone = single === undefined ? null : parseDnsName(single);
  if (zone?.ok === true) names.push(zone.value);
  else if (zone !== null) problems.push(secretProblem("Zone", "holds no zone name", ZONE_REMEDY));
  for (const text of config.zones) {
    const name = parseDnsName(text);
    if (name.ok) names.push(name.value);
    else problems.push(configProblem("zones", `holds no zone name: ${name.error}`));
  }
  if (single === undefined && config.zones.length === 0)
    problems.push(secretProblem("Zone", missingText(secret, "Zone"), ZONE_REMEDY));
  return [...new Set(names)];
}

function parseKey(secret: Secret, config: Config, problems: Problem[]): TsigKey | null {
  const name = secret["TSIGKeyName"];
  const encoded = secret["TSIGSecret"];
  if (name === undefined && encoded === undefined && config.allowUnsigned) return null;
  const scheme = parseAlgorithm(secret["TSIGSecretAlgorithm"] ?? "hmac-sha256", config, problems);
  const keyName = parseKeyName(name ?? "", problems);
  const bytes = parseKeySecret(encoded ?? "", problems);
  if (scheme === null || keyName === null || bytes === null) return null;
  return { name: keyName, ...scheme, secret: bytes };
}

function parseAlgorithm(text: string, config: Config, problems: Problem[]): TsigScheme | null {
  const scheme = parseTsigScheme(text);
  const field = "TSIGSecretAlgorithm";
  const remedy =
    "use hmac-sha256, -sha512, -sha384, -sha224 or -sha1, or one with a shorter MAC such as hmac-sha256-128";
  if (scheme === null) problems.push(secretProblem(field, "is not known", remedy));
  // RFC 8945 §6: MD5 must not be used; some old servers have nothing else.
  else if (scheme.algorithm === "hmac-md5" && !config.allowMd5) {
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
