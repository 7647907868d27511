/**
 * A zone and one below it (Z-18, proof 5): the child is parked, gets delegated, is delegated
 * elsewhere, loses its delegation again, either vanishes from the account's listing for a while,
 * and entries come and go and processes crash. A resolver that follows delegations watches every
 * write of ours. One zone shown by two providers is shared-zone.ts.
 */
import { ok } from "@zonekeeper/base/result";
import { type DnsName, isAtOrBelow, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import type { RecordSet } from "../../../src/model/record-set.ts";
import { LIKE_RFC2136 } from "../../support/memory-provider/behaviour.ts";
import { MemorySession } from "../../support/memory-provider/memory-session.ts";
import { MemoryZone } from "../../support/memory-provider/memory-zone.ts";
import type { ZoneContent } from "../../support/memory-provider/zone-content.ts";
import { MemoryLog } from "../../support/ports/test-ports.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { Instance } from "../world/instance.ts";
import { SimRandom } from "../world/sim-random.ts";

export const PARENT = trustedDnsName("example.org");
export const CHILD = trustedDnsName("sub.example.org");
const LABELS = ["a", "b", "c", "d"] as const;
/**
 * The child's apex and a server of its delegation are names like others, with one more way to go
 * wrong each.
 */
export const NAMES: readonly DnsName[] = [
  ...LABELS.map((label) => trustedDnsName(`${label}.${CHILD}`)),
  CHILD,
  trustedDnsName(`ns1.${CHILD}`),
  trustedDnsName(`www.${PARENT}`),
];
const PLAIN = { setIdentifier: null, properties: {}, routingPolicy: null, ttlSeconds: 3600 };
const SERVERS = { ours: [`ns1.${CHILD}`], others: ["ns.elsewhere.net"] } as const;

/** Who the parent says answers for the child. */
export type Delegation = "nobody" | "ours" | "others";

/** Two zones of one account, one cluster, one process at a time. */
export class CutWorld {
  readonly clock = new VirtualClock();
  readonly random: SimRandom;
  readonly diary: string[] = [];
  /** Answers that a write of ours took from a name which its entry wants. */
  readonly losses: string[] = [];
  readonly instance: Instance;
  readonly #parent = new MemoryZone({ name: PARENT, behaviour: LIKE_RFC2136 });
  readonly #child = new MemoryZone({ name: CHILD, behaviour: LIKE_RFC2136 });
  /** What entries want, by name. */
  readonly wanted = new Map<DnsName, string>();
  delegation: Delegation = "nobody";
  /** Zones that the account's listing lacks; their servers answer as before. */
  readonly hidden = new Set<DnsName>();
  #wipes = 0;

  constructor(seed: number) {
    this.random = new SimRandom(seed);
    const zones = [this.#parent, this.#child].map(({ zone, behaviour, content }) => ({
      zone,
      behaviour,
      content: this.#watched(content),
    }));
    this.instance = new Instance({
      owner: "sim",
      clusterId: "c1",
      clock: this.clock,
      random: this.random,
      log: new MemoryLog(),
      provider: () => ({
        type: "memory",
        open: (_settings, environment) => {
          const faults = { apply: () => [], read: () => [] };
          const listed = () => zones.filter(({ zone }) => !this.hidden.has(zone.name));
          return ok(new MemorySession({ zones: listed, faults, environment }));
        },
      }),
      passage: () => "pass",
      note: (line) => this.note(line),
      accounts: 1,
    });
  }

  note(line: string): void {
    this.diary.push(`${String(Math.round(this.clock.monotonicMs())).padStart(8)} ${line}`);
  }

  /** Somebody else changes the delegation in the parent zone. */
  delegate(to: Delegation): void {
    this.note(`the child is delegated to ${to}`);
    this.delegation = to;
    const key = { name: CHILD, type: "NS", setIdentifier: null };
    const next = to === "nobody" ? null : { ...PLAIN, ...key, values: SERVERS[to] };
    this.#parent.content.write([{ key, next }], this.clock.monotonicMs());
  }

  /**
   * The account's listing lacks the zone from now on, and nothing can be read or written there; or
   * has it again.
   */
  hide(zone: DnsName, isHidden: boolean): void {
    this.note(`the listing ${isHidden ? "lacks" : "has"} ${zone}`);
    if (isHidden) this.hidden.add(zone);
    else this.hidden.delete(zone);
  }

  /** What is wrong when everything has settled, one line each. */
  faults(): readonly string[] {
    return NAMES.flatMap((name) => {
      const wanted = this.wanted.get(name);
      const zone = this.inCharge(name);
      const at = { parent: this.exists("parent", name), child: this.exists("child", name) };
      const story = `${name} wanted ${wanted}, ${zone} in charge, ${JSON.stringify(at)} ${this.shown(name)}`;
      if (wanted === undefined) return at.parent.length + at.child.length === 0 ? [] : [story];
      if (zone === null)
        return this.shown(name).includes("is delegated to other servers") ? [] : [story];
      const isGlue = zone === "child" && name === `ns1.${CHILD}`;
      const isAlone = at[zone === "parent" ? "child" : "parent"].length === 0;
      return at[zone].includes(wanted) && (isAlone || isGlue) ? [] : [story];
    });
  }

  /** An entry wants the name with this address; null = it is deleted. */
  want(name: DnsName, address: string | null): void {
    const { cluster } = this.instance;
    const id = name.replaceAll(".", "-");
    const present = cluster.now(DNS_ENTRY, "default", id);
    if (present?.metadata.deletionTimestamp !== undefined) return;
    this.note(address === null ? `${name} is deleted` : `${name} wants ${address}`);
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

  /** `state: message` of the name's entry. */
  shown(name: DnsName): string {
    const entry = this.instance.cluster.now(DNS_ENTRY, "default", name.replaceAll(".", "-"));
    const status = entry?.["status"];
    return JSON.stringify(status ?? null);
  }

  /** The next records of ours that come into the child are removed at once by somebody else. */
  wipeNext(times: number): void {
    this.#wipes = times;
  }

  #wipe(edits: Parameters<ZoneContent["write"]>[0]): void {
    const made = edits.filter(({ key, next }) => key.type === "A" && next !== null);
    const isHere = made.every(({ key }) => this.#child.content.at(key.name).length > 0);
    if (this.#wipes === 0 || made.length === 0 || !isHere) return;
    this.#wipes--;
    this.note("  somebody removes it again");
    const gone = edits.map(({ key }) => ({ key, next: null }));
    this.#child.content.write(gone, this.clock.monotonicMs());
  }

  /** Addresses of a name in one zone, whoever is asked for it. */
  exists(zone: "parent" | "child", name: DnsName): readonly string[] {
    const { content } = zone === "parent" ? this.#parent : this.#child;
    return content.at(name).flatMap((set) => (set.type === "A" ? set.values : []));
  }

  /** Which zone a resolver ends at; null = at servers of somebody else. */
  inCharge(name: DnsName): "parent" | "child" | null {
    if (!isAtOrBelow(name, CHILD) || this.delegation === "nobody") return "parent";
    return this.delegation === "ours" ? "child" : null;
  }

  /** What a resolver answers. */
  answer(name: DnsName): readonly string[] {
    const zone = this.inCharge(name);
    return zone === null ? [] : this.exists(zone, name);
  }

  /**
   * The content as the product's sessions write it: no write may take the last answer from a wanted
   * name.
   */
  #watched(content: ZoneContent): ZoneContent {
    const write: ZoneContent["write"] = (edits, atMs) => {
      const answered = [...this.wanted.keys()].filter((name) => this.answer(name).length > 0);
      content.write(edits, atMs ?? this.clock.monotonicMs());
      for (const { key, next } of edits) this.note(`  ${next === null ? "-" : "+"} ${text(key)}`);
      this.#wipe(edits);
      for (const name of answered)
        if (this.answer(name).length === 0) this.losses.push(`${name} lost its last answer`);
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

function text({ name, type }: Pick<RecordSet, "name" | "type">): string {
  return `${name} ${type}`;
}
