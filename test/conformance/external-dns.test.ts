/**
 * Random clusters and zones, given to external-dns and to us: each name is what the rules of both
 * say, and a difference has a reason that the guide gives. CI has recorded answers; where
 * EXTERNAL_DNS_BIN names an external-dns it is asked itself, in EXTERNAL_DNS_WORLDS worlds from
 * EXTERNAL_DNS_FROM on, and EXTERNAL_DNS_RECORD=1 records its answers. EXTERNAL_DNS_ANSWERS is a
 * folder that keeps them.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type Answers,
  askedAnswers,
  record,
  recordedAnswers,
} from "../support/differential/answers.ts";
import { isDifferent, type Judged, judgeWorlds } from "../support/differential/differences.ts";
import { REASONS } from "../support/differential/our-rules.ts";
import { type World, worldOf } from "../support/differential/worlds.ts";

/** Worlds from this one on show each reason. */
const FIRST = 200;
const RECORDED = 200;
const TOGETHER = 50;
const {
  EXTERNAL_DNS_BIN: bin,
  EXTERNAL_DNS_WORLDS: asked = "200",
  EXTERNAL_DNS_FROM: start = "0",
  EXTERNAL_DNS_ANSWERS: folder,
} = process.env;

/** Names that were judged, how often each reason was one for a difference, and faults. */
interface Summary {
  names: number;
  differences: number;
  readonly reasons: Record<string, number>;
  readonly faults: Judged[];
}

function worldsFrom(start: number, count: number): readonly World[] {
  return Array.from({ length: count }, (_, at) => worldOf(start + at));
}

async function judged(
  start: number,
  count: number,
  answersTo: (worlds: readonly World[], from: number) => Promise<readonly Answers[]>,
): Promise<Summary> {
  const reasons = Object.fromEntries(Object.keys(REASONS).map((reason) => [reason, 0]));
  const summary: Summary = { names: 0, differences: 0, reasons, faults: [] };
  for (let from = start; from < start + count; from += TOGETHER) {
    const worlds = worldsFrom(from, Math.min(TOGETHER, start + count - from));
    for (const one of await judgeWorlds(worlds, await answersTo(worlds, from))) {
      summary.names++;
      if (one.fault !== null) {
        summary.faults.push(one);
        process.stdout.write(`${JSON.stringify(one)}\n`);
      }
      if (!isDifferent(one)) continue;
      summary.differences++;
      for (const reason of one.reasons) reasons[reason] = (reasons[reason] ?? 0) + 1;
    }
  }
  return summary;
}

test("200 worlds: the zones are those of external-dns, but for what the guide explains", async () => {
  if (bin !== undefined && process.env["EXTERNAL_DNS_RECORD"] === "1")
    record(await askedAnswers(bin, worldsFrom(FIRST, RECORDED)));
  const recorded = recordedAnswers();
  const { names, reasons, faults } = await judged(FIRST, RECORDED, async ({ length }, from) =>
    recorded.slice(from - FIRST, from - FIRST + length),
  );
  expect(faults).toEqual([]);
  expect(names).toBeGreaterThan(1000);
  const unmet = Object.entries(reasons).filter(([, count]) => count === 0);
  expect(unmet, "reasons that no world shows").toEqual([]);
});

if (bin !== undefined)
  test(`${asked} worlds of the external-dns that is installed`, {
    timeout: 7_200_000,
  }, async () => {
    const { faults, ...summary } = await judged(
      Number(start),
      Number(asked),
      async (worlds, from) => {
        const kept = folder === undefined ? null : join(folder, `E-${from}.json`);
        if (kept !== null && existsSync(kept))
          return JSON.parse(readFileSync(kept, "utf8")) as readonly Answers[];
        const answers = await askedAnswers(bin, worlds);
        if (kept !== null) writeFileSync(kept, JSON.stringify(answers));
        return answers;
      },
    );
    process.stdout.write(`${JSON.stringify({ ...summary, faults: faults.length }, null, 1)}\n`);
    expect(faults).toEqual([]);
  });

test("each difference is explained in the guide", () => {
  const path = new URL("../../docs/guides/coming-from-external-dns.md", import.meta.url);
  const guide = readFileSync(path, "utf8").replace(/\s+/g, " ");
  for (const why of Object.values(REASONS)) expect(guide).toContain(why);
});
