/**
 * One name from several clusters (ADR 0118): BIND has the addresses of all, kubectl writes in each,
 * dig and a transfer judge. One is cut off, and a second installation with the same owner id has a
 * cluster of its own.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kubeconfigText } from "../support/api-servers/kubeconfig-text.ts";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { FaultFront } from "../support/faults/fault-front.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, service } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const MERGE = { annotations: { "zonekeeper.dev/merge": "true" } };

describeOnBoth("merged names", ["bind", "dig"], (server) => {
  const folder = makeTempFolder("merged-names");
  let zone: RealZone;
  let home: RunSession;
  let eu: RunSession;
  let asia: RunSession;
  let front: FaultFront;
  let instance: RunInstance;

  const publish = async (where: RunSession, address: string, more = MERGE): Promise<void> => {
    await where.user.apply(service("shop", zone.name("shop"), more));
    await where.user.balance("svc", "shop", address);
  };
  const shows = (command: readonly string[], line: RegExp): Promise<unknown> =>
    eventually(
      `${command.join(" ")} shows ${line}`,
      async () => (await instance.cli(...command)).stdout,
      (text) => line.test(text),
    );
  /** What the markers say, by cluster. */
  const markers = async (): Promise<readonly string[]> => {
    const texts = (await zone.content()).filter((line) => /^a-shop\S* TXT /.test(line));
    return texts.map((line) => {
      const [, cluster = "", targets = "none"] =
        /cluster=([\w-]+)(?:.*targets=([^"]*))?/.exec(line) ?? [];
      return `${cluster.length > 10 ? "home" : cluster} ${targets}`;
    });
  };

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    const embedded = () => RunSession.open(startControlPlane);
    [home, eu, asia] = await Promise.all([server.open(), embedded(), embedded()]);
    front = await FaultFront.open(eu.server);
    const kubeconfig = join(folder.path, "eu.yaml");
    const { url, caFile } = front;
    writeFileSync(
      kubeconfig,
      kubeconfigText({ server: url, caFile, token: eu.server.tokenOf("admin") }),
    );
    await home.user.apply(account("net", zone.server));
    await home.user.kubectl.ok(["annotate", "dnsprovider", "net", "zonekeeper.dev/clusters=*"]);
    instance = await home.run(
      "me",
      ...["--source-cluster", `eu=${kubeconfig}`],
      ...["--source-cluster", `asia=${asia.kubeconfig}`],
      ...["--fence", "shared"],
    );
  });
  afterAll(async () => {
    await front?.close();
    await Promise.all([home, eu, asia].map((each) => each?.close()));
    await zone?.server.stop();
    folder.remove();
  });

  test("without consent of both the second waits and is told", async () => {
    await publish(eu, "192.0.2.1", { annotations: { "zonekeeper.dev/merge": "false" } });
    await zone.becomes("shop", "A", "192.0.2.1");
    await publish(asia, "192.0.2.2");
    await eventually(
      "the second is told",
      () => asia.user.kubectl.ok(["get", "events", "-o", "yaml"]),
      (text) => text.includes("zonekeeper.dev/merge"),
    );
    expect(await zone.answers("shop")).toEqual(["192.0.2.1"]);
  });

  test("both ask for it: one record set, a marker for each", async () => {
    await publish(eu, "192.0.2.1");
    await zone.becomes("shop", "A", "192.0.2.1", "192.0.2.2");
    expect(await markers()).toEqual(["asia 192.0.2.2", "eu 192.0.2.1"]);
    await shows(["explain", zone.name("shop")], /A \[asia\] 300 192\.0\.2\.2/);
    await shows(["explain", zone.name("shop")], /A \[eu\] 300 192\.0\.2\.1/);
    await shows(["plan"], /^Plan: 0 changes, 0 held$/m);
  });

  test("one is cut: both addresses stay, an edit in another is answered, it comes back", async () => {
    await front.down();
    await shows(["clusters"], /^eu +active +Stale /m);
    await asia.user.balance("svc", "shop", "192.0.2.12");
    await zone.becomes("shop", "A", "192.0.2.1", "192.0.2.12");
    // Nobody hears of its end.
    await eu.user.delete("svc", "shop");
    await asia.user.balance("svc", "shop", "192.0.2.2");
    await zone.becomes("shop", "A", "192.0.2.1", "192.0.2.2");
    await front.up();
    await zone.becomes("shop", "A", "192.0.2.2");
    expect(await markers()).toEqual(["asia 192.0.2.2"]);
    const serial = await zone.serial();
    await shows(["clusters"], /^eu +active +Live /m);
    await shows(["plan"], /^Plan: 0 changes, 0 held$/m);
    expect(await zone.serial()).toBe(serial);
  });

  test("a second installation with the owner id has a part of its own, until the last goes", async () => {
    const far = await RunSession.open(startControlPlane);
    try {
      await far.user.apply(account("net", zone.server));
      const args = ["--fence", "shared", "--kubeconfig.id", "far", "--publish", "direct"];
      const other = await far.run("me", ...args);
      await publish(far, "192.0.2.3");
      await zone.becomes("shop", "A", "192.0.2.2", "192.0.2.3");
      expect(await markers()).toEqual(["asia 192.0.2.2", "far 192.0.2.3"]);
      await Promise.all([
        asia.user.balance("svc", "shop", "192.0.2.22"),
        far.user.balance("svc", "shop", "192.0.2.33"),
      ]);
      await zone.becomes("shop", "A", "192.0.2.22", "192.0.2.33");
      await asia.user.delete("svc", "shop");
      await zone.becomes("shop", "A", "192.0.2.33");
      await far.user.delete("svc", "shop");
      await zone.becomes("shop", "A");
      expect(await markers()).toEqual([]);
      // Of a name that nobody merges the first has the record, and no installation undoes it.
      const solo = async ({ user }: RunSession, address: string): Promise<void> => {
        await user.apply(service("solo", zone.name("solo")));
        await user.balance("svc", "solo", address);
      };
      await solo(asia, "192.0.2.4");
      await zone.becomes("solo", "A", "192.0.2.4");
      await solo(far, "192.0.2.5");
      await eventually(
        "the second waits",
        () => other.cli("plan"),
        ({ stdout }) => /solo/.test(stdout),
      );
      expect(await zone.answers("solo")).toEqual(["192.0.2.4"]);
      const fence = (await zone.content()).filter((line) => line.includes("_zonekeeper-fence"));
      expect(fence.map((line) => /shared=1/.test(line))).toEqual([true, true]);
    } finally {
      await far.close();
    }
  });
});
