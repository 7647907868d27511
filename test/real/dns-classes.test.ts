/**
 * Several processes whose classes meet in one cluster and one zone: makers of DNSEntries for one
 * target class, a publisher that takes another class into its own, and two lists of classes that
 * contradict each other. Nobody deletes what another one made, all writing ends, and every name
 * answers all the time.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { watchAnswers, withoutGap } from "../support/clients/answer-watch.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, object, service, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const CLASS = "dns.gardener.cloud/class";
const MADE_FOR = "zonekeeper.dev/source-class";
const FORMER = "zonekeeper.dev/former-class";
const WRITTEN = ["dnse", "dnspr", "dnso", "secret", "svc"] as const;

const ofClass = (dnsClass: string) => ({ annotations: { [CLASS]: dnsClass } });

/** `dnsName key=value` of every entry, sorted. */
async function marks({ user }: RunSession, key: string): Promise<readonly string[]> {
  return (await user.list("dnse"))
    .map(({ spec, metadata }) => `${spec?.["dnsName"]} ${metadata.annotations?.[key] ?? "-"}`)
    .sort();
}

describeOnBoth("makers of entries for one class", ["bind", "dig"], (server) => {
  let zone: RealZone;
  let session: RunSession;
  const makers: RunInstance[] = [];
  /** Of each Service: its class. */
  const services = { main: "gardendns", intern: "intern", public: "public", old: "old" };
  const labels = Object.keys(services);
  const addressOf = (label: string) => `192.0.2.${labels.indexOf(label) + 1}`;
  const apply = async (label: string, dnsClass: string) =>
    session.user.apply(service(label, zone.name(label), ofClass(dnsClass)));
  /** All names are asked for without end meanwhile. */
  const allAnswer = (work: () => Promise<void>): Promise<void> =>
    withoutGap(
      zone.server.port,
      Object.fromEntries(labels.map((label) => [zone.name(label), [addressOf(label)]])),
      work,
    );

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await server.open();
    await session.user.apply(account("net", zone.server));
    const maker = async (name: string, ...classes: readonly string[]) =>
      makers.push(
        await session.run(name, "--controllers", "service-dns", ...classes, "--lease-name", name),
      );
    const target = ["--dns-target-class", "gardendns"];
    await maker("intern", "--source-dns-class", "intern", ...target);
    await maker("public", "--source-dns-class", "public", ...target);
    await maker("old", "--dns-class", "old");
    for (const [label, dnsClass] of Object.entries(services)) {
      await apply(label, dnsClass);
      await session.user.balance("svc", label, addressOf(label));
    }
    await eventually(
      "each maker has made its entry",
      () => session.user.list("dnse"),
      (all) => all.length === 3,
    );
    // Makes entries for its main class, too, and takes those of class old into it.
    const lists = ["--dns-class", "gardendns,old", "--source-dns-class", "gardendns"];
    makers.push(await session.run("main", ...lists, "--lease-name", "main"));
    for (const label of labels) await zone.becomes(label, "A", addressOf(label));
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  test("each entry says for which class it was made, or from which it was taken", async () => {
    await session.user.rests(...WRITTEN);
    expect(await marks(session, MADE_FOR)).toEqual([
      ...["intern.example.net intern", "main.example.net -"],
      ...["old.example.net old", "public.example.net public"],
    ]);
    expect(await marks(session, FORMER)).toContain("old.example.net old");
    expect((await marks(session, CLASS)).every((line) => line.endsWith(" -"))).toBe(true);
    for (const { metadata } of await session.user.list("dnse"))
      await session.user.becomes("dnse", metadata.name, "Ready");
  });

  test("nobody deletes another one's entries, also at a restart of each", async () => {
    await allAnswer(async () => {
      const before = await session.user.rests(...WRITTEN);
      for (const maker of makers) await maker.restart();
      await makers.at(-1)?.hasNothingToDo();
      expect(await session.user.rests(...WRITTEN)).toEqual(before);
    });
  });

  test("a maker follows its Service in the class that took the entry", async () => {
    const uids = async () => (await session.user.list("dnse")).map(({ metadata }) => metadata.name);
    const before = await uids();
    await session.user.balance("svc", "old", "192.0.2.40");
    await zone.becomes("old", "A", "192.0.2.40");
    await session.user.balance("svc", "old", addressOf("old"));
    await zone.becomes("old", "A", addressOf("old"));
    expect(await uids()).toEqual(before);
  });

  test("a Service that goes to the other maker's class keeps its record", async () => {
    await allAnswer(async () => {
      await apply("intern", "public");
      await session.user.rests(...WRITTEN);
      await zone.becomes("intern", "A", addressOf("intern"));
    });
    expect(await marks(session, MADE_FOR)).toContain("intern.example.net public");
  });

  test("a deleted Service takes its own entry along, and no other", async () => {
    await session.user.delete("svc", "old", "public");
    for (const label of ["old", "public"]) await zone.becomes(label, "A");
    await session.user.rests(...WRITTEN);
    expect(await session.user.list("dnse")).toHaveLength(2);
    for (const label of ["main", "intern"])
      expect(await zone.answers(label)).toEqual([addressOf(label)]);
  });
});

describeOnBoth("lists of classes that contradict each other", ["bind", "dig"], (server) => {
  let zone: RealZone;
  let session: RunSession;
  let one: RunInstance;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await server.open();
    const owner = { metadata: { namespace: undefined }, spec: { ownerId: "shop" } };
    const spec = { targets: ["192.0.2.1"] };
    await session.user.apply(
      together(
        ...[account("net", zone.server), object("DNSOwner", "shop", owner)],
        entry("www", zone.name("www"), spec),
      ),
    );
    one = await session.run("one", "--dns-class", "new,gardendns", "--lease-name", "one");
    await zone.becomes("www", "A", "192.0.2.1");
    await session.user.becomes("dnse", "www", "Ready");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  test("all writing ends, each object says why, and the record answers all the time", async () => {
    const { user } = session;
    const at = { port: zone.server.port, name: zone.name("www") };
    const seen = await watchAnswers(at, async () => {
      const classes = ["--dns-class", "gardendns,new"];
      const two = await session.run("two", ...classes, "--lease-name", "two");
      for (const [kind, name] of [
        ["DNSProvider", "net"],
        ["DNSOwner", "shop"],
        ["DNSEntry", "www"],
      ] as const)
        await user.reported(kind, name, /^ClassContested: stays in class .* in --dns-class$/);
      await user.rests(...WRITTEN, "events");
      // A list that begins anew contradicts nothing yet.
      for (const instance of [two, one]) {
        await instance.restart();
        await user.rests(...WRITTEN, "events");
      }
    });
    expect(seen.gaps).toEqual([]);
    expect(seen.answers).toEqual(["A 192.0.2.1"]);
    expect((await user.get("dnse", "www")).metadata.annotations).toHaveProperty([FORMER]);
  });
});
