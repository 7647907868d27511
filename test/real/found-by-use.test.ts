/**
 * What use of the program has found, judged from outside: one BIND, fakes of vendors behind HTTP,
 * and one `run`; kubectl writes, dig and the vendors say what came of it. Each test has a zone of
 * its own. The rules are in docs/safety.md.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { VENDORS, type Vendor } from "../support/fakes/vendors.ts";
import { type FakeEndpoint, FakeWebhook } from "../support/fakes/webhook/server.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";
import {
  account,
  entry,
  object,
  provider,
  secret,
  service,
  together,
} from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** Zones of BIND, one a test; each has names of strangers. */
const ZONES = [
  "rename",
  "empty",
  "after",
  "alias",
  "balance",
  "wide",
  "vic.wide",
  "definition",
  "claim",
].map((name) => `${name}.example`);
const OTHERS = ["www 300 IN A 192.0.2.99", "mail 300 IN A 192.0.2.99"];
const DEFINITION = readFileSync("deploy/crds/externaldns.k8s.io_dnsendpoints.yaml", "utf8");
const ADDRESS = "192.0.2.1";
/** In all that another namespace asks for. */
const EVIL = "192.0.2.66";

/** A name in the way of R1: below the zone, its type and value. */
type Row = readonly [label: string, type: string, value: string];

/** Around the names of `ta`: the apex, `vic`, `*.wild` and `alias`. */
const AROUND: readonly Row[] = [
  ["_acme-challenge.vic", "TXT", "evil"],
  ["_acme-challenge.alias", "CNAME", "evil.test"],
  ["_25._tcp.vic", "TLSA", `3 1 1 ${"0d6fce13243aa771".repeat(4)}`],
  ["_dmarc.vic", "TXT", "evil"],
  ["x._domainkey.vic", "TXT", "evil"],
  ["_sip._udp.vic", "SRV", "0 5 5060 evil.test."],
  ["*.vic", "A", EVIL],
  ["_acme-challenge.wild", "TXT", "evil"],
  ["foo.wild", "A", EVIL],
  ["x.bar.wild", "A", EVIL],
  ["_acme-challenge", "TXT", "evil"],
  ["@", "MX", "10 evil.test."],
];
/** Around names of strangers: also the wildcard above them all. */
const FOREIGN: readonly Row[] = [
  ["*", "A", EVIL],
  ["_acme-challenge.www", "TXT", "evil"],
  ["_acme-challenge.mail", "TXT", "evil"],
  ["ns1", "AAAA", "2001:db8::66"],
];

/** A webhook whose vendor has a least TTL. */
class LeastTtl extends FakeWebhook {
  override put(endpoint: FakeEndpoint): void {
    super.put(atLeast(endpoint));
  }
}
const atLeast = (endpoint: FakeEndpoint): FakeEndpoint => ({
  ...endpoint,
  recordTTL: Math.max(endpoint.recordTTL ?? 0, 3600),
});

