/**
 * `zonekeeper run --registry …` against BIND with the embedded API: no text besides what was asked
 * for in the zone, rights that survive a kill at any moment, two owners in one zone. dig is the
 * judge.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { REAL_SERVERS, type RealServerEntry } from "../support/real-servers/index.ts";
import { account, entry, secret, serverKeys } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const ZONE = "example.net";
/** A killed holder is succeeded soon. */
const QUICK_LEASE = [
  ...["--lease-duration", "3s"],
  ...["--lease-renew-deadline", "2s"],
  ...["--lease-retry-period", "500ms"],
];

for (const kind of REAL_SERVERS.filter(({ name }) => name === "BIND"))
  describeReal("run --registry configmap", ["kubectl-1.32", "dig", kind.needs], () => story(kind));

for (const kind of REAL_SERVERS.filter(({ name }) => name === "BIND"))
  for (const format of ["gardener", "mesh"] as const)
    describeReal(`run --registry ${format}`, ["kubectl-1.32", "dig", kind.needs, "variants"], () =>
      markedStory(kind, format),
    );

/** Markers in the zone, in a format of others. */
function markedStory(kind: RealServerEntry, format: "gardener" | "mesh"): void {
  test("from apply to answer, a change of type, a kill, and gone without a trace", async () => {
    const zone = new RealZone(await kind.start({ zone: ZONE, records: ['@ 300 IN TXT "theirs"'] }));
    const session = await RunSession.open();
    try {
      const { user } = session;
      const instance = await session.run("group-one", "--registry", format, ...QUICK_LEASE);
      const before = await zone.content();
      await user.apply(account("theirs", zone.server));
      await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1", "2001:db8::1"] }));
      await user.apply(entry("blog", zone.name("blog"), { targets: [zone.name("www")] }));
      await user.apply(entry("apex", ZONE, { targets: ["192.0.2.41"] }));
      await zone.becomes("www", "AAAA", "2001:db8::1");
      await zone.becomes("blog", "CNAME", `${zone.name("www")}.`);
      await zone.becomes("@", "A", "192.0.2.41");
      if (format === "gardener") {
        const texts = ['"owner=group-one"', '"prefix=comment-"'];
        const resource = (type: string) => `"resource-${type}=dnsentry/default/www"`;
        await zone.becomes("comment-www", "TXT", ...texts, resource("A"), resource("AAAA"));
        await zone.becomes("comment--base", "TXT", ...texts, '"resource-A=dnsentry/default/apex"');
      } else {
        const [text = ""] = await zone.answers("www", "TXT");
        expect(text).toContain("m=mesh,mesh=group-one,ns=default,resource=dnsentry/default/www");
        expect(text).toContain("types=A AAAA");
        expect(await zone.answers("_mesh.blog", "TXT")).toHaveLength(1);
        expect(await zone.answers("@", "TXT")).toEqual(['"theirs"']);
      }
      await user.apply(entry("blog", zone.name("blog"), { targets: ["192.0.2.3"] }));
      await zone.becomes("blog", "A", "192.0.2.3");
      await instance.hasNothingToDo();
      await instance.kill9();
      const serial = await zone.serial();
      await instance.restart();
      await instance.hasNothingToDo();
      expect(await zone.serial()).toBe(serial);
      await user.delete("dnse", "www", "blog", "apex");
      await zone.becomes("www", "A");
      const left = (await zone.content()).filter((line) => !line.includes("_zonekeeper-fence"));
      expect(left).toEqual(before);
    } finally {
      await session.close();
      await zone.server.stop();
    }
  });
}

