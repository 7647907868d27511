/**
 * One name from several clusters (ADR 0118): BIND has the addresses of all, kubectl writes in each,
 * dig and a transfer judge. A second installation with the same owner id adds a cluster of its own.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, service } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const MERGE = { annotations: { "zonekeeper.dev/merge": "true" } };

describeOnBoth("merged names", ["bind", "dig"], (server) => {
  let zone: RealZone;
  let home: RunSession;
  let eu: RunSession;
  let asia: RunSession;
  let instance: RunInstance;

  const publish = async (where: RunSession, address: string, more = MERGE): Promise<void> => {
    await where.user.apply(service("shop", zone.name("shop"), more));
    await where.user.balance("svc", "shop", address);
  };
  const said = (where: RunSession, text: RegExp): Promise<unknown> =>
    eventually(
      `an Event says ${text}`,
      () => where.user.kubectl.ok(["get", "events", "-o", "yaml"]),
      (events) => text.test(events),
    );
  const markers = async (): Promise<readonly string[]> =>
    (await zone.content()).filter((line) => /^a-shop\S* TXT /.test(line));

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    const embedded = () => RunSession.open(startControlPlane);
    [home, eu, asia] = await Promise.all([server.open(), embedded(), embedded()]);
    await home.user.apply(account("net", zone.server));
    await home.user.kubectl.ok(["annotate", "dnsprovider", "net", "zonekeeper.dev/clusters=*"]);
    instance = await home.run(
      "me",
      ...["--source-cluster", `eu=${eu.kubeconfig}`],
      ...["--source-cluster", `asia=${asia.kubeconfig}`],
      ...["--fence", "off"],
    );
  });
  afterAll(async () => {
    await Promise.all([home, eu, asia].map((each) => each?.close()));
    await zone?.server.stop();
  });

  test("without consent of both the second waits and is told", async () => {
    await publish(eu, "192.0.2.1", { annotations: { "zonekeeper.dev/merge": "false" } });
    await zone.becomes("shop", "A", "192.0.2.1");
    await publish(asia, "192.0.2.2");
    await said(asia, /zonekeeper\.dev\/merge/);
    expect(await zone.answers("shop")).toEqual(["192.0.2.1"]);
  });

  test("both ask for it: one record set, a marker for each", async () => {
    await publish(eu, "192.0.2.1");
    await zone.becomes("shop", "A", "192.0.2.1", "192.0.2.2");
    const both = (await markers()).join("\n");
    expect(both).toMatch(/cluster=asia,.*targets=192\.0\.2\.2"/);
    expect(both).toMatch(/cluster=eu,.*targets=192\.0\.2\.1"/);
    const explained = await instance.cli("explain", zone.name("shop"));
    expect(explained.stdout).toMatch(/A \[asia\] 300 192\.0\.2\.2/);
    expect(explained.stdout).toMatch(/A \[eu\] 300 192\.0\.2\.1/);
  });

  test("one is cut: both addresses stay, and the other's edit is answered", async () => {
    await eu.server.kill();
    await asia.user.balance("svc", "shop", "192.0.2.12");
    await zone.becomes("shop", "A", "192.0.2.1", "192.0.2.12");
  });
});
