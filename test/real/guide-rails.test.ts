/**
 * docs/guides/rails.md, walked as it stands from top to bottom beside the instance that it starts:
 * each command, and what it is said to print. Replaced are hashes, by those that were printed; how
 * many of the first ten deletions pass depends on how many arrive at once.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import { CloneShell } from "../support/programs/clone-shell.ts";
import { DevInstance } from "../support/programs/dev-instance.ts";
import { blocksOf, stepsIn, unlike } from "../support/programs/documented-commands.ts";
import { describeReal } from "../support/real-servers/availability.ts";

const GUIDE = readFileSync("docs/guides/rails.md", "utf8");
const HELD_LEAST = 10;
const HASH = /\b[0-9a-f]{16}\b/g;

/** The held set, of ten or more, and its first name are any. */
const withoutCount = (line: string): string => line.replaceAll(/\bn?\d\d\b/g, "…");

/** Removals in the held set that a plan names; null = it names none. */
function heldIn(text: string): number | null {
  const [, held = null] = /holds a set of removals \((\d+)\)/.exec(text) ?? [];
  return held === null ? null : Number(held);
}

/** Entries that are left; where all are deleted, those that wait for a removal. */
async function entriesSeenBy(shell: CloneShell): Promise<number> {
  const names = await shell.seen({
    command: "kubectl get dnse -l walk=rails -o name",
    output: ["…"],
  });
  return names.trim().split("\n").length;
}

describeReal("the guide to rails", ["kubectl-1.32"], () => {
  let dev: DevInstance;
  beforeAll(async () => {
    const [start = ""] = blocksOf(GUIDE, "");
    const [, options = ""] = /^npm start -- (.+)\n$/.exec(start) ?? [];
    dev = await DevInstance.start(...options.split(" "));
  });
  afterAll(() => dev?.remove());

  test("its commands print what it says", async () => {
    const steps = stepsIn(GUIDE, "");
    expect(steps.length).toBeGreaterThan(15);
    const shell = new CloneShell(dev);
    let hash = "";
    for (const { command, output: documented } of steps) {
      const output = command.includes("plan --limit 1") ? documented.map(withoutCount) : documented;
      const step = { command: command.replace(HASH, hash), output };
      const seen = await eventually(
        `${step.command}: of all that is deleted`,
        () => shell.seen(step),
        async (text) => heldIn(text) === null || heldIn(text) === (await entriesSeenBy(shell)),
      );
      expect(unlike(output, seen), command).toBeNull();
      hash = /zonekeeper approve (\w{16}) approves it/.exec(seen)?.[1] ?? hash;
      expect(heldIn(seen) ?? HELD_LEAST, command).toBeGreaterThanOrEqual(HELD_LEAST);
    }
  });
});
