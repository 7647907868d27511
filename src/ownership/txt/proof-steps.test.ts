/**
 * Proof 2 of SAFETY.md, "Marker and data", exhaustively over a zone that takes one record set a call and drops some in
 * silence (Z-10): every start, every wish, and before each call a crash, a lost answer, or a foreign write. S1, S2 and
 * S13 are looked at after every call, S15 at the end.
 */
import { describe, expect, test } from "vitest";
import {
  MARKED_NAMES,
  OWNERS,
  ownMarker,
  places,
  RECORDS,
  startLines,
  strangers,
  WISHES,
} from "../../../test/support/marker-stories.ts";
import { rulesWith } from "../../../test/support/plan-rules.ts";
import type { World } from "../../../test/support/reconcile.ts";
import { runSteps, type StepTrouble } from "../../../test/support/step-run.ts";
import { ZoneModel } from "../../../test/support/zone-model.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  shortName,
  showZone,
} from "../../../test/support/zone-text.ts";
import { isSameKey, type RecordSet } from "../../model/record-set.ts";
import type { Change } from "../../plan/changes.ts";
import { openTxtOwnership } from "./ownership.ts";

interface Story {
  /** Data that was ours under a final marker at some time, by content. */
  readonly claimed: Set<string>;
  readonly name: string;
  readonly start: string | null;
  readonly owner: string | null;
  readonly wish: string | null;
}

const worldOf = ({ name, start, owner, wish }: Omit<Story, "claimed">): World => ({
  zone: new ZoneModel(parseZone(startLines(name, start, owner)), { atomic: false }),
  ownership: openTxtOwnership({ apex: ORIGIN, isOurs: (one) => one === "me", atomic: false }),
  desired: wish === null ? [] : parseDesired(`${name} 300 ${wish}`),
  rules: rulesWith(),
});

const isMarker = (set: RecordSet) =>
  set.type === "TXT" && set.values.some((value) => value.includes("heritage=external-dns"));
