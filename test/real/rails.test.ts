/**
 * The rails of an operator on a real server: what the fuse holds is listed, approved by its hash
 * and gone then; pauses for an object, a zone and everything. Meanwhile a second group of another
 * owner works in the same zone.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const NAMES = Array.from({ length: 14 }, (_, index) => `n${index}`);
/** More than the ten of the fuse, and more than a third. */
const GOING = NAMES.slice(0, 12);

/** The tests are one session in order. */
describeReal("rails", ["kubectl-1.32", "dig", "bind"], () => {
  let zone: RealZone;
  let owned: RunSession;
  let foreign: RunSession;
  let instance: RunInstance;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    [owned, foreign] = await Promise.all([RunSession.open(), RunSession.open()]);
    await owned.user.apply(account("net", zone.server));
    await foreign.user.apply(account("net", zone.server));
    instance = await owned.run("group-one");
    await foreign.run("group-two");
  });
  afterAll(async () => {
    await owned?.close();
    await foreign?.close();
    await zone?.server.stop();
  });
  const publish = (session: RunSession, name: string, ...targets: readonly string[]) =>
    session.user.apply(entry(name, zone.name(name), { targets }));

  // First: what it removes would join what the fuse has counted.
  test("a paused entry keeps its record, others go on", async () => {
    await publish(owned, "kept", "192.0.2.1");
    await zone.becomes("kept", "A", "192.0.2.1");
    const annotate = (value: string) =>
      owned.user.kubectl.ok(["annotate", "dnse", "kept", `zonekeeper.dev/paused${value}`]);
    await annotate("=true");
    await publish(owned, "kept", "192.0.2.2");
    await owned.user.becomes("dnse", "kept", "Stale", /paused by the annotation/);
    await owned.user.kubectl.ok(["delete", "dnse", "kept", "--wait=false"]);
    await owned.user.becomes("dnse", "kept", "Deleting", /paused by the annotation/);
    await publish(owned, "free", "192.0.2.3");
    await zone.becomes("free", "A", "192.0.2.3");
    expect(await zone.answers("kept")).toEqual(["192.0.2.1"]);
    await annotate("-");
    await zone.becomes("kept", "A");
  });

  test("Z-16 a held set is listed with its hash; approved, it goes, and nobody else's does", async () => {
    await owned.user.apply(
      together(...NAMES.map((name) => entry(name, zone.name(name), { targets: ["192.0.2.1"] }))),
    );
    for (const name of NAMES) await zone.becomes(name, "A", "192.0.2.1");
    await publish(foreign, "theirs", "192.0.2.77");
    await zone.becomes("theirs", "A", "192.0.2.77");
    await owned.user.kubectl.ok(["delete", "dnse", ...GOING, "--wait=false"]);
    const { stdout } = await eventually(
      "plan lists what is held",
      () => instance.cli("plan", "--all"),
      ({ stdout: text }) => text.includes(": 0 changes,") && /Held: \d+ FuseTripped/.test(text),
    );
    // Those that went one by one before the tenth are not held (Z-16).
    const why = "its object was deleted";
    const held = GOING.filter((name) =>
      stdout.includes(`! ${zone.name(name)} A (300 192.0.2.1 removed: ${why})`),
    );
    expect(held.length).toBeGreaterThan(0);
    const [, hash = ""] = /a set of removals \(\d+\); zonekeeper approve (\S+)/.exec(stdout) ?? [];
    // Another group goes on meanwhile.
    await publish(foreign, "theirs", "192.0.2.78");
    await zone.becomes("theirs", "A", "192.0.2.78");
    expect((await instance.cli("approve", "0000000000000000")).stderr).toContain("no zone holds");
    for (const name of held) expect(await zone.answers(name), name).toEqual(["192.0.2.1"]);
    const approved = await instance.cli("approve", hash);
    expect([approved.code, approved.stderr]).toEqual([0, ""]);
    const last = await eventually(
      "whatever is held besides is approved too",
      async () => {
        const plan = await instance.cli("plan");
        const [, next] = /zonekeeper approve (\S+)/.exec(plan.stdout) ?? [];
        if (next !== undefined) await instance.cli("approve", next);
        return plan;
      },
      ({ code }) => code === 0,
    );
    expect(last.stdout).toContain("nothing to do");
    for (const name of GOING) await zone.becomes(name, "A");
    for (const name of ["n12", "n13"]) expect(await zone.answers(name)).toEqual(["192.0.2.1"]);
    expect(await zone.answers("theirs")).toEqual(["192.0.2.78"]);
  });

  test.each([
    ["one zone", ["--zone", "example.net"]],
    ["everything", ["--all"]],
  ])(
    "%s paused: no serial moves by us, over kill -9 too; resumed, it goes on",
    async (_, scope) => {
      await publish(owned, "p", "192.0.2.1");
      await zone.becomes("p", "A", "192.0.2.1");
      await instance.hasNothingToDo();
      const paused = await instance.cli("pause", ...scope);
      expect([paused.code, paused.stdout]).toEqual([0, expect.stringContaining("paused since")]);
      const serial = await zone.serial();
      await publish(owned, "p", "192.0.2.2");
      await owned.user.becomes("dnse", "p", "Stale", /paused since/);
      await instance.kill9();
      await instance.begin();
      await instance.ready();
      const plan = await eventually(
        "plan says what would be done and that it is paused",
        () => instance.cli("plan"),
        ({ stdout }) =>
          /! p\.example\.net A \(300 192\.0\.2\.1 -> 300 192\.0\.2\.2\) Paused/.test(stdout),
      );
      expect([plan.code, plan.stdout]).toEqual([2, expect.stringContaining("paused since")]);
      const explained = await instance.cli("explain", zone.name("p"));
      expect(explained.stdout).toMatch(/serial \d+\n\s+A 300 192\.0\.2\.1/);
      expect(await zone.serial()).toBe(serial);
      const resumed = await eventually(
        "it leads again, and takes the order",
        () => instance.cli("resume", ...scope),
        ({ code }) => code === 0,
      );
      expect(resumed.stdout).toBe("nothing is paused\n");
      await zone.becomes("p", "A", "192.0.2.2");
    },
  );
});
