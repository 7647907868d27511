/** The real world in one object. */
import type { Log } from "@zonekeeper/base/ports/log";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { ComposePorts } from "../compose.ts";
import { openHttp } from "./open-http.ts";
import { RealClock } from "./real-clock.ts";
import { RealCrypto } from "./real-crypto.ts";
import { RealNet } from "./real-net.ts";
import { RealRandom } from "./real-random.ts";
import { RealResolver } from "./real-resolver.ts";

/** Makes the ports that keep no state. `lookupServers` as PublishConfig has them. */
export function realPorts(
  log: Log,
  metrics: Metrics,
  lookupServers: readonly string[] = [],
): ComposePorts {
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
