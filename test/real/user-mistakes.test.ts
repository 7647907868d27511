/**
 * The table of mistakes that users make, played against one BIND, one cluster and one program:
 * status, Event, log, `explain` and `plan` say what the table says, nothing that was published is
 * harmed, and what is mended as the table says is Ready. docs/guides/troubleshooting.md is made of
 * the same table (test/tidy/troubleshooting.test.ts).
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { account, together } from "../support/values/cluster-objects.ts";
import { CHANNELS, filledIn, type Mistake, matchesTemplate } from "./mistakes/mistake.ts";
import { LAST_MISTAKES } from "./mistakes/operation-mistakes.ts";
import { type Seen, Stage } from "./mistakes/stage.ts";
import { CHAPTERS, MISTAKE_ZONES } from "./mistakes/table.ts";

const ALL = CHAPTERS.flatMap(({ rows }) => rows);
const TOGETHER = ALL.filter((row) => !LAST_MISTAKES.includes(row));

describe("the table", () => {
  test("has 32 mistakes and more, each once, and says for each what to do", () => {
    expect(ALL.length).toBeGreaterThanOrEqual(32);
    expect(new Set(ALL.map(({ id }) => id)).size).toBe(ALL.length);
    expect(ALL.filter(({ mend }) => !/^\S.*\.$/s.test(mend)).map(({ id }) => id)).toEqual([]);
  });

  test("all rows say the message", () => {
    const silent = ALL.filter(({ says }) =>
      CHANNELS.every((channel) => !(says[channel] ?? "").includes("MESSAGE")),
    );
    expect(silent.map(({ id }) => id)).toEqual([]);
  });
});

describeReal("mistakes that users make", ["kubectl-1.32", "bind"], () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(MISTAKE_ZONES);
    const before = ALL.flatMap((row) => row.before?.(stage) ?? []);
    await stage.user.apply(together(account("net", stage.server), ...before));
    await eventually(
      "what is published before the mistakes is Ready",
      () => stage.states("dnse"),
      (states) => states.every((state) => state === "Ready"),
    );
    await stage.user.apply(together(...TOGETHER.flatMap((row) => row.wrong?.(stage) ?? [])));
    for (const row of TOGETHER) await row.act?.(stage);
  });
  afterAll(() => stage?.close());

  /** Waits until all places say what the row says; fails with what they do say. */
  const showsItself = async (row: Mistake): Promise<void> => {
    const first = await stage.seen(row);
    for (const channel of CHANNELS) {
      const template = filledIn(row.says, channel);
      if (template === null) continue;
      const isShown = (seen: Seen): boolean =>
        matchesTemplate(seen[channel], template, stage.address);
      if (isShown(first)) continue;
      const isInCluster = channel === "status" || channel === "event";
      await eventually(
        `${row.id}: ${channel}: ${template}`,
        () => (isInCluster ? stage.seenNow(row) : stage.seen(row)),
        isShown,
      );
    }
    if (first.exit !== row.exit)
      await eventually(
        `${row.id}: exit code of explain: ${row.exit}`,
        () => stage.seen(row),
        (seen) => seen.exit === row.exit,
      );
    if (row.answers !== null) expect(await stage.answers(row)).toEqual(row.answers);
  };

  const isMended = async (row: Mistake): Promise<void> => {
    const [kind = "", name = ""] = (row.object ?? `dnse/${row.id}`).split("/");
    if (kind.startsWith("dns")) await stage.user.becomes(kind, name, "Ready");
    else
      await eventually(
        `${row.id} is published`,
        () => stage.answers(row),
        (answers) => answers.includes("192.0.2.1"),
      );
  };

  test.each(TOGETHER)("$id: $title", showsItself);

  test("what is mended as the table says is Ready", async () => {
    const mended = TOGETHER.filter((row) => row.mended !== undefined);
    expect(mended.length).toBeGreaterThan(25);
    for (const row of mended) await row.undo?.(stage);
    await stage.user.apply(together(...mended.flatMap((row) => row.mended?.(stage) ?? [])));
    for (const row of mended) await isMended(row);
  });

  test.each(LAST_MISTAKES)("$id: $title", async (row) => {
    try {
      await row.act?.(stage);
      await showsItself(row);
    } finally {
      await row.undo?.(stage);
    }
    await isMended(row);
  });
});
