/**
 * The commands of docs/guides/two-installations.md, run as they stand, after the accident that the
 * page is about: two installations with one owner id write to one zone.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import { type GuideReader, GuideShell } from "../support/programs/guide-shell.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GUIDE = readFileSync("docs/guides/two-installations.md", "utf8");

/** Command lines of the page that take the id; those that start a process are the test's. */
function commandLines(): readonly string[] {
  const blocks = [...GUIDE.matchAll(/^ *```\n(.*?)^ *```/gms)].map(([, text = ""]) => text);
  const lines = blocks.join("").trimEnd().split("\n");
  return lines.filter((line) => line.includes("owner take"));
}

describeReal("the guide to two installations", ["kubectl-1.32", "bind", "dig"], () => {
  let zone: RealZone;
  const sides: GuideReader[] = [];
  const shell = new GuideShell();
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.org" }));
  });
  afterAll(async () => {
    shell.close();
    await Promise.all(sides.map(({ session }) => session.close()));
    await zone?.server.stop();
  });
  const open = async (name: string, address: string): Promise<GuideReader> => {
    const session = await RunSession.open();
    await session.user.apply(account("org", zone.server));
    const side = { session, instance: await session.run("one-id") };
    sides.push(side);
    await session.user.apply(entry(name, zone.name(name), { targets: [address] }));
    return side;
  };

  test("who was there first goes on; the one that is asked to takes the id", async () => {
    const first = await open("one", "192.0.2.1");
    await zone.becomes("one", "A", "192.0.2.1");
    const second = await open("two", "192.0.2.2");
    await second.session.user.becomes("dnse", "two", "Pending", /owner take --from/);
    const edited = entry("one", zone.name("one"), { targets: ["192.0.2.3"] });
    await first.session.user.apply(edited);
    await zone.becomes("one", "A", "192.0.2.3");
    await first.session.user.becomes("dnse", "one", "Ready");
    const { stdout } = await eventually(
      "plan names the first one",
      () => shell.run(second, "zonekeeper plan"),
      (plan) => plan.stdout.includes("owner take --from"),
    );
    const [, holder = ""] = /owner take --from ([^\s.]+)/.exec(stdout) ?? [];
    const codes: number[] = [];
    const lines = commandLines();
    expect(lines).toHaveLength(2);
    for (const line of lines)
      codes.push((await shell.run(second, line.replace("<the first>", holder))).code);
    expect(codes).toEqual([2, 0]);
    await zone.becomes("two", "A", "192.0.2.2");
    await second.session.user.becomes("dnse", "two", "Ready");
  });
});
