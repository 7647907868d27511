/**
 * `dnsentry-source` from one cluster to another: kubectl writes DNSEntries in the source, BIND
 * answers, and kubectl reads in the source what became of them. At the end a second process copies
 * the other way.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, object } from "../support/values/cluster-objects.ts";
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
    const controllers = ["--controllers", "compound,dnsentry-source,service-dns"];
    controllers.push("--disable-namespace-restriction");
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

  test("a namespace that the target cluster lacks is told, and published once it is there", async () => {
    const team = { namespace: "team" };
    const dnsName = zone.name("far");
    await source.kubectl.ok(["create", "namespace", "team"]);
    await source.apply(
      object("DNSEntry", "far", { metadata: team, spec: { dnsName, targets: ["192.0.2.4"] } }),
    );
    const status = () =>
      source.kubectl.ok(
        "get dnse far -n team -o jsonpath={.status.state}:{.status.message}".split(" "),
      );
    await eventually("why it waits is told", status, (text) =>
      /^Error:there is no namespace team in the target cluster: create it there/.test(text),
    );
    const names = { annotations: { "dns.gardener.cloud/dnsnames": zone.name("web2") } };
    const spec = { type: "LoadBalancer", ports: [{ port: 80 }] };
    await source.apply(object("Service", "web2", { metadata: { ...team, ...names }, spec }));
    await source.balance("svc", "team/web2", "192.0.2.6");
    const format = 'jsonpath={range .items[*]}{.involvedObject.kind} {.message}{"\\n"}{end}';
    await eventually(
      "both objects have an Event",
      () => source.kubectl.ok(["get", "events", "-n", "team", "-o", format]),
      (text) =>
        ["DNSEntry", "Service"].every((kind) =>
          new RegExp(`^${kind} .*there is no namespace team in the target`, "m").test(text),
        ),
    );
    await source.rests("dnse");
    await target.kubectl.ok(["create", "namespace", "team"]);
    await zone.becomes("far", "A", "192.0.2.4");
    await zone.becomes("web2", "A", "192.0.2.6");
    await eventually("it is Ready", status, (text) => text === "Ready:dns entry active");
    await source.kubectl.ok(["delete", "dnse/far", "svc/web2", "-n", "team"]);
    for (const label of ["far", "web2"]) await zone.becomes(label, "A");
  });

  test("a copy that somebody edits is published so, its original tells, and follows again", async () => {
    await source.apply(entry("web", zone.name("web"), { targets: ["192.0.2.1"] }));
    await source.becomes("dnse", "web", "Ready");
    const copy = (await target.kubectl.ok(["get", "dnse", "-o", "name"])).trim();
    const spec = { targets: ["192.0.2.7"] };
    await target.kubectl.ok(["patch", copy, "--type=merge", "-p", JSON.stringify({ spec })]);
    await zone.becomes("web", "A", "192.0.2.7");
    const text = await source.becomes("dnse", "web", "Stale", /kubectl-patch has written its spec/);
    expect(text).toContain("delete the copy to have one made that does");
    await eventually(
      "what is published is shown",
      () => read(".status.targets[*]"),
      (targets) => targets === "192.0.2.7",
    );
    await source.apply(entry("web", zone.name("web"), { targets: ["192.0.2.2"] }));
    await source.rests("dnse");
    expect(await zone.answers("web")).toEqual(["192.0.2.7"]);
    await target.kubectl.ok(["delete", copy]);
    await zone.becomes("web", "A", "192.0.2.2");
    await source.becomes("dnse", "web", "Ready");
  });

  test("both ways: each entry is copied once, and a copy that would return says so", async () => {
    const [from, to] = sessions;
    const controllers = ["--controllers", "dnsentry-source", "--lease-name", "back"];
    await to?.run("you", "--target", from?.kubeconfig ?? "", ...controllers);
    await target.apply(entry("own", zone.name("own"), { targets: ["192.0.2.5"] }));
    await zone.becomes("own", "A", "192.0.2.5");
    const names = async (user: ClusterUser) =>
      (await user.kubectl.ok(["get", "dnse", "-o", "name"])).trim().split("\n");
    const both = [source, target];
    for (const user of both)
      await eventually(
        "an original and a copy",
        () => names(user),
        (all) => all.length === 2,
      );
    for (const user of both) await user.rests("dnse", "events");
    for (const user of both) expect(await names(user)).toHaveLength(2);
    for (const [user, original] of [
      [source, "web"],
      [target, "own"],
    ] as const) {
      const copy = (await names(user)).find((name) => !name.endsWith(`/${original}`)) ?? "";
      const name = copy.replace(/^.*\//, "");
      await user.reported(
        "DNSEntry",
        name,
        /not copied from .* it is a copy that comes from there/,
      );
    }
    await target.becomes("dnse", "own", "Ready");
    await source.becomes("dnse", "web", "Ready");
    expect(await zone.answers("web")).toEqual(["192.0.2.2"]);
    expect(await zone.answers("own")).toEqual(["192.0.2.5"]);
  });
});
