/**
 * A zone on BIND comes into a cluster as ServiceEntries of Istio's released definition, judged by
 * kubectl: what is there, what a stranger changes, what goes, and what must not come.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { eventually } from "../support/ports/eventually.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { blocksOf } from "../support/programs/documented-commands.ts";
import { run } from "../support/programs/run.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import type { ServerKey } from "../support/real-servers/real-server.ts";
import { istioDefinition } from "../support/real-servers/released-definitions.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GUIDE = readFileSync("docs/guides/two-way-sync.md", "utf8");
const COMMANDS = blocksOf(GUIDE, "").map((text) => text.trim());
const [SHOP = ""] = blocksOf(GUIDE, "", "yaml");

interface Entry {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly spec: {
    readonly hosts: readonly string[];
    readonly resolution: string;
    readonly endpoints: readonly { readonly address: string }[];
    readonly ports: readonly { readonly name: string; readonly number: number }[];
  };
}

/** Of who may transfer zones, and change none. */
const READER: ServerKey = {
  name: "reader",
  algorithm: "hmac-sha256",
  secretBase64: Buffer.from("zonekeeper key that only reads.").toString("base64"),
  lacks: "update",
};

/** The tests are one session in order. */
describeOnBoth("import of a zone", ["bind", "released-definitions"], (api) => {
  let zone: RealZone;
  /** Of the second cluster. */
  let com: RealZone;
  let session: RunSession;
  let second: RunSession;
  let remote: RunSession;
  let instance: RunInstance;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net", moreKeys: [READER] }));
    com = new RealZone(await startBind({ zone: "example.com" }));
    const opened = [1, 2, 3].map(() => api.open());
    [session, second, remote] = (await Promise.all(opened)) as [RunSession, RunSession, RunSession];
    await remote.user.apply(account("net", { ...zone.server, key: READER }));
    for (const { user } of [session, second])
      for (const { server } of [zone, com])
        await user.apply(account(server.zone === "example.com" ? "com" : "net", server));
    const ports = ["--import-ports", "https/443,tcp-pg/5432"];
    const sources = ["--controllers", "all,istio-serviceentry"];
    const where = ["--import", `${zone.server.zone}=mesh-import,${com.server.zone}=mesh-import`];
    instance = await session.run("me", ...where, ...ports, ...sources, "--ttl", "60");
  });
  afterAll(async () => {
    await Promise.all([session, second, remote].map((one) => one?.close()));
    await Promise.all([zone, com].map((one) => one?.server.stop()));
  });

  /** As the guide has it. */
  const typed = (command: string): Promise<string> => {
    expect(COMMANDS).toContain(command);
    return session.user.kubectl.ok(command.split(" ").slice(1));
  };
  const entries = async (namespace = "mesh-import"): Promise<readonly Entry[]> => {
    const { kubectl } = session.user;
    const found = await kubectl.ok(["get", "serviceentries", "-n", namespace, "-o", "json"]);
    return JSON.parse(found).items;
  };
  const ofCluster = async ({ user }: RunSession): Promise<readonly Entry[]> => {
    const asked = "get serviceentries --namespace mesh-import -o json".split(" ");
    return JSON.parse(await user.kubectl.ok(asked)).items;
  };
  const hosts = async (namespace?: string): Promise<readonly string[]> =>
    (await entries(namespace)).flatMap(({ spec }) => spec.hosts).sort();
  const of = async (label: string): Promise<Entry> => {
    const found = (await entries()).find(({ spec }) => spec.hosts.includes(zone.name(label)));
    if (found === undefined) throw new Error(`no ServiceEntry of ${label}`);
    return found;
  };
  const become = (label: string, ...addresses: readonly string[]): Promise<unknown> =>
    eventually(
      `${label} goes to ${addresses.join()}`,
      async () => {
        const found = (await entries()).find(({ spec }) => spec.hosts.includes(zone.name(label)));
        return (found?.spec.endpoints ?? []).map(({ address }) => address);
      },
      (seen) => seen.join() === addresses.join(),
    );
  const shown = async (): Promise<string> => {
    const asked = await run(process.execPath, [PROGRAM, "imports", "--data", instance.data]);
    return asked.stdout;
  };

  test("says what is missing, and begins when it is there", async () => {
    await eventually("the missing kind is told", shown, (text) =>
      /install the definitions of Istio/.test(text),
    );
    const { kubectl } = session.user;
    await kubectl.ok(["create", "-f", "-"], istioDefinition("serviceentries"));
    await zone.foreignWriter(
      `update add ${zone.name("db")}. 60 A 192.0.2.7`,
      `update add ${zone.name("db")}. 60 AAAA 2001:db8::7`,
      `update add ${zone.name("www")}. 60 CNAME db.${zone.server.zone}.`,
      `update add ${zone.name("far")}. 60 CNAME www.example.org.`,
      `update add ${zone.name("*.any")}. 60 A 192.0.2.7`,
      `update add ${zone.name("loop")}. 60 CNAME ${zone.name("loop2")}.`,
      `update add ${zone.name("loop2")}. 60 CNAME ${zone.name("loop")}.`,
      `update add ${zone.name("here")}. 60 A 127.0.0.1`,
      `update add ${zone.name("child")}. 60 NS ns.child.${zone.server.zone}.`,
      `update add ${zone.name("ns.child")}. 60 A 192.0.2.9`,
      `update add ${zone.name("svc")}. 60 A 192.0.2.8`,
      `update add ${zone.name("_grpc._tcp.svc")}. 60 SRV 0 0 8443 ${zone.name("svc")}.`,
      `update add ${zone.name("_acme-challenge.db")}. 60 TXT secret`,
    );
    await eventually("the missing namespace is told", shown, (text) =>
      /namespace mesh-import does not exist/.test(text),
    );
    await typed("kubectl create namespace mesh-import");
    await become("db", "192.0.2.7", "2001:db8::7");
    await become("www", "192.0.2.7", "2001:db8::7");
    await become("far", "www.example.org");
    const text = await shown();
    for (const [label, reason] of [
      ["*.any", "Wildcard"],
      ["loop", "AliasLoop"],
      ["here", "InternalAddress"],
      ["ns.child", "Delegated"],
    ] as const)
      expect(text).toContain(`${reason}  ${zone.name(label)}`);
    expect((await of("svc")).spec.ports).toMatchObject([{ name: "grpc", number: 8443 }]);
    expect((await of("far")).spec.resolution).toBe("DNS");
    expect((await hosts()).join()).not.toMatch(/any|loop|here|child|acme/);
    expect(await typed("kubectl get serviceentries --namespace mesh-import")).toContain("db.");
  });

  test("follows a stranger's change in place, and is quiet otherwise", async () => {
    const before = await of("svc");
    const { name } = (await of("db")).metadata;
    await zone.foreignWriter(
      `update delete ${zone.name("db")}. AAAA`,
      `update add ${zone.name("db")}. 60 A 192.0.2.17`,
    );
    await become("db", "192.0.2.17", "192.0.2.7");
    expect((await of("db")).metadata.name).toBe(name);
    expect((await of("svc")).metadata).toEqual(before.metadata);
  });

  test("what is published from here does not come back, and what came in does not go out", async () => {
    const { kubectl } = session.user;
    await session.user.apply(entry("own", zone.name("own"), { targets: ["192.0.2.3"] }));
    await zone.becomes("own", "A", "192.0.2.3");
    const { name } = (await of("db")).metadata;
    await kubectl.ok(["annotate", "-n", "mesh-import", "se", name, "zonekeeper.dev/publish=true"]);
    await zone.foreignWriter(`update add ${zone.name("late")}. 60 A 192.0.2.4`);
    await become("late", "192.0.2.4");
    expect(await hosts()).not.toContain(zone.name("own"));
    expect((await zone.content()).join()).not.toMatch(/resource=serviceentry/);
    expect(await shown()).toContain(`OwnRecord  ${zone.name("own")}`);
  });

  test("two clusters with a zone each: each knows what the other publishes, and nothing goes round", async () => {
    const { kubectl } = second.user;
    await kubectl.ok(["create", "-f", "-"], istioDefinition("serviceentries"));
    await kubectl.ok(["create", "namespace", "mesh-import"]);
    const [, , ...args] = (COMMANDS.find((one) => one.includes("--owner second")) ?? "").split(" ");
    await second.run("second", ...args.slice(2));
    await session.user.apply(SHOP);
    const pay = SHOP.replaceAll("shop", "pay").replace("example.net", "example.com");
    await second.user.apply(pay.replaceAll("192.0.2.40", "192.0.2.50"));
    const there = () => ofCluster(second);
    const entryOf = (host: string) => (all: readonly Entry[]) =>
      all.find(({ spec }) => spec.hosts.includes(host));
    const isAt = (host: string, address: string) => (all: readonly Entry[]) =>
      entryOf(host)(all)?.spec.endpoints.some((one) => one.address === address) === true;
    const shop = zone.name("shop");
    const inSecond = await eventually("the shop is there", there, isAt(shop, "192.0.2.40"));
    expect(entryOf(shop)(inSecond)?.spec.ports).toMatchObject([{ name: "https", number: 8443 }]);
    expect(await zone.answers("_https._tcp.shop", "SRV")).toEqual([`0 0 8443 ${shop}.`]);
    const payAt = com.name("pay");
    const inFirst = await eventually("pay is there", entries, isAt(payAt, "192.0.2.50"));
    const before = [await zone.content(), await com.content(), entryOf(payAt)(inFirst)?.metadata];
    // Without SRV records and --import-ports a host has no ports.
    expect(entryOf(zone.name("db"))(inSecond)).toBeUndefined();
    await session.user.apply(SHOP.replaceAll("192.0.2.40", "192.0.2.41"));
    const after = await eventually("it follows", there, isAt(shop, "192.0.2.41"));
    expect(entryOf(shop)(after)?.metadata.name).toBe(entryOf(shop)(inSecond)?.metadata.name);
    await session.user.apply(SHOP);
    await eventually("it follows again", there, isAt(shop, "192.0.2.40"));
    const now = [
      await zone.content(),
      await com.content(),
      entryOf(payAt)(await entries())?.metadata,
    ];
    expect(now).toEqual(before);
  });

  test("a remote has a key that only reads, and no Lease: it follows the zone and writes nothing to it", async () => {
    const { kubectl } = remote.user;
    await kubectl.ok(["create", "-f", "-"], istioDefinition("serviceentries"));
    await kubectl.ok(["create", "namespace", "mesh-import"]);
    await remote.user.apply(SHOP.replaceAll("shop", "local"));
    const before = await zone.content();
    const preset = ["--controllers", "compound", "--import", `${zone.server.zone}=mesh-import`];
    const ports = ["--import-ports", "https/443"];
    const reader = await remote.run("me", ...preset, ...ports, "--omit-lease");
    const follows = (address: string) => (all: readonly Entry[]) =>
      all.some(({ spec }) => spec.endpoints.some((one) => one.address === address));
    await eventually("it has the zone", () => ofCluster(remote), follows("192.0.2.40"));
    expect(await zone.content()).toEqual(before);
    await zone.foreignWriter(`update add ${zone.name("far2")}. 60 A 192.0.2.31`);
    await eventually("it follows", () => ofCluster(remote), follows("192.0.2.31"));
    expect((await reader.fetch("/readyz")).status).toBe(200);
    expect((await zone.content()).join()).not.toMatch(/local\./);
    await zone.foreignWriter(`update delete ${zone.name("far2")}. A`);
    expect(await zone.content()).toEqual(before);
  });

  describeReal("a rival of both ways", ["variants"], () => {
    test("who edits back for the fifth time is left alone, in the zone and in the cluster", async () => {
      const { kubectl } = session.user;
      const db = (await of("db")).metadata.name;
      const before = (await of("db")).spec.endpoints.map(({ address }) => address);
      const edit = JSON.stringify({ spec: { endpoints: [{ address: "203.0.113.1" }] } });
      for (let time = 1; time <= 5; time++) {
        await zone.becomes("shop", "A", "192.0.2.40");
        await become("db", ...before);
        await zone.foreignWriter(
          `update delete ${zone.name("shop")}. A`,
          `update add ${zone.name("shop")}. 60 A 203.0.113.1`,
        );
        await kubectl.ok(["patch", "-n", "mesh-import", "se", db, "--type=merge", "-p", edit]);
      }
      await eventually("the import says so", shown, (text) =>
        text.includes(`Fighting  ${zone.name("db")}`),
      );
      const plan = async (): Promise<string> => (await instance.cli("plan")).stdout;
      await eventually("the plan says so", plan, (text) => /shop.*Fighting/.test(text));
      expect(await zone.answers("shop")).toEqual(["203.0.113.1"]);
      const events = await kubectl.ok(["get", "events", "-A", "-o", "yaml"]);
      expect(events).toMatch(/reason: ImportTrouble/);
      expect(events).toMatch(/Fighting|somebody else changed the record five times/);
    });
  });

  test("a host of somebody's own ServiceEntry is left alone; an edit of ours is taken back", async () => {
    const { kubectl } = session.user;
    const own = {
      ...{ apiVersion: "networking.istio.io/v1", kind: "ServiceEntry" },
      metadata: { name: "mine", namespace: "default" },
      spec: {
        hosts: [zone.name("mine")],
        ports: [{ number: 80, name: "http", protocol: "HTTP" }],
        ...{ resolution: "STATIC", endpoints: [{ address: "192.0.2.99" }] },
      },
    };
    await session.user.apply(JSON.stringify(own));
    await zone.foreignWriter(`update add ${zone.name("mine")}. 60 A 192.0.2.5`);
    await eventually("it is told", shown, (text) =>
      text.includes(`LocalHostExists  ${zone.name("mine")}`),
    );
    expect(await hosts()).not.toContain(zone.name("mine"));
    const { name } = (await of("late")).metadata;
    const edit = JSON.stringify({ spec: { endpoints: [{ address: "203.0.113.1" }] } });
    await kubectl.ok(["patch", "-n", "mesh-import", "se", name, "--type=merge", "-p", edit]);
    await become("late", "192.0.2.4");
  });

  test("a host that is gone takes its object after a minute; many wait for a person", async () => {
    const many = Array.from({ length: 24 }, (_, index) => `many${index}`);
    const each = (verb: string) => many.map((label) => `update ${verb} ${zone.name(label)}.`);
    await zone.foreignWriter(...each("add").map((line) => `${line} 60 A 192.0.2.6`));
    await become("many23", "192.0.2.6");
    await zone.foreignWriter(`update delete ${zone.name("late")}. A`, ...each("delete"));
    const text = await eventually(
      "they are held",
      shown,
      (one) => /approve [0-9a-f]{16}/.test(one),
      120_000,
    );
    expect(await hosts()).toContain(zone.name("many0"));
    const [, hash = ""] = /approve ([0-9a-f]{16})/.exec(text) ?? [];
    await run(process.execPath, [PROGRAM, "approve", hash, "--data", instance.data]);
    await eventually("they are gone", hosts, (seen) => !seen.join().includes("many"));
    expect(await hosts()).toContain(zone.name("db"));
  });

  test("a server that does not answer takes nothing away", async () => {
    const before = await entries();
    await zone.server.stop();
    await eventually(
      "it is told",
      shown,
      (text) => /refused|timed? ?out|answer/i.test(text),
      120_000,
    );
    expect(await entries()).toEqual(before);
    const clear = COMMANDS.find((command) => command.includes("delete serviceentries")) ?? "";
    await typed(clear);
    // The other zone can be read: what it has comes again.
    const left = (await hosts()).filter((host) => host !== com.name("pay"));
    expect(left).toEqual([]);
  });
});
