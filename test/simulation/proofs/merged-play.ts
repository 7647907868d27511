/**
 * ADR 0118 in engines over one zone: two processes of one owner id, the first one with two
 * clusters, change their parts of one merged record set at the same moments; a stranger writes
 * between them, and calls lose their answers. No part changes another one.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import {
  type DesiredRecordSet,
  MERGED_TYPES,
  partOf,
  type RecordSet,
} from "../../../src/model/record-set.ts";
import { NO_TRANSFER } from "../../../src/model/transfer-request.ts";
import type { Contribution } from "../../../src/sync/contract/contribution.ts";
import type {
  ObjectObservation,
  ObjectObserver,
} from "../../../src/sync/contract/object-observation.ts";
import { LIKE_ETCD, LIKE_RFC2136, LIKE_ROUTE53 } from "../../support/memory-provider/behaviour.ts";
import type { ApplyFault } from "../../support/memory-provider/faults.ts";
import { SeededRandom } from "../../support/ports/test-ports.ts";
import { fakeObserver, observed } from "../../support/values/fake-observer.ts";
import { engineWorld, entry, KEY } from "../../support/worlds/engine-world.ts";

const SHOP = trustedDnsName("shop.example.org");
/** UIDs, so that a record which a late call makes again is known to be of its object (Z-22). */
const EU = "11111111-0000-4000-8000-000000000001";
const US = "22222222-0000-4000-8000-000000000002";
const ASIA = "33333333-0000-4000-8000-000000000003";
const CLUSTERS = [EU, US, ASIA] as const;
type Cluster = (typeof CLUSTERS)[number];
/** Back ends that compare all that they write. */
const BEHAVIOURS = [LIKE_RFC2136, LIKE_ROUTE53, LIKE_ETCD];
const STEPS = 12;
const FOREIGN = "203.0.113.9";
/** Longer than the longest pause between two tries, and two readings of a zone without a token. */
const SETTLE_MS = 1_300_000;
/** Between two checks, at first and later. */
const [CHECK_MS, LATER_MS, FIRST_MS] = [250, 20_000, 5_000];

/** What Service `shop` of a cluster contributes. */
export function shopOf(cluster: string, values: readonly string[], type = "A"): Contribution {
  const plain = entry("shop", values, type);
  const object = { ...plain.object, cluster };
  const member = MERGED_TYPES.has(type) ? partOf(object) : {};
  const items = plain.found.items.map(
    (item): DesiredRecordSet => ({
      ...{ ...item, ...member, provenance: object },
      transfer: { ...NO_TRANSFER, merge: true },
    }),
  );
  return { ...plain, object, found: { ...plain.found, items } };
}

/** What goes wrong in these plays; empty = nothing. */
export async function mergedTroubles(seeds: readonly number[]): Promise<readonly string[]> {
  const troubles: string[] = [];
  for (const seed of seeds) troubles.push(...(await new Play(seed).run()));
  return troubles;
}

class Play {
  readonly #seed: number;
  readonly #random: SeededRandom;
  readonly #first: ReturnType<typeof engineWorld>;
  readonly #second: ReturnType<typeof engineWorld>;
  readonly #troubles = new Set<string>();
  /** What each cluster wants; empty = it has no object. */
  readonly #wanted = new Map<Cluster, readonly string[]>(CLUSTERS.map((one) => [one, []]));
  /** Clusters whose part was written and has not changed since. */
  readonly #steady = new Set<Cluster>();
  #isForeignThere = false;
  /** Calls go well. */
  #isSettling = false;

  constructor(seed: number) {
    const behaviour = BEHAVIOURS[seed % BEHAVIOURS.length] ?? LIKE_RFC2136;
    this.#first = engineWorld({ behaviour, observer: this.#observerOf(EU, US) });
    const { clock, account } = this.#first;
    this.#second = engineWorld({ behaviour, clock, account, observer: this.#observerOf(ASIA) });
    this.#seed = seed;
    this.#random = new SeededRandom(seed);
  }

