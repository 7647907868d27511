/**
 * Several `zonekeeper run` at once: replicas of one group share a Lease, groups share a zone
 * without harm.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { API_SERVERS, type ApiServerEntry } from "../support/api-servers/index.ts";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** Short, so that a takeover does not take a quarter of a minute. */
const LEASE = [
  ["--lease-duration", "4s"],
  ["--lease-renew-deadline", "3s"],
  ["--lease-retry-period", "500ms"],
].flat();

const isStandby = async (instance: RunInstance): Promise<boolean> =>
  (await instance.fetch("/readyz")).text.includes("standing by");

for (const api of API_SERVERS)
  describeReal(
    `two replicas of one group on ${api.name}`,
    ["kubectl-1.32", "bind", ...api.needs],
    () => replicas(api),
  );

function replicas(api: ApiServerEntry): void {
  let server: RealServer;
  let zone: RealZone;
  let session: RunSession;
  let user: ClusterUser;
  beforeAll(async () => {
    server = await startBind({ zone: "example.net" });
    zone = new RealZone(server);
    session = await RunSession.open(api.start);
    user = session.user;
    await user.apply(account("net", server));
  });
  afterAll(async () => {
    await session?.close();
    await server?.stop();
  });

  test("one works, the other stands by ready; the leader is killed, the other takes over", async () => {
    const first = await session.run("group-one", ...LEASE);
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
    await zone.becomes("www", "A", "192.0.2.1");
    const second = await session.run("group-one", ...LEASE);
    expect(await isStandby(second)).toBe(true);
    expect(await second.get("/readyz")).toBe(200);
    const before = await zone.serial();
    await first.kill9();
    await user.apply(entry("new", zone.name("new"), { targets: ["192.0.2.2"] }));
    await zone.becomes("new", "A", "192.0.2.2");
    expect(await isStandby(second)).toBe(false);
    expect(await zone.answers("www")).toEqual(["192.0.2.1"]);
    const message = "one update for the fence of the new term, one for the one new name";
    expect(await zone.serial(), message).toBe(before + 2);
    await first.begin();
    await first.ready();
    expect(await isStandby(first)).toBe(true);
    await eventually(
      "a Lease",
      () => user.get("lease", "zonekeeper"),
      () => true,
    );
    expect(await second.stop()).toBe(0);
    await eventually(
      "the first leads again",
      () => isStandby(first),
      (by) => !by,
    );
    await user.delete("dnse", "new");
    await zone.becomes("new", "A");
    expect(await zone.answers("www")).toEqual(["192.0.2.1"]);
  });
}

