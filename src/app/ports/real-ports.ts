/** The real world in one object. */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { OpenHttp } from "@zonekeeper/base/ports/http";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { Net } from "@zonekeeper/base/ports/net";
import type { Random } from "@zonekeeper/base/ports/random";
import type { Resolver } from "../../ports/resolver.ts";
import type { NotifyFeed } from "../../providers/provider.ts";
import { RealClock } from "./real-clock.ts";
import { RealCrypto, RealRandom } from "./real-crypto.ts";
import { openHttp } from "./real-http-client.ts";
import { RealNet } from "./real-net.ts";
import { RealResolver } from "./real-resolver.ts";

/** Ports of the program; real in `dev` and `run`. */
export interface ProgramPorts {
  readonly net: Net;
  /** Looks up host names that objects list as targets. */
  readonly resolver: Resolver;
  readonly http: OpenHttp;
  readonly clock: Clock;
  readonly random: Random;
  readonly crypto: Crypto;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Absent = no NOTIFY is received. */
  readonly notifyFeed?: NotifyFeed;
  /** Commands in statuses and Events, as their readers type them. Absent = as on a laptop. */
  readonly asTyped?: (text: string) => string;
}

/** Makes the ports that keep no state. `lookupServers` as PublishConfig has them. */
export function realPorts(
  log: Log,
  metrics: Metrics,
  lookupServers: readonly string[] = [],
): ProgramPorts {
  return {
    clock: new RealClock(),
    random: new RealRandom(),
    crypto: new RealCrypto(),
    net: new RealNet(),
    resolver: new RealResolver(lookupServers),
    http: (target) => openHttp(target, process.env),
    log,
    metrics,
  };
}
