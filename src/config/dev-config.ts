/** What `zonekeeper dev` works with, typed and checked. Pure. */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { type HostPort, isIpAddress, parseHostPort } from "../model/addresses.ts";
import type { ImportRules } from "../model/imports.ts";
import type { Problem } from "../model/problem.ts";
import type { ExternalDnsConfig } from "./external-dns/translate.ts";
import { readImports } from "./import-options.ts";
import { type LogConfig, readLog } from "./instance-options.ts";
import { devIdProblems } from "./marker-ids.ts";
import { OptionReader, type ReadText } from "./option-reader.ts";
import { type PageConfig, readPage } from "./page-options.ts";
import { classProblems, type PublishConfig, readPublish } from "./publish-options.ts";
import type { ResolvedOptions } from "./resolved-options.ts";
import { readSafety, type SafetyConfig } from "./safety-options.ts";
import { readTxt, type TxtConfig } from "./txt-options.ts";

/** Everything `dev` needs. */
export interface DevConfig extends SafetyConfig {
  /** Path of the data folder as it was given. */
  readonly data: string;
  readonly zone: DnsName;
  /** Null = made at the first start and kept in the data folder. */
  readonly owner: string | null;
  /** IP address that the embedded parts listen on. */
  readonly listen: string;
  /** 0 = free, remembered. */
  readonly dnsPort: number;
  /** DNS over TLS; 0 = free. Null = none. */
  readonly dnsTlsPort: number | null;
  /** Who gets NOTIFY; IP addresses. */
  readonly secondaries: readonly HostPort[];
  /** 0 = free, remembered. */
  readonly apiPort: number;
  /** Port 0 = free, remembered. */
  readonly http: { readonly address: string; readonly port: number };
  readonly page: PageConfig;
  readonly examples: boolean;
  readonly publish: PublishConfig;
  readonly imports: readonly ImportRules[];
  readonly txt: TxtConfig;
  readonly log: LogConfig;
}

/** Fails where a value means nothing. */
export function toDevConfig(
  options: ResolvedOptions,
  externalDns: ExternalDnsConfig | null = null,
): Result<DevConfig, readonly Problem[]> {
  const reader = new OptionReader(options);
  const zone = reader.one("zone", zoneName);
  const secondaries = reader.each("secondary", serverAddress);
  const safety = readSafety(reader);
  const txt = reader.need(readTxt(options));
  reader.add(devIdProblems(options));
  reader.add(classProblems(options));
  const publish = readPublish(reader);
  const imports = readImports(reader);
  const page = readPage(reader, "dev");
  if (zone === null || txt === null) return reader.failure();
  return reader.result({
    data: options.needText("data"),
    zone,
    owner: options.text("owner"),
    listen: options.needText("listen"),
    dnsPort: options.number("dns-port"),
    dnsTlsPort: options.optionalNumber("dns-tls-port"),
    secondaries,
    apiPort: options.number("api-port"),
    http: { address: options.needText("http-address"), port: options.number("http-port") },
    page,
    examples: !options.flag("no-examples"),
    publish: externalDns === null ? publish : { ...publish, externalDns: externalDns.rules },
    imports,
    ...safety,
    txt,
    log: readLog(options),
  });
}

const zoneName: ReadText<DnsName> = (text) => {
  const zone = parseDnsName(text);
  return zone.ok ? zone : fail(`is not a zone name: ${zone.error}; example.org would be one`);
};

const DNS_PORT = 53;

/** A host name would have to be resolved each time, and its answers told from others'. */
const serverAddress: ReadText<HostPort> = (text) => {
  const address = parseHostPort(text, DNS_PORT);
  return address !== null && isIpAddress(address.host)
    ? ok(address)
    : fail("is not an IP address; write 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353");
};