describeReal("an election with a name", ["kubectl-1.32", "bind"], () => {
  let server: RealServer;
  const sessions: RunSession[] = [];
  afterAll(async () => {
    await Promise.all(sessions.map((session) => session.close()));
    await server?.stop();
  });

  test("its Lease moves to another cluster, and the installation goes on without a person", async () => {
    server = await startBind({ zone: "example.net" });
    const zone = new RealZone(server);
    for (const _ of ["objects", "first", "second"]) sessions.push(await RunSession.open());
    const [home, first, second] = sessions;
    if (home === undefined || first === undefined || second === undefined) throw new Error("none");
    const { user } = home;
    await user.apply(account("net", server));
    const named = (coordination: RunSession) => [
      ...LEASE,
      ...["--election", "shop"],
      ...["--coordination", coordination.kubeconfig],
    ];
    const publishes = async (address: string): Promise<void> => {
      await user.apply(entry("www", zone.name("www"), { targets: [address] }));
      await zone.becomes("www", "A", address);
    };
    const unnamed = await home.run("me", ...LEASE, "--coordination", first.kubeconfig);
    await publishes("192.0.2.1");
    expect(await unnamed.stop()).toBe(0);
    const former = await home.run("me", ...named(first));
    await publishes("192.0.2.2");
    const next = await home.run("me", ...named(second));
    await publishes("192.0.2.3");
    expect(await former.stop()).toBe(0);
    await first.server.close();
    await publishes("192.0.2.4");
    const fence = (await zone.content()).filter((line) => line.includes("_zonekeeper-fence"));
    expect(fence.join()).toMatch(/^\S+ TXT [^,]*domain=shop;epoch=\d+;term=\w+(;met=1)?"?$/);
    expect((await next.cli("plan")).stdout).toMatch(/^Plan: 0 changes, 0 held$/m);
  });
});

describeReal("two groups in one zone", ["kubectl-1.32", "bind"], () => {
  let server: RealServer;
  let zone: RealZone;
  const sessions: RunSession[] = [];
  const instances: RunInstance[] = [];
  beforeAll(async () => {
    server = await startBind({ zone: "example.net" });
    zone = new RealZone(server);
    for (const owner of ["group-one", "group-two"]) {
      const session = await RunSession.open();
      sessions.push(session);
      await session.user.apply(account("net", server));
      instances.push(await session.run(owner));
    }
  });
  afterAll(async () => {
    await Promise.all(sessions.map((session) => session.close()));
    await server?.stop();
  });
  const users = (): readonly [ClusterUser, ClusterUser] => {
    const [one, two] = sessions;
    if (one === undefined || two === undefined) throw new Error("not started");
    return [one.user, two.user];
  };

  test("each publishes its own names and does not change those of the other one", async () => {
    const [one, two] = users();
    await one.apply(entry("one", zone.name("one"), { targets: ["192.0.2.1"] }));
    await two.apply(entry("two", zone.name("two"), { targets: ["192.0.2.2"] }));
    await zone.becomes("one", "A", "192.0.2.1");
    await zone.becomes("two", "A", "192.0.2.2");
    expect((await zone.answers("a-one", "TXT"))[0]).toContain("owner=group-one");
    expect((await zone.answers("a-two", "TXT"))[0]).toContain("owner=group-two");
  });

  test("who comes second to a name gets nothing and is told who has it", async () => {
    const [one, two] = users();
    await two.apply(entry("mine", zone.name("one"), { targets: ["192.0.2.9"] }));
    const message = await two.becomes("dnse", "mine", "Error", /group-one/);
    expect(message).toContain("192.0.2.1");
    expect(await zone.answers("one")).toEqual(["192.0.2.1"]);
    await one.becomes("dnse", "one", "Ready");
    const explained = await instances[1]?.cli("explain", zone.name("one"));
    expect(explained?.stdout).toContain("group-one");
  });

  test("when the first gives it up, the second gets it; its deletion takes nothing of the first", async () => {
    const [one, two] = users();
    await one.apply(entry("other", zone.name("other"), { targets: ["192.0.2.3"] }));
    await zone.becomes("other", "A", "192.0.2.3");
    await one.delete("dnse", "one");
    await zone.becomes("one", "A", "192.0.2.9");
    expect((await zone.answers("a-one", "TXT"))[0]).toContain("owner=group-two");
    await two.becomes("dnse", "mine", "Ready");
    await two.delete("dnse", "mine", "two");
    await zone.becomes("one", "A");
    expect(await zone.answers("other")).toEqual(["192.0.2.3"]);
    await one.becomes("dnse", "other", "Ready");
  });

  test("both ask for one name at the same time: exactly one wins, whole", async () => {
    const [one, two] = users();
    const names = Array.from({ length: 10 }, (_, index) => `race-${index}`);
    const all = (address: string): string =>
      names.map((name) => entry(name, zone.name(name), { targets: [address] })).join("\n");
    await Promise.all([one.apply(all("192.0.2.101")), two.apply(all("192.0.2.102"))]);
    for (const name of names) {
      const state = async (user: ClusterUser): Promise<string> =>
        (await user.status("dnse", name)).state;
      const states = await eventually(
        `${name} is decided`,
        async () => [await state(one), await state(two)],
        (seen) => seen.includes("Ready") && seen.includes("Error"),
      );
      const winner = states[0] === "Ready" ? "group-one" : "group-two";
      const address = states[0] === "Ready" ? "192.0.2.101" : "192.0.2.102";
      expect(await zone.answers(name)).toEqual([address]);
      expect((await zone.answers(`a-${name}`, "TXT")).join()).toContain(`owner=${winner}`);
    }
  });
});
