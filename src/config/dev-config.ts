/** What `zonekeeper dev` works with, typed and checked. Pure. */

import { fail, ok, type Result } from "@zonekeeper/base/result";
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import { type HostPort, isIpAddress, parseHostPort } from "../model/host-port.ts";
import type { Problem } from "../model/problem.ts";
import { classProblems } from "./class-config.ts";
import { type FuseConfig, readFuseOptions } from "./fuse-config.ts";
import { lookupProblems } from "./lookup-config.ts";
import { devIdProblems } from "./marker-ids.ts";
import { entryNameProblems } from "./name-problems.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import {
  excludedProblems,
  type FenceConfig,
  type LogConfig,
  type PauseConfig,
  type PublishConfig,
  readFence,
  readLog,
  readPause,
  readPublish,
} from "./shared-config.ts";
import { readTxt, type TxtConfig } from "./txt-config.ts";

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
  /** DNS over TLS; 0 = free. Null = none. */
  readonly dnsTlsPort: number | null;
  /** Who gets NOTIFY; IP addresses. */
  readonly secondaries: readonly HostPort[];
  /** 0 = free, remembered. */
  readonly apiPort: number;
  /** Port 0 = free, remembered. */
  readonly http: { readonly address: string; readonly port: number };
  readonly examples: boolean;
  readonly publish: PublishConfig;
  readonly fuse: FuseConfig;
  readonly pause: PauseConfig;
  readonly fence: FenceConfig;
  readonly txt: TxtConfig;
  readonly log: LogConfig;
}

/** Fails where a value means nothing. */
export function toDevConfig(options: ResolvedOptions): Result<DevConfig, readonly Problem[]> {
  const zone = parseDnsName(options.needText("zone"));
  if (!zone.ok) {
    const message = `is not a zone name: ${zone.error}; example.org would be one`;
    return fail([{ code: "InvalidOption", subject: "--zone", message }]);
  }
  const secondaries = readSecondaries(options.list("secondary"));
  if (!secondaries.ok) return secondaries;
  const pause = readPause(options);
  if (!pause.ok) return pause;
  const txt = readTxt(options);
  if (!txt.ok) return txt;
  const problems = [
    ...devIdProblems(options),
    ...classProblems(options),
    ...excludedProblems(options),
    ...lookupProblems(options),
    ...entryNameProblems(options),
  ];
  if (problems.length > 0) return fail(problems);
  return ok({
    data: options.needText("data"),
    zone: zone.value,
    owner: options.text("owner"),
    listen: options.needText("listen"),
    dnsPort: options.number("dns-port"),
    dnsTlsPort: options.optionalNumber("dns-tls-port"),
    secondaries: secondaries.value,
    apiPort: options.number("api-port"),
    http: { address: options.needText("http-address"), port: options.number("http-port") },
    examples: !options.flag("no-examples"),
    publish: readPublish(options),
    fuse: readFuseOptions(options),
    pause: pause.value,
    fence: readFence(options),
    txt: txt.value,
    log: readLog(options),
  });
}

const DNS_PORT = 53;

/**
 * A host name would have to be resolved each time, and its answers told from others': addresses
 * only.
 */
function readSecondaries(
  texts: readonly string[],
): Result<readonly HostPort[], readonly Problem[]> {
  const addresses = texts.map((text) => parseHostPort(text, DNS_PORT));
  const good = addresses.flatMap((each) => (each !== null && isIpAddress(each.host) ? [each] : []));
  if (good.length === texts.length) return ok(good);
  const message = "is not an IP address; write 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353";
  return fail([{ code: "InvalidOption", subject: "--secondary", message }]);
}
