/**
 * The first session of README.md, run as it stands: each command that begins with `$`, and what it
 * is said to print.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CloneShell } from "../support/programs/clone-shell.ts";
import { DevInstance } from "../support/programs/dev-instance.ts";
import { stepsIn, unlike } from "../support/programs/documented-commands.ts";
import { describeReal } from "../support/real-servers/availability.ts";

describeReal("README", ["kubectl-1.32", "dig"], () => {
  let dev: DevInstance;
  beforeAll(async () => {
    dev = await DevInstance.start();
  });
  afterAll(() => dev?.remove());

  test("its first session prints what it says", async () => {
    const steps = stepsIn(readFileSync("README.md", "utf8"), "A first session", "console");
    expect(steps.length).toBeGreaterThan(5);
    const shell = new CloneShell(dev);
    for (const step of steps)
      expect(unlike(step.output, await shell.seen(step)), step.command).toBeNull();
  });

  test("another port is taken where the documented one is not free", async () => {
    const second = await DevInstance.start("--no-examples");
    try {
      expect(second.dnsPort).not.toBe(dev.dnsPort);
    } finally {
      await second.remove();
    }
  });
});
