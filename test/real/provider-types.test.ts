/**
 * Two processes in one class of one cluster, each for one type of DNSProviders: BIND by rfc2136,
 * and PowerDNS by its API. Each serves its zone, and neither writes objects of the other.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fenceName } from "../../src/sync/contract/fence-record.ts";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { eventually } from "../support/ports/eventually.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { type PowerDnsServer, startPowerDns } from "../support/real-servers/powerdns.ts";
import { account, entry, object, provider, secret } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

describeOnBoth("one type of DNSProviders each", ["bind", "powerdns", "dig"], (server) => {
  let session: RunSession;
  let [net, org]: readonly RealZone[] = [];
  let power: PowerDnsServer;
  let instances: readonly RunInstance[];
  const versions = () => session.user.versions("dnspr", "secret", "dnse");

  beforeAll(async () => {
    net = new RealZone(await startBind({ zone: "example.net" }));
    power = await startPowerDns({ zone: "example.org" });
    org = new RealZone(power);
    session = await server.open();
    const { user } = session;
    await user.apply(account("net", net.server));
    await user.apply(
      secret("org", { Server: new URL(power.api.url).origin, ApiKey: power.api.key }),
    );
    await user.apply(provider("org", { type: "powerdns" }));
    await user.apply(entry("a", net.name("www"), { targets: ["192.0.2.1"] }));
    await user.apply(entry("b", org.name("www"), { targets: ["192.0.2.2"] }));
    instances = [
      await session.run("one", "--controllers", "rfc2136", "--lease-name", "one"),
      await session.run("two", "--provider-types", "powerdns", "--lease-name", "two"),
    ];
  });
  afterAll(async () => {
    await session?.close();
    await Promise.all([net?.server.stop(), power?.stop()]);
  });

  test("both zones are served, each by its process", async () => {
    const { user } = session;
    for (const name of ["net", "org"]) await user.becomes("dnspr", name, "Ready");
    for (const [name, type] of [
      ["a", "rfc2136"],
      ["b", "powerdns"],
    ] as const) {
      await user.becomes("dnse", name, "Ready");
      expect((await user.get("dnse", name)).status).toMatchObject({ providerType: type });
    }
    await net?.becomes("www", "A", "192.0.2.1");
    await org?.becomes("www", "A", "192.0.2.2");
  });

  test("at rest, and after a restart of each, no object is written", async () => {
    for (const instance of instances) await instance.hasNothingToDo();
    const before = await versions();
    for (const instance of instances) await instance.restart();
    for (const instance of instances) await instance.hasNothingToDo();
    expect(await versions()).toEqual(before);
  });

  test("a DNSOwner that waits in the zone of one is told so, and both rest", async () => {
    const { user } = session;
    const fence = fenceName(trustedDnsName("example.net"), "shop");
    const other = "v=1;domain=uid-2/kube-system/zonekeeper;epoch=1;term=t1";
    await net?.foreignWriter(`update add ${fence}. 300 TXT "${other}"`);
    const metadata = { namespace: undefined };
    await user.apply(object("DNSOwner", "shop", { metadata, spec: { ownerId: "shop" } }));
    const message = async () => (await user.status("dnso", "shop")).message;
    await eventually("it waits", message, (text) => text.startsWith("waits in example.net:"));
    await user.rests("dnso", "events");
    expect(await message()).toMatch(/^waits in example\.net:/);
    for (const instance of instances) {
      await instance.restart();
      await user.rests("dnso", "events");
      expect(await message()).toMatch(/^waits in example\.net:/);
    }
    await user.delete("dnso", "shop");
  });

  test("check looks at the DNSProviders of its types", async () => {
    const flags = ["--owner", "one", "--kubeconfig", session.kubeconfig];
    const trusted = ["--provider-trusted-namespaces", "*"];
    const check = (...types: readonly string[]) =>
      run(process.execPath, [PROGRAM, "check", ...flags, ...trusted, "--controllers", ...types]);
    const { stdout } = await check("rfc2136");
    expect(stdout).toContain("provider default/net");
    expect(stdout).not.toContain("provider default/org");
    const ofPower = await check("powerdns");
    expect(ofPower.stdout).toContain("[+] zone example.org, update: not tried: ");
    expect(ofPower.stdout).not.toContain("[?]");
    expect((await check("infoblox-dns")).stdout).toContain(
      "there is none of class gardendns and type infoblox-dns",
    );
  });

  test("an entry that is deleted goes with its record, and so does a DNSProvider", async () => {
    const { user } = session;
    await user.delete("dnse", "b");
    await org?.becomes("www", "A");
    await user.delete("dnspr", "org");
    expect((await user.get("dnse", "a")).status).toMatchObject({ state: "Ready" });
    expect(await net?.answers("www")).toEqual(["192.0.2.1"]);
  });
});
