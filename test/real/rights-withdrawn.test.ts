/**
 * Rights that are withdrawn while the program runs, source and target in two clusters: the right to
 * list DNSAnnotations, then Services, then DNSEntries. Records stay, the program says what it may
 * not do, the rest goes on, and with the right it goes on where the objects are now.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { withoutGap } from "../support/clients/answer-watch.ts";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { RevocableCluster } from "../support/faults/revocable-cluster.ts";
import { eventually } from "../support/ports/eventually.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { startBind } from "../support/real-servers/bind.ts";
import {
  account,
  bareService,
  dnsAnnotation,
  entry,
  service,
  together,
} from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** Of each name at the beginning; Services and entries are called as their names. */
const ADDRESSES = {
  early: "192.0.2.1",
  late: "192.0.2.2",
  web: "192.0.2.3",
  gone: "192.0.2.4",
  own: "192.0.2.5",
  other: "192.0.2.6",
};

/** The tests are one session in order. */
describeOnBoth("rights that are withdrawn while run works", ["bind", "dig"], (server) => {
  let zone: RealZone;
  let source: RevocableCluster;
  let target: RevocableCluster;
  let instance: RunInstance;
  const user = (): ClusterUser => source.user;

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    [source, target] = await Promise.all([
      RevocableCluster.open(server),
      RevocableCluster.open(server),
    ]);
    const { kubeconfig } = source;
    const args = ["--target", target.kubeconfig];
    instance = await RunInstance.start({ kubeconfig, owner: "me", args });
    await user().apply(
      together(
        ...["early", "late"].map(bareService),
        ...["early", "late"].map((label) => dnsAnnotation(label, zone.name(label))),
        ...["web", "gone"].map((label) => service(label, zone.name(label))),
      ),
    );
    const own = ["own", "other"] as const;
    await target.user.apply(
      together(account("net", zone.server), ...own.map((label) => at(label, ADDRESSES[label]))),
    );
    for (const label of ["early", "late", "web", "gone"] as const)
      await user().balance("svc", label, ADDRESSES[label]);
    for (const [label, address] of Object.entries(ADDRESSES))
      await zone.becomes(label, "A", address);
  });
  afterAll(async () => {
    await instance?.remove();
    await source?.close();
    await target?.close();
    await zone?.server.stop();
  });

  const at = (label: string, address: string): string =>
    entry(label, zone.name(label), { targets: [address] });
  /** Takes the right, waits until the program says so, and has its records watched meanwhile. */
  const without = async (
    [cluster, resource]: readonly [RevocableCluster, string],
    addresses: Readonly<Record<string, string>>,
    work: () => Promise<void>,
  ): Promise<void> => {
    const quiet = instance.output().length;
    const watched = Object.entries(addresses).map(([label, address]) => [
      zone.name(label),
      [address],
    ]);
    await withoutGap(zone.server.port, Object.fromEntries(watched), async () => {
      await cluster.withdraw(resource);
      await isShown(resource, quiet);
      await work();
    });
    await cluster.giveBack();
    await eventually(
      `${resource} are read again`,
      () => instance.fetch("/metrics"),
      ({ text }) => !gauge(resource, "forbidden").test(text),
    );
  };
  const gauge = (resource: string, state: string): RegExp =>
    new RegExp(
      `^zonekeeper_watch_state\\{[^}]*kind="${resource}[".][^}]*state="${state}"\\} 1$`,
      "m",
    );
  /** The embedded control plane allows everything when it is asked for rights. */
  const hasRemedy = (resource: string): RegExp =>
    server.name === "embedded"
      ? /(?:)/
      : new RegExp(`needs ${resource}.* list, watch ${resource}.*kubectl apply -f deploy/rbac/`);
  const isShown = async (resource: string, quiet: number): Promise<void> => {
    await eventually(
      `the log, /readyz and /metrics say that ${resource} are forbidden`,
      async () => ({
        readyz: (await instance.fetch("/readyz")).text,
        metrics: (await instance.fetch("/metrics")).text,
        log: instance.output().slice(quiet),
      }),
      ({ readyz, metrics, log }) =>
        new RegExp(`/${resource}[.\\w]*: forbidden`).test(readyz) &&
        gauge(resource, "forbidden").test(metrics) &&
        hasRemedy(resource).test(readyz) &&
        new RegExp(`cannot \\w+ resource \\\\?"${resource}`).test(log),
    );
  };

  test("DNSAnnotations of the source", async () => {
    const { early, late, web } = ADDRESSES;
    const stay = { early, late, web };
    await without([source, "dnsannotations"], stay, async () => {
      await user().apply(dnsAnnotation("early", zone.name("early2")));
      await user().delete("dnsannotations", "late");
      await user().apply(together(bareService("new"), dnsAnnotation("new", zone.name("new"))));
      await user().balance("svc", "new", "192.0.2.7");
      await user().balance("svc", "web", "192.0.2.33");
      const message = /dnsannotations\S* may not be read; allow get, list and watch\. The records/;
      for (const name of ["early", "late", "web"]) await user().reported("Service", name, message);
      await target.user.apply(at("own", "192.0.2.55"));
      await zone.becomes("own", "A", "192.0.2.55");
      expect(await zone.answers("early2")).toEqual([]);
      expect(await zone.answers("new")).toEqual([]);
    });
    await zone.becomes("early2", "A", early);
    await zone.becomes("new", "A", "192.0.2.7");
    await zone.becomes("web", "A", "192.0.2.33");
    for (const label of ["early", "late"]) await zone.becomes(label, "A");
  });

  test("Services of the source", async () => {
    await without(
      [source, "services"],
      { web: "192.0.2.33", gone: ADDRESSES.gone, early2: ADDRESSES.early },
      async () => {
        await user().balance("svc", "web", ADDRESSES.web);
        await user().delete("svc", "gone");
        await target.user.apply(at("own", ADDRESSES.own));
        await zone.becomes("own", "A", ADDRESSES.own);
      },
    );
    await zone.becomes("web", "A", ADDRESSES.web);
    await zone.becomes("gone", "A");
    expect(await zone.answers("early2")).toEqual([ADDRESSES.early]);
  });

  test("DNSEntries of the target", async () => {
    const { web, own, other } = ADDRESSES;
    await without([target, "dnsentries"], { web, own, other }, async () => {
      await target.user.apply(at("own", "192.0.2.56"));
      await target.user.kubectl.ok(["delete", "dnse", "other", "--wait=false"]);
      await user().balance("svc", "web", "192.0.2.34");
      await target.user.apply(at("late", "192.0.2.8"));
      await target.user.rests("dnse");
      expect(await zone.answers("late")).toEqual([]);
    });
    await zone.becomes("own", "A", "192.0.2.56");
    await zone.becomes("web", "A", "192.0.2.34");
    await zone.becomes("late", "A", "192.0.2.8");
    await zone.becomes("other", "A");
    await instance.hasNothingToDo();
  });
});