describeReal("what use has found", ["kubectl-1.32", "dig", "bind"], () => {
  let server: RealServer;
  let session: RunSession;
  let user: ClusterUser;
  let instance: RunInstance;
  const stops: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    server = await startBind({ zone: "around.example", moreZones: ZONES, records: OTHERS });
    session = await RunSession.open();
    user = session.user;
    await user.apply(DEFINITION);
    const fuse = ["--fuse-strong", "4", "--fuse-namespace-share", "10", "--fuse-free", "0"];
    instance = await session.run("team-a", "--controllers", "all,crd", ...fuse);
  });
  afterAll(async () => {
    await session?.close();
    await server?.stop();
    for (const stop of stops) await stop();
  });

  /** One of BIND's zones with a DNSProvider in namespace default, called as its first label. */
  async function opened(zoneName: string): Promise<RealZone> {
    const zone = new RealZone({ ...server, zone: zoneName });
    const name = zoneName.replace(/\..*$/, "");
    await user.apply(account(name, zone.server));
    await user.becomes("dnspr", name, "Ready");
    return zone;
  }
  async function vendor(
    name: string,
    type: string,
    from: Pick<Vendor, "secret" | "providerConfig">,
  ) {
    const { providerConfig } = from;
    await user.apply(together(secret(name, from.secret), provider(name, { type, providerConfig })));
    await user.becomes("dnspr", name, "Ready");
  }
  const patch = (kind: string, name: string, spec: object) =>
    user.kubectl.ok(["patch", kind, name, "--type=merge", "-p", JSON.stringify({ spec })]);
  const endpoints = (name: string, zone: RealZone, rows: readonly Row[]): string =>
    object("DNSEndpoint", name, {
      spec: {
        endpoints: rows.map(([label, recordType, ...targets]) => ({
          ...{ dnsName: zone.name(label), recordType, targets },
        })),
      },
    });

  test("Z-28 R1: another namespace gets no name around those of the first, nor around strangers'", async () => {
    const zone = new RealZone(server);
    const inside = (namespace: string, text: string) =>
      user.apply(text.replaceAll('"namespace":"default"', `"namespace":"${namespace}"`));
    for (const namespace of ["ta", "tb"]) {
      await user.kubectl.ok(["create", "namespace", namespace]);
      await inside(namespace, account("org", server));
    }
    const own: readonly Row[] = ["@", "vic", "*.wild", "alias"].map((label) => [
      label,
      "A",
      ADDRESS,
    ]);
    await inside("ta", endpoints("own", zone, own));
    for (const label of ["vic", "foo.wild", "alias"]) await zone.becomes(label, "A", ADDRESS);
    const rows = [...AROUND, ...FOREIGN];
    await inside("tb", endpoints("evil", zone, rows));
    await inside("tb", endpoints("free", zone, [["wpad", "A", "192.0.2.7"]]));
    await zone.becomes("wpad", "A", "192.0.2.7");
    const plan = await eventually(
      "each is held",
      async () => (await instance.cli("plan", "--all")).stdout,
      (text) => rows.every(([label]) => text.includes(`! ${zone.name(label)} `)),
    );
    for (const [label, type] of rows)
      expect(plan, label).toContain(`! ${zone.name(label)} ${type} `);
    expect((await zone.content()).filter((line) => /evil|192\.0\.2\.66|::66/.test(line))).toEqual(
      [],
    );
    for (const label of ["foo.wild", "x.bar.wild"])
      expect(await zone.answers(label), label).toEqual([ADDRESS]);
    // They are held for the names' sake: nothing else is wrong with them.
    for (const namespace of ["ta", "tb"])
      await user.kubectl.ok([
        ...["annotate", "dnspr", "org", "-n", namespace, "zonekeeper.dev/shared-names=true"],
      ]);
    await eventually(
      "all around the first namespace's names are there",
      () => zone.content(),
      (lines) =>
        AROUND.every(([label, type]) =>
          lines.some((line) => line.startsWith(`${zone.name(label)}. ${type} `)),
        ),
    );
  });

  test("Z-32 A4: of a name that is changed each address stays at the former one until it is at the new one", async () => {
    const zone = await opened("rename.example");
    const targets = ["203.0.113.1", "2001:db8::1"];
    await user.apply(entry("taken", zone.name("n2"), { targets: [ADDRESS] }));
    await zone.becomes("n2", "A", ADDRESS);
    await user.apply(entry("moves", zone.name("n1"), { targets }));
    await zone.becomes("n1", "A", "203.0.113.1");
    await zone.becomes("n1", "AAAA", "2001:db8::1");
    await patch("dnse", "moves", { dnsName: zone.name("n2") });
    await zone.becomes("n2", "AAAA", "2001:db8::1");
    await zone.becomes("n1", "AAAA");
    await sleep(2_000);
    expect(await zone.answers("n1")).toEqual(["203.0.113.1"]);
    expect(await zone.answers("n2")).toEqual([ADDRESS]);
    await user.delete("dnse", "taken");
    await zone.becomes("n2", "A", "203.0.113.1");
    await zone.becomes("n1", "A");
  });

  test("Z-5 B12: values that are emptied or misspelt keep the record; the end of the object removes it", async () => {
    const zone = await opened("empty.example");
    const names = ["listed", "spelt", "said"];
    const spec = (label: string) => (label === "said" ? { text: ["x"] } : { targets: [ADDRESS] });
    await user.apply(
      together(
        ...names.map((label) => entry(label, zone.name(label), spec(label))),
        endpoints("point", zone, [["point", "A", ADDRESS]]),
      ),
    );
    const answer = async (becomes: boolean): Promise<void> => {
      for (const label of ["listed", "spelt", "point"])
        await zone.becomes(label, "A", ...(becomes ? [ADDRESS] : []));
      await zone.becomes("said", "TXT", ...(becomes ? ['"x"'] : []));
    };
    await answer(true);
    await patch("dnse", "listed", { targets: [] });
    await patch("dnse", "said", { text: [] });
    const misspelt = entry("spelt", zone.name("spelt"), { target: [ADDRESS] });
    await user.kubectl.ok(["replace", "--validate=false", "-f", "-"], misspelt);
    expect((await user.get("dnse", "spelt"))["spec"]).toEqual({ dnsName: zone.name("spelt") });
    const empty = { dnsName: zone.name("point"), recordType: "A", targets: [] };
    await patch("dnsendpoint", "point", { endpoints: [empty] });
    for (const label of names)
      await user.becomes("dnse", label, "Stale", /no target or text|empty|write spec\.targets/);
    await user.reported("DNSEndpoint", "point", /targets/);
    await answer(true);
    await user.delete("dnse", ...names);
    await user.delete("dnsendpoint", "point");
    await answer(false);
  });

  test("Z-16 B13: after an approved set a single deletion passes at once, and more than the limit does not", async () => {
    const zone = await opened("after.example");
    const labels = Array.from({ length: 16 }, (_, index) => `n${index}`);
    await user.apply(
      together(...labels.map((label) => entry(label, zone.name(label), { targets: [ADDRESS] }))),
    );
    for (const label of labels) await zone.becomes(label, "A", ADDRESS);
    const remove = (names: readonly string[]) =>
      user.kubectl.ok(["delete", "dnse", ...names, "--wait=false"]);
    const held = () =>
      eventually(
        "a set waits",
        async () =>
          /a set of removals \(\d+\); zonekeeper approve (\S+)/.exec(
            (await instance.cli("plan", "--all")).stdout,
          )?.[1] ?? "",
        (hash) => hash !== "",
      );
    // These fill the limit of the hour; the next ones are over it.
    await remove(labels.slice(0, 4));
    for (const label of labels.slice(0, 4)) await zone.becomes(label, "A");
    await remove(labels.slice(4, 8));
    const hash = await held();
    expect((await instance.cli("approve", hash)).code).toBe(0);
    for (const label of labels.slice(0, 8)) await zone.becomes(label, "A");
    await remove(["n8"]);
    await zone.becomes("n8", "A");
    // The limit is four: n8 and at most three more.
    await remove(labels.slice(9, 15));
    const next = await held();
    const left = await Promise.all(labels.slice(9).map((label) => zone.answers(label)));
    expect(left.flat().length).toBeGreaterThanOrEqual(4);
    await instance.cli("approve", next);
    for (const label of labels.slice(9, 15)) await zone.becomes(label, "A");
  });

  test("Z-21 B16: what a webhook makes of an endpoint is what is wanted; one that says it late is written ever more seldom", async () => {
    const start = async (name: string): Promise<FakeWebhook> => {
      const fake = new LeastTtl();
      const url = await fake.start();
      stops.push(() => fake.stop());
      fake.domainFilter = { include: [`${name}.example`] };
      await vendor(name, "external-dns-webhook", { secret: { Server: url }, providerConfig: null });
      return fake;
    };
    const [says, late] = [await start("says"), await start("late")];
    says.adjust = atLeast;
    const labels = ["a", "b", "c"];
    const names = (zone: string) => labels.map((label) => `${label}-${zone}`);
    await user.apply(
      together(
        ...["late", "says"].flatMap((zone) =>
          labels.map((label) =>
            entry(`${label}-${zone}`, `${label}.${zone}.example`, { targets: [ADDRESS], ttl: 300 }),
          ),
        ),
      ),
    );
    for (const name of names("says")) await user.becomes("dnse", name, "Ready");
    const writes = (fake: FakeWebhook): number =>
      fake.takeCalls().filter(({ method, path }) => method === "POST" && path === "/records")
        .length;
    writes(says);
    await sleep(20_000);
    expect(writes(says)).toBe(0);
    for (const name of names("late")) await user.becomes("dnse", name, "Stale", /provider/);
    writes(late);
    await sleep(10_000);
    // It was one a second and name.
    expect(writes(late)).toBeLessThan(6);
    expect(late.endpoints.filter(({ recordType }) => recordType === "A")).toHaveLength(3);
    await user.delete("dnse", ...names("says"), ...names("late"));
  });

  test("Z-4 B17: a member whose edit cannot be published stays in the zone", async () => {
    const fake = await VENDORS["aws-route53"]?.("members.example");
    if (fake === undefined) throw new Error("no fake");
    stops.push(() => fake.stop());
    await vendor("members", "aws-route53", fake);
    const member = (id: string, address: string) =>
      entry(id, "www.members.example", {
        targets: [address],
        routingPolicy: { type: "weighted", setIdentifier: id, parameters: { weight: "10" } },
      });
    await user.apply(together(member("one", ADDRESS), member("two", "192.0.2.2")));
    const members = async () =>
      (await fake.sets())
        .filter(({ name, type }) => name === "www.members.example" && type === "A")
        .map(({ setIdentifier, values }) => `${setIdentifier} ${values}`)
        .sort();
    const both = [`one ${ADDRESS}`, "two 192.0.2.2"];
    const become = (wanted: readonly string[]) =>
      eventually("members", members, (seen) => `${seen}` === `${wanted}`);
    await become(both);
    await patch("dnse", "one", { routingPolicy: null });
    await user.becomes("dnse", "one", "Stale", /one kind|policy/);
    await sleep(2_000);
    expect(await members()).toEqual(both);
    await user.apply(member("one", "192.0.2.3"));
    await become(["one 192.0.2.3", "two 192.0.2.2"]);
    await user.delete("dnse", "one", "two");
    await become([]);
  });

  test("B15 B10: addresses win over a host name, a loopback is held; a restored entry follows its Service, and goes with it", async () => {
    const zone = await opened("balance.example");
    const says = (name: string, ...ingress: readonly object[]) => {
      const status = JSON.stringify({ status: { loadBalancer: { ingress } } });
      const how = ["--subresource=status", "--type=merge"];
      return user.kubectl.ok(["patch", "svc", name, ...how, "-p", status]);
    };
    const mixed = service("mixed", zone.name("mixed"));
    await user.apply(together(mixed, service("loop", zone.name("loop"))));
    await says("loop", { ip: "127.0.0.1" }, { hostname: "localhost" });
    await says("mixed", { hostname: "lb.example.net" }, { ip: ADDRESS });
    await zone.becomes("mixed", "A", ADDRESS);
    await user.reported("Service", "loop", /127\.0\.0\.1/);
    expect((await zone.content()).filter((line) => /^loop|CNAME/.test(line))).toEqual([]);
    const kept = (await user.list("dnse")).find(
      ({ spec }) => spec?.["dnsName"] === zone.name("mixed"),
    );
    await user.delete("svc", "mixed");
    await zone.becomes("mixed", "A");
    // As a backup has it: without ownerReferences and finalizers.
    const { name = "", labels, annotations } = (kept?.metadata ?? {}) as Record<string, never>;
    await user.apply(
      object("DNSEntry", name, { metadata: { labels, annotations }, spec: kept?.spec }),
    );
    await zone.becomes("mixed", "A", ADDRESS);
    await user.apply(mixed);
    await says("mixed", { ip: "192.0.2.2" });
    await zone.becomes("mixed", "A", "192.0.2.2");
    await user.delete("svc", "mixed", "loop");
    await zone.becomes("mixed", "A");
  });

  test("B26: more records than BIND takes: its limit is named, and the record set stays as it was", async () => {
    const zone = await opened("wide.example");
    const many = (count: number) => {
      const targets = Array.from({ length: count }, (_, index) => `198.51.100.${index + 1}`);
      const endpoint = { dnsName: zone.name("many"), recordType: "A", targets };
      return user.apply(object("DNSEndpoint", "many", { spec: { endpoints: [endpoint] } }));
    };
    await many(1);
    await zone.becomes("many", "A", "198.51.100.1");
    await many(101);
    await eventually(
      "explain names the limit",
      async () => (await instance.cli("explain", zone.name("many"))).stdout,
      (text) => /101 A records.*max-records-per-type/.test(text),
    );
    expect(await zone.answers("many")).toEqual(["198.51.100.1"]);
    await many(2);
    await zone.becomes("many", "A", "198.51.100.1", "198.51.100.2");
    await user.delete("dnsendpoint", "many");
  });

  test("Z-15 B23: of both objects in one instance the claiming one comes first, whatever owner the permit names", async () => {
    const zone = await opened("claim.example");
    const prefix = "external-dns.alpha.kubernetes.io";
    const made = (name: string, target: string, annotations: Readonly<Record<string, string>>) =>
      object("DNSEntry", name, {
        metadata: { annotations },
        spec: { dnsName: zone.name("one"), targets: [target] },
      });
    const permit = {
      [`${prefix}/permit-claim-by-resource`]: "dnsentry/default/claims",
      [`${prefix}/permit-claim-by-owner`]: "someowner",
    };
    await user.apply(made("gives", ADDRESS, permit));
    await zone.becomes("one", "A", ADDRESS);
    await user.becomes("dnse", "gives", "Ready");
    expect((await user.events("DNSEntry", "gives")).join("\n")).not.toMatch(/NotConverging/);
    await user.apply(made("claims", "192.0.2.2", { [`${prefix}/claim`]: "true" }));
    await zone.becomes("one", "A", "192.0.2.2");
    await user.becomes("dnse", "claims", "Ready");
    expect((await zone.answers("a-one", "TXT")).join()).toContain("dnsentry/default/claims");
    await patch("dnse", "gives", { targets: ["192.0.2.3"] });
    await patch("dnse", "claims", { targets: ["192.0.2.4"] });
    await zone.becomes("one", "A", "192.0.2.4");
    await eventually(
      "the permit is withdrawn",
      () => zone.content(),
      (lines) => !lines.some((line) => line.includes("_permit")),
    );
    await user.delete("dnse", "gives");
    expect(await zone.answers("one")).toEqual(["192.0.2.4"]);
    await user.delete("dnse", "claims");
    await zone.becomes("one", "A");
  });

  test("an entry whose alias leads nowhere is Ready, as its record is; explain says that nothing is found", async () => {
    const zone = await opened("alias.example");
    await zone.foreignWriter(
      `update add *.wild.${zone.name("@")}. 60 A 192.0.2.99`,
      `update add moved.${zone.name("@")}. 60 DNAME example.net.`,
    );
    await user.apply(entry("points", zone.name("points"), { targets: [zone.name("later")] }));
    await user.becomes("dnse", "points", "Ready");
    expect(await zone.answers("points", "CNAME")).toEqual([`${zone.name("later")}.`]);
    const explained = () => instance.cli("explain", zone.name("points"));
    const before = await explained();
    expect(before.code).toBe(2);
    expect(before.stdout).toContain(`leads to ${zone.name("later")}, which has no address`);
    const { metadata } = await user.get("dnse", "points");
    await user.apply(entry("later", zone.name("later"), { targets: [ADDRESS] }));
    await zone.becomes("later", "A", ADDRESS);
    expect((await explained()).code).toBe(0);
    expect((await user.get("dnse", "points")).metadata).toEqual(metadata);
    for (const [label, says] of [
      ["a.wild", "answered by the wildcard *.wild."],
      ["a.moved", "below the DNAME at moved."],
    ] as const)
      await eventually(
        `explain of ${label}`,
        async () => (await instance.cli("explain", zone.name(label))).stdout,
        (text) => text.includes(says),
      );
    await user.delete("dnse", "points", "later");
  });

  // The last one: the definitions of all entries go.
  test("Z-2 B9: definitions that are deleted remove no record; applied again, a single object is removed", async () => {
    const zone = await opened("definition.example");
    const labels = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const entries = labels.map((label) => entry(label, zone.name(label), { targets: [ADDRESS] }));
    const objects = [...entries, endpoints("i", zone, [["i", "A", ADDRESS]])];
    const all = [...labels, "i", "j"];
    await user.apply(together(...objects, service("j", zone.name("j"))));
    await user.balance("svc", "j", ADDRESS);
    for (const label of all) await zone.becomes(label, "A", ADDRESS);
    const kinds = ["dnsentries.dns.gardener.cloud", "dnsendpoints.externaldns.k8s.io"];
    await user.kubectl.ok(["delete", "crd", ...kinds, "--wait=false"]);
    await eventually(
      "both are gone with their objects",
      () => user.kubectl.ok(["get", "crd", "-o", "name"]),
      (names) => !kinds.some((kind) => names.includes(kind)),
    );
    await eventually(
      "plan says so",
      async () => (await instance.cli("plan", "--all")).stdout,
      (text) => /DefinitionGone|KindGone/.test(text),
    );
    await sleep(5_000);
    for (const label of all) expect(await zone.answers(label), label).toEqual([ADDRESS]);
    await user.apply(readFileSync("deploy/crds/dns.gardener.cloud_dnsentries.yaml", "utf8"));
    await user.apply(DEFINITION);
    await eventually(
      "the objects are applied again",
      () => user.kubectl.run(["apply", "-f", "-"], together(...objects)),
      ({ code }) => code === 0,
    );
    for (const label of labels) await user.becomes("dnse", label, "Ready");
    await user.delete("dnse", "a");
    await zone.becomes("a", "A");
    for (const label of all.slice(1)) expect(await zone.answers(label), label).toEqual([ADDRESS]);
  });
});
