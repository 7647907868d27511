/**
 * Clusters that a labelled Secret names, as Istio writes them: observed, made active, given another
 * kubeconfig, refused, renamed by somebody, and removed, while the program runs. BIND answers. One
 * of them has the configuration of the mesh: its ServiceEntries go out.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { withoutGap } from "../support/clients/answer-watch.ts";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { istioDefinition } from "../support/real-servers/released-definitions.ts";
import { account, object, service } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** Longer than the five minutes of ADR 0149. */
const REMOVED_MS = 400_000;

/** Published in the config cluster alone, whichever has it. */
const meshEntry = (name: string, host: string, address: string): string =>
  object("ServiceEntry", name, {
    metadata: { annotations: { "zonekeeper.dev/publish": "true" } },
    spec: { hosts: [host], addresses: [address], ports: [{ number: 80, name: "http" }] },
  });

describeOnBoth("further clusters by Secret", ["bind", "dig", "released-definitions"], (server) => {
  let zone: RealZone;
  let home: RunSession;
  let eu: RunSession;
  let instance: RunInstance;

  /** As strangers give them: the certificate is in the text. */
  const kubeconfigOf = ({ server }: RunSession, user = {}): string => {
    const ca = readFileSync(server.caFile).toString("base64");
    return JSON.stringify({
      "current-context": "x",
      contexts: [{ name: "x", context: { cluster: "x", user: "x" } }],
      clusters: [{ name: "x", cluster: { server: server.url, "certificate-authority-data": ca } }],
      users: [{ name: "x", user: { token: server.tokenOf("admin"), ...user } }],
    });
  };
  const apply = (
    name: string,
    keys: Readonly<Record<string, string>>,
    mode?: string,
    more = {},
  ) => {
    const labels = { "istio/multiCluster": "true" };
    const annotations = { ...(mode === undefined ? {} : { "zonekeeper.dev/mode": mode }), ...more };
    const metadata = { namespace: "clusters", labels, annotations };
    return home.user.apply(object("Secret", name, { metadata, stringData: keys }));
  };
  const shows = (line: RegExp): Promise<unknown> =>
    eventually(
      `clusters shows ${line}`,
      async () => (await instance.cli("clusters")).stdout,
      (text) => line.test(text),
    );

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    [home, eu] = await Promise.all([server.open(), RunSession.open(startControlPlane)]);
    await home.user.kubectl.ok(["create", "namespace", "clusters"]);
    await home.user.apply(account("net", zone.server));
    await home.user.kubectl.ok(["annotate", "dnsprovider", "net", "zonekeeper.dev/clusters=eu"]);
    await eu.user.apply(service("web", zone.name("web")));
    await eu.user.balance("svc", "web", "192.0.2.1");
    for (const { user } of [home, eu])
      await user.kubectl.ok(["create", "-f", "-"], istioDefinition("serviceentries"));
    const more = ["--controllers", "all,istio-serviceentry", "--kubeconfig.id", "home"];
    instance = await home.run("me", "--clusters-namespace", "clusters", ...more);
  });
  afterAll(async () => {
    await Promise.all([home, eu].map((each) => each?.close()));
    await zone?.server.stop();
  });

  test("observed at first: plan tells what would be published, and nothing is", async () => {
    await apply("remote", { eu: kubeconfigOf(eu) });
    await shows(/^eu +observe +Live .*Secret clusters\/remote, key eu$/m);
    await eventually(
      "plan tells it",
      async () => (await instance.cli("plan")).stdout,
      (text) =>
        /observed cluster eu: web\.example\.net A 192\.0\.2\.1 .*would be created/.test(text),
    );
    expect(await zone.answers("web")).toEqual([]);
  });

  test("active: it is published", async () => {
    await apply("remote", { eu: kubeconfigOf(eu) }, "active");
    await zone.becomes("web", "A", "192.0.2.1");
    await shows(/^eu +active +Live /m);
  });

  test("of ServiceEntries those of the config cluster are published, and the others told", async () => {
    await instance.restart("--config-cluster", "eu");
    await home.user.apply(meshEntry("local", zone.name("local"), "192.0.2.31"));
    await eu.user.apply(meshEntry("mesh", zone.name("mesh"), "192.0.2.30"));
    await zone.becomes("mesh", "A", "192.0.2.30");
    expect(await zone.answers("local")).toEqual([]);
  });

  test("what strangers may not give is refused, by Event and log, and disturbs nobody", async () => {
    const exec = { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "touch" } };
    await apply("bad", { us: kubeconfigOf(eu, exec), eu: kubeconfigOf(eu) }, "active");
    await shows(/^us +active +Refused /m);
    await eventually(
      "Events name Secret, key, field and remedy",
      () =>
        home.user.kubectl.ok([
          ...["get", "events", "-n", "clusters", "-o", "jsonpath={.items[*].message}"],
        ]),
      (text) =>
        /key us: users\["x"\]\.exec: would run a program here; give a token/.test(text) &&
        /key eu: Secret clusters\/remote, key eu has the id eu already/.test(text),
    );
    await eu.user.balance("svc", "web", "192.0.2.2");
    await zone.becomes("web", "A", "192.0.2.2");
    await home.user.kubectl.ok(["delete", "secret", "bad", "-n", "clusters"]);
    await apply("twice", { same: kubeconfigOf(eu), self: kubeconfigOf(home) }, "active");
    await shows(/^same: .*it is the cluster that Secret clusters\/remote, key eu names/m);
    await shows(/^self: .*it is the cluster that this program \(home\) names/m);
    await home.user.kubectl.ok(["delete", "secret", "twice", "-n", "clusters"]);
  });

  test("rotated and removed without a missed answer; a kubeconfig that fails takes nothing away", async () => {
    const names = { [zone.name("web")]: ["192.0.2.2", "192.0.2.3"] };
    await withoutGap(zone.server.port, names, async () => {
      await apply("remote", { eu: kubeconfigOf(eu, { token: "wrong" }) }, "active");
      await shows(/^eu: .*the kubeconfig of before is in use/m);
      await apply("remote", { eu: kubeconfigOf(eu, { "client-key-data": "" }) }, "active");
      await eventually(
        "the new one is in use",
        async () => instance.output(),
        (text) => text.includes("a further cluster has another kubeconfig"),
      );
      await eu.user.balance("svc", "web", "192.0.2.3");
      await zone.becomes("web", "A", "192.0.2.3");
      await home.user.kubectl.ok(["delete", "secret", "remote", "-n", "clusters"]);
      await shows(/^There are no further source clusters/m);
      await eu.user.delete("svc", "web");
      await instance.restart("--config-cluster", "home");
    });
    expect(await zone.answers("web")).toEqual(["192.0.2.3"]);
    expect(instance.output()).not.toContain(eu.server.tokenOf("admin"));
  });

  test("another config cluster has its ServiceEntries published, also while nobody names the former", async () => {
    await zone.becomes("local", "A", "192.0.2.31");
    expect(await zone.answers("mesh")).toEqual(["192.0.2.30"]);
  });

  // Five minutes: in the campaign only, of either API server.
  const dear = server.name === "embedded" ? (["variants"] as const) : [];
  describeReal("removed with its records", dear, () => {
    test("a Secret that says on-removal: delete takes them along, minutes after its end", async () => {
      await apply("remote", { eu: kubeconfigOf(eu) }, "active", {
        "zonekeeper.dev/on-removal": "delete",
      });
      await shows(/^eu +active +Live /m);
      await eu.user.apply(service("last", zone.name("last")));
      await eu.user.balance("svc", "last", "192.0.2.9");
      await zone.becomes("last", "A", "192.0.2.9");
      await home.user.kubectl.ok(["delete", "secret", "remote", "-n", "clusters"]);
      await shows(/^eu: Secret clusters\/remote, key eu was deleted: .*go within minutes/m);
      expect(await zone.answers("last")).toEqual(["192.0.2.9"]);
      await eventually(
        "its records are gone",
        () => zone.answers("last"),
        (seen) => seen.length === 0,
        REMOVED_MS,
      );
      expect(await zone.answers("web")).toEqual([]);
      expect(await zone.answers("local")).toEqual(["192.0.2.31"]);
    }, 500_000);
  });

  test("renamed: with --cluster-alias its objects have their records under the new id", async () => {
    await instance.restart("--cluster-alias", "eu=europe");
    const annotation = "zonekeeper.dev/clusters=europe";
    await home.user.kubectl.ok(["annotate", "--overwrite", "dnsprovider", "net", annotation]);
    await apply("remote", { europe: kubeconfigOf(eu) }, "active");
    await shows(/^europe +active +Live /m);
    await eu.user.apply(meshEntry("mesh", zone.name("mesh"), "192.0.2.32"));
    await zone.becomes("mesh", "A", "192.0.2.32");
    expect((await zone.content()).join("\n")).toMatch(/TXT .*cluster=europe,/);
    await eu.user.delete("serviceentries", "mesh");
    await zone.becomes("mesh", "A");
  });
});
