/**
 * Proof 2 of SAFETY.md, "Marker and data", exhaustively over one atomic zone: every start, every wish, and every
 * foreign write between reading and writing. Whatever happens, nothing of somebody else changes, no record of
 * ours stands without its marker, and a write that lost its ground changes nothing.
 */
import { describe, expect, test } from "vitest";
import { rulesWith } from "../../../test/support/plan-rules.ts";
import { settle, step, type World } from "../../../test/support/reconcile.ts";
import { ZoneModel } from "../../../test/support/zone-model.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  showZone,
} from "../../../test/support/zone-text.ts";
import { hasSameData, isSameKey, type RecordSet } from "../../model/record-set.ts";
import type { Change } from "../../plan/changes.ts";
import { openTxtOwnership } from "./ownership.ts";

const NAMES = ["foo", "a-foo", "*", "@", "x".repeat(63)];
const RECORDS = ["A 192.0.2.1", "AAAA 2001:db8::1", "CNAME lb.example.com", 'TXT "ours"'];
const WISHES = [null, "A 192.0.2.2", "AAAA 2001:db8::2", "CNAME new.example.com", 'TXT "new"'];
const OWNERS = ["me", "you", null];

const marker = (owner: string) =>
  `"heritage=external-dns,external-dns/owner=${owner},external-dns/resource=service/default/web"`;
const label = (name: string, type: string) => {
  const head = name === "*" ? "_wildcard" : name;
  return `_owner.${type}${head === "@" ? "" : `.${head}`}`;
};
const isTypable = (name: string) => name !== "*" && name !== "@" && name.length < 58;
const places = (name: string, type: string) => [
  ...(isTypable(name) ? [`${type}-${name}`] : []),
  label(name, type),
];

/** What somebody else does in between; each as one write to the zone. */
function strangers(name: string, start: string | null, owner: string | null): readonly Change[] {
  const create = (line: string): Change[] =>
    parseZone(line).map((next) => ({ op: "create", next }));
  const remove = (line: string): Change[] =>
    parseZone(line).map((previous) => ({ op: "remove", previous }));
  const wished = ["a", "aaaa", "cname", "txt"].flatMap((type) => places(name, type));
  const taken = wished.flatMap((place) => [
    ...create(`${place} 300 TXT ${marker("you")}`),
    ...create(`${place} 300 TXT "hello"`),
    ...create(`${place} 300 CNAME away.example.com`),
  ]);
  const beside = [
    "A 203.0.113.9",
    "AAAA 2001:db8::9",
    "CNAME away.example.com",
    'TXT "theirs"',
    "MX 10 mx.example.com",
  ];
  const added = beside.flatMap((data) => create(`${name} 300 ${data}`));
  if (start === null) return [...added, ...taken];
  const home = places(name, start.split(" ")[0]?.toLowerCase() ?? "")[0] ?? "";
  const gone = remove(`${name} 300 ${start}`);
  const unmarked = owner === null ? [] : remove(`${home} 300 TXT ${marker(owner)}`);
  const rewritten = parseZone(`${home} 300 TXT ${marker(owner ?? "me")}\n`).flatMap(
    (previous): Change[] =>
      parseZone(`${home} 300 TXT ${marker("you")}`).map((next) => ({
        op: "replace",
        previous,
        next,
      })),
  );
  return [...added, ...taken, ...gone, ...unmarked, ...(owner === null ? [] : rewritten)];
}

function worldOf(
  name: string,
  start: string | null,
  owner: string | null,
  wish: string | null,
): World {
  const home =
    start === null ? "" : (places(name, start.split(" ")[0]?.toLowerCase() ?? "")[0] ?? "");
  const lines = start === null ? [] : [`${name} 300 ${start}`];
  if (start !== null && owner !== null) lines.push(`${home} 300 TXT ${marker(owner)}`);
  return {
    zone: new ZoneModel(parseZone(lines.join("\n"))),
    ownership: openTxtOwnership({ apex: ORIGIN, isOurs: (one) => one === "me" }),
    desired: wish === null ? [] : parseDesired(`${name} 300 ${wish}`),
    rules: rulesWith(),
  };
}

/** Record sets that are not ours: no marker of ours speaks for them, and they are none. */
async function theirs(world: World): Promise<readonly RecordSet[]> {
  const owned = await world.ownership.read(world.zone.all());
  const ours = owned.filter((one) => one.marker?.owner === "me" && !one.contested);
  return world.zone.all().filter((set) => {
    const isOurMarker = set.values.every((value) => value === marker("me"));
    return !isOurMarker && !ours.some(({ data }) => data !== null && isSameKey(data, set));
  });
}

function expectIntact(world: World, sets: readonly RecordSet[], story: string): void {
  for (const set of sets) {
    const now = world.zone.at(set.name).find((one) => isSameKey(one, set));
    expect(now !== undefined && hasSameData(now, set), `${story}: ${showZone([set])} changed`).toBe(
      true,
    );
  }
}

/** Every record of a value that only we write is marked as ours. */
async function expectMarked(world: World, wish: string | null, story: string): Promise<void> {
  const owned = await world.ownership.read(world.zone.all());
  const written = owned.filter(
    ({ type, data }) => data !== null && wish === `${type} ${data.values.join()}`,
  );
  for (const one of written)
    expect(one.contested || one.marker !== null, `${story}: ${one.type} without marker`).toBe(true);
}

async function play(name: string, start: string | null, owner: string | null): Promise<number> {
  let stories = 0;
  for (const wish of WISHES)
    for (const foreign of [null, ...strangers(name, start, owner)]) {
      const world = worldOf(name, start, owner, wish);
      const story = `${name}: ${start} of ${owner}, wanted ${wish}, meanwhile ${JSON.stringify(foreign)}`;
      const prepared = await step(nameOf(name), world);
      if (foreign !== null) world.zone.write(foreign);
      const foreigners = await theirs(world);
      const before = showZone(world.zone.all());
      const applied = prepared.group !== null && world.zone.apply(prepared.group);
      if (applied && prepared.group !== null) expectWhole(world, prepared.group.changes, story);
      else expect(showZone(world.zone.all()), story).toBe(before);
      expectIntact(world, foreigners, story);
      await expectMarked(world, wish, story);
      await settle(world);
      expectIntact(world, foreigners, story);
      await expectMarked(world, wish, story);
      stories++;
    }
  return stories;
}

/** No write of an applied group was dropped in silence. */
function expectWhole(world: World, changes: readonly Change[], story: string): void {
  for (const change of changes) {
    if (change.op === "remove") continue;
    const now = world.zone.at(change.next.name).find((one) => isSameKey(one, change.next));
    expect(now?.values, `${story}: dropped in silence`).toEqual(change.next.values);
  }
}

describe.each(NAMES)("proof 2, marker and data: %s", (name) => {
  test.each([null, ...RECORDS])(
    "starting from %s",
    async (start) => {
      let stories = 0;
      for (const owner of start === null ? [null] : OWNERS)
        stories += await play(name, start, owner);
      expect(stories).toBeGreaterThan(80);
    },
    60_000,
  );
});