const ownerIn = (value: string) => /external-dns\/owner=([^,"]*)/.exec(value)?.[1] ?? "";

/** Whose a record is, by rules of this file alone: a pending marker of ours speaks for what we wrote or had. */
function isOurs(set: RecordSet, zone: ZoneModel, story: Story): boolean {
  if (isMarker(set)) return set.values.every((value) => ownerIn(value) === "me");
  const texts = markersOf(set, zone).flatMap((marker) => marker.values);
  if (texts.length === 0 || texts.some((text) => ownerIn(text) !== "me")) return false;
  return texts.some((text) => !text.includes("state=")) || isOwnData(set, story);
}

/** What we are to write, or had: also what somebody made of a record while our final marker spoke for it. */
function isOwnData(set: RecordSet, { start, owner, wish, claimed }: Story): boolean {
  const own = [wish, owner === "me" ? start : null];
  return own.includes(`${set.type} ${set.values.join()}`) || claimed.has(showZone([set]));
}

function noteClaimed(zone: ZoneModel, { claimed, ...story }: Story): void {
  const ours = zone.all().filter((set) => !isMarker(set));
  for (const set of ours)
    if (isOurs(set, zone, { ...story, claimed: new Set() })) claimed.add(showZone([set]));
}

function markersOf(set: RecordSet, zone: ZoneModel): readonly RecordSet[] {
  const name = shortName(set.name);
  return places(name, set.type.toLowerCase())
    .flatMap((place) => zone.at(nameOf(place)))
    .filter(isMarker);
}

/** A call, and the zone whose markers say what it may do. */
interface Moment {
  readonly before: ZoneModel;
  readonly judged: ZoneModel;
}

/** S1, S13: what was foreign just before the call is as it was. */
function expectForeignIntact(at: Moment, after: ZoneModel, story: Story, told: string): void {
  const { before, judged } = at;
  for (const set of before.all()) {
    if (isOurs(set, isMarker(set) ? before : judged, story)) continue;
    const now = after.at(set.name).find((one) => isSameKey(one, set))?.values ?? [];
    // Beside a marker of ours in one set their texts stay, whatever becomes of ours (S13).
    const isTheirs = (value: string) => !isMarker(set) || ownerIn(value) !== "me";
    const theirs = set.values.filter(isTheirs);
    expect(now.filter(isTheirs), `${told}: S1 ${showZone([set])}`).toEqual(theirs);
  }
}

/** S2: what this call wrote or left is marked: no data of ours without a marker that speaks for it. */
function expectMarked(before: ZoneModel, after: ZoneModel, story: Story, told: string): void {
  const written = after.all().filter((set) => {
    const was = before.at(set.name).find((one) => isSameKey(one, set));
    return !isMarker(set) && JSON.stringify(was?.values) !== JSON.stringify(set.values);
  });
  const kept = before
    .all()
    .filter((set) => !isMarker(set) && isOwnData(set, story) && isOurs(set, before, story));
  for (const set of [...written, ...kept]) {
    const now = after.at(set.name).find((one) => isSameKey(one, set));
    if (now === undefined) continue;
    expect(isOurs(now, after, story), `${told}: S2 ${showZone([now])} is unmarked`).toBe(true);
  }
}

/** A call cannot see other record sets: a marker that is lost just before it is missed only afterwards. */
const sameZone = (a: ZoneModel, b: ZoneModel) => showZone(a.all()) === showZone(b.all());
const setOf = (change: Change) => (change.op === "remove" ? change.previous : change.next);

interface Run {
  readonly calls: number;
  readonly zone: string;
}

async function play(
  facts: Omit<Story, "claimed">,
  at: number,
  trouble: StepTrouble | null,
): Promise<Run> {
  const story: Story = { ...facts, claimed: new Set() };
  const world = worldOf(story);
  const told = `${JSON.stringify(facts)}, at call ${at} ${JSON.stringify(trouble)}`;
  const isAtMarker =
    trouble?.kind === "foreign" && setOf(trouble.change).name !== nameOf(story.name);
  const calls = await runSteps(world, {
    trouble: (call) => (call === at ? trouble : null),
    watch: ({ before, seen, group }) => {
      noteClaimed(world.zone, story);
      expect(group.changes, `${told}: one write a call`).toHaveLength(1);
      const judged = isAtMarker ? seen : before;
      expectForeignIntact({ before, judged }, world.zone, story, told);
      if (judged !== seen || sameZone(seen, before)) expectMarked(before, world.zone, story, told);
    },
  }).catch((error: unknown) => {
    throw new Error(`${told}: ${error instanceof Error ? error.message : String(error)}`);
  });
  return { calls, zone: showZone(world.zone.all()) };
}

/** S15, and with it that no marker outlives its data: trouble that changes nothing ends where no trouble does. */
async function expectSameEnd(story: Omit<Story, "claimed">, calm: Run): Promise<void> {
  expect(calm.zone, JSON.stringify(story)).not.toContain("state=pending");
  for (let at = 0; at < calm.calls; at++)
    for (const kind of ["crash", "lost-before", "lost-after"] as const) {
      const { zone } = await play(story, at, { kind });
      expect(zone, `${JSON.stringify(story)}: S15, ${kind} at call ${at}`).toBe(calm.zone);
    }
}

const startsOf = (): readonly (readonly [string | null, string | null])[] => [
  [null, null],
  ...RECORDS.flatMap((start) => OWNERS.map((owner) => [start, owner] as const)),
];

describe.each(MARKED_NAMES)("proof 2, marker and data, step by step: %s", (name) => {
  test.each(WISHES)(
    "wanted %s",
    async (wish) => {
      let calls = 0;
      for (const [start, owner] of startsOf()) {
        const story = { name, start, owner, wish };
        const calm = await play(story, -1, null);
        calls += calm.calls;
        await expectSameEnd(story, calm);
        for (let at = 0; at < calm.calls; at++)
          for (const change of strangers(name, start, owner))
            await play(story, at, { kind: "foreign", change });
      }
      expect(calls).toBeGreaterThan(10);
    },
    120_000,
  );
});

test("a calm create, update and removal are three calls each", async () => {
  const www = { name: "www", owner: "me" } as const;
  const of = async (start: string | null, wish: string | null) =>
    (await play({ ...www, start, wish }, -1, null)).calls;
  expect(await of(null, "A 192.0.2.1")).toBe(3);
  expect(await of("A 192.0.2.1", "A 192.0.2.2")).toBe(3);
  expect(await of("A 192.0.2.1", null)).toBe(3);
  expect(ownMarker("me")).not.toContain("state");
});
