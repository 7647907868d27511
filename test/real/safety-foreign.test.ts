/**
 * Z-7 and docs/safety.md#foreign on real servers: strangers write into the zone while `zonekeeper
 * run` works in it, and nothing of theirs is ever changed or removed, at our names, beside them, or
 * where our markers would stand.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { REAL_SERVERS, type RealServerEntry } from "../support/real-servers/index.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

for (const kind of REAL_SERVERS)
  describeReal(`strangers in a zone of ${kind.name}`, ["kubectl-1.32", "dig", kind.needs], () =>
    story(kind),
  );

/** What strangers have put into the zone; it must be there, word for word, whatever we do. */
const OTHER = [
  "mail 300 IN MX 10 mx.example.com.",
  "mixed 300 IN AAAA 2001:db8::99",
  "aliased 300 IN CNAME elsewhere.example.com.",
  'a-blocked 300 IN TXT "not a marker"',
  'a-claimed 300 IN TXT "heritage=external-dns,external-dns/owner=others,external-dns/resource=service/x/y"',
  "child 300 IN NS ns.child",
  "ns.child 300 IN A 192.0.2.98",
];

/**
 * A record of PowerDNS that answers addresses, as its zone files and as those of others have it.
 */
const LUA = `geo 300 IN LUA A "pickrandom({'198.51.100.77'})"`;
const LUA_OF_OTHERS = String.raw`geo 300 IN TYPE65402 \# 32 00011d7069636b72616e646f6d287b273139382e35312e3130302e3737277d29`;

/** The tests are one session in order. */
function story(kind: RealServerEntry): void {
  let session: RunSession;
  let user: ClusterUser;
  let zone: RealZone;
  let instance: RunInstance;
  let before: readonly string[];
  const lua = kind.name === "PowerDNS" ? LUA : LUA_OF_OTHERS;
  beforeAll(async () => {
    zone = new RealZone(await kind.start({ zone: "example.net", records: [...OTHER, lua] }));
    before = await zone.content();
    session = await RunSession.open();
    user = session.user;
    instance = await session.run("group-one");
    await user.apply(account("net", zone.server));
    await user.becomes("dnspr", "net", "Ready");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });
  const othersExist = async (): Promise<void> => {
    const content = await zone.content();
    expect(content).toEqual(expect.arrayContaining([...before]));
  };
  const publish = (name: string, ...targets: readonly string[]): Promise<string> =>
    user.apply(entry(name, zone.name(name), { targets }));

  test("others' MX does not bar an address, others' address of the other family does (Z-7)", async () => {
    await publish("mail", "192.0.2.1");
    await zone.becomes("mail", "A", "192.0.2.1");
    await publish("mixed", "192.0.2.2");
    await user.becomes("dnse", "mixed", "Error", /AAAA 2001:db8::99/);
    expect(await zone.answers("mixed")).toEqual([]);
    // Nor does a type mix in that no standard knows and that may answer addresses.
    await publish("geo", "192.0.2.4");
    await user.becomes("dnse", "geo", "Error", /TYPE65402/);
    expect(await zone.answers("geo")).not.toContain("192.0.2.4");
    await othersExist();
  });

  test("an alias next to others' records is held, our address stays; an address at others' alias is held", async () => {
    await publish("mail", "web.example.com");
    await user.becomes("dnse", "mail", "Stale", /MX 10 mx\.example\.com/);
    expect(await zone.answers("mail")).toEqual(["192.0.2.1"]);
    await publish("aliased", "192.0.2.3");
    await user.becomes("dnse", "aliased", "Error", /elsewhere\.example\.com/);
    await othersExist();
    await user.apply(entry("mail", zone.name("mail"), { targets: ["192.0.2.1"] }));
    await user.becomes("dnse", "mail", "Ready");
  });

  test("a text of others where the marker would stand: the marker goes elsewhere", async () => {
    await publish("blocked", "192.0.2.4");
    await zone.becomes("blocked", "A", "192.0.2.4");
    const marked = (await zone.content()).filter((line) =>
      line.includes("dnsentry/default/blocked"),
    );
    expect(marked).toHaveLength(1);
    await othersExist();
  });

  test("a marker of others reserves the name, though no records", async () => {
    await publish("claimed", "192.0.2.5");
    await user.becomes("dnse", "claimed", "Error", /others/);
    expect(await zone.answers("claimed")).toEqual([]);
    await othersExist();
  });

  test("a name below a delegation is held (Z-18)", async () => {
    await user.apply(entry("below", zone.name("www.child"), { targets: ["192.0.2.6"] }));
    await user.becomes("dnse", "below", "Error", /child\.example\.net/);
    await othersExist();
  });

  test("a marker that a person rewrites to another owner: we release the record and do not repair it", async () => {
    await publish("given", "192.0.2.7");
    await user.becomes("dnse", "given", "Ready");
    const [marker = ""] = await zone.answers("a-given", "TXT");
    const name = zone.name("a-given");
    await zone.foreignWriter(
      `update delete ${name}. TXT`,
      `update add ${name}. 300 TXT ${marker.replace("owner=group-one", "owner=others")}`,
    );
    await user.becomes("dnse", "given", "Error", /others/);
    await user.delete("dnse", "given");
    expect(await zone.answers("given")).toEqual(["192.0.2.7"]);
    expect((await zone.answers("a-given", "TXT"))[0]).toContain("owner=others");
  });

  test("everything of ours is deleted: everything of theirs is left, and nothing of ours", async () => {
    await user.delete("dnse", "aliased", "blocked", "claimed", "below", "mixed");
    await user.kubectl.ok(["delete", "dnse", "mail", "--wait=false"]);
    const left = await eventually(
      "nothing of ours is left",
      () => zone.content(),
      (content) => !content.some((line) => line.includes("owner=group-one")),
    );
    // What was given away, and the fence, which stays with its zone (Z-17).
    const isKnown = /^((a-)?given\.|[0-9a-f]{16}\._zonekeeper-fence\.)example\.net\. (A|TXT) /;
    const others = left.filter((line) => !isKnown.test(line));
    expect(others).toEqual(before);
    expect((await instance.fetch("/healthz")).status).toBe(200);
  });
}
