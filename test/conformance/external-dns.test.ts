/**
 * Random clusters and zones, given to external-dns and to us: the zones that both leave are equal,
 * but for differences that the guide explains. CI has recorded answers; where EXTERNAL_DNS_BIN
 * names an external-dns it is asked itself, in EXTERNAL_DNS_WORLDS worlds, and
 * EXTERNAL_DNS_RECORD=1 records its answers.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  type Answers,
  askedAnswers,
  record,
  recordedAnswers,
} from "../support/differential/answers.ts";
import { DIFFERENCES, differencesIn } from "../support/differential/differences.ts";
import { leftByUs } from "../support/differential/our-answers.ts";
import { NODES, type World, worldOf } from "../support/differential/worlds.ts";

const RECORDED = 200;
const TOGETHER = 50;
const { EXTERNAL_DNS_BIN: bin, EXTERNAL_DNS_WORLDS: asked = "200" } = process.env;

/** How often each reason was seen; what has none is the second. */
interface Seen {
  readonly reasons: Map<string, number>;
  readonly unknown: object[];
}

/** What we leave of the same zones, and where we differ. */
async function compare(worlds: readonly World[], answers: readonly Answers[], seen: Seen) {
  const zone = worlds.flatMap((one) => one.zone);
  const first = answers.flatMap((one) => one.first);
  const second = answers.flatMap((one) => one.second);
  const before = [...NODES, ...worlds.flatMap((one) => one.before)];
  const after = [...NODES, ...worlds.flatMap((one) => one.after)];
  const [fresh = []] = await leftByUs(zone, [before]);
  const [moved = [], edited = []] = await leftByUs(first, [before, after]);
  for (const world of worlds) {
    const states = [
      [[world.before, []], { before: zone, expected: first, actual: fresh }],
      [[world.before, []], { before: first, expected: first, actual: moved }],
      [[world.after, world.before], { before: first, expected: second, actual: edited }],
    ] as const;
    for (const [objects, zones] of states)
      for (const one of differencesIn(world, objects, zones)) {
        const row = DIFFERENCES.find(({ is }) => is(one));
        if (row === undefined) seen.unknown.push(one);
        else seen.reasons.set(row.why, (seen.reasons.get(row.why) ?? 0) + 1);
      }
  }
}

function worldsFrom(start: number, count: number): readonly World[] {
  return Array.from({ length: count }, (_, at) => worldOf(start + at));
}

async function compareAll(
  count: number,
  answersTo: (worlds: readonly World[], from: number) => Promise<readonly Answers[]>,
): Promise<Seen> {
  const seen: Seen = { reasons: new Map(), unknown: [] };
  for (let from = 0; from < count; from += TOGETHER) {
    const worlds = worldsFrom(from, Math.min(TOGETHER, count - from));
    await compare(worlds, await answersTo(worlds, from), seen);
  }
  return seen;
}

test("200 worlds: the zones are those of external-dns, but for what the guide explains", async () => {
  if (bin !== undefined && process.env["EXTERNAL_DNS_RECORD"] === "1")
    record(await askedAnswers(bin, worldsFrom(0, RECORDED)));
  const recorded = recordedAnswers();
  const { reasons, unknown } = await compareAll(RECORDED, async ({ length }, from) =>
    recorded.slice(from, from + length),
  );
  expect(unknown).toEqual([]);
  expect(reasons.size).toBeGreaterThan(5);
});

if (bin !== undefined)
  test(`${asked} worlds of the external-dns that is installed`, {
    timeout: 7_200_000,
  }, async () => {
    const { reasons, unknown } = await compareAll(Number(asked), (worlds) =>
      askedAnswers(bin, worlds),
    );
    process.stdout.write(`${JSON.stringify([...reasons], null, 1)}\n`);
    expect(unknown).toEqual([]);
  });

test("each difference is explained in the guide", () => {
  const path = new URL("../../docs/guides/coming-from-external-dns.md", import.meta.url);
  const guide = readFileSync(path, "utf8").replace(/\s+/g, " ");
  for (const { why } of DIFFERENCES) expect(guide).toContain(why);
});
