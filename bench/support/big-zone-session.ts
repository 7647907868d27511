/**
 * A zone of many published names behind a provider session that answers at once, and the objects
 * that want them.
 */
import { performance } from "node:perf_hooks";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { DesiredRecordSet, RecordSet } from "../../src/model/record-set.ts";
import type { ChangeGroup, Outcome } from "../../src/plan/changes.ts";
import type { Capabilities, ProviderSession, ZoneSnapshot } from "../../src/providers/provider.ts";
import type { Contribution } from "../../src/sync/contract/contribution.ts";

/** The owner id in every marker. */
export const OWNER = "bench";

const CAPABILITIES: Capabilities = {
  types: new Set(["A", "AAAA", "CNAME", "TXT"]),
  atomicity: "zone",
  preconditions: {
    written: { absent: "sent", exact: "sent" },
    others: { absent: "sent", exact: "sent" },
  },
  cnameConflicts: "dropped",
  batch: { groupsMax: 500, valuesMax: 5_000, bytesMax: 60_000 },
  ttl: { minSeconds: 0, maxSeconds: 2 ** 31 - 1 },
  rate: null,
};

/** Serves `count` A record sets with their markers; counts what it is asked. */
export class BigZoneSession implements ProviderSession {
  readonly capabilities = CAPABILITIES;
  readonly #apex: DnsName;
  readonly #count: number;
  /** Made before anything is measured. */
  readonly #content: readonly RecordSet[];
  #onCall: (atMs: number) => void = () => undefined;
  /** Whole listings so far. */
  listings = 0;
  /** Calls that write so far. */
  calls = 0;

  constructor(apex: DnsName, count: number) {
    this.#apex = apex;
    this.#count = count;
    this.#content = [...bigZoneSets(this.#apex, this.#count)];
  }

  /** Resolves with the time (`performance.now()`) at which the next writing call arrives. */
  nextCall(): Promise<number> {
    return new Promise((resolve) => {
      this.#onCall = resolve;
    });
  }

  async zones(): Promise<readonly never[]> {
    return [];
  }

  async records(_zone: unknown, names: readonly DnsName[] | null): Promise<ZoneSnapshot> {
    if (names !== null) throw new Error("nobody has to read single names here");
    this.listings += 1;
    return { sets: this.#content, token: null };
  }

  audit(): readonly never[] {
    return [];
  }

  normalize(set: RecordSet): RecordSet {
    return set;
  }

  async *apply(_zone: unknown, groups: readonly ChangeGroup[]): AsyncIterable<Outcome> {
    this.calls += 1;
    this.#onCall(performance.now());
    for (const { name } of groups) yield { name, status: "applied" };
  }

  close(): void {}
}

/** `count` A record sets with their markers. */
export function* bigZoneSets(apex: DnsName, count: number): Iterable<RecordSet> {
  for (let index = 0; index < count; index++) {
    const name = nameAt(index, apex);
    const value = `"heritage=external-dns,external-dns/owner=${OWNER},external-dns/resource=dnsentry/default/host-${index}"`;
    yield plainSet(name, "A", "192.0.2.1");
    yield plainSet(trustedDnsName(`a-${name}`), "TXT", value);
  }
}

/**
 * No spread: on Node 20 one that is followed by other properties takes microseconds, more than what
 * is measured.
 */
function plainSet(name: DnsName, type: string, value: string): RecordSet {
  return {
    name,
    type,
    setIdentifier: null,
    ttlSeconds: 300,
    values: [value],
    properties: {},
    routingPolicy: null,
  };
}

function nameAt(index: number, apex: string): DnsName {
  return trustedDnsName(`host-${index}.${apex}`);
}

/** What the DNSEntry `host-<index>` wants in example.org. */
export function contributionAt(index: number, address: string, generation: number): Contribution {
  const object = {
    cluster: "bench",
    kind: "dnsentry",
    namespace: "default",
    name: `host-${index}`,
  };
  const item: DesiredRecordSet = {
    name: nameAt(index, "example.org"),
    type: "A",
    setIdentifier: null,
    ttlSeconds: 300,
    values: [address],
    properties: {},
    routingPolicy: null,
    provenance: object,
    owner: null,
    createdAtMs: 0,
  };
  const found = { items: [item], waiting: [], problems: [], complete: true };
  return { object, generation, deleting: false, found };
}
