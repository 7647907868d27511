/** The real world in one object. */
import type { Log } from "../../ports/log.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { ComposePorts } from "../compose.ts";
import { RealClock } from "./real-clock.ts";
import { RealCrypto } from "./real-crypto.ts";
import { RealHttpClient } from "./real-http-client.ts";
import { RealNet } from "./real-net.ts";
import { RealRandom } from "./real-random.ts";

/** Makes the ports that keep no state. */
export function realPorts(log: Log, metrics: Metrics): ComposePorts {
  return {
    clock: new RealClock(),
    random: new RealRandom(),
    crypto: new RealCrypto(),
    net: new RealNet(),
    http: (target) => new RealHttpClient(target),
    log,
    metrics,
  };
}
