/**
 * `dnsentry-source` from one cluster to another: kubectl writes DNSEntries in the source, BIND
 * answers, and kubectl reads in the source what became of them.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

describeOnBoth("DNSEntries copied from one cluster to another", ["bind", "dig"], (server) => {
  const sessions: RunSession[] = [];
  let source: ClusterUser;
  let target: ClusterUser;
  let zone: RealZone;
  let instance: RunInstance;

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    const [from, to] = await Promise.all([server.open(), server.open()]);
    sessions.push(from, to);
    source = from.user;
    target = to.user;
    await target.apply(account("net", zone.server));
    const controllers = ["--controllers", "compound,dnsentry-source"];
    instance = await from.run("me", "--target", to.kubeconfig, ...controllers);
  });
  afterAll(async () => {
    for (const session of sessions) await session.close();
    await zone?.server.stop();
  });

  const read = (path: string) =>
    source.kubectl.ok(["get", "dnse", "web", "-o", `jsonpath={${path}}`]);

  test("a copy is published; its state and its messages are read at the original", async () => {
    await source.apply(entry("web", zone.name("web"), { targets: ["192.0.2.1"] }));
    await zone.becomes("web", "A", "192.0.2.1");
    await source.kubectl.ok(["wait", "dnse/web", "--for=condition=Ready", "--timeout=60s"]);
    expect(await read(".status.provider")).toBe("remote: default/net");
    await source.apply(entry("web", zone.name("web"), { targets: ["192.0.2.2"] }));
    await zone.becomes("web", "A", "192.0.2.2");
    await source.apply(entry("web", "www.elsewhere.org", { targets: ["192.0.2.2"] }));
    await eventually(
      "it is said that nobody serves it",
      () => read(".status.message"),
      (text) => text.includes("No responsible provider found"),
    );
    await source.apply(entry("web", zone.name("web"), { targets: ["192.0.2.3"] }));
    await zone.becomes("web", "A", "192.0.2.3");
    await instance.stop();
    // Deleted while nobody looks.
    await source.delete("dnse", "web");
    await instance.begin();
    await zone.becomes("web", "A");
    await eventually(
      "the copy is gone",
      () => target.kubectl.ok(["get", "dnse", "-o", "name"]),
      (names) => names === "",
    );
  });
});
