/**
 * Z-17 as an operator meets it: two installations that were given one owner id by mistake, against
 * one BIND. The first goes on; the other one waits, says so, and takes the id when a person orders
 * it. Who may not write the fence works by its Lease alone.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fenceName } from "../../src/sync/contract/fence-record.ts";
import { eventually } from "../support/ports/eventually.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** Of another installation: owner and class are its own, the Lease is the default one. */
const NEWCOMER = ["--dns-class", "theirs"];

interface Side {
  readonly session: RunSession;
  readonly instance: RunInstance;
}

/** The fence of the zone, as a stranger reads it. */
async function fenceOf(zone: RealZone): Promise<string> {
  const found = (await zone.content()).filter((line) => line.includes("._zonekeeper-fence."));
  expect(found.length).toBeLessThan(2);
  return found[0] ?? "";
}

/** What `plan` says of the other installation. */
async function otherDomain({ instance }: Side): Promise<string> {
  const { stdout } = await eventually(
    "plan tells of the other installation",
    () => instance.cli("plan"),
    (result) => result.stdout.includes("owner take --from"),
  );
  return /owner take --from (\S+)/.exec(stdout)?.[1] ?? "";
}

describeReal("two installations with one owner id", ["kubectl-1.32", "bind"], () => {
  let server: RealServer;
  let zone: RealZone;
  const sides: Side[] = [];

  beforeAll(async () => {
    server = await startBind({ zone: "example.net" });
    zone = new RealZone(server);
  });
  afterAll(async () => {
    await Promise.all(sides.map(({ session }) => session.close()));
    await server?.stop();
  });

  const open = async (): Promise<Side> => {
    const session = await RunSession.open();
    await session.user.apply(account("net", server));
    const side = { session, instance: await session.run("one-group") };
    sides.push(side);
    return side;
  };
  const side = (index: 0 | 1): Side => {
    const found = sides[index];
    if (found === undefined) throw new Error("not started");
    return found;
  };

  test("the first one publishes; its fence costs one write for all changes", async () => {
    const { session, instance } = await open();
    const before = await zone.serial();
    await session.user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
    await zone.becomes("www", "A", "192.0.2.1");
    await session.user.apply(entry("api", zone.name("api"), { targets: ["192.0.2.2"] }));
    await zone.becomes("api", "A", "192.0.2.2");
    expect(await zone.serial()).toBe(before + 3);
    expect(await fenceOf(zone)).toMatch(
      /"v=1;domain=[0-9a-f-]{36}\/[^/]+\/zonekeeper;epoch=\d+;term=[0-9a-f]{8}(?:;met=1)?"/,
    );
    const [name = ""] = (await fenceOf(zone)).split(/\s/);
    const { code, stdout } = await instance.cli("explain", name);
    expect(stdout).toMatch(
      /the fence of our owner id "[^"]+": this installation \S+ writes .* epoch \d+/,
    );
    expect(code).toBe(0);
  });

  test("the second one writes nothing, says why, and the first one goes on", async () => {
    const { session, instance } = await open();
    const before = await zone.content();
    await session.user.apply(entry("mine", zone.name("mine"), { targets: ["192.0.2.9"] }));
    const message = await session.user.becomes("dnse", "mine", "Pending", /owner take --from/);
    expect(message).toContain("has the owner id in this zone");
    expect(await zone.content()).toEqual(before);
    const { text } = await instance.fetch("/metrics");
    expect(text).toMatch(
      /zonekeeper_zone_fence\{zone="example.net",mode="stopped",owner="[^"]+"\} 1/,
    );
    const explained = await instance.cli("explain", zone.name("mine"));
    expect(explained.stdout).toContain("HeldBy");
    const first = side(0).session;
    await first.user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.7"] }));
    await zone.becomes("www", "A", "192.0.2.7");
    await first.user.becomes("dnse", "www", "Ready");
  });

  test("who comes second to the default Lease is warned within seconds whose it is, and check says so", async () => {
    const { kubeconfig } = side(0).session;
    const newcomer = await RunInstance.launch({ kubeconfig, owner: "team-c", args: NEWCOMER });
    try {
      const line = await eventually(
        "it is warned",
        async () => /^.*another installation holds the Lease.*$/m.exec(newcomer.output())?.[0],
        (seen) => seen !== undefined,
      );
      const { level, other, lease } = JSON.parse(line ?? "") as Readonly<Record<string, string>>;
      expect({ level, lease }).toEqual({ level: "warn", lease: "default/zonekeeper" });
      expect(other).toContain("--owner one-group");
    } finally {
      await newcomer.remove();
    }
    const flags = ["--owner", "team-c", ...NEWCOMER, "--kubeconfig", kubeconfig];
    const { code, stdout } = await run(process.execPath, [PROGRAM, "check", ...flags]);
    expect(stdout).toMatch(/^\[-\] lease default\/zonekeeper: .*--owner one-group.*--lease-name/m);
    expect([code, stdout.includes("All is well")]).toEqual([2, false]);
  });

  test("plan, explain and check say the same of it: what is wanted next would not be written", async () => {
    const { session, instance } = side(1);
    const flags = ["--kubeconfig", session.kubeconfig, "--provider-trusted-namespaces", "*"];
    const answers = [
      await instance.cli("plan"),
      await instance.cli("plan", "--name", zone.name("mine")),
      await instance.cli("explain", zone.name("mine")),
      await run(process.execPath, [PROGRAM, "check", "--owner", "one-group", ...flags]),
    ];
    for (const { stdout } of answers) expect(stdout).toContain("HeldBy");
    expect(answers.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
  });

  test("owner take shows what it would do, does it when confirmed, and that side goes on", async () => {
    const { instance, session } = side(1);
    const from = await otherDomain(side(1));
    const shown = await instance.cli("owner", "take", "--from", from);
    expect([shown.code, shown.stdout]).toEqual([2, expect.stringContaining("Nothing was written")]);
    expect(await fenceOf(zone)).not.toContain(";dismissed=");
    const taken = await instance.cli("owner", "take", "--from", from, "--yes");
    expect([taken.code, taken.stderr]).toEqual([0, ""]);
    await zone.becomes("mine", "A", "192.0.2.9");
    await session.user.becomes("dnse", "mine", "Ready");
    expect(await fenceOf(zone)).toContain(`;dismissed=${from}`);
  });

  test("the other one stays stopped, also after a restart, and disputes nothing", async () => {
    const { instance, session } = side(0);
    await instance.restart();
    await session.user.apply(entry("again", zone.name("again"), { targets: ["192.0.2.8"] }));
    await session.user.becomes("dnse", "again", "Error", /took the owner id/);
    expect(await fenceOf(zone)).not.toContain(";contested=");
    expect(await zone.answers("again")).toEqual([]);
    const none = await instance.cli("owner", "take", "--from", "nobody/at/all");
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("nobody/at/all")]);
  });

  test("a fence that a person removes is made anew", async () => {
    const { session } = side(1);
    const [name = ""] = (await fenceOf(zone)).split(" ");
    await side(0).instance.stop();
    await zone.foreignWriter(`update delete ${name} TXT`);
    await session.user.apply(entry("mine", zone.name("mine"), { targets: ["192.0.2.1"] }));
    await zone.becomes("mine", "A", "192.0.2.1");
    expect(await fenceOf(zone)).toContain("v=1;domain=");
  });

  test("the fence of an owner that is gone is listed and removed; that of a living one is neither", async () => {
    const { instance, session } = side(1);
    const { user } = session;
    const own = await fenceOf(zone);
    const [ownName = ""] = own.split(/\.? /);
    const gone = fenceName(trustedDnsName("example.net"), "gone") ?? "";
    const text = "v=1;domain=other/default/zonekeeper;epoch=3;term=0a1b2c3d";
    await zone.foreignWriter(`update add ${gone} 300 TXT "${text}"`);
    const { stdout } = await eventually(
      "it is listed",
      () => instance.cli("ownership", "orphans"),
      (listed) => listed.stdout.includes(gone),
    );
    expect(stdout).toContain("other/default/zonekeeper");
    expect(stdout).not.toContain(ownName);
    const before = await zone.content();
    const remove = ["ownership", "remove", gone];
    expect([(await instance.cli(...remove)).code, await zone.content()]).toEqual([2, before]);
    const done = await instance.cli(...remove, "--yes");
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("1 of 1 done")]);
    expect(await fenceOf(zone)).toBe(own);
    // Nor is that of our id a fence of the gone, although the zone has no record of it.
    await user.delete("dnse", "mine");
    await zone.becomes("mine", "A");
    const left = ["www", "api"].flatMap((label) => [zone.name(label), zone.name(`a-${label}`)]);
    await zone.foreignWriter(
      ...[...left, ownName].map((name) => `update delete ${name}`),
      `update add ${ownName} 300 TXT "${text}"`,
    );
    // Before that the records are held, whose objects nobody here knows.
    const { code } = await eventually(
      "plan names the fence, although nothing is to be done",
      () => instance.cli("plan"),
      ({ stdout: says }) =>
        says.includes("owner take --from other/default/zonekeeper") && !says.includes("held,"),
    );
    expect(code).toBe(2);
    expect((await instance.fetch("/readyz")).text).toMatch(/^\[-\] zone example\.net: stopped/m);
    await user.apply(entry("later", zone.name("later"), { targets: ["192.0.2.1"] }));
    await user.becomes("dnse", "later", "Pending", /owner take --from/);
    const held = await instance.cli("ownership", "orphans");
    expect([held.code, held.stdout.includes(ownName)]).toEqual([0, false]);
  });
});

describeReal("a server whose policy refuses the fence", ["kubectl-1.32", "bind"], () => {
  let server: RealServer;
  let session: RunSession;
  afterAll(async () => {
    await session?.close();
    await server?.stop();
  });

  test("is written to by the Lease alone; plan says so", async () => {
    const names = ["www.example.net", "a-www.example.net"];
    const grants = names.map((name) => `name ${name} ANY`);
    server = await startBind({ zone: "example.net", grants });
    const zone = new RealZone(server);
    session = await RunSession.open();
    await session.user.apply(account("net", server));
    const instance = await session.run("one-group");
    await session.user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
    await zone.becomes("www", "A", "192.0.2.1");
    await session.user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.2"] }));
    await zone.becomes("www", "A", "192.0.2.2");
    expect((await instance.cli("plan")).stdout).toMatch(/fencing of .*: lease \(.*REFUSED/);
    expect(await fenceOf(zone)).toBe("");
    const writes = /^zonekeeper_fence_writes_total\{.*status="rejected".*\} (\d+)$/m;
    expect(writes.exec((await instance.fetch("/metrics")).text)?.[1]).toBe("1");
  });
});
