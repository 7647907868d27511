/**
 * Objects that are wrong, applied with kubectl to a cluster that `zonekeeper run` publishes into a
 * real BIND. Each is told what is wrong with which field and what to do; everything that was
 * published before still answers.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import {
  account,
  entry,
  ingress,
  object,
  provider,
  secret,
  service,
} from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GOOD = { targets: ["192.0.2.1"], ttl: 60 };

/** One more than are looked up for one name. */
const ALIASES = Array.from({ length: 26 }, (_, index) => `h${index}.example.com`);

describeReal("objects that are wrong", ["kubectl-1.32", "bind"], () => {
  let session: RunSession;
  let user: ClusterUser;
  let zone: RealZone;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open();
    user = session.user;
    await session.run("group-one");
    await user.apply(account("net", zone.server));
    await user.apply(entry("good", zone.name("good"), GOOD));
    await user.apply(entry("edited", zone.name("edited"), GOOD));
    await user.apply(service("echo", zone.name("echo")));
    await user.balance("svc", "echo", "192.0.2.50");
    await user.apply(ingress("shop", "*", [zone.name("shop")]));
    await user.balance("ing", "shop", "192.0.2.60");
    await zone.becomes("edited", "A", "192.0.2.1");
    await zone.becomes("shop", "A", "192.0.2.60");
    await zone.becomes("echo", "A", "192.0.2.50");
    await user.becomes("dnse", "good", "Ready");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });
  afterEach(async () => {
    for (const label of ["good", "edited"])
      expect(await zone.answers(label)).toEqual(["192.0.2.1"]);
    expect(await zone.answers("echo")).toEqual(["192.0.2.50"]);
    expect(await zone.answers("shop")).toEqual(["192.0.2.60"]);
    expect((await user.status("dnse", "good")).state).toBe("Ready");
    expect((await user.status("dnspr", "net")).state).toBe("Ready");
  });
  /** Puts the edited entry right again. */
  const repair = async (): Promise<void> => {
    await user.apply(entry("edited", zone.name("edited"), GOOD));
    await user.becomes("dnse", "edited", "Ready");
  };

  test.each([
    ["broken YAML", "kind: DNSEntry\n  spec: [", /yaml|parse/i],
    ["no kind", "apiVersion: v1\nmetadata: { name: x }", /kind/i],
    // The embedded API serves no CustomResourceDefinitions, where kubectl looks for such a kind:
    // its words are of those.
    [
      "a kind that there is not",
      "apiVersion: v1\nkind: Nonsense\nmetadata: { name: x }",
      /Nonsense|CRD/,
    ],
  ])("kubectl refuses %s", async (_, text, fragment) => {
    expect(await user.refused(text)).toMatch(fragment);
  });

  test.each([
    ["targets that are no list", { targets: "192.0.2.9" }, "spec.targets"],
    ["targets that are numbers", { targets: [192] }, "spec.targets"],
    ["a TTL that is text", { targets: ["192.0.2.9"], ttl: "soon" }, "spec.ttl"],
    ["a TTL with a fraction", { targets: ["192.0.2.9"], ttl: 1.5 }, "spec.ttl"],
    ["a name that is a number", { dnsName: 7, targets: ["192.0.2.9"] }, "spec.dnsName"],
  ])("the API refuses %s and names object and field", async (_, spec, field) => {
    const answer = await user.refused(entry("edited", zone.name("edited"), spec));
    expect(answer).toContain("edited");
    expect(answer).toContain(field);
  });

  test.each([
    ["zero", 0],
    ["negative", -5],
    ["beyond all bounds", 4_294_967_296],
  ])("a TTL that is %s: refused by the API, or Stale with field and remedy", async (_, ttl) => {
    const text = entry("edited", zone.name("edited"), { targets: ["192.0.2.9"], ttl });
    const { code, stderr } = await user.kubectl.run(["apply", "-f", "-"], text);
    if (code !== 0) expect(stderr).toContain("spec.ttl");
    else {
      const message = await user.becomes("dnse", "edited", "Stale", /spec\.ttl/);
      expect(message).toMatch(new RegExp(`${ttl}.*from 1 to .*write`));
    }
    await repair();
  });

  test.each([
    ["an address that is none", { targets: ["192.0.2.300"] }, /spec\.targets.*192\.0\.2\.300/],
    ["targets and text", { targets: ["192.0.2.9"], text: ["a"] }, /spec.*Text or Targets/],
    ["26 aliases", { targets: ALIASES }, /spec\.targets.*26 host names.*at most 25/],
  ])("%s: Stale, naming the field, and the record stays", async (_, spec, fragment) => {
    await user.apply(entry("edited", zone.name("edited"), spec));
    await user.becomes("dnse", "edited", "Stale", fragment);
    await repair();
  });

  test.each([
    ["an empty label", "a..example.net", /spec\.dnsName.*empty label/],
    ["a label of 64 bytes", `${"x".repeat(64)}.example.net`, /spec\.dnsName.*64 bytes; at most 63/],
    ["a star inside", "a.*.example.net", /spec\.dnsName.*\* may only stand/],
    ["a star within a label", "a*.example.net", /spec\.dnsName.*only letters/],
    ["a space", "a b.example.net", /spec\.dnsName.*only letters/],
    ["a hyphen at the end", "a-.example.net", /spec\.dnsName.*no - at its ends/],
    ["a name of 254 bytes", `${"a.".repeat(122)}example.net`, /spec\.dnsName.*253/],
  ])("a name with %s: Invalid, with what is possible", async (_, dnsName, fragment) => {
    const text = entry("misnamed", dnsName, GOOD);
    const { code, stderr } = await user.kubectl.run(["apply", "-f", "-"], text);
    if (code !== 0) {
      expect(stderr).toContain("spec.dnsName");
      return;
    }
    await user.becomes("dnse", "misnamed", "Invalid", fragment);
    await user.delete("dnse", "misnamed");
  });

  test("a name beyond ASCII is published as its A-label form", async () => {
    await user.apply(entry("umlaut", "bücher.example.net", { targets: ["192.0.2.70"] }));
    await zone.becomes("xn--bcher-kva", "A", "192.0.2.70");
    await user.delete("dnse", "umlaut");
  });

  test("a published entry that is renamed to nonsense keeps what it had", async () => {
    await user.apply(entry("edited", "edited..example.net", GOOD));
    await user.becomes("dnse", "edited", "Stale", /spec\.dnsName/);
    await repair();
  });

  test("a name that no zone covers: Error, which says the name and what would serve it", async () => {
    await user.apply(entry("lost", "www.example.com", GOOD));
    const message = await user.becomes("dnse", "lost", "Error", /No responsible provider found/);
    expect(message).toContain("www.example.com");
    expect(message).toMatch(/DNSProvider/);
    await user.delete("dnse", "lost");
  });

  test("two entries for one name: the first keeps it, the second says who has it", async () => {
    await user.apply(entry("second", zone.name("good"), { targets: ["192.0.2.99"] }));
    const message = await user.becomes("dnse", "second", "Error", /dnsentry\/default\/good/);
    expect(message).toContain("192.0.2.1");
    await user.delete("dnse", "second");
  });

  test.each(["-1", "soon", "1e3", "99999999999"])(
    "a Service with the TTL annotation %s: an Event names annotation and remedy",
    async (ttl) => {
      const annotations = { "dns.gardener.cloud/ttl": ttl };
      await user.apply(service("echo", zone.name("echo"), { annotations }));
      const answer = await user.reported("Service", "echo", new RegExp(`invalid TTL: "?${ttl}`));
      expect(answer).toContain("dns.gardener.cloud/ttl");
      expect(answer).toMatch(/from 1 to/);
      await user.apply(service("echo", zone.name("echo")));
    },
  );

  test("a Service with a bad name beside good ones: the good ones are published, an Event names the bad one", async () => {
    const names = `${zone.name("echo")},a..example.net,${zone.name("more")}`;
    await user.apply(service("echo", names));
    await zone.becomes("more", "A", "192.0.2.50");
    const answer = await user.reported("Service", "echo", /a\.\.example\.net/);
    expect(answer).toContain("dns.gardener.cloud/dnsnames");
    await user.apply(service("echo", zone.name("echo")));
    await zone.becomes("more", "A");
  });

  test("a Service without an address: an Event says so; one that had an address keeps its record", async () => {
    await user.apply(service("early", zone.name("early")));
    await user.reported("Service", "early", /no address yet/);
    expect(await zone.answers("early")).toEqual([]);
    await user.balance("svc", "echo");
    await user.reported("Service", "echo", /no address now.*published records stay/);
    await user.balance("svc", "echo", "192.0.2.50");
    await user.delete("svc", "early");
  });

  test("a Service of another type: an Event says what to change, nothing is published", async () => {
    await user.apply(service("inner", zone.name("inner"), { type: "ClusterIP" }));
    await user.reported("Service", "inner", /not of type LoadBalancer.*spec\.type/);
    expect(await zone.answers("inner")).toEqual([]);
    await user.delete("svc", "inner");
  });

  test("an Ingress that names a host it does not declare: an Event says so, its own hosts stay", async () => {
    await user.apply(ingress("shop", `*,${zone.name("other")}`, [zone.name("shop")]));
    const answer = await user.reported("Ingress", "shop", /not declared by ingress/);
    expect(answer).toContain(zone.name("other"));
    expect(answer).toContain("dns.gardener.cloud/dnsnames");
    expect(await zone.answers("other")).toEqual([]);
    await user.apply(ingress("shop", "*", [zone.name("shop")]));
  });

  test.each([
    [
      "no type",
      object("DNSProvider", "bad", { spec: { secretRef: { name: "net" } } }),
      /spec\.type/,
    ],
    [
      "a type that there is not",
      provider("bad", { type: "nonsense", secretRef: { name: "net" } }),
      /nonsense.*rfc2136/,
    ],
    [
      "no secretRef",
      object("DNSProvider", "bad", { spec: { type: "rfc2136" } }),
      /spec\.secretRef/,
    ],
    [
      "a Secret elsewhere",
      provider("bad", { secretRef: { name: "net", namespace: "other" } }),
      /spec\.secretRef\.namespace/,
    ],
    [
      "a domain that is none",
      provider("bad", { domains: { include: ["a..b"] } }),
      /spec\.domains\.include.*a\.\.b/,
    ],
    ["a missing Secret", provider("bad"), /secret default\/bad not found; create it/],
    [
      "a providerConfig that is wrong",
      provider("bad", { secretRef: { name: "net" }, providerConfig: { sever: "x" } }),
      /providerConfig.*sever|sever.*providerConfig/,
    ],
  ])("a DNSProvider with %s: refused or in Error with the field", async (_, text, fragment) => {
    const { code, stderr } = await user.kubectl.run(["apply", "-f", "-"], text);
    if (code !== 0) {
      expect(stderr).toMatch(fragment);
      return;
    }
    await user.becomes("dnspr", "bad", "Error", fragment);
    await user.delete("dnspr", "bad");
  });

  test.each([
    ["no keys", {}, /Server/],
    ["no zone", { Server: "127.0.0.1:1", TSIGKeyName: "k.", TSIGSecret: "c2VjcmV0" }, /Zone/],
    [
      "a server that is none",
      { Server: "1.2.3.4:x", Zone: "example.net.", TSIGKeyName: "k.", TSIGSecret: "c2VjcmV0" },
      /Server.*malformed/,
    ],
    [
      "a secret that is no base64",
      { Server: "127.0.0.1:1", Zone: "example.net.", TSIGKeyName: "k.", TSIGSecret: "not base64!" },
      /TSIGSecret.*base64/,
    ],
    [
      "an algorithm that there is not",
      {
        Server: "127.0.0.1:1",
        Zone: "example.net.",
        TSIGKeyName: "k.",
        TSIGSecret: "c2VjcmV0",
        TSIGSecretAlgorithm: "rot13",
      },
      /TSIGSecretAlgorithm.*hmac-sha256/,
    ],
  ])(
    "a Secret with %s: the provider is in Error and names key and Secret, never the value",
    async (_, texts, fragment) => {
      await user.apply(secret("bad", texts));
      await user.apply(provider("bad"));
      const message = await user.becomes("dnspr", "bad", "Error", fragment);
      expect(message).toContain("default/bad");
      expect(message).not.toMatch(/c2VjcmV0|not base64!/);
      await user.delete("dnspr", "bad");
      await user.delete("secret", "bad");
    },
  );
});