  async run(): Promise<readonly string[]> {
    const worlds = [this.#first, this.#second];
    for (const { engine, zoneInput } of worlds) engine.openZone(zoneInput);
    this.#first.account.breakWith({ apply: () => this.#faults(), read: () => [] });
    await this.#pass(5_000);
    for (let step = 0; step < STEPS; step++) {
      for (let acts = this.#pick([1, 2, 3]); acts > 0; acts--) this.#act();
      await this.#pass(this.#pick([100, 500, 3_000, 15_000, SETTLE_MS]));
      if (this.#pick([true, false, false])) await this.#settle();
    }
    if (this.#isForeignThere) this.#foreignGoes();
    await this.#settle();
    for (const cluster of CLUSTERS) this.#change(cluster, []);
    await this.#settle();
    if (this.#values(SHOP).length > 0) this.#trouble("the last part leaves records");
    if (this.#markers().length > 0) this.#trouble("the last part leaves markers");
    for (const { engine } of worlds) await engine.stop();
    return [...this.#troubles];
  }

  /** What one process sees of the clusters that it serves. */
  #observerOf(...clusters: readonly Cluster[]): ObjectObserver {
    const observe = (of: string | null): ObjectObservation =>
      clusters
        .filter((one) => one === of)
        .map((cluster) => {
          const isThere = (this.#wanted.get(cluster) ?? []).length > 0;
          return { ...observed(isThere ? "alive" : "absent"), cluster };
        });
    return {
      ...fakeObserver("alive"),
      kinds: () =>
        clusters.map((cluster) => ({
          ...{ cluster, kind: "dnsentries", markerKind: "dnsentry", state: "live" as const },
          ...{ isRemembered: true, trouble: null },
        })),
      observe,
      observeNow: async (of) => observe(of),
    };
  }

  #act(): void {
    const act = this.#pick(["edit", "edit", "edit", "end", "foreign"]);
    if (act === "foreign") this.#foreignActs();
    else {
      const cluster = this.#pick(CLUSTERS);
      this.#change(cluster, act === "end" ? [] : this.#someOf(cluster));
    }
  }

  /** Some addresses of the cluster, and perhaps one that all may have. */
  #someOf(cluster: Cluster): readonly string[] {
    const at = CLUSTERS.indexOf(cluster) + 1;
    const own = [`192.0.2.${at}1`, `192.0.2.${at}2`, `192.0.2.${at}3`];
    const some = ["192.0.2.100", ...own].filter(() => this.#pick([true, false]));
    return some.length === 0 ? own : some;
  }

  #change(cluster: Cluster, wanted: readonly string[]): void {
    const { engine } = cluster === ASIA ? this.#second : this.#first;
    const one = shopOf(cluster, wanted);
    this.#steady.delete(cluster);
    this.#wanted.set(cluster, wanted);
    if (wanted.length > 0) engine.contribute(KEY, one);
    else engine.withdraw(one.object, "deleted-object");
  }

  /** At the record set of all, and as any program that knows nothing of parts. */
  #foreignActs(): void {
    if (this.#isForeignThere) this.#foreignGoes();
    else {
      const set = this.#setAt(SHOP);
      if (set === undefined) return;
      this.#isForeignThere = true;
      this.#write({ ...set, values: [...set.values, FOREIGN].sort() });
    }
  }

  #foreignGoes(): void {
    const set = this.#setAt(SHOP);
    this.#isForeignThere = false;
    const values = set?.values.filter((value) => value !== FOREIGN) ?? [];
    if (set !== undefined)
      this.#first.content.write(
        [{ key: set, next: values.length === 0 ? null : { ...set, values } }],
        this.#first.clock.monotonicMs(),
      );
  }

  #write(next: RecordSet): void {
    this.#first.content.write([{ key: next, next }], this.#first.clock.monotonicMs());
  }

  #faults(): readonly ApplyFault[] {
    if (this.#isSettling || this.#pick([true, true, false])) return [];
    return [
      this.#pick<ApplyFault>([
        { kind: "lost-before" },
        { kind: "lost-after" },
        { kind: "late", delayMs: 200 },
        { kind: "late", delayMs: 5_000 },
      ]),
    ];
  }

  async #settle(): Promise<void> {
    this.#isSettling = true;
    await this.#pass(SETTLE_MS);
    this.#isSettling = false;
    const values = this.#values(SHOP);
    for (const cluster of CLUSTERS) {
      const wanted = this.#wanted.get(cluster) ?? [];
      const marker = this.#markers().find((text) => text.includes(`cluster=${cluster},`));
      const isMarked = marker?.includes(`targets=${wanted.join(";")}"`) === true;
      const isThere = isMarked && wanted.every((value) => values.includes(value));
      if (isThere) this.#steady.add(cluster);
      // A stranger's value lets nobody join.
      if (wanted.length > 0 && !isThere && !this.#isForeignThere)
        this.#trouble(`${cluster} wants ${wanted}, and the zone has ${values}; ${marker}`);
      if (wanted.length === 0 && marker !== undefined)
        this.#trouble(`${cluster} has ended: ${marker}`);
    }
    const named = CLUSTERS.flatMap((cluster) => this.#wanted.get(cluster) ?? []);
    const surplus = values.filter((value) => value !== FOREIGN && !named.includes(value));
    if (surplus.length > 0) this.#trouble(`nobody wants ${surplus}`);
  }

  /** Checks the zone again and again. */
  async #pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; ) {
      const stepMs = passed < FIRST_MS ? CHECK_MS : LATER_MS;
      await this.#first.clock.advance(stepMs);
      this.#check();
      passed += stepMs;
    }
  }

  #check(): void {
    const values = this.#values(SHOP);
    for (const cluster of this.#steady)
      for (const value of this.#wanted.get(cluster) ?? [])
        if (!values.includes(value)) this.#trouble(`${value} of ${cluster} is gone`);
    if (this.#isForeignThere && !values.includes(FOREIGN))
      this.#trouble("a stranger's value is gone");
  }

  #setAt(name: string): RecordSet | undefined {
    return this.#first.content.at(trustedDnsName(name)).find(({ type }) => type === "A");
  }

  #values(name: string): readonly string[] {
    return this.#setAt(name)?.values ?? [];
  }

  #markers(): readonly string[] {
    return this.#first.values("a-shop");
  }

  #pick<T>(some: readonly T[]): T {
    const one = some[Math.floor(this.#random.next() * some.length)];
    if (one === undefined) throw new Error("nothing to pick from");
    return one;
  }

  #trouble(what: string): void {
    this.#troubles.add(`seed ${this.#seed}: ${what}`);
  }
}
