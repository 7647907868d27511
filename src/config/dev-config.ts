/** What `zonekeeper dev` works with, typed and checked. Pure. */
import { type DnsName, parseDnsName } from "../model/dns-name.ts";
import type { Problem } from "../model/problem.ts";
import { fail, ok, type Result } from "../model/result.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import { type LogConfig, type PublishConfig, readLog, readPublish } from "./shared-config.ts";

/** Everything `dev` needs. */
export interface DevConfig {
  /** Path of the data folder as it was given. */
  readonly data: string;
  readonly zone: DnsName;
  /** Null = made at the first start and kept in the data folder. */
  readonly owner: string | null;
  /** IP address that the embedded parts listen on. */
  readonly listen: string;
  /** 0 = free, remembered. */
  readonly dnsPort: number;
  /** 0 = free, remembered. */
  readonly apiPort: number;
  /** Port 0 = free, remembered. */
  readonly http: { readonly address: string; readonly port: number };
  readonly examples: boolean;
  readonly publish: PublishConfig;
  readonly log: LogConfig;
}

/** Fails where a value means nothing. */
export function toDevConfig(options: ResolvedOptions): Result<DevConfig, readonly Problem[]> {
  const zone = parseDnsName(options.needText("zone"));
  if (!zone.ok) {
    const message = `is not a zone name: ${zone.error}; example.org would be one`;
    return fail([{ code: "InvalidOption", subject: "--zone", message }]);
  }
  return ok({
    data: options.needText("data"),
    zone: zone.value,
    owner: options.text("owner"),
    listen: options.needText("listen"),
    dnsPort: options.number("dns-port"),
    apiPort: options.number("api-port"),
    http: { address: options.needText("http-address"), port: options.number("http-port") },
    examples: !options.flag("no-examples"),
    publish: readPublish(options),
    log: readLog(options),
  });
}
