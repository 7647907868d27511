/**
 * Names that are taken from the program while their records live: by `spec.domains.exclude` of a
 * DNSProvider, by `--exclude-domains` and by `--blocked-zone`. Records stay, the entries say why,
 * what is deleted waits, and all goes on when the name is given back.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { withoutGap } from "../support/clients/answer-watch.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, service, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** Addresses of the Service, one after the other. */
const WEB = ["192.0.2.4", "192.0.2.44"];

/** The tests are one session in order. */
describeOnBoth("names that are excluded or blocked", ["bind", "dig"], (server) => {
  let net: RealZone;
  let org: RealZone;
  let session: RunSession;
  let instance: RunInstance;
  const apply = (name: string, dnsName: string, address: string): Promise<string> =>
    session.user.apply(entry(name, dnsName, { targets: [address] }));
  const exclude = (...domains: readonly string[]): Promise<string> =>
    session.user.kubectl.ok([
      ...["patch", "dnspr", "net", "--type=merge", "-p"],
      JSON.stringify({ spec: { domains: { exclude: domains } } }),
    ]);
  /** The entry of the Service for a name. */
  const generated = async (label: string): Promise<string> => {
    const all = await session.user.list("dnse");
    const found = all.find(({ spec }) => spec?.["dnsName"] === net.name(label));
    return found?.metadata.name ?? `no entry for ${label}`;
  };
  const startDeletion = (name: string): Promise<string> =>
    session.user.kubectl.ok(["delete", "dnse", name, "--wait=false"]);

  beforeAll(async () => {
    net = new RealZone(await startBind({ zone: "example.net" }));
    org = new RealZone(await startBind({ zone: "example.org" }));
    session = await server.open();
    instance = await session.run("me");
    const { user } = session;
    await user.apply(together(account("net", net.server), account("org", org.server)));
    await apply("www", net.name("www"), "192.0.2.1");
    for (const name of ["a", "b"]) await apply(name, net.name(`${name}.sub`), "192.0.2.2");
    for (const name of ["c", "d"]) await apply(name, org.name(name), "192.0.2.3");
    await user.apply(service("web", [net.name("web"), net.name("secret")].join()));
    await user.balance("svc", "web", "192.0.2.4");
    await net.becomes("www", "A", "192.0.2.1");
    for (const label of ["a.sub", "b.sub"]) await net.becomes(label, "A", "192.0.2.2");
    for (const label of ["c", "d"]) await org.becomes(label, "A", "192.0.2.3");
    for (const label of ["web", "secret"]) await net.becomes(label, "A", "192.0.2.4");
  });
  afterAll(async () => {
    await session?.close();
    await Promise.all([net?.server.stop(), org?.server.stop()]);
  });

  test("spec.domains.exclude of a DNSProvider", async () => {
    const { user } = session;
    const message = /default\/net excludes sub\.example\.net, and a\.sub\.example\.net lies there/;
    await withoutGap(net.server.port, { [net.name("a.sub")]: ["192.0.2.2"] }, async () => {
      await exclude(net.name("sub"));
      await user.becomes("dnse", "a", "Stale", message);
      await apply("a", net.name("a.sub"), "192.0.2.22");
      await apply("new", net.name("new.sub"), "192.0.2.5");
      await user.becomes("dnse", "new", "Error", /default\/net excludes sub\.example\.net/);
      // A person who deletes an entry means it, also there.
      await user.delete("dnse", "b");
      await net.becomes("b.sub", "A");
      await apply("www", net.name("www"), "192.0.2.11");
      await net.becomes("www", "A", "192.0.2.11");
      await user.rests("dnse", "dnspr", "events");
      await user.becomes("dnse", "a", "Stale", message);
    });
    await exclude();
    await net.becomes("a.sub", "A", "192.0.2.22");
    await net.becomes("new.sub", "A", "192.0.2.5");
    await user.becomes("dnse", "a", "Ready");
  });

  test("--exclude-domains and --blocked-zone", async () => {
    const { user } = session;
    const excluded = await generated("secret");
    const watched = { [net.name("secret")]: ["192.0.2.4"], [net.name("web")]: WEB };
    const blocked = { [org.name("c")]: ["192.0.2.3"], [org.name("d")]: ["192.0.2.3"] };
    const inBoth = (work: () => Promise<void>): Promise<void> =>
      withoutGap(net.server.port, watched, () => withoutGap(org.server.port, blocked, work));
    await inBoth(async () => {
      const names = ["--exclude-domains", net.name("secret"), "--blocked-zone", org.name("@")];
      await instance.restart(...names);
      await user.balance("svc", "web", "192.0.2.44");
      await net.becomes("web", "A", "192.0.2.44");
      await user.becomes("dnse", excluded, "Deleting", /does not select the name.*approve/);
      await apply("c", org.name("c"), "192.0.2.33");
      await startDeletion("d");
      await user.becomes("dnspr", "org", "Error", /--blocked-zone blocks example\.org/);
      await user.becomes("dnse", "c", "Stale", /--blocked-zone blocks example\.org/);
      await user.becomes("dnse", "d", "Deleting", /blocked by --blocked-zone.*start without it/);
      await user.rests("dnse", "dnspr", "events");
    });
    await withoutGap(net.server.port, { [net.name("secret")]: WEB }, async () => {
      await instance.restart();
      await net.becomes("secret", "A", "192.0.2.44");
    });
    await org.becomes("c", "A", "192.0.2.33");
    await org.becomes("d", "A");
    for (const name of ["c", await generated("secret")]) await user.becomes("dnse", name, "Ready");
    await instance.hasNothingToDo();
  });

  test("--exclude-domains: what is approved goes, and comes back with the name", async () => {
    const { user } = session;
    await instance.restart("--exclude-domains", net.name("secret"));
    const message = await user.becomes("dnse", await generated("secret"), "Deleting", /approve/);
    const [, hash = ""] = /zonekeeper approve ([0-9a-f]{16})/.exec(message) ?? [];
    expect((await instance.cli("approve", hash)).code).toBe(0);
    await net.becomes("secret", "A");
    expect(await net.answers("web")).toEqual(["192.0.2.44"]);
    await instance.restart();
    await net.becomes("secret", "A", "192.0.2.44");
  });
});
