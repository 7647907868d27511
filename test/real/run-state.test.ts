/**
 * `zonekeeper run` without a data folder: what the fuse has counted survives `kill -9` in the
 * cluster of the Lease.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const NAMES = Array.from({ length: 16 }, (_, index) => `n${index}`);
/** Below the ten of the fuse, each of the two; together above. */
const FIRST = NAMES.slice(0, 6);
const SECOND = NAMES.slice(6, 12);
const LEASE = ["--lease-duration", "4s", "--lease-renew-deadline", "3s"];
const OPTIONS = [...LEASE, "--lease-retry-period", "500ms"];

describeReal("the fuse of run without a data folder", ["kubectl-1.32", "bind"], () => {
  let session: RunSession;
  let zone: RealZone;
  let instance: RunInstance;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open();
    await session.user.apply(account("net", zone.server));
    const { kubeconfig } = session;
    const start = { kubeconfig, owner: "group-one", dataless: true, args: OPTIONS };
    instance = await RunInstance.start(start);
  });
  afterAll(async () => {
    await instance?.remove();
    await session?.close();
    await zone?.server.stop();
  });

  test("a kill between two slices of removals changes nothing about their sum", async () => {
    const { user } = session;
    for (const name of NAMES)
      await user.apply(entry(name, zone.name(name), { targets: ["192.0.2.1"] }));
    for (const name of NAMES) await zone.becomes(name, "A", "192.0.2.1");
    await user.kubectl.ok(["delete", "dnse", ...FIRST, "--wait=false"]);
    for (const name of FIRST) await zone.becomes(name, "A");
    const stored = await user.kubectl.ok(["get", "configmaps", "-o", "name"]);
    expect(JSON.stringify(stored)).toMatch(/zonekeeper-state-[0-9a-f]{12}/);
    await instance.kill9();
    await instance.begin();
    await instance.ready();
    await user.kubectl.ok(["delete", "dnse", ...SECOND, "--wait=false"]);
    await user.becomes("dnse", SECOND.at(-1) ?? "", "Deleting", /many changes at once|earlier set/);
    const left = await Promise.all(SECOND.map((name) => zone.answers(name)));
    expect(left.filter((answers) => answers.length > 0).length).toBeGreaterThan(0);
  });
});
