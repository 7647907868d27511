/**
 * Several DNSProviders, zones and servers at once, added, changed and removed while `zonekeeper
 * run` works.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { startKnot } from "../support/real-servers/knot.ts";
import { account, entry, provider, secret, serverKeys } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** The tests are one session in order. */
describeReal("run with two servers", ["kubectl-1.32", "bind", "knot"], () => {
  let session: RunSession;
  let user: ClusterUser;
  let net: RealZone;
  let com: RealZone;
  let instance: RunInstance;
  beforeAll(async () => {
    net = new RealZone(await startBind({ zone: "example.net" }));
    com = new RealZone(await startKnot({ zone: "example.com" }), "kdig");
    session = await RunSession.open();
    user = session.user;
  });
  afterAll(async () => {
    await session?.close();
    await net?.server.stop();
    await com?.server.stop();
  });

  test("a server that is down at the start: the provider says so, and is Ready when it comes", async () => {
    await net.server.kill9();
    await user.apply(account("net", net.server));
    await user.apply(entry("www", net.name("www"), { targets: ["192.0.2.1"] }));
    instance = await session.run("group-one");
    const answer = await user.becomes("dnspr", "net", "Error", /cannot be reached/);
    expect(answer).toContain(`127.0.0.1:${net.server.port}`);
    const entryAnswer = await user.becomes("dnse", "www", "Error", /cannot be reached/);
    expect(entryAnswer).toContain("default/net");
    await net.server.restart();
    await user.becomes("dnspr", "net", "Ready");
    await net.becomes("www", "A", "192.0.2.1");
    await user.becomes("dnse", "www", "Ready");
  });

  test("a second server is added: names that waited for it are published there, and only there", async () => {
    await user.apply(entry("shop", com.name("shop"), { targets: ["192.0.2.2"] }));
    await user.becomes("dnse", "shop", "Error", /provider/);
    await user.apply(account("com", com.server));
    await com.becomes("shop", "A", "192.0.2.2");
    await user.apply(entry("stays", com.name("stays"), { targets: ["192.0.2.4"] }));
    await com.becomes("stays", "A", "192.0.2.4");
    await user.becomes("dnse", "shop", "Ready");
    expect((await net.content()).join("\n")).not.toContain("shop");
    expect((await com.content()).join("\n")).not.toContain("www");
  });

  test("one server that is down does not disturb the other", async () => {
    await net.server.kill9();
    await user.apply(entry("www", net.name("www"), { targets: ["192.0.2.9"] }));
    await user.apply(entry("shop", com.name("shop"), { targets: ["192.0.2.3"] }));
    await com.becomes("shop", "A", "192.0.2.3");
    await user.becomes("dnse", "www", "Stale", /127\.0\.0\.1|reached|connection/);
    await net.server.restart();
    await net.becomes("www", "A", "192.0.2.9");
  });

  test("a name that moves from one zone to the other leaves nothing behind", async () => {
    await user.apply(entry("shop", net.name("shop"), { targets: ["192.0.2.3"] }));
    await net.becomes("shop", "A", "192.0.2.3");
    await com.becomes("shop", "A");
    await com.becomes("a-shop", "TXT");
    await user.becomes("dnse", "shop", "Ready");
  });

  test("a domain that is excluded at run time: its record stays and the entry says why", async () => {
    await user.apply(provider("net", { domains: { exclude: [net.name("shop")] } }));
    await user.becomes("dnse", "shop", "Stale", /provider/);
    expect(await net.answers("shop")).toEqual(["192.0.2.3"]);
    expect(await net.answers("www")).toEqual(["192.0.2.9"]);
    await user.apply(provider("net", { domains: { exclude: [] } }));
    await user.becomes("dnse", "shop", "Ready");
  });

  test("a key that is wrong for a while: what stands stays, the provider says what to compare", async () => {
    const keys = serverKeys(net.server);
    const wrong = Buffer.from("another key altogether, 32 bytes").toString("base64");
    await user.apply(secret("net", { ...keys, TSIGSecret: wrong }));
    await user.becomes("dnspr", "net", "Error", /TSIGSecret/);
    await user.apply(entry("www", net.name("www"), { targets: ["192.0.2.10"] }));
    await user.becomes("dnse", "www", "Stale");
    expect(await net.answers("www")).toEqual(["192.0.2.9"]);
    await user.apply(secret("net", keys));
    await net.becomes("www", "A", "192.0.2.10");
    await user.becomes("dnspr", "net", "Ready");
    await user.becomes("dnse", "www", "Ready");
  });

  test("a provider that is deleted leaves its records, and entries that say so; back again, they are Ready", async () => {
    await user.delete("dnspr", "net");
    await user.becomes("dnse", "www", "Stale");
    expect(await net.answers("www")).toEqual(["192.0.2.10"]);
    await user.apply(provider("net"));
    await user.becomes("dnse", "www", "Ready");
    await instance.hasNothingToDo();
    expect(await net.answers("www")).toEqual(["192.0.2.10"]);
  });
});
