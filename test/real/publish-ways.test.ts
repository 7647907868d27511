/**
 * Services through DNSEntries and directly, from one way to the other and back, also with a kill in
 * between: a resolver never misses a name, and no record and no marker changes.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiServer } from "../support/api-servers/api-server.ts";
import { startKubeApiServer } from "../support/api-servers/kube-apiserver.ts";
import { ClusterUser } from "../support/clients/cluster-user.ts";
import { Kubectl } from "../support/clients/kubectl.ts";
import { eventually } from "../support/ports/eventually.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, ingress, service, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const COUNT = 20;
const LABELS = Array.from({ length: COUNT }, (_, index) => `s${index}`);
const DIRECT = ["--publish", "direct"];
const STATUS = "zonekeeper.dev/status";

/** Asks for every name in turn until it is stopped; answers what was missing. */
function watchAnswers(zone: RealZone): () => Promise<readonly string[]> {
  const missed: string[] = [];
  let isOver = false;
  const asking = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const label = LABELS[turn % COUNT] ?? "";
      const answers = await zone.answers(label);
      if (answers.join() !== "192.0.2.1") missed.push(`${label}: ${answers.join()}`);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return missed;
  };
}

/** The tests are one session in order. */
describeReal("Services in both ways", ["kubectl-1.32", "bind"], () => {
  let session: RunSession;
  let zone: RealZone;
  let instance: RunInstance;
  let before: readonly string[];
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open();
    await session.user.apply(account("net", zone.server));
    await session.user.apply(together(...LABELS.map((one) => service(one, zone.name(one)))));
    for (const label of LABELS) await session.user.balance("svc", label, "192.0.2.1");
    instance = await session.run("group-one");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  /** Without the fence, which each start renews. */
  const records = async () => (await zone.content()).filter((line) => !line.includes("epoch="));
  const entries = async (): Promise<number> => {
    const list = (await session.user.kubectl.json(["get", "dnse"])) as { items: readonly object[] };
    return list.items.length;
  };
  const entriesBecome = (count: number) =>
    eventually(`${count} DNSEntries`, entries, (now) => now === count);

  test("through entries", async () => {
    for (const label of LABELS) await zone.becomes(label, "A", "192.0.2.1");
    expect(await entries()).toBe(COUNT);
    before = await records();
    expect(before.filter((line) => line.includes("resource=service/default/s"))).toHaveLength(
      COUNT,
    );
  });

  test("directly: the entries go without their records", async () => {
    const stop = watchAnswers(zone);
    await instance.restart(...DIRECT);
    await entriesBecome(0);
    await instance.hasNothingToDo();
    expect([await stop(), await records()]).toEqual([[], before]);
    const seen = await session.user.get("svc", "s0");
    expect(JSON.stringify(seen)).not.toContain(STATUS);
  });

  test("through entries again", async () => {
    const stop = watchAnswers(zone);
    await instance.restart("--publish", "entries");
    await entriesBecome(COUNT);
    await instance.hasNothingToDo();
    expect([await stop(), await records()]).toEqual([[], before]);
  });

  test("killed in between, in both directions", async () => {
    const stop = watchAnswers(zone);
    await instance.stop();
    await instance.begin(...DIRECT);
    await eventually("some entries are gone", entries, (now) => now < COUNT);
    await instance.kill9();
    await instance.begin("--publish", "entries");
    await entriesBecome(COUNT);
    await instance.restart(...DIRECT);
    await entriesBecome(0);
    await instance.stop();
    await instance.begin("--publish", "entries");
    await eventually("some entries are made", entries, (now) => now > 0);
    await instance.kill9();
    await instance.begin(...DIRECT);
    await entriesBecome(0);
    await instance.hasNothingToDo();
    expect([await stop(), await records()]).toEqual([[], before]);
  });

  test("a change is followed, and a Service that is deleted takes its record with it", async () => {
    await session.user.balance("svc", "s0", "192.0.2.7");
    await zone.becomes("s0", "A", "192.0.2.7");
    await session.user.delete("svc", "s1");
    await zone.becomes("s1", "A");
    await zone.becomes("a-s1", "TXT");
  });
});

/** The tests are one session in order. */
describeReal("without Gardener's definitions", ["kubectl-1.32", "bind", "kube-apiserver"], () => {
  let session: RunSession;
  let plain: ApiServer;
  let user: ClusterUser;
  let zone: RealZone;
  let instance: RunInstance;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open();
    plain = await startKubeApiServer();
    user = new ClusterUser(new Kubectl("1.32", plain.kubeconfig));
    await user.kubectl.ok(["delete", "crd", "--all"]);
    await session.user.apply(account("net", zone.server));
    const left = "--kubeconfig.disable-deploy-crds";
    const args = [...DIRECT, left, "--providers", session.kubeconfig];
    instance = await RunInstance.start({ kubeconfig: plain.kubeconfig, owner: "me", args });
  });
  afterAll(async () => {
    await instance?.remove();
    await user?.kubectl.close();
    await plain?.close();
    await session?.close();
    await zone?.server.stop();
  });

  test("Services and Ingresses are published, changed and removed", async () => {
    const { code } = await user.kubectl.run(["get", "dnse"]);
    expect(code).not.toBe(0);
    await user.apply(service("web", zone.name("web")));
    await user.apply(ingress("site", "*", [zone.name("site")]));
    await user.balance("svc", "web", "192.0.2.1");
    await user.balance("ing", "site", "192.0.2.2");
    await zone.becomes("web", "A", "192.0.2.1");
    await zone.becomes("site", "A", "192.0.2.2");
    expect(await user.reported("Service", "web", /published/)).toContain(zone.name("web"));
    await user.balance("svc", "web", "192.0.2.3");
    await zone.becomes("web", "A", "192.0.2.3");
    await user.delete("svc", "web");
    await zone.becomes("web", "A");
    await user.delete("ing", "site");
    await zone.becomes("site", "A");
  });
});
