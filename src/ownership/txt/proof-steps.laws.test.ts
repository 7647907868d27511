/**
 * Proof 2 of docs/safety.md, "Marker and data", exhaustively over a zone that takes one record set
 * a call and drops some in silence (Z-10): every start and desired set, and before each call a
 * crash, a lost answer, or a foreign write. S1, S2 and S13 are looked at after every call, S15 at
 * the end.
 */
import { describe, expect, test } from "vitest";
import { isBounded, sampled } from "../../../test/support/values/law-runs.ts";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  shortName,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import {
  DESIRED,
  locations,
  MARKED_NAMES,
  OWNERS,
  outsiders,
  ownMarker,
  RECORDS,
  startLines,
} from "../../../test/support/worlds/marker-cases.ts";
import type { World } from "../../../test/support/worlds/reconcile.ts";
import { runSteps, type StepTrouble } from "../../../test/support/worlds/step-run.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { isSameKey, type RecordSet } from "../../model/record-set.ts";
import type { Change } from "../../plan/changes.ts";
import type { Ownership } from "../ownership.ts";
import { openTxtOwnership } from "./ownership.ts";

interface Facts {
  readonly name: string;
  readonly start: string | null;
  readonly owner: string | null;
  readonly desired: string | null;
}

interface Scenario extends Facts {
  /** Data that was ours under a final marker at some time, by content. */
  readonly claimed: Set<string>;
}

const OWNERSHIP = openTxtOwnership({
  apex: ORIGIN,
  isOwnedByUs: (one) => one === "me",
  atomic: false,
  starInNames: true,
});

const worldOf = ({ name, start, owner, desired }: Facts): Omit<World, "ownership"> => ({
  zone: new ZoneModel(parseZone(startLines(name, start, owner)), { atomic: false }),
  desired: desired === null ? [] : parseDesired(`${name} 300 ${desired}`),
  rules: rulesWith(),
});

const isMarker = (set: RecordSet) =>
  set.type === "TXT" && set.values.some((value) => value.includes("heritage=external-dns"));
