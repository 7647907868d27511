/**
 * ADR 0122 in the whole program but for the servers: random changes of objects, undos, resumes and
 * strangers. What was undone is as it was, and nothing that somebody else wrote is changed by it.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";

import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { isSameKey, type RecordSet, type RecordSetKey } from "../../../src/model/record-set.ts";
import { isSameJson } from "../../../src/model/same-json.ts";
import type { UndoChoice, UndoQuery } from "../../../src/sync/contract/ownership-rows.ts";
import { SeededRandom } from "../../support/ports/test-ports.ts";
import { nameOf } from "../../support/values/zone-text.ts";
import { objectOf, programWorld } from "../../support/worlds/program-world.ts";

const NAMES = ["a", "b", "c", "d"];
const STEPS = 14;
/** Longer than the zone takes to follow a change. */
const SETTLE_MS = 30_000;
/** Somebody else's, at a name of its own and at one of ours. */
const FOREIGN = 'theirs 300 A 192.0.2.200\na 300 MX "10 mail.example.org."\n'.replaceAll('"', "");
const ALL: UndoQuery = { zone: null, name: null, hash: null, sinceMs: null };

/** What goes wrong in these plays; empty = nothing. */
export async function undoTroubles(seeds: readonly number[]): Promise<readonly string[]> {
  const troubles: string[] = [];
  for (const seed of seeds) troubles.push(...(await new Play(seed).run()));
  return troubles;
}

class Play {
  readonly #seed: number;
  readonly #random: SeededRandom;
  readonly #world = programWorld({ zone: FOREIGN, isJournalKept: true });
  readonly #troubles: string[] = [];
  #running = this.#world.start();
  #meddled = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = new SeededRandom(seed);
  }

  async run(): Promise<readonly string[]> {
    for (const name of NAMES) this.#write(name);
    await this.#settle();
    for (let step = 0; step < STEPS; step++) {
      await this.#step();
      const { content } = this.#world;
      const foreign = [...content.at(nameOf("theirs")), ...content.at(nameOf("a"))];
      if (
        foreign.filter(({ type, values }) => type === "MX" || values[0] === "192.0.2.200").length <
        2
      )
        this.#trouble(`step ${step}: a foreign record is gone`);
    }
    await this.#running.stop();
    return this.#troubles;
  }

  async #step(): Promise<void> {
    const name = this.#pick(NAMES);
    const act = this.#pick(["write", "write", "delete", "undo", "undo", "resume", "restart"]);
    if (act === "write") this.#write(name);
    else if (act === "delete") this.#world.cluster.delete(DNS_ENTRY, "default", name);
    else if (act === "resume") await this.#running.pauses?.resume(`name ${nameOf(name)}`);
    else if (act === "restart") {
      await this.#running.stop();
      this.#running = this.#world.start();
    } else await this.#undo(name);
    await this.#settle();
  }

  #write(name: string): void {
    const targets = [
      this.#pick(["192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8::1", "alias.example.com"]),
    ];
    const spec = { dnsName: nameOf(name), targets, ttl: this.#pick([60, 300]) };
    this.#world.cluster.apply(
      DNS_ENTRY,
      objectOf("dns.gardener.cloud/v1alpha1", "DNSEntry", name, { spec }),
    );
  }

  async #undo(name: string): Promise<void> {
    const { clock, content } = this.#world;
    const sinceMs = clock.nowMs() - this.#pick([40_000, 100_000, 1_000_000]);
    const query = this.#pick([
      { ...ALL, name: nameOf(name) },
      { ...ALL, sinceMs },
    ]);
    const { choices } = await this.#running.undo(query);
    const ordered = choices.filter(({ order }) => order !== null);
    const before = content.all();
    const meddled = this.#pick([true, false]) ? this.#meddle(ordered) : null;
    const names = [...new Set(ordered.map(({ key }) => key.name))];
    await this.#running.pauses?.pause(...names.map((one) => `name ${one}` as const));
    for (const { key, order } of ordered)
      if (order !== null) this.#running.order(order.zone, [{ key, order: order.change }]);
    await this.#settle();
    const left = choices.filter(({ order: one, isSo }) => one === null && !isSo);
    const isWhole = ({ key }: UndoChoice): boolean =>
      left.every((one) => one.key.name !== key.name || isSameKey(one.key, key));
    // A name of which one record was changed by somebody else need not be undone as a whole.
    for (const choice of choices.filter(isWhole)) this.#judge(choice, { before, meddled });
  }

  /** Somebody else writes after the preview, at a record that is to be undone. */
  #meddle(ordered: readonly UndoChoice[]): RecordSet | null {
    const { clock, content } = this.#world;
    const sets = ordered.flatMap(({ key }) => setAt(content.all(), key) ?? []);
    const set = sets.find(({ type }) => type === "A");
    if (set === undefined) return null;
    // Undone drift may have brought an earlier one back.
    this.#meddled += 1;
    const next = { ...set, values: [`198.51.100.${this.#meddled}`] };
    content.write([{ key: set, next }], clock.nowMs());
    return next;
  }

  #judge(
    { key, to, order }: UndoChoice,
    {
      before,
      meddled,
    }: { readonly before: readonly RecordSet[]; readonly meddled: RecordSet | null },
  ): void {
    const now = setAt(this.#world.content.all(), key);
    const where = `${key.name} ${key.type}`;
    if (meddled !== null && isSameKey(meddled, key)) {
      if (!isSameJson(now, meddled))
        this.#trouble(`${where}: a stranger's value is ${textOf(now)}`);
      return;
    }
    if (meddled?.name === key.name) return;
    if (order === null) {
      if (this.#isPaused(key.name) && !isSameJson(now, setAt(before, key)))
        this.#trouble(`${where}: left, and is ${textOf(now)}`);
    } else if (
      !isSameJson(now?.values ?? null, to?.values ?? null) ||
      now?.ttlSeconds !== to?.ttlSeconds
    )
      this.#trouble(`${where}: not undone, but ${textOf(now)} for ${to?.values ?? "nothing"}`);
  }

  #isPaused(name: DnsName): boolean {
    return this.#running.pauses?.reasonAt(name) !== null;
  }

  /** A person approves what the fuse holds. */
  async #settle(): Promise<void> {
    await this.#world.clock.advance(SETTLE_MS);
    const sets = this.#running.zones().flatMap(({ heldSets }) => heldSets);
    for (const { hash } of sets) await this.#running.approve(hash);
    if (sets.length > 0) await this.#world.clock.advance(SETTLE_MS);
  }

  #pick<T>(some: readonly T[]): T {
    const one = some[Math.floor(this.#random.next() * some.length)];
    if (one === undefined) throw new Error("nothing to pick from");
    return one;
  }

  #trouble(what: string): void {
    this.#troubles.push(`seed ${this.#seed}: ${what}`);
  }
}

function setAt(sets: readonly RecordSet[], key: RecordSetKey): RecordSet | undefined {
  return sets.find((one) => isSameKey(one, key));
}

function textOf(set: RecordSet | undefined): string {
  return set === undefined ? "not there" : `${set.values} ttl ${set.ttlSeconds}`;
}
