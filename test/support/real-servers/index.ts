/**
 * All name servers of the tests that are processes of their own, in one table, for suites that run
 * against each of them.
 */
import { startEmbedded } from "../name-server/start-embedded.ts";
import type { RealProgram } from "./availability.ts";
import { startBind } from "./bind.ts";
import { startKnot } from "./knot.ts";
import { startPowerDns } from "./powerdns.ts";
import type { RealServer, ServerOptions } from "./real-server.ts";

/** One server that takes RFC 2136 updates. */
export interface RealServerEntry {
  readonly name: "BIND" | "Knot" | "PowerDNS" | "embedded";
  readonly needs: RealProgram;
  start(options: ServerOptions): Promise<RealServer>;
}

/** BIND, Knot, PowerDNS and our own. */
export const REAL_SERVERS: readonly RealServerEntry[] = [
  { name: "BIND", needs: "bind", start: startBind },
  { name: "Knot", needs: "knot", start: startKnot },
  { name: "PowerDNS", needs: "powerdns", start: startPowerDns },
  { name: "embedded", needs: "dig", start: startEmbedded },
];
