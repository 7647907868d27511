/**
 * A name moves between two `zonekeeper run` that share nothing but a zone of BIND, and is released,
 * adopted and taken over by force, while another owner works in the same zone without a pause and
 * finds its records and markers as it wrote them. dig and the zone transfer are the judges: the
 * answer never changes on the way.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/ports/eventually.ts";
import { BusyNeighbour } from "../support/programs/busy-neighbour.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { REAL_SERVERS } from "../support/real-servers/index.ts";
import { account, object } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const PREFIX = "external-dns.alpha.kubernetes.io";
const ASKS_EVERY_MS = 5;

const bind = REAL_SERVERS.find(({ name }) => name === "BIND");
if (bind !== undefined)
  describeReal("a name changes hands", ["kubectl-1.32", "dig", bind.needs], () => story(bind));

/** The tests are one session in order: each begins where the one before ended. */
function story(kind: (typeof REAL_SERVERS)[number]): void {
  let east: RunSession;
  let west: RunSession;
  let north: RunSession;
  let zone: RealZone;
  let neighbour: BusyNeighbour;
  let giver: RunInstance;
  let taker: RunInstance;
  let dead: RunInstance;
  const entry = (name: string, label: string, target: string, annotations = {}): string =>
    object("DNSEntry", name, {
      metadata: { annotations },
      spec: { dnsName: zone.name(label), targets: [target], ttl: 60 },
    });
  const ownerOf = async (label: string): Promise<string | undefined> =>
    /external-dns\/owner=([\w-]+)/.exec((await zone.answers(`a-${label}`, "TXT"))[0] ?? "")?.[1];

  beforeAll(async () => {
    zone = new RealZone(await kind.start({ zone: "example.net", records: [] }));
    [east, west, north] = [
      await RunSession.open(),
      await RunSession.open(),
      await RunSession.open(),
    ];
    giver = await east.run("east");
    taker = await west.run("west");
    dead = await north.run("north");
    for (const { user } of [east, west, north]) {
      await user.apply(account("zone", zone.server));
      await user.becomes("dnspr", "zone", "Ready");
    }
    neighbour = await BusyNeighbour.start(zone);
  });
  afterAll(async () => {
    await neighbour?.stop();
    await Promise.all([east, west, north].map((session) => session?.close()));
    await zone?.server.stop();
  });

  test("the name is east's; west cannot have it, claim or not, and is told what it waits for", async () => {
    await east.user.apply(entry("web", "www", "192.0.2.1"));
    await zone.becomes("www", "A", "192.0.2.1");
    await west.user.apply(entry("shop", "www", "192.0.2.1", { [`${PREFIX}/claim`]: "true" }));
    const message = await west.user.becomes("dnse", "shop", "Error", /owned by "east"/);
    expect(message).toContain('permit-claim-by-resource "dnsentry/default/shop"');
    expect(message).toContain('permit-claim-by-owner "west"');
    expect(await ownerOf("www")).toBe("east");
  });

  test("east permits it: the marker moves, the answer stays, the permit is used up", async () => {
    await north.user.apply(entry("third", "third", "192.0.2.30"));
    const [before] = (await zone.content()).filter((line) => line.startsWith("www."));
    await east.user.apply(
      entry("web", "www", "192.0.2.1", {
        [`${PREFIX}/permit-claim-by-resource`]: "dnsentry/default/shop",
        [`${PREFIX}/permit-claim-by-owner`]: "west",
      }),
    );
    const seen = new Set<string>();
    await neighbour.during(async () => {
      while ((await ownerOf("www")) !== "west") {
        seen.add((await zone.answers("www")).join());
        await sleep(ASKS_EVERY_MS);
      }
    });
    seen.add((await zone.answers("www")).join());
    expect([...seen]).toEqual(["192.0.2.1"]);
    await west.user.becomes("dnse", "shop", "Ready");
    await east.user.becomes("dnse", "web", "Stale", /as this object permits/);
    const content = await zone.content();
    expect(content.filter((line) => line.startsWith("www."))).toEqual([before]);
    expect(content.filter((line) => line.startsWith("_permit"))).toEqual([]);
    await zone.becomes("third", "A", "192.0.2.30");
  });

  test("now west changes it, and east goes without taking anything along", async () => {
    await west.user.apply(entry("shop", "www", "192.0.2.2", { [`${PREFIX}/claim`]: "true" }));
    await zone.becomes("www", "A", "192.0.2.2");
    await east.user.delete("dnse", "web");
    await north.user.delete("dnse", "third");
    await zone.becomes("third", "A");
    expect(await zone.answers("www")).toEqual(["192.0.2.2"]);
    expect(await ownerOf("www")).toBe("west");
    await taker.hasNothingToDo();
    await giver.hasNothingToDo();
  });

  test("a release leaves the record and takes the marker, and the object may go then", async () => {
    const release = { "zonekeeper.dev/release": "true" };
    await neighbour.during(async () => {
      await west.user.apply(entry("shop", "www", "192.0.2.2", release));
      await zone.becomes("a-www", "TXT");
    });
    await west.user.becomes("dnse", "shop", "Stale", /released its records/);
    await west.user.delete("dnse", "shop");
    expect(await zone.answers("www")).toEqual(["192.0.2.2"]);
  });

  test("a record without an owner is adopted by the exact state that was shown", async () => {
    await east.user.apply(entry("again", "www", "192.0.2.2"));
    await east.user.becomes("dnse", "again", "Error", /has no owner/);
    const before = neighbour.without(await zone.content());
    const adopt = ["ownership", "adopt", zone.name("www")];
    const shown = await neighbour.during(() => giver.cli(...adopt));
    expect([shown.code, neighbour.without(await zone.content())]).toEqual([2, before]);
    expect(shown.stdout).toContain(
      "adopt      www.example.net A 192.0.2.2 for dnsentry/default/again",
    );
    const done = await neighbour.during(() => giver.cli(...adopt, "--yes"));
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("1 of 1 done")]);
    expect([await ownerOf("www"), await zone.answers("www")]).toEqual(["east", ["192.0.2.2"]]);
    await east.user.becomes("dnse", "again", "Ready");
  });

  test("and released by command, once it was shown: the marker goes, the record stays", async () => {
    const release = ["ownership", "release", zone.name("www")];
    const unseen = await giver.cli(...release, "--yes");
    expect([unseen.code, await ownerOf("www")]).toEqual([2, "east"]);
    expect(unseen.stdout).toContain("Nothing was done");
    const done = await giver.cli(...release, "--yes");
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("1 of 1 done")]);
    expect([await ownerOf("www"), await zone.answers("www")]).toEqual([undefined, ["192.0.2.2"]]);
    const adopt = ["ownership", "adopt", zone.name("www")];
    expect((await giver.cli(...adopt)).code).toBe(2);
    expect((await giver.cli(...adopt, "--yes")).code).toBe(0);
  });

  test("from a dead owner by force: what is wanted here, in the state that was shown; the rest is left", async () => {
    await north.user.apply(entry("one", "one", "192.0.2.31"));
    await north.user.apply(entry("two", "two", "192.0.2.32"));
    await zone.becomes("two", "A", "192.0.2.32");
    await zone.becomes("one", "A", "192.0.2.31");
    await dead.kill9();
    await east.user.apply(entry("one", "one", "192.0.2.31"));
    await east.user.becomes("dnse", "one", "Error", /owned by "north"/);
    const force = ["transfer", "--from", "north", "--to", "east", "--force"];
    expect((await giver.cli("transfer", "--from", "north", "--to", "east")).code).not.toBe(0);
    // What others write is seen with the next look at the zone's serial.
    const shown = await eventually(
      "both are seen",
      () => giver.cli(...force),
      ({ stdout }) => stdout.includes(zone.name("two")),
    );
    expect(shown.code).toBe(2);
    expect(shown.stdout).toContain("take over  one.example.net A 192.0.2.31 (of north");
    expect(shown.stdout).toContain(
      "leave      two.example.net A 192.0.2.32: no object of this instance wants this record",
    );
    expect(await ownerOf("one")).toBe("north");
    const done = await neighbour.during(() => giver.cli(...force, "--yes"));
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("1 of 1 done")]);
    expect([await ownerOf("one"), await ownerOf("two")]).toEqual(["east", "north"]);
    expect([await zone.answers("one"), await zone.answers("two")]).toEqual([
      ["192.0.2.31"],
      ["192.0.2.32"],
    ]);
    expect(giver.output()).toContain("rights ordered by a person");
    expect((await giver.cli(...force)).code).toBe(0);
    const listed = await giver.cli("ownership", "list");
    expect(listed.stdout).toMatch(/zone example\.net: .*1 of north, 2 ours \(east\)/);
    const one = await giver.cli("ownership", "show", zone.name("two"), "--output", "json");
    expect(JSON.parse(one.stdout).zones[0].rows[0]).toMatchObject({ owners: ["north"] });
    expect((await giver.cli("ownership", "orphans")).code).toBe(0);
  });

  test("both markers that external-dns up to v0.15 wrote change hands; what one of them left contested is finished", async () => {
    const marker = (owner: string) =>
      `TXT "heritage=external-dns,external-dns/owner=${owner},external-dns/resource=dnsentry/default/both"`;
    const add = (label: string, data: string) => `update add ${zone.name(label)}. 60 ${data}`;
    const ownersOf = async () =>
      (await zone.content())
        .filter((line) => /^(a-)?both\./.test(line) && line.includes(" TXT "))
        .map((line) => `${line.split(".")[0]} ${/owner=(\w+)/.exec(line)?.[1]}`);
    await zone.foreignWriter(
      add("both", "A 192.0.2.41"),
      add("a-both", marker("ext")),
      add("both", marker("ext")),
    );
    await east.user.apply(entry("both", "both", "192.0.2.41"));
    await east.user.becomes("dnse", "both", "Error", /owned by "ext"/);
    const force = ["transfer", "--from", "ext", "--to", "east", "--force"];
    const isShown = ({ stdout }: { readonly stdout: string }) => stdout.includes("take over  both");
    await eventually("it is seen", () => giver.cli(...force), isShown);
    expect(await giver.cli(...force, "--yes")).toMatchObject({ code: 0 });
    expect([await ownersOf(), await zone.answers("both")]).toEqual([
      ["a-both east"],
      ["192.0.2.41"],
    ]);
    await east.user.becomes("dnse", "both", "Ready");
    // As an earlier version left it.
    await zone.foreignWriter(add("both", marker("ext")));
    await eventually("both claims are seen", () => giver.cli(...force), isShown);
    const done = await giver.cli(...force, "--yes");
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("1 of 1 done")]);
    expect([await ownersOf(), await zone.answers("both")]).toEqual([
      ["a-both east"],
      ["192.0.2.41"],
    ]);
    await east.user.delete("dnse", "both");
    await zone.becomes("both", "A");
    expect(await ownersOf()).toEqual([]);
  });
}
