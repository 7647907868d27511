/**
 * One zone that two providers show (Z-6, Z-18, proof 5): to both accounts as the very same
 * zone, or to one of them under another name, as a second server or view would. Calls take time, so
 * that loads overlap writes of the other account and of people. Counts what the product lists, and
 * notes what a write of ours took away.
 */
import { ok } from "@zonekeeper/base/result";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { DNS_ENTRY, DNS_PROVIDER } from "../../../src/model/kinds.ts";
import type { ProviderType } from "../../../src/providers/provider.ts";
import type { MemoryBehaviour } from "../../support/memory-provider/behaviour.ts";
import { MemorySession } from "../../support/memory-provider/memory-session.ts";
import { MemoryZone } from "../../support/memory-provider/memory-zone.ts";
import type { ZoneContent } from "../../support/memory-provider/zone-content.ts";
import { MemoryLog } from "../../support/ports/test-ports.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { Instance } from "../world/instance.ts";
import { SimRandom } from "../world/sim-random.ts";
import { contentText, isHandMade } from "../world/zone-truth.ts";

const APEX = trustedDnsName("example.org");
const ELSEWHERE = { id: "elsewhere", endpoint: "elsewhere" } as const;
const HAND = { setIdentifier: null, properties: {}, routingPolicy: null, ttlSeconds: 60 } as const;

/** How the zone is shown. */
export interface SharedOptions {
  readonly seed: number;
  readonly behaviour: MemoryBehaviour;
  /** DNSProviders, 1 or 2. */
  readonly accounts: number;
  /** Whether the second account shows it under another identity. */
  readonly isTwin: boolean;
}

/** One zone, one cluster, one process at a time. */
export class SharedZone {
  readonly clock = new VirtualClock();
  readonly random: SimRandom;
  readonly instance: Instance;
  readonly diary: string[] = [];
  /** What a write of ours took from an entry that wants it, or from a person. */
  readonly losses: string[] = [];
  /** Addresses that entries want, by name. */
  readonly wanted = new Map<DnsName, string>();
  /** Whole zones that were read. */
  lists = 0;
  /** Loads under way while somebody wrote. */
  overlaps = 0;
  /** How often other providers served than before. */
  handovers = 0;
  /** Told when a load of the whole zone begins; null = nobody listens. */
  onLoading: (() => void) | null = null;
  readonly #zone: MemoryZone;
  readonly #options: SharedOptions;
  #loading = 0;

  constructor(options: SharedOptions) {
    this.#options = options;
    this.random = new SimRandom(options.seed);
    this.#zone = new MemoryZone({ name: APEX, behaviour: options.behaviour });
    this.instance = new Instance({
      owner: "sim",
      clusterId: "c1",
      clock: this.clock,
      random: this.random,
      log: new MemoryLog(),
      provider: () => this.#provider(),
      passage: () => "pass",
      note: (line) => this.note(line),
      accounts: options.accounts,
    });
  }

  note(line: string): void {
    this.diary.push(`${String(Math.round(this.clock.monotonicMs())).padStart(8)} ${line}`);
  }

  /** An entry wants the name with this address; null = it is deleted. */
  want(name: DnsName, address: string | null): void {
    const { cluster } = this.instance;
    const id = name.replaceAll(".", "-");
    const present = cluster.now(DNS_ENTRY, "default", id);
    if (present?.metadata.deletionTimestamp !== undefined) return;
    this.note(`${name} wants ${address}`);
    if (address === null) {
      this.wanted.delete(name);
      cluster.delete(DNS_ENTRY, "default", id);
      return;
    }
    this.wanted.set(name, address);
    cluster.apply(DNS_ENTRY, {
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSEntry",
      metadata: { name: id, namespace: "default" },
      spec: { dnsName: name, targets: [address], ttl: 120 },
    });
  }

  /** Which of the DNSProviders serves its zone from now on: the entries go there. */
  serve(isServed: (index: number) => boolean): void {
    const { cluster } = this.instance;
    this.handovers += 1;
    for (const [index, provider] of cluster.all(DNS_PROVIDER).entries()) {
      const include = isServed(index) ? [] : ["none"];
      this.note(`provider ${index} ${isServed(index) ? "serves" : "does not serve"} the zone`);
      const { resourceVersion: _, ...metadata } = provider.metadata;
      const spec = { ...fieldsOf(provider["spec"]), zones: { include } };
      cluster.apply(DNS_PROVIDER, { ...provider, metadata, spec });
    }
  }

  /** A person takes a free name, or gives theirs back. */
  byHand(name: DnsName, address: string | null): void {
    const { content } = this.#zone;
    const standing = content.at(name);
    const isFree = address === null ? standing.some(isHandMade) : standing.length === 0;
    if (!isFree) return;
    this.note(`by hand: ${name} ${address}`);
    if (this.#loading > 0) this.overlaps += 1;
    const key = { name, type: "A", setIdentifier: null };
    const next = address === null ? null : { ...HAND, ...key, values: [address] };
    content.write([{ key, next }], this.clock.monotonicMs());
  }

  /** Addresses at the name. */
  shown(name: DnsName): readonly string[] {
    return this.#zone.content.at(name).flatMap((set) => (set.type === "A" ? set.values : []));
  }

  /** What the zone holds, sorted, without its SOA. */
  content(): readonly string[] {
    const all = this.#zone.content.all().filter(({ type }) => type !== "SOA");
    return all.map(contentText).sort();
  }

  /** The status of the name's entry; for messages. */
  status(name: DnsName): string {
    const entry = this.instance.cluster.now(DNS_ENTRY, "default", name.replaceAll(".", "-"));
    return JSON.stringify(entry?.["status"] ?? null);
  }

  #provider(): ProviderType {
    const content = this.#watched(this.#zone.content);
    return {
      type: "memory",
      open: ({ config }, environment) => {
        const { behaviour, zone } = this.#zone;
        const isOther = this.#options.isTwin && fieldsOf(config)["index"] === 1;
        const seen = { behaviour, content, zone: isOther ? { ...zone, ...ELSEWHERE } : zone };
        const faults = { apply: () => [], read: () => [] };
        return ok(this.#counted(new MemorySession({ zones: () => [seen], faults, environment })));
      },
    };
  }

  #counted(session: MemorySession): MemorySession {
    const records = session.records.bind(session);
    session.records = async (zone, names, signal) => {
      if (names !== null) return records(zone, names, signal);
      this.lists += 1;
      this.#loading += 1;
      this.onLoading?.();
      try {
        return await records(zone, names, signal);
      } finally {
        this.#loading -= 1;
      }
    };
    return session;
  }

  /** The content as the product's sessions write it. */
  #watched(content: ZoneContent): ZoneContent {
    const write: ZoneContent["write"] = (edits, atMs) => {
      const answered = [...this.wanted.keys()].filter((name) => this.shown(name).length > 0);
      const byHand = content.all().filter(isHandMade);
      content.write(edits, atMs ?? this.clock.monotonicMs());
      if (this.#loading > 0) this.overlaps += 1;
      for (const { key, next } of edits)
        this.note(`  ${next === null ? "-" : "+"} ${key.name} ${key.type} ${next?.values.join()}`);
      for (const name of answered)
        if (this.shown(name).length === 0) this.losses.push(`${name} lost its last answer`);
      const now = new Set(this.content());
      for (const set of byHand)
        if (!now.has(contentText(set))) this.losses.push(`${contentText(set)} was a person's`);
    };
    return new Proxy(content, {
      get: (target, key) => {
        if (key === "write") return write;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
}
