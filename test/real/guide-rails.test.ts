/**
 * docs/guides/rails.md, walked as it stands from top to bottom beside the instance that it starts:
 * each command, and what it is said to print. Replaced are hashes, by those that were printed; how
 * many of the first ten deletions pass depends on how many arrive at once.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CloneShell } from "../support/programs/clone-shell.ts";
import { DevInstance } from "../support/programs/dev-instance.ts";
import { blocksOf, stepsIn, unlike } from "../support/programs/documented-commands.ts";
import { describeReal } from "../support/real-servers/availability.ts";

const GUIDE = readFileSync("docs/guides/rails.md", "utf8");
const HASH = /\b[0-9a-f]{16}\b/g;

/** The held set, of ten or more, and its first name are any. */
const withoutCount = (line: string): string => line.replaceAll(/\bn?\d\d\b/g, "…");

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
      const seen = await shell.seen({ command: command.replace(HASH, hash), output });
      expect(unlike(output, seen), command).toBeNull();
      hash = /zonekeeper approve (\w{16}) approves it/.exec(seen)?.[1] ?? hash;
      const [, held] = /holds a set of removals \((\d+)\)/.exec(seen) ?? [];
      if (held !== undefined) expect(Number(held), command).toBeGreaterThanOrEqual(10);
    }
  });
});
