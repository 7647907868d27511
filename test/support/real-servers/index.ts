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
  /** Of a long story of the whole program: on two of them it is the campaign's. */
  readonly storyNeeds: readonly RealProgram[];
  start(options: ServerOptions): Promise<RealServer>;
}

/** BIND, Knot, PowerDNS and our own. */
export const REAL_SERVERS: readonly RealServerEntry[] = [
  { name: "BIND", needs: "bind", storyNeeds: ["bind"], start: startBind },
  { name: "Knot", needs: "knot", storyNeeds: ["knot", "variants"], start: startKnot },
  {
    name: "PowerDNS",
    needs: "powerdns",
    storyNeeds: ["powerdns", "variants"],
    start: startPowerDns,
  },
  { name: "embedded", needs: "dig", storyNeeds: ["dig"], start: startEmbedded },
];
