/**
 * An accident with kubectl, and its end: entries are deleted, the fuse holds their records, and
 * `zonekeeper restore` brings the entries back. No record goes that the fuse holds.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const NAMES = Array.from({ length: 30 }, (_, index) => `n${String(index).padStart(2, "0")}`);
const OWNER = "group-one";

/** The tests are one session in order. */
describeReal("restore", ["kubectl-1.32", "bind"], () => {
  let session: RunSession;
  let zone: RealZone;
  let instance: RunInstance;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open();
    await session.user.apply(account("net", zone.server));
    const all = NAMES.map((name) => entry(name, zone.name(name), { targets: ["192.0.2.1"] }));
    await session.user.apply(together(...all));
    instance = await session.run(OWNER);
    await zone.becomes(NAMES.at(-1) ?? "", "A", "192.0.2.1");
    await instance.hasNothingToDo();
    // What a process has made itself within minutes is edited as people like.
    await instance.restart();
    await instance.hasNothingToDo();
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });
  const heldHash = async (): Promise<string> => {
    const { stdout } = await eventually(
      "plan shows a complete set",
      () => instance.cli("plan"),
      ({ stdout: text }) => /zonekeeper approve [0-9a-f]{16} /.test(text),
    );
    return /zonekeeper approve ([0-9a-f]{16}) /.exec(stdout)?.[1] ?? "";
  };

  test("kubectl delete, restore, and all is as it was", async () => {
    const { kubectl } = session.user;
    await kubectl.ok(["delete", "dnse", "--all", "--wait=false"]);
    // The hash stays once nothing joined the set for 10 s.
    await new Promise((wake) => setTimeout(wake, 12_000));
    const hash = await heldHash();
    const shown = await instance.cli("restore", hash);
    expect([shown.code, shown.stdout]).toEqual([2, expect.stringContaining("would be created")]);
    const done = await instance.cli("restore", hash, "--yes");
    expect([done.code, done.stderr]).toEqual([0, ""]);
    const isOf = (text: string, name: string, state: string) =>
      text.includes(`dnsentry/default/${name}: ${state}`);
    const ofSet = NAMES.filter((name) => isOf(shown.stdout, name, "would be created again"));
    const others = NAMES.filter((name) => isOf(shown.stdout, name, "not of this set"));
    expect([ofSet.length > 0, ofSet.length + others.length]).toEqual([true, NAMES.length]);
    for (const name of ofSet) expect(isOf(done.stdout, name, "created again")).toBe(true);
    for (const name of ofSet) await zone.becomes(name, "A", "192.0.2.1");
    for (const name of others) await zone.becomes(name, "A");
    expect(others.filter((name) => done.stdout.includes(name))).toEqual([]);
    await session.user.becomes("dnse", ofSet[0] ?? "", "Ready");
    await instance.hasNothingToDo();
    const nothing = await instance.cli("restore", hash);
    expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining("no zone holds")]);
  });
});
