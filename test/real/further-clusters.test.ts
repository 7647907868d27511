/**
 * One process, and clusters of others: their Services and DNSEntries are published directly into
 * the zone of the first cluster's DNSProvider. One is killed, one hangs, one never answers; kubectl
 * writes in each, BIND answers.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { withoutGap } from "../support/clients/answer-watch.ts";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, service } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

describeOnBoth("further clusters by option", ["bind", "dig"], (server) => {
  let zone: RealZone;
  let home: RunSession;
  let eu: RunSession;
  let asia: RunSession;
  let away: RunSession;
  let instance: RunInstance;

  const publish = async (where: RunSession, label: string, address: string): Promise<void> => {
    await where.user.apply(service(label, zone.name(label)));
    await where.user.balance("svc", label, address);
  };
  const becomes = (id: string, state: string): Promise<unknown> =>
    eventually(
      `${id} is ${state}`,
      async () => (await instance.cli("clusters")).stdout,
      (text) => new RegExp(`^${id} +active +${state} `, "m").test(text),
    );

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    const embedded = () => RunSession.open(startControlPlane);
    [home, eu, asia, away] = await Promise.all([server.open(), embedded(), embedded(), embedded()]);
    await home.user.apply(account("net", zone.server));
    await away.server.kill();
    const named = { eu, asia, away };
    instance = await home.run(
      "me",
      ...Object.entries(named).flatMap(([id, { kubeconfig }]) => [
        "--source-cluster",
        `${id}=${kubeconfig}`,
      ]),
    );
  });
  afterAll(async () => {
    await Promise.all([home, eu, asia, away].map((each) => each?.close()));
    await zone?.server.stop();
  });

  test("a start waits for none; a DNSProvider serves them when it says so", async () => {
    await becomes("eu", "Live");
    await becomes("away", "Connecting");
    await publish(eu, "web", "192.0.2.1");
    await eventually(
      "an Event of the Service names the remedy",
      () => eu.user.kubectl.ok(["get", "events", "-o", "yaml"]),
      (text) => text.includes("zonekeeper.dev/clusters=eu"),
    );
    expect(await zone.answers("web")).toEqual([]);
    await home.user.kubectl.ok(["annotate", "dnsprovider", "net", "zonekeeper.dev/clusters=*"]);
    await zone.becomes("web", "A", "192.0.2.1");
    expect((await zone.content()).join("\n")).toMatch(/TXT .*cluster=eu,.*owner=me,/);
    const explained = await instance.cli("explain", zone.name("web"));
    expect(explained.stdout).toMatch(/cluster eu\b/);
  });

  test("of two that want a name the first has it, and the second is told", async () => {
    await publish(asia, "web", "192.0.2.99");
    await eventually(
      "the Service of the other cluster is told",
      () => asia.user.kubectl.ok(["get", "events", "-o", "yaml"]),
      (text) => text.includes("NameTaken") || text.includes("another"),
    );
    expect(await zone.answers("web")).toEqual(["192.0.2.1"]);
    await asia.user.delete("svc", "web");
  });

  test("one is killed, one hangs: their names stay, and the others go on", async () => {
    await publish(asia, "far", "192.0.2.2");
    await publish(home, "own", "192.0.2.3");
    await zone.becomes("far", "A", "192.0.2.2");
    await zone.becomes("own", "A", "192.0.2.3");
    const names = {
      [zone.name("web")]: ["192.0.2.1", "192.0.2.11"],
      [zone.name("far")]: ["192.0.2.2"],
      [zone.name("own")]: ["192.0.2.3", "192.0.2.13", "192.0.2.23"],
    };
    await withoutGap(zone.server.port, names, async () => {
      asia.server.freeze();
      await becomes("asia", "Stale");
      await home.user.balance("svc", "own", "192.0.2.13");
      await zone.becomes("own", "A", "192.0.2.13");
      await eu.user.balance("svc", "web", "192.0.2.11");
      await zone.becomes("web", "A", "192.0.2.11");
      asia.server.thaw();
      await becomes("asia", "Live");
      await eu.server.kill();
      await becomes("eu", "Stale");
      await home.user.balance("svc", "own", "192.0.2.23");
      await zone.becomes("own", "A", "192.0.2.23");
    });
  });

  test("the program begins anew while one is away: its names stay, others come and go", async () => {
    await instance.restart();
    await becomes("eu", "Connecting");
    await home.user.delete("svc", "own");
    await zone.becomes("own", "A");
    await publish(asia, "new", "192.0.2.4");
    await zone.becomes("new", "A", "192.0.2.4");
    expect(await zone.answers("web")).toEqual(["192.0.2.11"]);
    const plan = await instance.cli("plan");
    expect(plan.stdout).toMatch(/web\.example\.net .*cluster eu is not read now: Connecting/);
    await eu.server.revive();
    await becomes("eu", "Live");
    await eu.user.delete("svc", "web");
    await zone.becomes("web", "A");
  });

  test("metrics and JSON say the same", async () => {
    expect((await instance.fetch("/metrics")).text).toContain(
      'zonekeeper_cluster_state{cluster="asia",mode="active",state="Live"} 1',
    );
    const { stdout } = await instance.cli("clusters", "--output", "json");
    const { clusters } = JSON.parse(stdout) as {
      readonly clusters: readonly { readonly id: string; readonly state: string }[];
    };
    expect(clusters.map(({ id, state }) => [id, state])).toEqual([
      ["asia", "Live"],
      ["away", "Connecting"],
      ["eu", "Live"],
    ]);
  });
});
