/**
 * What an operator of `zonekeeper run` relies on: health, metrics, dry run, pause, plan, explain
 * and a graceful stop.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { eventually } from "../support/ports/eventually.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const OWNER = "group-one";

/** The tests are one session in order; each starts instances of its own. */
describeReal("operating run", ["kubectl-1.32", "bind"], () => {
  let session: RunSession;
  let user: ClusterUser;
  let zone: RealZone;
  const started: RunInstance[] = [];
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open();
    user = session.user;
    await user.apply(account("net", zone.server));
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
  });
  afterEach(async () => {
    for (const instance of started.splice(0)) await instance.remove();
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });
  const start = async (...args: readonly string[]): Promise<RunInstance> => {
    const { kubeconfig } = session;
    const instance = await RunInstance.start({ kubeconfig, owner: OWNER, args });
    started.push(instance);
    return instance;
  };
  /** Waits until a zone is loaded and `plan` has something to say; returns what it says. */
  const planned = async (instance: RunInstance): Promise<string> => {
    const { stdout } = await eventually(
      "plan has something to do",
      () => instance.cli("plan"),
      ({ code }) => code === 2,
    );
    return stdout;
  };

  test.each([
    ["a dry run", "--dry-run", null],
    ["a pause", "--pause", "Pending"],
  ])("%s writes nothing, and plan and explain tell what would be done", async (_, flag, state) => {
    const before = await zone.content();
    const serial = await zone.serial();
    const instance = await start(flag);
    expect(await planned(instance)).toContain(zone.name("www"));
    const explained = await instance.cli("explain", zone.name("www"));
    expect(explained.code, "it is wanted and not so").toBe(2);
    expect(explained.stdout).toContain("192.0.2.1");
    expect(explained.stdout).toContain("dnsentry/default/www");
    await user.apply(entry("more", zone.name("more"), { targets: ["192.0.2.2"] }));
    // A dry run writes no status either.
    if (state !== null) await user.becomes("dnse", "more", state, /--pause/);
    expect(await instance.stop()).toBe(0);
    expect(await zone.content()).toEqual(before);
    expect(await zone.serial()).toBe(serial);
    await user.kubectl.ok(["delete", "dnse", "more", "--wait=false"]);
  });

  test("health, readiness, metrics and the local API", async () => {
    const instance = await start();
    await zone.becomes("www", "A", "192.0.2.1");
    expect(await instance.fetch("/healthz")).toEqual({ status: 200, text: "ok\n" });
    const ready = await eventually(
      "the zone is in /readyz",
      () => instance.fetch("/readyz"),
      ({ text }) => text.includes("[+] zone example.net"),
    );
    expect(ready.status).toBe(200);
    const metrics = await eventually(
      "an applied change is counted",
      async () => (await instance.fetch("/metrics")).text,
      (text) => /zonekeeper_outcomes_total\{[^}]*status="applied"[^}]*\} [1-9]/.test(text),
    );
    expect(metrics).toContain("zonekeeper_build_info");
    expect(await instance.get("/api/v1/plan"), "without the token").toBe(401);
    await instance.hasNothingToDo();
    const nothing = await instance.cli("explain", zone.name("nothing"));
    expect([nothing.code, nothing.stdout]).toEqual([1, expect.stringContaining("no object")]);
    const bad = await instance.cli("explain", "a..b");
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining("empty label")]);
    const json = await instance.cli("plan", "--output", "json");
    expect(JSON.parse(json.stdout)).toHaveProperty("zones");
  });

  test("a zone that cannot be read: plan ends with 1 and says why", async () => {
    const instance = await start();
    await instance.hasNothingToDo();
    await zone.server.kill9();
    const failed = await eventually(
      "plan cannot tell",
      () => instance.cli("plan"),
      ({ code }) => code === 1,
    );
    expect(failed.stdout).toContain(`127.0.0.1:${zone.server.port}`);
    expect(await instance.get("/healthz")).toBe(200);
    await zone.server.restart();
    await instance.hasNothingToDo();
  });

  test.each(["SIGTERM", "SIGINT"] as const)("%s: exit code 0, the records stay", async (signal) => {
    const instance = await start();
    await instance.hasNothingToDo();
    const before = await zone.content();
    expect(await instance.stop(signal)).toBe(0);
    expect(await instance.get("/healthz")).toBe(0);
    expect(await zone.content()).toEqual(before);
    const plan = await instance.cli("plan");
    expect([plan.code, plan.stderr]).toEqual([
      1,
      expect.stringContaining("no instance is running"),
    ]);
  });

  test("policies: upsert-only removes nothing, create-only changes nothing", async () => {
    const upsert = await start("--policy", "upsert-only");
    await upsert.hasNothingToDo();
    await user.apply(entry("gone", zone.name("gone"), { targets: ["192.0.2.3"] }));
    await zone.becomes("gone", "A", "192.0.2.3");
    await user.kubectl.ok(["delete", "dnse", "gone", "--wait=false"]);
    expect(await planned(upsert)).toMatch(/gone.*PolicyForbids/);
    expect(await zone.answers("gone")).toEqual(["192.0.2.3"]);
    await upsert.stop();
    const create = await start("--policy", "create-only");
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.9"] }));
    await user.becomes("dnse", "www", "Stale", /create-only|policy/i);
    expect(await zone.answers("www")).toEqual(["192.0.2.1"]);
    await create.stop();
    await start();
    await zone.becomes("www", "A", "192.0.2.9");
    await zone.becomes("gone", "A");
  });
});
