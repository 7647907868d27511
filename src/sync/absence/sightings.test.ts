import { OperationError } from "@zonekeeper/base/operation-error";
import { describe, expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { MapState } from "../../../test/support/values/fuse.ts";
import { RealCrypto } from "../../app/ports/real-crypto.ts";
import {
  SEGMENT_PAIRS,
  SEGMENTS_MAX,
  SIGHTINGS_RETRY_MS,
  type Sighting,
  Sightings,
  STORE_MS,
} from "./sightings.ts";

const WEB = { cluster: "c1", resource: "service/default/web", name: "www.example.org" };

function pair(index: number): Sighting {
  return { ...WEB, name: `n${index}.example.org` };
}

/** A store that can be out of reach, and counts what is written. */
class FlakyState extends MapState {
  isUp = true;
  readonly reads: string[] = [];
  readonly writes: string[] = [];

  override async read(key: string): Promise<string | null> {
    this.#check();
    this.reads.push(key);
    return super.read(key);
  }

  override async write(key: string, value: string): Promise<void> {
    this.#check();
    this.writes.push(key);
    await super.write(key, value);
  }

  #check(): void {
    if (this.isUp) return;
    throw new OperationError({ code: "Unavailable", message: "no answer", retry: "backoff" });
  }
}

async function process(state = new FlakyState(), clock = new VirtualClock()) {
  const log = new MemoryLog();
  let reads = 0;
  const onRead = () => {
    reads += 1;
  };
  const sightings = new Sightings({ state, crypto: new RealCrypto(), clock, log, onRead });
  await clock.advance(0);
  return { state, clock, sightings, log, reads: () => reads };
}

describe("Z-23 sightings", () => {
  test("survive the process once they are stored, which takes a moment", async () => {
    const { state, clock, sightings } = await process();
    sightings.add(WEB);
    expect(sightings.has(WEB)).toBe(true);
    expect((await process(state)).sightings.has(WEB)).toBe(false);
    await clock.advance(STORE_MS);
    const next = await process(state);
    expect(next.sightings.has(WEB)).toBe(true);
    for (const other of [{ cluster: "c2" }, { resource: "service/a/web" }, { name: "w.test" }])
      expect(next.sightings.has({ ...WEB, ...other })).toBe(false);
  });

  test("are stored at once where a removal is to rest on them", async () => {
    const { state, sightings } = await process();
    sightings.add(WEB);
    await sightings.store();
    expect((await process(state)).sightings.has(WEB)).toBe(true);
  });

  test("end with their record", async () => {
    const { state, clock, sightings } = await process();
    sightings.add(WEB);
    sightings.add(pair(1));
    await clock.advance(STORE_MS);
    sightings.remove(WEB);
    await clock.advance(STORE_MS);
    const next = await process(state);
    expect([next.sightings.has(WEB), next.sightings.has(pair(1))]).toEqual([false, true]);
  });

  test("nothing is written where nothing is new", async () => {
    const { state, clock, sightings } = await process();
    sightings.remove(WEB);
    await clock.advance(60_000);
    expect(state.writes).toEqual([]);
    for (let index = 0; index < 100; index++) sightings.add(pair(index));
    await clock.advance(60_000);
    for (let index = 0; index < 100; index++) sightings.add(pair(index));
    await clock.advance(60_000);
    expect(state.writes).toEqual(["sightings/0"]);
  });

  test("until they are read, nothing is known; what is seen meanwhile is kept", async () => {
    const state = new FlakyState();
    const first = await process(state);
    first.sightings.add(WEB);
    await first.sightings.store();
    state.isUp = false;
    const { sightings, clock, log, reads } = await process(state);
    expect(sightings.unread).toContain("no answer");
    expect(log.lines).toHaveLength(1);
    sightings.add(pair(1));
    expect([sightings.has(WEB), sightings.has(pair(1)), reads()]).toEqual([false, true, 0]);
    state.isUp = true;
    await clock.advance(SIGHTINGS_RETRY_MS);
    expect([sightings.unread, reads()]).toEqual([null, 1]);
    await clock.advance(STORE_MS);
    const next = await process(state);
    expect([next.sightings.has(WEB), next.sightings.has(pair(1))]).toEqual([true, true]);
  });

  test("what could not be stored is stored later, after a read", async () => {
    const { state, clock, sightings } = await process();
    sightings.add(WEB);
    state.isUp = false;
    await sightings.store();
    expect(sightings.has(WEB)).toBe(true);
    state.isUp = true;
    state.reads.length = 0;
    await clock.advance(SIGHTINGS_RETRY_MS + STORE_MS);
    expect([state.reads, state.writes]).toEqual([["sightings/0"], ["sightings/0"]]);
  });

  test("a damaged text is an error and no empty one", async () => {
    const state = new FlakyState();
    state.texts.set("sightings/0", "not a list");
    const { sightings } = await process(state);
    expect(sightings.unread).toMatch(/sightings\/0 is not readable; delete it/);
  });

  test("100 000 pairs are some small texts; one more writes one of them", async () => {
    const { state, clock, sightings } = await process();
    for (let index = 0; index < 100_000; index++) sightings.add(pair(index));
    await clock.advance(STORE_MS);
    const texts = [...state.texts.values()];
    expect(texts).toHaveLength(Math.ceil(100_000 / SEGMENT_PAIRS));
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(100_000);
    state.writes.length = 0;
    sightings.add(pair(100_000));
    await clock.advance(STORE_MS);
    expect(state.writes).toHaveLength(1);
    expect((await process(state)).sightings.has(pair(77_777))).toBe(true);
  });

  test("are bounded: the first ones make room", async () => {
    const state = new FlakyState();
    const first = await process(state);
    first.sightings.add(WEB);
    await first.sightings.store();
    const full = (segment: number, from = 0): string =>
      Array.from({ length: SEGMENT_PAIRS - from }, (_, index) =>
        String(segment * SEGMENT_PAIRS + index).padStart(12, "A"),
      ).join("");
    state.texts.set("sightings/0", `${state.texts.get("sightings/0")}${full(0, 1)}`);
    for (let segment = 1; segment < SEGMENTS_MAX; segment++)
      state.texts.set(`sightings/${segment}`, full(segment));
    const { sightings } = await process(state);
    expect(sightings.has(WEB)).toBe(true);
    sightings.add(pair(1));
    await sightings.store();
    expect([sightings.has(WEB), sightings.has(pair(1))]).toEqual([false, true]);
    expect(state.texts.get("sightings/0")).toHaveLength(12);
    expect(state.texts.size).toBe(SEGMENTS_MAX);
  });
});
