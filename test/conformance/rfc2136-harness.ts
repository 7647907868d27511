/**
 * The rfc2136 provider on a server that is running, as a subject of the provider conformance suite.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues, parseRdata } from "@zonekeeper/dns/rdata/index";
import { RealNet } from "../../src/app/ports/real-net.ts";
import type { RecordSet } from "../../src/model/record-set.ts";
import { BreakingNet } from "../support/ports/breaking-net.ts";
import { LosingNet } from "../support/ports/losing-net.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";
import { openSession } from "../support/values/rfc2136-session.ts";
import type { ProviderHarness } from "./provider-harness.ts";

/** A record as an independent reader prints it: names with or without trailing dot. */
export interface JudgedRecord {
  readonly name: string;
  readonly type: string;
  readonly ttlSeconds: number;
  readonly rdata: string;
}

/** What the harness needs to know about the server. */
export interface Rfc2136Subject {
  readonly server: Pick<RealServer, "host" | "port" | "zone" | "key">;
  /** All answers that somebody else than us gets for a question. */
  ask(name: string, type: string): Promise<readonly JudgedRecord[]>;
  /** Somebody else than us writes. */
  addForeign(set: RecordSet): Promise<void>;
  /** Another key that the server knows; absent = it has one. */
  readonly nextKey?: RealServer["key"];
  stop(): Promise<void>;
}

/** The harness; whoever opens a session closes it. */
export function rfc2136Harness(subject: Rfc2136Subject): ProviderHarness {
  const breaking = new BreakingNet(new RealNet());
  const net = new LosingNet(breaking);
  const { nextKey } = subject;
  let { server } = subject;
  const fake = breaking.breakable(() => {
    const { key } = server;
    breaking.expire(key.name);
    server = { ...server, key: nextKey ?? key };
    return [key.secretBase64];
  });
  return {
    ...(nextKey === undefined ? {} : { fake }),
    zone: trustedDnsName(subject.server.zone),
    open: (rails) => openSession(server, {}, { net, ...rails }),
    poll: async (name, type) => {
      const records = (await subject.ask(name, type)).filter(
        (record) => record.type === type && trimDot(record.name) === name,
      );
      const [first] = records;
      if (first === undefined) return null;
      const values = records.map(({ rdata }) => canonical(type, rdata));
      return { ttlSeconds: first.ttlSeconds, values: canonicalValues(values) };
    },
    addForeign: (set) => subject.addForeign(set),
    loseNextAnswer: () => net.loseNextUpdate(),
    settle: async () => undefined,
    stop: () => subject.stop(),
  };
}

function trimDot(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

function canonical(type: string, rdata: string): string {
  const parsed = parseRdata(type, rdata);
  if (!parsed.ok) throw new Error(`the judge printed ${type} ${rdata}: ${parsed.error}`);
  return parsed.value;
}
