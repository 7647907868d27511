/**
 * What CoreDNS answered from which keys of etcd, as test/real/coredns.test.ts recorded it in the
 * campaign: the judge of how records are kept where no CoreDNS is.
 */
import { readFileSync } from "node:fs";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";

/** One answer, and the keys with their values at and below its name. */
export interface CoreDnsAnswer {
  readonly name: DnsName;
  readonly type: string;
  readonly ttlSeconds: number;
  readonly values: readonly string[];
  readonly keys: readonly (readonly [key: string, value: string])[];
}

/** One answer a line. */
export const RECORD_FILE = "test/support/fakes/coredns/answers.jsonl";

/** All that were recorded. */
export function recordedAnswers(): readonly CoreDnsAnswer[] {
  const lines = readFileSync(RECORD_FILE, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as CoreDnsAnswer);
}
