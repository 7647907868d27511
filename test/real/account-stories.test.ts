/**
 * Short stories of DNSProviders and DNSOwners on one control plane and one BIND: realms, a rate
 * limit, an owner id that ends by time, one that a TXT record switches, and the operation
 * annotation.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { entry, object, secret, serverKeys, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const REALMS = "dns.gardener.cloud/realms";
const SWITCH = "_switch";

describeOnBoth("stories of DNSProviders and DNSOwners", ["bind", "dig"], (server) => {
  let session: RunSession;
  let zone: RealZone;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await server.open();
    await session.run("me", "--lookup-servers", `127.0.0.1:${zone.server.port}`);
    await session.user.apply(
      together(
        secret("net", serverKeys(zone.server)),
        providerOf("plain", ""),
        providerOf("blue", "blue"),
        providerOf("slow", "slow", { rateLimit: { requestsPerDay: 1_440, burst: 1 } }),
      ),
    );
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  const providerOf = (name: string, realm: string, spec: object = {}): string => {
    const annotations = realm === "" ? {} : { [REALMS]: realm };
    const all = { type: "rfc2136", secretRef: { name: "net" }, ...spec };
    return object("DNSProvider", name, { metadata: { annotations }, spec: all });
  };
  const apply = (label: string, target: string, more: object = {}): Promise<string> =>
    session.user.apply(entry(label, zone.name(label), { targets: [target], ...more }));
  const ofRealm = (label: string, realm: string, target = "192.0.2.1"): Promise<string> =>
    session.user.apply(
      object("DNSEntry", label, {
        metadata: { annotations: { [REALMS]: realm } },
        spec: { dnsName: zone.name(label), targets: [target] },
      }),
    );
  const owner = (name: string, spec: object): Promise<string> =>
    session.user.apply(
      object("DNSOwner", name, {
        metadata: { namespace: undefined },
        spec: { ownerId: name, ...spec },
      }),
    );
  const switchSays = (text: string): Promise<void> =>
    zone.foreignWriter(
      `update delete ${zone.name(SWITCH)}. TXT`,
      `update add ${zone.name(SWITCH)}. 60 TXT ${text}`,
    );
  const isActive = (name: string, active: boolean, message: RegExp): Promise<unknown> =>
    eventually(
      `the DNSOwner ${name} is ${active ? "on" : "off"}`,
      async () => (await session.user.get("dnso", name)).status ?? {},
      (status) => status["active"] === active && message.test(String(status["message"] ?? "")),
    );
  const byTxt = { dnsActivation: { dnsName: `${SWITCH}.example.net`, value: "here" } };

  test("dnsActivation: an id is on while its TXT record says so", async () => {
    await switchSays("there");
    await owner("site", byTxt);
    await apply("site", "192.0.2.1", { ownerId: "site" });
    await isActive("site", false, /_switch\.example\.net.* says "there"/);
    expect(await zone.answers("site")).toEqual([]);
    await switchSays("here");
    // Any change of the object asks for the record at once; else it takes half a minute.
    await session.user.kubectl.ok(["label", "dnso", "site", "asked=once"]);
    await isActive("site", true, /^$/);
    await zone.becomes("site", "A", "192.0.2.1");
  });

  test("realms: the DNSProvider of the entry's realm serves it, and the name answers all along", async () => {
    const { user } = session;
    await ofRealm("www", "red");
    const needs = /for objects (of realm \w+|without a realm)/;
    await user.becomes("dnse", "www", "Error", needs);
    expect(await zone.answers("www")).toEqual([]);
    const isOf = (id: string): Promise<unknown> =>
      eventually(
        `${id} serves www`,
        async () => (await user.get("dnse", "www")).status ?? {},
        (status) => status["state"] === "Ready" && status["provider"] === `default/${id}`,
      );
    await ofRealm("www", "blue");
    await isOf("blue");
    await zone.becomes("www", "A", "192.0.2.1");
    const serial = await zone.serial();
    await ofRealm("www", "");
    await isOf("plain");
    expect(await zone.answers("www")).toEqual(["192.0.2.1"]);
    expect(await zone.serial()).toBe(serial);
  });

  test("a rate limit holds new entries and edits, no entry that is free of it, and no deletion", async () => {
    const { user } = session;
    await ofRealm("one", "slow");
    await user.becomes("dnse", "one", "Ready");
    await ofRealm("two", "slow");
    await ofRealm("three", "slow");
    await ofRealm("one", "slow", "192.0.2.9");
    for (const name of ["one", "two", "three"])
      await user.becomes("dnse", name, "Pending", /provider throttled/);
    expect(await zone.answers("one")).toEqual(["192.0.2.1"]);
    const free = "dns.gardener.cloud/not-rate-limited=true";
    await user.kubectl.ok(["annotate", "dnse", "three", free]);
    await user.becomes("dnse", "three", "Ready");
    expect(await zone.answers("three")).toEqual(["192.0.2.1"]);
    expect(await zone.answers("two")).toEqual([]);
    await user.delete("dnse", "one", "two", "three");
    expect(await zone.answers("one")).toEqual([]);
    expect(await zone.answers("three")).toEqual([]);
  });

  test("validUntil: an id ends by itself, its record stays, and a later time brings it back", async () => {
    const { user } = session;
    await owner("term", {});
    await apply("term", "192.0.2.1", { ownerId: "term" });
    await user.becomes("dnse", "term", "Ready");
    const endsMs = Math.ceil(Date.now() / 1_000 + 3) * 1_000;
    await owner("term", { validUntil: new Date(endsMs).toISOString().replace(".000", "") });
    await isActive("term", false, /spec\.validUntil is over/);
    expect(Date.now()).toBeGreaterThanOrEqual(endsMs);
    await user.becomes("dnse", "term", "Stale");
    const before = await zone.content();
    await apply("term", "192.0.2.9", { ownerId: "term" });
    await user.becomes("dnse", "term", "Stale", /owner id "term" is not active/);
    expect(await zone.content()).toEqual(before);
    await owner("term", { validUntil: "2999-01-01T00:00:00Z" });
    await zone.becomes("term", "A", "192.0.2.9");
    await user.becomes("dnse", "term", "Ready");
  });

  test("gardener.cloud/operation=reconcile: hosts are looked up at once, once", async () => {
    const { user } = session;
    const hosts = async (address: string): Promise<void> =>
      zone.foreignWriter(
        `update delete ${zone.name("host")}. A`,
        `update add ${zone.name("host")}. 60 A ${address}`,
      );
    await hosts("192.0.2.21");
    await apply("looked", zone.name("host"), { resolveTargetsToAddresses: true });
    await zone.becomes("looked", "A", "192.0.2.21");
    await user.becomes("dnse", "looked", "Ready");
    await hosts("192.0.2.22");
    await user.kubectl.ok(["annotate", "dnse", "looked", "gardener.cloud/operation=reconcile"]);
    await zone.becomes("looked", "A", "192.0.2.22");
    await eventually(
      "the annotation is gone",
      async () => (await user.get("dnse", "looked")).metadata.annotations ?? {},
      (annotations) => annotations["gardener.cloud/operation"] === undefined,
    );
  });

  test("dnsActivation: another text switches the id off, its record stays, and back", async () => {
    const { user } = session;
    // Not before: what it writes to the zone would come in the midst of another story.
    await switchSays("there");
    await user.kubectl.ok(["label", "dnso", "site", "asked=off", "--overwrite"]);
    await isActive("site", false, /_switch\.example\.net.* says "there"/);
    await user.becomes("dnse", "site", "Stale");
    expect(await zone.answers("site")).toEqual(["192.0.2.1"]);
    await apply("site", "192.0.2.9", { ownerId: "site" });
    await user.becomes("dnse", "site", "Stale", /owner id "site" is not active/);
    expect(await zone.answers("site")).toEqual(["192.0.2.1"]);
    await switchSays("here");
    await user.kubectl.ok(["label", "dnso", "site", "asked=twice", "--overwrite"]);
    await zone.becomes("site", "A", "192.0.2.9");
    await user.becomes("dnse", "site", "Ready");
  });
});
