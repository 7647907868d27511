/**
 * Two processes, as Gardener's users run them: `dnssources` for the Services of a shoot, and
 * `dnscontrollers` for the DNSEntries of its seed, which knows nothing of the shoot. kubectl writes
 * in both, BIND answers, and either process is killed in between.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, object } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

describeOnBoth("sources of a shoot, and controllers of its seed", ["bind", "dig"], (server) => {
  const sessions: RunSession[] = [];
  let shoot: ClusterUser;
  let seed: ClusterUser;
  let zone: RealZone;
  let sources: RunInstance;
  let controllers: RunInstance;

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    const [inner, outer] = await Promise.all([server.open(), server.open()]);
    sessions.push(inner, outer);
    shoot = inner.user;
    seed = outer.user;
    await seed.apply(account("net", zone.server));
    const group = (name: string) => ["--controllers", name, "--lease-name", name];
    sources = await inner.run("me", "--target", outer.kubeconfig, ...group("dnssources"));
    const open = "--disable-namespace-restriction";
    controllers = await outer.run("me", open, ...group("dnscontrollers"));
  });
  afterAll(async () => {
    for (const session of sessions) await session.close();
    await zone?.server.stop();
  });

  const service = async (name: string, label: string, ...ips: readonly string[]): Promise<void> => {
    const [namespace = "default"] = name.includes("/") ? name.split("/") : [];
    const annotations = { "dns.gardener.cloud/dnsnames": zone.name(label) };
    const spec = { type: "LoadBalancer", ports: [{ port: 80 }] };
    const metadata = { namespace, annotations };
    await shoot.apply(object("Service", name.replace(/^.*\//, ""), { metadata, spec }));
    await shoot.balance("svc", name, ...ips);
  };
  const entries = async (...where: readonly string[]): Promise<readonly string[]> =>
    (await seed.kubectl.ok(["get", "dnse", "-o", "name", ...where])).split("\n").filter(Boolean);
  const areGone = (...where: readonly string[]) =>
    eventually(
      "its entry is gone",
      () => entries(...where),
      (names) => names.length === 0,
    );
  const again = async (instance: RunInstance): Promise<void> => {
    await instance.kill9();
    await instance.restart();
  };
  /** Where no controller manager does it, as beside a bare kube-apiserver. */
  const emptied = async (namespace: string): Promise<void> => {
    await seed.kubectl.ok(["delete", "namespace", namespace, "--wait=false"]);
    if (server.name === "kube-apiserver")
      await seed.kubectl.ok(["delete", "dnse", "--all", "-n", namespace, "--wait=false"]);
  };

  test("created, changed, and changed again after both were killed", async () => {
    await service("web", "web", "192.0.2.1", "2001:db8::1");
    await zone.becomes("web", "A", "192.0.2.1");
    await zone.becomes("web", "AAAA", "2001:db8::1");
    await service("web", "web", "192.0.2.2", "2001:db8::1");
    await zone.becomes("web", "A", "192.0.2.2");
    await again(controllers);
    await again(sources);
    await service("web", "web", "192.0.2.3");
    await zone.becomes("web", "A", "192.0.2.3");
    await zone.becomes("web", "AAAA");
  });

  test("renamed while nobody runs in the shoot", async () => {
    await sources.kill9();
    await service("web", "www", "192.0.2.3");
    await sources.restart();
    await zone.becomes("www", "A", "192.0.2.3");
    await zone.becomes("web", "A");
    expect(await entries()).toHaveLength(1);
  });

  test("an entry that somebody deletes is made anew, and its name answers all the time", async () => {
    const serial = await zone.serial();
    const [entry = ""] = await entries();
    const uid = () => seed.kubectl.ok(["get", entry, "-o", "jsonpath={.metadata.uid}"]);
    const before = await uid();
    // kubectl 1.32 waits without end where it lists no object, and then sees another of that name.
    await seed.kubectl.ok(["delete", entry, "--wait=false"]);
    await eventually(
      "it is there again",
      () => uid().catch(() => before),
      (now) => now !== before,
    );
    await seed.kubectl.ok(["wait", entry, "--for=condition=Ready", "--timeout=60s"]);
    await sleep(12_000);
    expect([await zone.serial(), await zone.answers("www")]).toEqual([serial, ["192.0.2.3"]]);
  });

  test("deleted while nobody runs in the seed", async () => {
    await service("stays", "stays", "192.0.2.4");
    await zone.becomes("stays", "A", "192.0.2.4");
    await controllers.kill9();
    await shoot.delete("svc", "web");
    await eventually(
      "the entry of the other one alone is not being deleted",
      () => seed.list("dnse"),
      (all) => all.filter(({ metadata }) => "deletionTimestamp" in metadata).length === 1,
    );
    expect(await zone.answers("www")).toEqual(["192.0.2.3"]);
    await controllers.restart();
    await zone.becomes("www", "A");
    expect(await zone.answers("stays")).toEqual(["192.0.2.4"]);
    await shoot.delete("svc", "stays");
    await zone.becomes("stays", "A");
    await areGone();
  });

  test("the namespace of the entries is deleted while nobody runs in the shoot", async () => {
    for (const { kubectl } of [shoot, seed]) await kubectl.ok(["create", "namespace", "team"]);
    await service("team/api", "api", "192.0.2.5");
    await service("stays", "stays", "192.0.2.4");
    await zone.becomes("api", "A", "192.0.2.5");
    await zone.becomes("stays", "A", "192.0.2.4");
    await sources.kill9();
    await emptied("team");
    await zone.becomes("api", "A");
    await areGone("-n", "team");
    expect(await zone.answers("stays")).toEqual(["192.0.2.4"]);
  });

  test("the shoot has a new id: both processes know it, and its Services are as before", async () => {
    const path = ["get", "ns", "kube-system", "-o", "jsonpath={.metadata.uid}"];
    const alias = ["--cluster-alias", `${await shoot.kubectl.ok(path)}=shoot-2`];
    const serial = await zone.serial();
    await controllers.restart(...alias);
    await sources.restart("--kubeconfig.id", "shoot-2", ...alias);
    await eventually(
      "the owners of the entry are named anew",
      () => seed.kubectl.ok(["get", "dnse", "-o", "yaml"]),
      (text) => text.includes("shoot-2:/Service/default/stays"),
    );
    await seed.rests("dnse");
    expect(await zone.serial()).toBe(serial);
    await shoot.delete("svc", "stays");
    await zone.becomes("stays", "A");
    await areGone();
  });
});
