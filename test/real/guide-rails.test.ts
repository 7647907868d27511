/**
 * The commands of docs/guides/rails.md, run as they stand, in their order, against an instance that
 * has what the page shows: a zone that is paused, a held set, an accident. Replaced are hashes.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import { commandsIn } from "../support/programs/documented-commands.ts";
import { type GuideReader, GuideShell } from "../support/programs/guide-shell.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GUIDE = readFileSync("docs/guides/rails.md", "utf8");
/** More than the ten of the fuse, and more than a third. */
const NAMES = Array.from({ length: 14 }, (_, index) => `n${index + 10}`);

/** The tests are one session in order. */
describeReal("the guide to rails", ["kubectl-1.32", "bind", "dig"], () => {
  let zone: RealZone;
  let reader: GuideReader;
  const shell = new GuideShell();
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.org" }));
    const session = await RunSession.open();
    await session.user.apply(account("org", zone.server));
    const all = [...NAMES, "shop"].map((name) =>
      entry(name, zone.name(name), { targets: ["192.0.2.1", "192.0.2.2"] }),
    );
    await session.user.apply(together(...all));
    reader = { session, instance: await session.run("rails") };
    await reader.instance.hasNothingToDo();
  });
  afterAll(async () => {
    shell.close();
    await reader?.session.close();
    await zone?.server.stop();
  });
  /** Exit code, then what it says. */
  const say = async (command: string | undefined): Promise<string> => {
    const { code, stdout, stderr } = await shell.run(reader, command ?? "exit 9");
    return `${code} ${stdout}${stderr}`;
  };

  test("pause, plan and explain say what the page says", async () => {
    const [pause] = commandsIn(GUIDE, "Pause");
    expect(await say(pause)).toMatch(/^0 zone example\.org is paused since .*; zonekeeper resume/);
    const [plan] = commandsIn(GUIDE, "Plan");
    expect(await say(plan)).toMatch(/^0 Plan: 0 changes, 0 held \(paused: example\.org\)/);
    const [explain, columns, ...others] = commandsIn(GUIDE, "Explain");
    expect(await say(explain)).toMatch(/^0 shop\.example\.org in zone example\.org.* paused: /s);
    expect(await say(columns)).toMatch(/^shop +192\.0\.2\.1,192\.0\.2\.2$/m);
    expect(others).toEqual([]);
    expect(await say("zonekeeper resume --zone example.org")).toMatch(/^0 /);
  });

  test("a set is held; another hash approves nothing; restore brings the objects back", async () => {
    // What a process has made itself within minutes is edited as people like.
    await reader.instance.restart();
    await reader.instance.hasNothingToDo();
    await reader.session.user.kubectl.ok(["delete", "dnse", ...NAMES, "--wait=false"]);
    const [plan = "", approve, ...others] = commandsIn(GUIDE, "Approve");
    expect(others).toEqual([]);
    const hashIn = (text: string): string => /zonekeeper approve (\w{16}) /.exec(text)?.[1] ?? "";
    await eventually(
      "a set is held",
      () => say(plan),
      (text) => hashIn(text) !== "",
      60_000,
    );
    expect(await say(approve)).toMatch(/^1 zonekeeper: .* no zone holds a set 4f0c1d2e3b5a6978/);
    const [preview = ""] = commandsIn(GUIDE, "Restore");
    // The hash is another one while the set grows.
    const shown = await eventually(
      "restore shows what it would do",
      async () => say(preview.replace(/\w{16}/, hashIn(await say(plan)))),
      (text) => text.startsWith("2 "),
      60_000,
    );
    expect(shown).toMatch(/^(?:2 )?dnsentry\/default\/n\d+: would be created again$/m);
    const [done = ""] = /zonekeeper restore \w+ --yes/.exec(shown) ?? [];
    expect(await say(done)).toMatch(/^0 .*: created again/);
    await reader.instance.hasNothingToDo();
  });
});
