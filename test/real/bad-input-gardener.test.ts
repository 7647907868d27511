/**
 * Mistakes with Gardener's objects, in one table: each is told with object, field and remedy, and
 * disturbs nothing else. kubectl applies them to a cluster that `zonekeeper run` serves with BIND.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { eventually } from "../support/ports/eventually.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import {
  account,
  entry,
  ingress,
  object,
  provider,
  secret,
  serverKeys,
  service,
  together,
} from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GOOD = "192.0.2.1";
const HOSTS = Array.from({ length: 26 }, (_, index) => `h${index}.example.com`);

interface Mistake {
  readonly what: string;
  /** Objects to apply. */
  readonly objects: () => readonly string[];
  /** Kind, name and state that say it; an Event where the state is null. */
  readonly shown: readonly [kind: string, name: string, state: string | null];
  /** What the message has: field and remedy. */
  readonly says: RegExp;
  readonly remove: readonly (readonly string[])[];
}

describeOnBoth("mistakes with Gardener's objects", ["bind", "dig"], (server) => {
  let session: RunSession;
  let instance: RunInstance;
  let zone: RealZone;
  let full: RealZone;
  let below: RealZone;
  const owner = (name: string): string =>
    object("DNSOwner", name, { metadata: { namespace: undefined }, spec: { ownerId: "shop" } });

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    full = new RealZone(await startBind({ zone: "example.org" }));
    below = new RealZone(await startBind({ zone: "sub.example.net" }));
    session = await server.open();
    const { user } = session;
    instance = await session.run("group-one");
    await user.apply(account("net", zone.server));
    await user.apply(secret("org", serverKeys(full.server)));
    await user.apply(provider("org", { quotas: { entries: 1 } }));
    await user.apply(entry("good", zone.name("good"), { targets: [GOOD] }));
    await user.apply(entry("first", full.name("first"), { targets: [GOOD] }));
    await zone.becomes("good", "A", GOOD);
    await full.becomes("first", "A", GOOD);
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
    await full?.server.stop();
    await below?.server.stop();
  });
  afterEach(async () => {
    expect(await zone.answers("good")).toEqual([GOOD]);
    expect(await full.answers("first")).toEqual([GOOD]);
    for (const name of ["good", "first"]) await session.user.becomes("dnse", name, "Ready");
  });

  const MISTAKES: readonly Mistake[] = [
    {
      what: "two entries that refer to each other",
      objects: () => [
        entry("one", zone.name("one"), { reference: { name: "two" } }),
        entry("two", zone.name("two"), { reference: { name: "one" } }),
      ],
      shown: ["dnse", "one", "Invalid"],
      says: /reference.*loop.*two.*write targets in one of them/,
      remove: [["dnse", "one", "two"]],
    },
    {
      what: "26 host names",
      objects: () => [entry("hosts", zone.name("hosts"), { targets: HOSTS })],
      shown: ["dnse", "hosts", "Invalid"],
      says: /spec\.targets.*26 host names.*at most 25/,
      remove: [["dnse", "hosts"]],
    },
    {
      what: "an annotation that is no JSON",
      objects: () => [
        service("svc", zone.name("svc"), {
          annotations: { "dns.gardener.cloud/routing-policy": "weighted" },
        }),
      ],
      shown: ["Service", "svc", null],
      says: /not JSON; write \{.*metadata\.annotations\[dns\.gardener\.cloud\/routing-policy\]/,
      remove: [["svc", "svc"]],
    },
    {
      what: "a class with capitals",
      objects: () => [
        object("DNSEntry", "capitals", {
          metadata: { annotations: { "dns.gardener.cloud/class": "Garden" } },
          spec: { dnsName: zone.name("capitals"), targets: [GOOD] },
        }),
      ],
      shown: ["DNSEntry", "capitals", null],
      says: /metadata\.annotations\[dns\.gardener\.cloud\/class\]: "Garden" is no class.*write lower-case/,
      remove: [["dnse", "capitals"]],
    },
    {
      what: "a quota that is full",
      objects: () => [entry("second", full.name("second"), { targets: [GOOD] })],
      shown: ["dnse", "second", "Error"],
      says: /default\/org has reached its entries quota.*raise spec\.quotas\.entries/,
      remove: [["dnse", "second"]],
    },
    {
      what: "a zone below one of another DNSProvider that does not delegate it",
      objects: () => [account("sub", below.server)],
      shown: ["dnspr", "sub", "Ready"],
      says: /zone sub\.example\.net lies below example\.net of DNSProvider default\/net.*add its NS records to example\.net/,
      remove: [["dnspr", "sub"]],
    },
  ];

  test.each(MISTAKES)("$what", async ({ objects, shown: [kind, name, state], says, remove }) => {
    const { user } = session;
    await user.apply(together(...objects()));
    if (kind === "Service") await user.balance("svc", name, GOOD);
    const message =
      state === null
        ? await user.reported(kind, name, says)
        : await user.becomes(kind, name, state, says);
    expect(message).toMatch(says);
    for (const [what = "", ...names] of remove) await user.delete(what, ...names);
  });

  const isActive = (name: string, active: boolean): Promise<unknown> =>
    eventually(
      `the DNSOwner ${name} is ${active ? "on" : "off"}`,
      async () => (await session.user.get("dnso", name)).status?.["active"],
      (seen) => seen === active,
    );

  test("a zone below that is not delegated takes a name: status and plan say so; NS records end it", async () => {
    const { user } = session;
    await user.apply(entry("moved", zone.name("www.sub"), { targets: [GOOD] }));
    await zone.becomes("www.sub", "A", GOOD);
    await user.apply(account("sub", below.server));
    await below.becomes("www", "A", GOOD);
    const says =
      /www\.sub\.example\.net is published in sub\.example\.net, and example\.net does not delegate it there.*: add the NS records of sub\.example\.net to example\.net, or exclude/;
    await user.becomes("dnse", "moved", "Stale", says);
    expect(await zone.answers("www.sub")).toEqual([GOOD]);
    expect((await instance.cli("plan", "--all")).stdout).toMatch(says);
    const exclude = (...domains: readonly string[]) =>
      user.apply(provider("sub", { domains: { exclude: domains } }));
    await exclude("sub.example.net");
    // It is the only record of its zone.
    const held = await user.becomes("dnse", "moved", "Stale", /zonekeeper approve \w+/);
    await instance.cli("approve", /approve (\w+)/.exec(held)?.[1] ?? "");
    await user.becomes("dnse", "moved", "Ready", /^dns entry active$/);
    await below.becomes("www", "A");
    expect(await zone.answers("www.sub")).toEqual([GOOD]);
    await exclude();
    await user.becomes("dnse", "moved", "Stale", says);
    const [ns = ""] = await below.answers("@", "NS");
    await zone.foreignWriter(`update add sub.example.net. 60 NS ${ns}`);
    await user.becomes("dnse", "moved", "Ready", /^dns entry active$/);
    expect((await user.get("dnse", "moved")).status).toMatchObject({ zone: "sub.example.net" });
    await eventually(
      "the record has left the zone above",
      () => zone.content(),
      (lines) => !lines.some((line) => line.includes(`${GOOD}`) && line.startsWith("www.sub")),
    );
    await user.delete("dnse", "moved");
    await zone.foreignWriter("update delete sub.example.net. NS");
    await user.delete("dnspr", "sub");
  });

  test("a class with capitals on a published Service and Ingress: told, and their records stay", async () => {
    const { user } = session;
    const published = [
      ["svc", "Service"],
      ["ing", "Ingress"],
    ] as const;
    await user.apply(service("classed", zone.name("svc")));
    await user.apply(ingress("classed", "*", [zone.name("ing")]));
    for (const [kind] of published) {
      await user.balance(kind, "classed", GOOD);
      await zone.becomes(kind, "A", GOOD);
    }
    const annotate = (kind: string, value: string) =>
      user.kubectl.ok(["annotate", kind, "classed", `dns.gardener.cloud/class${value}`]);
    for (const [kind, name] of published) {
      await annotate(kind, "=Gardendns");
      await user.reported(name, "classed", /"Gardendns" is no class.*write lower-case/);
    }
    // Longer than a removal takes; that of another entry shows that they happen.
    await user.apply(entry("after", zone.name("after"), { targets: [GOOD] }));
    await zone.becomes("after", "A", GOOD);
    await user.delete("dnse", "after");
    await zone.becomes("after", "A");
    await new Promise((wake) => setTimeout(wake, 6_000));
    const held = await zone.content();
    for (const [kind] of published) {
      expect(await zone.answers(kind)).toEqual([GOOD]);
      await annotate(kind, "-");
    }
    await new Promise((wake) => setTimeout(wake, 6_000));
    expect(await zone.content()).toEqual(held);
    for (const [kind] of published) {
      await user.delete(kind, "classed");
      await zone.becomes(kind, "A");
    }
  });

  test("a TTL is mistyped in the edit that takes a name off: told, the name stays until it is corrected, also when the program begins anew", async () => {
    const { user } = session;
    const names = (...labels: readonly string[]) => labels.map((one) => zone.name(one)).join(",");
    const put = (list: string, ttl: string) =>
      user.apply(service("typed", list, { annotations: { "dns.gardener.cloud/ttl": ttl } }));
    await put(names("t1", "t2"), "60");
    await user.balance("svc", "typed", GOOD);
    for (const label of ["t1", "t2"]) await zone.becomes(label, "A", GOOD);
    const held = await zone.content();
    await put(names("t1"), "6O");
    const says =
      /invalid TTL: "6O".*write e\.g\. 300 \(metadata\.annotations\[dns\.gardener\.cloud\/ttl\]\)/;
    expect(await user.reported("Service", "typed", says)).toMatch(says);
    await new Promise((wake) => setTimeout(wake, 8_000));
    expect(await zone.content()).toEqual(held);
    await instance.stop();
    await instance.begin();
    await instance.ready();
    await new Promise((wake) => setTimeout(wake, 8_000));
    expect(await zone.content()).toEqual(held);
    await put(names("t1"), "60");
    await zone.becomes("t2", "A");
    expect(await zone.answers("t1")).toEqual([GOOD]);
    await user.delete("svc", "typed");
    await zone.becomes("t1", "A");
  });

  test("a typo in the reference of a live DNSAnnotation: told, and the record stays", async () => {
    const { user } = session;
    const ports = [{ port: 80, protocol: "TCP", targetPort: 8080 }];
    await user.apply(object("Service", "noted", { spec: { type: "LoadBalancer", ports } }));
    await user.balance("svc", "noted", GOOD);
    const annotations = { "dns.gardener.cloud/dnsnames": zone.name("noted") };
    const resourceRef = { apiVersion: "v1", kind: "Service", name: "noted" };
    await user.apply(object("DNSAnnotation", "ds", { spec: { resourceRef, annotations } }));
    await zone.becomes("noted", "A", GOOD);
    const held = await zone.content();
    const refer = (kind: string) => {
      const patch = JSON.stringify({ spec: { resourceRef: { kind } } });
      return user.kubectl.ok(["patch", "dnsa", "ds", "--type", "merge", "-p", patch]);
    };
    await refer("Servce");
    await user.reported("Service", "noted", /DNSAnnotation default\/ds.*correct the reference/);
    const { status } = await eventually(
      "the DNSAnnotation is not active",
      () => user.get("dnsa", "ds"),
      (seen) => (seen.status as { active?: boolean }).active === false,
    );
    expect(status).toMatchObject({ message: expect.stringMatching(/Servce/) });
    await new Promise((wake) => setTimeout(wake, 8_000));
    expect(await zone.answers("noted")).toEqual([GOOD]);
    await refer("Service");
    await new Promise((wake) => setTimeout(wake, 6_000));
    expect(await zone.content()).toEqual(held);
    await refer("Servce");
    await user.delete("dnsa", "ds");
    await zone.becomes("noted", "A");
    await user.delete("svc", "noted");
  });

  test("a DNSProvider is replaced by one that excludes names: a deleted one goes, a living one stays", async () => {
    const { user } = session;
    const old = new RealZone(await startBind({ zone: "example.edu" }));
    try {
      const names = ["going", "staying", "other"];
      await user.apply(account("old", old.server));
      for (const name of names) await user.apply(entry(name, old.name(name), { targets: [GOOD] }));
      for (const name of names) await old.becomes(name, "A", GOOD);
      await user.delete("dnspr", "old");
      const exclude = [old.name("going"), old.name("staying")];
      await user.apply(provider("new", { secretRef: { name: "old" }, domains: { exclude } }));
      await user.becomes("dnspr", "new", "Ready");
      const says = /DNSProvider default\/new excludes going\.example\.edu.*take the domain off/;
      await user.becomes("dnse", "going", "Stale", says);
      expect(await old.answers("going")).toEqual([GOOD]);
      await user.delete("dnse", "going");
      await old.becomes("going", "A");
      for (const name of ["staying", "other"]) expect(await old.answers(name)).toEqual([GOOD]);
      await user.delete("dnse", "staying");
      await old.becomes("staying", "A");
    } finally {
      await user.delete("dnse", "other");
      await user.delete("dnspr", "new");
      await old.server.stop();
    }
  });

  test("two DNSOwners of one id: the later one says which has it, and the first stays on", async () => {
    const { user } = session;
    await user.apply(owner("before"));
    await isActive("before", true);
    await new Promise((wake) => setTimeout(wake, 1_100));
    await user.apply(owner("later"));
    const says =
      /spec\.ownerId: the DNSOwner before has the owner id "shop".*delete one of the two/;
    await isActive("later", false);
    expect(String((await user.status("dnso", "later")).message)).toMatch(says);
    expect((await user.kubectl.json(["get", "dnso", "before"])) as object).toMatchObject({
      status: { active: true },
    });
    await user.delete("dnso", "later", "before");
  });

  test("a rotated Secret with a wrong key: the DNSProvider says what to compare, records stay", async () => {
    const { user } = session;
    const keys = serverKeys(full.server);
    const wrong = Buffer.from("another-secret-of-thirty-2-bytes").toString("base64");
    await user.apply(secret("org", { ...keys, TSIGSecret: wrong }));
    const message = await user.becomes("dnspr", "org", "Error", /TSIG.*compare|compare.*TSIG/);
    expect(message).not.toContain(wrong);
    expect(await full.answers("first")).toEqual([GOOD]);
    await user.becomes("dnspr", "net", "Ready");
    await user.apply(secret("org", keys));
    await user.becomes("dnspr", "org", "Ready");
  });

  test.each(["--dns-class", "--source-dns-class", "--dns-target-class"])(
    "a class with capitals in %s: run does not start, and says what a class is",
    async (flag) => {
      const args = [PROGRAM, "run", "--owner", "me", "--kubeconfig", session.kubeconfig];
      const { code, stderr } = await run(process.execPath, [...args, flag, "Garden"], {});
      expect(code).not.toBe(0);
      expect(stderr).toMatch(new RegExp(`${flag}.*"Garden" is no class: write lower-case letters`));
    },
  );
});
