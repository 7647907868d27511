/**
 * Who may use which DNSProvider and owner id: Services of two teams, whose DNSEntries are made in
 * one namespace, use the DNSProvider of their team alone; realms narrow that down. A right that
 * ends while its record lives leaves the record, and the entry says so.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { withoutGap } from "../support/clients/answer-watch.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import type { SeenObject } from "../support/programs/user-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, object } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const NAMES = "dns.gardener.cloud/dnsnames";
const REALMS = "dns.gardener.cloud/realms";
const OWNERS = "resources.gardener.cloud/owners";
const BY_OWNERS = ["--target-namespace", "dns", "--target-set-ignore-owners=false"];
const UNSERVED = /^(Error|Stale): No responsible provider found/;

/** The tests are one session in order. */
describeOnBoth("access by owners", ["bind", "dig"], (server) => {
  let net: RealZone;
  let org: RealZone;
  let session: RunSession;
  let instance: RunInstance;
  const kubectl = (...args: readonly string[]): Promise<string> => session.user.kubectl.ok(args);
  const inNamespace = (text: string, namespace: string): string =>
    text.replaceAll('"namespace":"default"', `"namespace":"${namespace}"`);
  const publish = async (path: string, dnsName: string, address: string): Promise<void> => {
    const [namespace = "", name = ""] = path.split("/");
    const metadata = { namespace, annotations: { [NAMES]: dnsName } };
    const spec = { type: "LoadBalancer", ports: [{ port: 80 }] };
    await session.user.apply(object("Service", name, { metadata, spec }));
    await session.user.balance("svc", path, address);
  };
  const apply = (path: string, dnsName: string, more: object, fields: object = {}) => {
    const [namespace = "", name = ""] = path.split("/");
    const spec = { dnsName, targets: ["192.0.2.9"], ...fields };
    return session.user.apply(object("DNSEntry", name, { metadata: { namespace, ...more }, spec }));
  };
  /** Waits for `state: message` of the entry for a name. */
  const says = (dnsName: string, text: RegExp): Promise<string> =>
    eventually(
      `the entry for ${dnsName} says ${text}`,
      async () => {
        const isFor = ({ spec }: SeenObject): boolean => spec?.["dnsName"] === dnsName;
        const { status = {} } = (await session.user.list("dnse")).find(isFor) ?? {};
        return `${status["state"] ?? ""}: ${status["message"] ?? ""}`;
      },
      (seen) => text.test(seen),
    );
  const ready = (dnsName: string): Promise<string> => says(dnsName, /^Ready: /);

  beforeAll(async () => {
    net = new RealZone(await startBind({ zone: "example.net" }));
    org = new RealZone(await startBind({ zone: "example.org" }));
    session = await server.open();
    for (const name of ["team-a", "team-b", "dns"]) await kubectl("create", "namespace", name);
    await session.user.apply(inNamespace(account("net", net.server), "team-a"));
    await session.user.apply(inNamespace(account("org", org.server), "team-b"));
    instance = await session.run("me", ...BY_OWNERS);
  });
  afterAll(async () => {
    await session?.close();
    await Promise.all([net?.server.stop(), org?.server.stop()]);
  });

  test("a Service uses the DNSProvider of its namespace, though its entry is elsewhere", async () => {
    await publish("team-a/web", net.name("web"), "192.0.2.1");
    await publish("team-b/shop", org.name("shop"), "192.0.2.2");
    await publish("team-b/thief", net.name("taken"), "192.0.2.66");
    await net.becomes("web", "A", "192.0.2.1");
    await org.becomes("shop", "A", "192.0.2.2");
    await says(net.name("taken"), UNSERVED);
    expect(await net.answers("taken")).toEqual([]);
    const entries = await session.user.list("dnse");
    expect(entries.map(({ metadata }) => metadata.namespace)).toEqual(["dns", "dns", "dns"]);
  });

  test("owners are believed in the target namespace alone", async () => {
    const ofTeamA = { annotations: { [OWNERS]: "/Service/team-a/web" } };
    await apply("team-b/forged", net.name("forged"), ofTeamA);
    await apply("dns/nobodys", net.name("nobodys"), {});
    await apply("dns/given", net.name("given"), ofTeamA);
    await net.becomes("given", "A", "192.0.2.9");
    for (const label of ["forged", "nobodys"]) {
      await says(net.name(label), UNSERVED);
      expect(await net.answers(label)).toEqual([]);
    }
  });

  test("a right that ends leaves the record, and the entry says so", async () => {
    await withoutGap(net.server.port, { [net.name("given")]: ["192.0.2.9"] }, async () => {
      await kubectl("annotate", "dnse", "given", "-n", "dns", `${OWNERS}-`);
      await says(net.name("given"), /^Stale: No responsible provider found/);
      await apply("dns/given", net.name("given"), {}, { targets: ["192.0.2.10"] });
      await session.user.rests("dnse", "events");
    });
    await kubectl("annotate", "dnse", "given", "-n", "dns", `${OWNERS}=/Service/team-a/web`);
    await net.becomes("given", "A", "192.0.2.10");
    await ready(net.name("given"));
  });

  test("entries that are their own use DNSProviders of their namespace: at rest, and back", async () => {
    const seen = { [net.name("web")]: ["192.0.2.1"] };
    await withoutGap(net.server.port, seen, async () => {
      await instance.restart("--target-set-ignore-owners=true");
      await says(net.name("web"), /^Stale: No responsible provider found/);
      await says(org.name("shop"), /^Stale: No responsible provider found/);
      await session.user.rests("dnse", "events");
      await instance.restart();
      for (const dnsName of [net.name("web"), org.name("shop")]) await ready(dnsName);
    });
    expect(await org.answers("shop")).toEqual(["192.0.2.2"]);
  });

  test("realms narrow it down: who names none keeps the record and is told the realm", async () => {
    const realm = ["annotate", "dnspr", "net", "-n", "team-a"];
    await withoutGap(net.server.port, { [net.name("web")]: ["192.0.2.1"] }, async () => {
      await kubectl(...realm, `${REALMS}=intern`);
      await says(net.name("web"), /^Stale: .*team-a\/net.* of realm intern; set .*realms: intern/);
      await kubectl("annotate", "svc", "web", "-n", "team-a", `${REALMS}=intern`);
      await ready(net.name("web"));
      await kubectl(...realm, `${REALMS}-`);
      await says(net.name("web"), /^Stale: .* without a realm; remove the annotation/);
      await kubectl("annotate", "svc", "web", "-n", "team-a", `${REALMS}-`);
      await ready(net.name("web"));
    });
  });

  test("an owner id that is on may be used; one that is not waits, and the record stays", async () => {
    const owner = { metadata: { namespace: undefined }, spec: { ownerId: "shop", active: true } };
    await session.user.apply(object("DNSOwner", "shop", owner));
    await apply("team-a/mine", net.name("mine"), {}, { ownerId: "shop" });
    await net.becomes("mine", "A", "192.0.2.9");
    const marker = async (): Promise<string> => (await net.content()).join("\n");
    expect(await marker()).toMatch(/mine\..*external-dns\/owner=shop/);
    await withoutGap(net.server.port, { [net.name("mine")]: ["192.0.2.9"] }, async () => {
      await apply("team-a/mine", net.name("mine"), {}, { ownerId: "nobody" });
      await says(net.name("mine"), /^Stale: the owner id "nobody" is not active/);
      await session.user.rests("dnse", "events");
      await apply("team-a/mine", net.name("mine"), {}, { ownerId: "shop" });
      await ready(net.name("mine"));
    });
    await kubectl("annotate", "dnspr", "org", "-n", "team-b", "dns.gardener.cloud/owner-id=shop");
    await eventually(
      "the record is the owner's that its DNSProvider names",
      () => org.content(),
      (lines) => lines.some((line) => /shop\..*external-dns\/owner=shop/.test(line)),
    );
    expect(await org.answers("shop")).toEqual(["192.0.2.2"]);
  });
});
