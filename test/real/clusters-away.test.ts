/**
 * The API server of source, target or providers is stopped, then killed, while `run` works, and
 * comes back. All names answer all the time; what is edited at the others is published at once
 * where the guide to several clusters says so, and the rest when the server is back.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { withoutGap } from "../support/clients/answer-watch.ts";
import { startControlPlane } from "../support/clients/control-plane-server.ts";
import { eventually } from "../support/ports/eventually.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, service, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** The tests are one session in order. */
describeOnBoth("a cluster that cannot be reached", ["bind", "dig"], (server) => {
  let zone: RealZone;
  let source: RunSession;
  let target: RunSession;
  let providers: RunSession;
  let coordination: RunSession;
  let readyz: () => Promise<string>;

  const own = (address: string): Promise<string> =>
    target.user.apply(entry("own", zone.name("own"), { targets: [address] }));
  const web = (address: string): Promise<void> => source.user.balance("svc", "web", address);
  const isShown = (cluster: string, kind: string): Promise<unknown> =>
    eventually(
      `/readyz says that ${kind} are not current, and why`,
      readyz,
      (text) =>
        new RegExp(`/${kind}\\S*: stale: `).test(text) &&
        new RegExp(`^\\[-\\] cluster ${cluster}: --.*; correct server in that file`, "m").test(
          text,
        ),
    );
  /** Both names answer all the time, with these addresses one after the other. */
  const addresses = (
    seen: { readonly web: readonly string[]; readonly own: readonly string[] },
    work: () => Promise<void>,
  ): Promise<void> => {
    const names = { [zone.name("web")]: seen.web, [zone.name("own")]: seen.own };
    return withoutGap(zone.server.port, names, work);
  };

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    [source, target, providers, coordination] = await Promise.all([
      ...[server.open(), server.open(), server.open()],
      RunSession.open(startControlPlane),
    ] as const);
    await providers.user.apply(account("net", zone.server));
    const instance = await source.run(
      "me",
      ...["--target", target.kubeconfig, "--providers", providers.kubeconfig],
      ...["--coordination", coordination.kubeconfig],
    );
    readyz = async () => (await instance.fetch("/readyz")).text;
    await source.user.apply(
      together(...["web", "gone", "gone2"].map((label) => service(label, zone.name(label)))),
    );
    for (const name of ["web", "gone", "gone2"])
      await source.user.balance("svc", name, "192.0.2.1");
    await own("192.0.2.11");
    for (const label of ["web", "gone", "gone2"]) await zone.becomes(label, "A", "192.0.2.1");
    await zone.becomes("own", "A", "192.0.2.11");
  });
  afterAll(async () => {
    await Promise.all([source, target, providers, coordination].map((each) => each?.close()));
    await zone?.server.stop();
  });

  test("the source: edits of the target are published", async () => {
    await addresses(
      {
        web: ["192.0.2.1", "192.0.2.2", "192.0.2.3"],
        own: ["192.0.2.11", "192.0.2.12", "192.0.2.13"],
      },
      async () => {
        source.server.freeze();
        await own("192.0.2.12");
        await zone.becomes("own", "A", "192.0.2.12");
        source.server.thaw();
        await web("192.0.2.2");
        await zone.becomes("web", "A", "192.0.2.2");
        await source.server.kill();
        await isShown("source", "services");
        await own("192.0.2.13");
        await zone.becomes("own", "A", "192.0.2.13");
        await source.server.revive();
        await web("192.0.2.3");
        await zone.becomes("web", "A", "192.0.2.3");
      },
    );
  });

  test("the target: nothing changes, and what is written meanwhile is done afterwards", async () => {
    await addresses(
      { web: ["192.0.2.3", "192.0.2.4", "192.0.2.5"], own: ["192.0.2.13", "192.0.2.14"] },
      async () => {
        target.server.freeze();
        await web("192.0.2.4");
        await source.user.delete("svc", "gone");
        await source.user.apply(service("new", zone.name("new")));
        await source.user.balance("svc", "new", "192.0.2.21");
        expect(await zone.answers("gone")).toEqual(["192.0.2.1"]);
        target.server.thaw();
        await zone.becomes("web", "A", "192.0.2.4");
        await zone.becomes("new", "A", "192.0.2.21");
        await zone.becomes("gone", "A");
        await target.server.kill();
        await web("192.0.2.5");
        await source.user.delete("svc", "gone2");
        await source.user.apply(service("new2", zone.name("new2")));
        await source.user.balance("svc", "new2", "192.0.2.22");
        await isShown("target", "dnsentries");
        expect(await zone.answers("gone2")).toEqual(["192.0.2.1"]);
        await target.server.revive();
        await own("192.0.2.14");
        await zone.becomes("own", "A", "192.0.2.14");
        await zone.becomes("web", "A", "192.0.2.5");
        await zone.becomes("new2", "A", "192.0.2.22");
        await zone.becomes("gone2", "A");
      },
    );
  });

  test("the providers: zones that are open stay open", async () => {
    await addresses(
      {
        web: ["192.0.2.5", "192.0.2.6"],
        own: ["192.0.2.14", "192.0.2.15", "192.0.2.16", "192.0.2.17"],
      },
      async () => {
        providers.server.freeze();
        await own("192.0.2.15");
        await zone.becomes("own", "A", "192.0.2.15");
        providers.server.thaw();
        await providers.server.kill();
        await isShown("provider", "dnsproviders");
        await own("192.0.2.16");
        await zone.becomes("own", "A", "192.0.2.16");
        await web("192.0.2.6");
        await zone.becomes("web", "A", "192.0.2.6");
        await source.user.delete("svc", "new");
        await zone.becomes("new", "A");
        await providers.server.revive();
        await own("192.0.2.17");
        await zone.becomes("own", "A", "192.0.2.17");
      },
    );
    await eventually(
      "all clusters can be used again",
      readyz,
      (text) => !text.includes("] cluster "),
    );
    await providers.user.becomes("dnspr", "net", "Ready");
    await target.user.becomes("dnse", "own", "Ready");
  });
});
