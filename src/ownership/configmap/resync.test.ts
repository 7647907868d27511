import { beforeEach, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { nameOf, ORIGIN, parseZone } from "../../../test/support/values/zone-text.ts";
import { type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import type { RegistryStore } from "../../ports/stores.ts";
import { dataHash } from "../data-hash.ts";
import { RegistryRows } from "./registry-rows.ts";
import { Resync } from "./resync.ts";
import { type Claim, formatRows, parseRows, rowOf } from "./row.ts";

const EMPTY: RegistryStore = {
  read: () => Promise.resolve(null),
  write: () => Promise.reject(new Error("nothing is written here")),
};
const CLAIM: Claim = { owner: "me", resource: "service/default/web", cluster: "c1" };
const WWW = nameOf("www");

let clock: VirtualClock;
let registry: RegistryRows;
let resync: Resync;
beforeEach(async () => {
  clock = new VirtualClock();
  // Not from zero: what counts is how long something has been amiss.
  await clock.advance(1_000_000);
  registry = new RegistryRows({ store: EMPTY, id: "z", zone: "example.org" });
  resync = new Resync(registry, { apex: ORIGIN, clock });
});

const set = (text: string): RecordSet => {
  const [one] = parseZone(text);
  if (one === undefined) throw new Error("no set");
  return one;
};
const ONE = set("www 300 A 192.0.2.1");
const TWO = set("www 300 A 192.0.2.2");
const SIX = set("www 300 AAAA 2001:db8::1");
const intent = (next: readonly RecordSet[]) => ({
  name: WWW,
  type: "A",
  setIdentifier: null,
  claim: CLAIM,
  next: next.map(dataHash),
});

test("records without owner have rows, which follow the zone; other types have none", () => {
  resync.run([ONE, set("www 300 SOA x")]);
  expect(registry.rowsAt(WWW)).toEqual([rowOf(ONE, null)]);
  resync.run([TWO, SIX]);
  expect(registry.rowsAt(WWW)).toEqual([rowOf(TWO, null), rowOf(SIX, null)]);
  resync.run([SIX]);
  expect(registry.rowsAt(WWW)).toEqual([rowOf(SIX, null)]);
});

test("a row names the other owner that a marker in the zone names; it claims nothing, and follows", () => {
  const others = new Map([[recordSetKeyText(ONE), "west"]]);
  resync.run([ONE, SIX], others);
  const rows = registry.rowsAt(WWW);
  expect(rows.map(({ claim, otherOwner }) => [claim, otherOwner])).toEqual([
    [null, "west"],
    [null, undefined],
  ]);
  expect(formatRows(rows)).toContain('"owner":"","otherOwner":"west"');
  expect(parseRows(formatRows(rows))).toEqual({ ok: true, value: rows });
  resync.run([ONE]);
  expect(registry.rowsAt(WWW)).toEqual([rowOf(ONE, null)]);
  registry.put(WWW, [rowOf(ONE, CLAIM)]);
  resync.run([ONE], others);
  expect(registry.rowsAt(WWW)).toEqual([rowOf(ONE, CLAIM)]);
});

test("a claimed row of a removed record stays for a minute, beside the rows of present ones", async () => {
  registry.put(WWW, [rowOf(ONE, CLAIM), rowOf(SIX, CLAIM)]);
  resync.run([SIX]);
  await clock.advance(59_999);
  resync.run([SIX]);
  // As they were put: what is the same text is left alone.
  expect(registry.rowsAt(WWW)).toEqual([rowOf(ONE, CLAIM), rowOf(SIX, CLAIM)]);
  await clock.advance(1);
  resync.run([SIX]);
  expect(registry.rowsAt(WWW)).toEqual([rowOf(SIX, CLAIM)]);
});

test("what a call was seen to have done is its row, and its intent is settled", () => {
  registry.put(WWW, [rowOf(ONE, CLAIM)]);
  registry.amend(intent([TWO]));
  resync.run([TWO]);
  expect(registry.rowsAt(WWW)).toEqual([rowOf(TWO, CLAIM)]);
  expect([...registry.intents.values()]).toEqual([]);
});

test("while the former data still exists, the intent stays, for a minute", async () => {
  registry.put(WWW, [rowOf(ONE, CLAIM)]);
  registry.amend(intent([TWO]));
  resync.run([ONE]);
  await clock.advance(59_999);
  resync.run([ONE]);
  expect(registry.rowsAt(WWW)).toEqual([rowOf(ONE, CLAIM)]);
  expect([...registry.intents.values()]).toEqual([intent([TWO])]);
  await clock.advance(1);
  resync.run([ONE]);
  expect([...registry.intents.values()]).toEqual([]);
});

test("an intent that was begun anew is as young as its call, whatever was amiss at its key before", async () => {
  registry.amend(intent([ONE]));
  resync.run([]);
  await clock.advance(59_999);
  registry.amend(intent([ONE]));
  await clock.advance(1);
  resync.run([]);
  expect(registry.intentAt(ONE)).toEqual(intent([ONE]));
  await clock.advance(60_000);
  resync.run([]);
  expect(registry.intentAt(ONE)).toBeNull();
});

test("what was settled between two readings is forgotten: a row and an intent of now are not as old as it", async () => {
  registry.amend(intent([ONE]));
  resync.run([]);
  registry.settle(ONE);
  registry.put(WWW, [rowOf(ONE, CLAIM)]);
  await clock.advance(3_600_000);
  registry.amend(intent([TWO]));
  resync.run([]);
  expect([registry.rowsAt(WWW), registry.intentAt(ONE)]).toEqual([
    [rowOf(ONE, CLAIM)],
    intent([TWO]),
  ]);
});

test("a row that was made for other data stays as it is", () => {
  registry.put(WWW, [rowOf(ONE, CLAIM)]);
  resync.run([TWO]);
  expect(registry.rowsAt(WWW)).toEqual([rowOf(ONE, CLAIM)]);
});

test("20000 records without owner have rows, the first by name; claimed ones do not count", () => {
  const names = Array.from({ length: 20_001 }, (_, index) => `n${100_000 + index}`);
  const sets = names.map((name): RecordSet => ({ ...ONE, name: nameOf(name) }));
  registry.put(WWW, [rowOf(ONE, CLAIM)]);
  registry.put(nameOf("a"), [rowOf(set("a 300 A 192.0.2.1"), CLAIM)]);
  resync.run([...sets, ONE, set("a 300 A 192.0.2.1")].reverse());
  const known = new Set(registry.names());
  expect(known.size).toBe(20_002);
  expect([nameOf("a"), WWW, nameOf("n119999")].every((name) => known.has(name))).toBe(true);
  expect(known.has(nameOf("n120000"))).toBe(false);
});

test("what is no name of the zone is not missing there: its rows and intents stay as they are", async () => {
  const other = { ...ONE, name: nameOf("www.example.com.") };
  const rows = [rowOf(other, CLAIM), rowOf({ ...SIX, name: other.name }, null)];
  registry.put(other.name, rows);
  registry.put(WWW, [rowOf(ONE, CLAIM)]);
  const open = { ...intent([TWO]), name: other.name };
  registry.amend(open);
  for (let pass = 0; pass < 3; pass++) {
    resync.run([]);
    await clock.advance(60_000);
  }
  expect([registry.rowsAt(other.name), registry.intentAt(other)]).toEqual([rows, open]);
  expect(registry.rowsAt(WWW)).toEqual([]);
});
