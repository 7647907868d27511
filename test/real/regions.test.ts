/**
 * Two regions on one laptop: two `zonekeeper run` with one election over one zone in BIND. Who
 * stands by has a plan and writes nothing; a leader that dies is followed, and gets the lead back
 * once.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const LEASE = [
  ["--election", "shop"],
  ["--hand-back-after", "2s"],
  ["--lease-duration", "4s"],
  ["--lease-renew-deadline", "3s"],
  ["--lease-retry-period", "500ms"],
].flat();

const NOTHING = /^Plan: 0 changes, 0 held$/m;

const isStandby = async (instance: RunInstance): Promise<boolean> =>
  (await instance.fetch("/readyz")).text.includes("standing by");

describeReal("two regions with one election", ["kubectl-1.32", "bind"], () => {
  let server: RealServer;
  let zone: RealZone;
  let session: RunSession;
  let user: ClusterUser;
  let east: RunInstance;
  let west: RunInstance;
  beforeAll(async () => {
    server = await startBind({ zone: "example.net" });
    zone = new RealZone(server);
    session = await RunSession.open();
    user = session.user;
    await user.apply(account("net", server));
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
    east = await session.run("shop", ...LEASE, "--rank", "0");
    await zone.becomes("www", "A", "192.0.2.1");
    west = await session.run("shop", ...LEASE, "--rank", "1");
  });
  afterAll(async () => {
    await session?.close();
    await server?.stop();
  });
  const publishes = async (label: string, address: string): Promise<void> => {
    await user.apply(entry(label, zone.name(label), { targets: [address] }));
    await zone.becomes(label, "A", address);
  };

  test("who stands by has a plan, marked and with its age, and takes no orders", async () => {
    // Before it has read its zone, it knows of no change either, and exits with another code.
    const { stdout } = await eventually(
      "the standby knows the zone",
      () => west.cli("plan"),
      (plan) => plan.code === 0 && NOTHING.test(plan.stdout),
    );
    expect(stdout.replaceAll(/\s+/g, " ")).toMatch(
      /^This instance stands by and writes nothing\. \S+ holds the Lease and writes\. .*zones were last read up to \d+ s ago\./,
    );
    await publishes("api", "192.0.2.2");
    const explained = await eventually(
      "the standby sees what the leader wrote",
      () => west.cli("explain", zone.name("api")),
      ({ stdout }) => stdout.includes("192.0.2.2"),
    );
    expect(explained.stdout).toContain("stands by and writes nothing");
    const refused = await west.cli("pause", "--all");
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("does not lead")]);
    expect((await west.fetch("/metrics")).text).not.toMatch(/^zonekeeper_zone_owned_names\{/m);
    expect(await isStandby(west)).toBe(true);
    expect(await isStandby(east)).toBe(false);
  });

  /** Without the fence, whose epoch each term has of its own. */
  const records = async (): Promise<readonly string[]> =>
    (await zone.content()).filter((line) => !line.includes("_zonekeeper-fence"));

  test("the leader is killed: the other one leads; it is back, and gets the lead once, and no record changes", async () => {
    const [before, serial] = [await records(), await zone.serial()];
    await east.kill9();
    await eventually(
      "the other one leads",
      () => isStandby(west),
      (by) => !by,
    );
    expect([await records(), await zone.serial()]).toEqual([before, serial]);
    // What is idle writes nothing: the fence of its term comes with the first change.
    await publishes("other", "192.0.2.8");
    expect(await zone.serial()).toBe(serial + 2);
    const written = await records();
    await east.begin();
    await east.ready();
    await eventually(
      "it has the lead back",
      () => isStandby(east),
      (by) => !by,
    );
    await eventually(
      "the other one stands by",
      () => isStandby(west),
      (by) => by,
    );
    expect(await records()).toEqual(written);
    await publishes("new", "192.0.2.3");
    expect(west.output()).toContain("is preferred");
  });

  test("a leader that was frozen thaws after its successor wrote, and writes nothing", async () => {
    east.freeze(true);
    await eventually(
      "the other one leads",
      () => isStandby(west),
      (by) => !by,
    );
    await publishes("www", "192.0.2.9");
    const after = await records();
    east.freeze(false);
    await eventually(
      "it stands by",
      () => isStandby(east),
      (by) => by,
    );
    expect(await records()).toEqual(after);
    expect(await zone.answers("www")).toEqual(["192.0.2.9"]);
  });
});
