/**
 * What CoreDNS answered from which keys of etcd, as test/real/coredns.test.ts recorded it in the
 * campaign: the judge of how records are kept where no CoreDNS is.
 */
import { readFileSync } from "node:fs";
import type { DnsName } from "../../../../src/model/dns-name.ts";

/** One answer, and the keys with their values at and below its name. */
export interface CoreDnsAnswer {
  readonly name: DnsName;
  readonly type: string;
  readonly ttlSeconds: number;
  readonly values: readonly string[];
  readonly keys: readonly (readonly [key: string, value: string])[];
}

/** Beside this file. */
export const RECORD_FILE = "test/support/fakes/coredns/answers.json";

/** All that were recorded. */
export function recordedAnswers(): readonly CoreDnsAnswer[] {
  return JSON.parse(readFileSync(RECORD_FILE, "utf8")) as readonly CoreDnsAnswer[];
}