const ownerIn = (value: string) => /external-dns\/owner=([^,"]*)/.exec(value)?.[1] ?? "";

/**
 * Whose a record is, by rules of this file alone: a pending marker of ours covers data that we
 * wrote or had.
 */
function isOwnedByUs(set: RecordSet, zone: ZoneModel, scenario: Scenario): boolean {
  if (isMarker(set)) return set.values.every((value) => ownerIn(value) === "me");
  const texts = markersOf(set, zone).flatMap((marker) => marker.values);
  if (texts.length === 0 || texts.some((text) => ownerIn(text) !== "me")) return false;
  return texts.some((text) => !text.includes("state=")) || isOwnData(set, scenario);
}

/**
 * Data that we are to write, or had: also data that others wrote while our final marker labelled
 * it.
 */
function isOwnData(set: RecordSet, { start, owner, desired, claimed }: Scenario): boolean {
  const own = [desired, owner === "me" ? start : null];
  return own.includes(`${set.type} ${set.values.join()}`) || claimed.has(showZone([set]));
}

function noteClaimed(zone: ZoneModel, { claimed, ...scenario }: Scenario): void {
  const data = zone.all().filter((set) => !isMarker(set));
  for (const set of data)
    if (isOwnedByUs(set, zone, { ...scenario, claimed: new Set() })) claimed.add(showZone([set]));
}

function markersOf(set: RecordSet, zone: ZoneModel): readonly RecordSet[] {
  const name = shortName(set.name);
  return locations(name, set.type.toLowerCase())
    .flatMap((markerName) => zone.at(nameOf(markerName)))
    .filter(isMarker);
}

/** A call, and the zone whose markers say what it may do. */
interface Moment {
  readonly before: ZoneModel;
  readonly judged: ZoneModel;
}

/** S1, S13: what was foreign just before the call is as it was. */
function expectForeignIntact(at: Moment, after: ZoneModel, scenario: Scenario, text: string): void {
  const { before, judged } = at;
  for (const set of before.all()) {
    if (isOwnedByUs(set, isMarker(set) ? before : judged, scenario)) continue;
    const now = after.at(set.name).find((one) => isSameKey(one, set))?.values ?? [];
    // Beside a marker of ours in one set their texts stay, whatever becomes of ours (S13).
    const isForeign = (value: string) => !isMarker(set) || ownerIn(value) !== "me";
    if (now.filter(isForeign).join() !== set.values.filter(isForeign).join())
      throw new Error(`${text}: S1, ${showZone([set])} became ${now.join()}`);
  }
}

/**
 * S2: data that this call wrote or left is marked: no data of ours without a marker that labels it.
 */
function expectMarked(before: ZoneModel, after: ZoneModel, scenario: Scenario, text: string): void {
  const written = after.all().filter((set) => {
    const was = before.at(set.name).find((one) => isSameKey(one, set));
    return !isMarker(set) && JSON.stringify(was?.values) !== JSON.stringify(set.values);
  });
  const kept = before
    .all()
    .filter(
      (set) => !isMarker(set) && isOwnData(set, scenario) && isOwnedByUs(set, before, scenario),
    );
  for (const set of [...written, ...kept]) {
    const now = after.at(set.name).find((one) => isSameKey(one, set));
    if (now === undefined) continue;
    if (!isOwnedByUs(now, after, scenario))
      throw new Error(`${text}: S2, ${showZone([now])} is unmarked`);
  }
}

/**
 * A call cannot see other record sets: a marker that is lost just before it is missed only
 * afterwards.
 */
const sameZone = (a: ZoneModel, b: ZoneModel) => showZone(a.all()) === showZone(b.all());
const setOf = (change: Change) => (change.op === "remove" ? change.previous : change.next);

interface Run {
  readonly calls: number;
  readonly zone: string;
}

async function play(
  facts: Facts,
  at: number,
  trouble: StepTrouble | null,
  ownership = OWNERSHIP,
): Promise<Run> {
  const scenario: Scenario = { ...facts, claimed: new Set() };
  const world = { ...worldOf(scenario), ownership };
  const text = `${JSON.stringify(facts)}, at call ${at} ${JSON.stringify(trouble)}`;
  const isAtMarker =
    trouble?.kind === "foreign" && setOf(trouble.change).name !== nameOf(scenario.name);
  const calls = await runSteps(world, {
    trouble: (call) => (call === at ? trouble : null),
    watch: ({ before, seen, group }) => {
      noteClaimed(world.zone, scenario);
      if (group.changes.length !== 1) throw new Error(`${text}: more than one write in a call`);
      const judged = isAtMarker ? seen : before;
      expectForeignIntact({ before, judged }, world.zone, scenario, text);
      if (judged !== seen || sameZone(seen, before))
        expectMarked(before, world.zone, scenario, text);
    },
  }).catch((error: unknown) => {
    throw new Error(`${text}: ${error instanceof Error ? error.message : String(error)}`);
  });
  return { calls, zone: showZone(world.zone.all()) };
}

/**
 * S15, and with it that no marker outlives its data: trouble that changes nothing ends where no
 * trouble does.
 */
async function expectSameEnd(scenario: Facts, calm: Run, ownership: Ownership): Promise<void> {
  expect(calm.zone, JSON.stringify(scenario)).not.toContain("state=pending");
  for (let at = 0; at < calm.calls; at++)
    for (const kind of ["crash", "lost-before", "lost-after"] as const) {
      const { zone } = await play(scenario, at, { kind }, ownership);
      expect(zone, `${JSON.stringify(scenario)}: S15, ${kind} at call ${at}`).toBe(calm.zone);
    }
}

/** Types that the story is about; markers of others are nothing to it. */
const typesOf = ({ start, desired }: Facts) => [
  ...new Set([start, desired].flatMap((data) => data?.split(" ")[0]?.toLowerCase() ?? [])),
];

const startsOf = (): readonly (readonly [string | null, string | null])[] => [
  [null, null],
  ...RECORDS.flatMap((start) => OWNERS.map((owner) => [start, owner] as const)),
];

/** From which zones a proof begins, and the registry that is judged. */
interface ProofInput {
  readonly starts: ReturnType<typeof startsOf>;
  readonly ownership?: Ownership;
}

/**
 * Plays everything that may happen to one name and desired set; answers the calls of the calm
 * stories.
 */
async function prove(
  name: string,
  desired: string | null,
  { starts, ownership = OWNERSHIP }: ProofInput = { starts: startsOf() },
): Promise<number> {
  let calls = 0;
  for (const [start, owner] of starts) {
    const facts = { name, start, owner, desired };
    const calm = await play(facts, -1, null, ownership);
    calls += calm.calls;
    await expectSameEnd(facts, calm, ownership);
    for (let at = 0; at < calm.calls; at++)
      for (const change of outsiders(name, start, owner, typesOf(facts)))
        await play(facts, at, { kind: "foreign", change }, ownership);
  }
  return calls;
}

describe.each(MARKED_NAMES)("proof 2, marker and data, step by step: %s", (name) => {
  test.each(DESIRED)(
    "wanted %s",
    async (desired) => {
      const first = MARKED_NAMES.indexOf(name) + DESIRED.indexOf(desired);
      const calls = await prove(name, desired, { starts: sampled(startsOf(), first) });
      if (!isBounded) expect(calls).toBeGreaterThan(10);
    },
    120_000,
  );
});

/** The registry with one rule of Z-10 broken. */
function broken(rule: Partial<Pick<Ownership, "read" | "prepare">>): Ownership {
  return {
    format: "txt",
    affected: (name) => OWNERSHIP.affected(name),
    related: (name) => OWNERSHIP.related(name),
    confirm: (group, outcome) => OWNERSHIP.confirm(group, outcome),
    read: rule.read ?? ((sets) => OWNERSHIP.read(sets)),
    prepare: rule.prepare ?? ((plan, content) => OWNERSHIP.prepare(plan, content)),
  };
}

/** Breaks what is sent: `swap` picks another write than the next one, or null for the right one. */
function withNextWrite(swap: (next: Change, later: readonly Change[]) => Change | null): Ownership {
  return broken({
    prepare: async (plan, content) => {
      const prepared = await OWNERSHIP.prepare(plan, content);
      const [next] = prepared.ok ? prepared.group.changes : [];
      if (!prepared.ok || next === undefined) return prepared;
      const other = swap(next, prepared.group.rest?.writes ?? []);
      if (other === null) return prepared;
      return { ...prepared, group: { ...prepared.group, changes: [other], preconditions: [] } };
    },
  });
}

const isPendingWrite = (change: Change) =>
  change.op !== "remove" && change.next.values.some((value) => value.includes("state=pending"));

describe("mutants of Z-10 die", () => {
  test.each<[string, Ownership]>([
    [
      "a pending marker gives rights to any record there",
      broken({
        read: async (sets) => {
          const owned = await OWNERSHIP.read(sets);
          const idle = owned.filter(({ data, marker }) => data === null && marker !== null);
          return owned.map((one) => {
            const half = idle.find((other) => one.marker === null && isSameKey(one, other));
            return half === undefined ? one : { ...one, marker: half.marker };
          });
        },
      }),
    ],
    [
      "no pending marker before the data",
      withNextWrite((next, later) =>
        next.op === "create" && isPendingWrite(next) ? (later[0] ?? null) : null,
      ),
    ],
    [
      "the marker goes before its data",
      withNextWrite((next, later) =>
        next.op === "remove" && !isMarker(next.previous) ? (later.at(-1) ?? null) : null,
      ),
    ],
    [
      "nothing is read between two steps",
      broken({
        prepare: async (plan, content) => {
          const prepared = await OWNERSHIP.prepare(plan, content);
          if (!prepared.ok) return prepared;
          const { rest: _, ...group } = prepared.group;
          return { ...prepared, group };
        },
      }),
    ],
  ])(
    "%s",
    async (_, ownership) => {
      const all = async () => {
        for (const desired of DESIRED)
          await prove("foo", desired, { starts: startsOf(), ownership });
      };
      await expect(all()).rejects.toThrow(/S1|S2|S15/);
    },
    120_000,
  );
});

test("a calm create, update and removal are three calls each", async () => {
  const www = { name: "www", owner: "me" } as const;
  const of = async (start: string | null, desired: string | null) =>
    (await play({ ...www, start, desired }, -1, null)).calls;
  expect(await of(null, "A 192.0.2.1")).toBe(3);
  expect(await of("A 192.0.2.1", "A 192.0.2.2")).toBe(3);
  expect(await of("A 192.0.2.1", null)).toBe(3);
  expect(ownMarker("me")).not.toContain("state");
});