/** The tests are one session in order: each begins where the one before ended. */
function story(kind: RealServerEntry): void {
  let session: RunSession;
  let user: ClusterUser;
  let zone: RealZone;
  let instance: RunInstance;
  beforeAll(async () => {
    zone = new RealZone(await kind.start({ zone: ZONE, records: ["theirs 300 IN A 192.0.2.99"] }));
    session = await RunSession.open();
    user = session.user;
    instance = await session.run("group-one", "--registry", "configmap", ...QUICK_LEASE);
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  const maps = async (): Promise<string> =>
    JSON.stringify(await user.kubectl.json(["get", "configmaps"]));

  /** What the entry `www` says once it says so. */
  const says = async (message: RegExp): Promise<string> => {
    const status = () => user.status("dnse", "www");
    return (await eventually(`www says ${message}`, status, (seen) => message.test(seen.message)))
      .message;
  };

  const expectNoMarkers = async () => {
    // The fence says who may write (Z-17); it says nothing about records.
    const isMarker = (line: string): boolean => !/"ours"|^[^ ]*_zonekeeper-fence/.test(line);
    const texts = (await zone.content()).filter((line) => line.includes(" TXT "));
    expect(texts.filter(isMarker)).toEqual([]);
  };

  test("records of all types are published, and nothing besides stands in the zone", async () => {
    await user.apply(account("theirs", zone.server));
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1", "2001:db8::1"] }));
    await user.apply(entry("blog", zone.name("blog"), { targets: [zone.name("www")] }));
    await user.apply(entry("note", zone.name("note"), { text: ["ours"] }));
    await user.apply(entry("wild", zone.name("*.apps"), { targets: ["192.0.2.40"] }));
    await user.apply(entry("apex", ZONE, { targets: ["192.0.2.41"] }));
    await zone.becomes("www", "A", "192.0.2.1");
    await zone.becomes("www", "AAAA", "2001:db8::1");
    await zone.becomes("blog", "CNAME", `${zone.name("www")}.`);
    await zone.becomes("note", "TXT", '"ours"');
    await zone.becomes("x.apps", "A", "192.0.2.40");
    await zone.becomes("@", "A", "192.0.2.41");
    await instance.hasNothingToDo();
    await expectNoMarkers();
  });

  test("the map has a row for each record, also for those of nobody", async () => {
    const text = await eventually("the map is complete", maps, (seen) => seen.includes("theirs"));
    expect(text).toContain("group-one-registry-");
    expect(text).toContain("group-one-intents-");
    expect(text).toContain(String.raw`\"dnsname\":\"blog.example.net\",\"owner\":\"group-one\"`);
    expect(text).toContain(String.raw`\"dnsname\":\"theirs.example.net\",\"owner\":\"\"`);
  });

  test("a record of nobody is not touched", async () => {
    await user.apply(entry("theirs", zone.name("theirs"), { targets: ["192.0.2.1"] }));
    await user.becomes("dnse", "theirs", "Error");
    expect(await zone.answers("theirs")).toEqual(["192.0.2.99"]);
  });

  test("kill -9 at once after each change: what was written is still ours", async () => {
    const steps = [
      { targets: ["192.0.2.2"] },
      { targets: [zone.name("theirs")] },
      { targets: ["192.0.2.3"] },
    ];
    for (const spec of steps) {
      const before = await zone.serial();
      await user.apply(entry("www", zone.name("www"), spec));
      await user.apply(entry("blog", zone.name("blog"), { targets: ["192.0.2.9"] }));
      await eventually(
        "the zone was written",
        () => zone.serial(),
        (serial) => serial !== before,
      );
      await instance.kill9();
      await instance.restart();
      await user.apply(entry("blog", zone.name("blog"), { targets: [zone.name("theirs")] }));
      await zone.becomes("blog", "CNAME", `${zone.name("theirs")}.`);
    }
    await zone.becomes("www", "A", "192.0.2.3");
    await user.becomes("dnse", "www", "Ready");
    await expectNoMarkers();
  });

  test("what a stranger makes of our record is contested, and stays", async () => {
    await zone.foreignWriter(
      `update delete ${zone.name("www")}. A`,
      `update add ${zone.name("www")}. 60 A 198.51.100.1`,
    );
    await user.becomes("dnse", "www", "Stale", /other data/);
    expect(await zone.answers("www")).toEqual(["198.51.100.1"]);
    await zone.foreignWriter(
      `update delete ${zone.name("www")}. A`,
      `update add ${zone.name("www")}. 60 A 192.0.2.3`,
    );
    await user.becomes("dnse", "www", "Ready");
  });

  test("what is deleted goes, across a restart too", async () => {
    await user.delete("dnse", "note", "wild");
    await zone.becomes("note", "TXT");
    await instance.kill9();
    await user.kubectl.ok(["delete", "dnse", "blog", "apex", "--wait=false"]);
    await instance.restart();
    await zone.becomes("blog", "CNAME");
    await zone.becomes("@", "A");
    expect(await zone.answers("theirs")).toEqual(["192.0.2.99"]);
  });

  test("its server called by another name: nothing is taken as foreign, and a person says that it is the same", async () => {
    const renamed = { ...serverKeys(zone.server), Server: `localhost:${zone.server.port}` };
    await user.apply(secret("theirs", renamed));
    const reported = await says(/has no registry/);
    expect(reported).toContain(`claims records of "rfc2136 ${zone.server.host}:`);
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.4"] }));
    const [, map = "", now = "", before = ""] =
      /create the ConfigMap default\/(\S+) .*zone: "([^"]+)" and continues: "([^"]+)"/.exec(
        reported,
      ) ?? [];
    const data = [`--from-literal=zone=${now}`, `--from-literal=continues=${before}`];
    await user.kubectl.ok(["create", "configmap", map, ...data]);
    await zone.becomes("www", "A", "192.0.2.4");
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.3"] }));
    await zone.becomes("www", "A", "192.0.2.3");
  });

  test("without its rows, and with its intents, the zone is left alone and says so", async () => {
    await instance.kill9();
    const { items } = (await user.kubectl.json(["get", "configmaps"])) as {
      items: { metadata: { name: string }; data?: { records?: string } }[];
    };
    const rows = items.find(({ data }) => data?.records?.includes("www.example.net"));
    await user.kubectl.ok(["delete", "configmap", rows?.metadata.name ?? ""]);
    await instance.restart();
    await says(/missing, and the ConfigMap default.group-one-intents/);
    expect(await zone.answers("www")).toEqual(["192.0.2.3"]);
  });

  test("without its map it owns nothing, removes nothing, and says so", async () => {
    await instance.kill9();
    const { items } = (await user.kubectl.json(["get", "configmaps"])) as {
      items: { metadata: { name: string } }[];
    };
    const names = items
      .map(({ metadata }) => metadata.name)
      .filter((name) => /^group-one-/.test(name));
    await user.kubectl.ok(["delete", "configmap", ...names]);
    await instance.restart();
    await user.becomes("dnse", "www", "Error", /has no owner/);
    expect(await zone.answers("www")).toEqual(["192.0.2.3"]);
  });
}
