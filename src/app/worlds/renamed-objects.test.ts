/** An object that is renamed keeps its former record until the new one is published (Z-32). */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { parseZone } from "../../../test/support/values/zone-text.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { RENAMED_TO_ANNOTATION } from "../../model/annotation-keys.ts";
import { CLASS_ANNOTATION } from "../../model/dns-class.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

/**
 * `made`: a Service through DNSEntries. `copied`: a DNSEntry that is copied to another class.
 * `chain`: a Service whose DNSEntries are copied. `far`: the same, to another cluster.
 */
const WAYS = ["entry", "made", "direct", "copied", "chain", "far"] as const;
type Way = (typeof WAYS)[number];
const API = "dns.gardener.cloud/v1alpha1";
/** Records that have no owner. */
const TAKEN = "taken.example.org. 300 A 198.51.100.1\nkept.example.org. 300 A 198.51.100.1";

function world(way: Way, zone = TAKEN) {
  const options = way === "direct" ? { publishing: way } : {};
  const made = programWorld({ ...options, zone });
  const { clock, values } = made;
  /** Of the objects. */
  const cluster = way === "far" ? new MemoryCluster("c2", () => clock.nowMs()) : made.cluster;
  const isEntry = way === "entry" || way === "copied";
  /** The object wants these names; an entry has one. */
  const name = (object: string, address: string, ...names: readonly string[]) => {
    const hosts = names.map((one) => (one.includes(".") ? one : `${one}.example.org`));
    if (isEntry) {
      const spec = { dnsName: hosts[0], targets: [address] };
      const metadata = way === "copied" ? { annotations: { [CLASS_ANNOTATION]: "intern" } } : {};
      const entry = objectOf(API, "DNSEntry", object, { metadata, spec });
      cluster.apply(DNS_ENTRY, entry);
      return;
    }
    const annotations = { "dns.gardener.cloud/dnsnames": hosts.join(",") };
    const fields = { metadata: { annotations }, spec: { type: "LoadBalancer" } };
    cluster.apply(SERVICE, objectOf("v1", "Service", object, fields));
    const loadBalancer = { ingress: [{ ip: address }] };
    cluster.setStatus(SERVICE, "default", object, { loadBalancer });
  };
  const remove = (object: string) =>
    cluster.delete(isEntry ? DNS_ENTRY : SERVICE, "default", object);
  const rest = () => clock.advance(90_000);
  const shows = (one: string) => values(`${one}.example.org`).join(" ");
  /** Another zone, example.net, of another DNSProvider. */
  const net = (records = "") => {
    const spec = { type: "second", secretRef: { name: "s" } };
    made.cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "q", { spec }));
    const { content } = made.secondZone("example.net");
    content.write(
      parseZone(records).map((next) => ({ key: next, next })),
      0,
    );
    const valuesAt = (one: string) =>
      content.at(trustedDnsName(`${one}.example.net`)).flatMap((set) => set.values);
    return { shows: (one: string) => valuesAt(one).join(" ") };
  };
  const start = (...given: Parameters<typeof made.start>) => {
    if (way === "entry" || way === "made" || way === "direct") return made.start(...given);
    const near = { source: cluster, target: cluster };
    const makes = { ...near, runs: ["service-dns"], targetClass: "intern" };
    const copies = {
      source: cluster,
      runs: ["dnsentry-source"],
      sourceClasses: ["intern"],
    } as const;
    const all = [
      ...(isEntry ? [] : [made.start(null, makes)]),
      made.start(null, { ...copies, targetClass: "gardendns" }),
      made.start(null, { runs: ["compound"] }),
    ];
    return { stop: async () => void (await Promise.all(all.map((one) => one.stop()))) };
  };
  return { ...made, cluster, providers: made.cluster, name, remove, rest, shows, net, start };
}

/** `web` has the name www, and `api` its own. */
async function published(way: Way) {
  const made = world(way);
  made.name("web", "192.0.2.1", "www");
  made.name("api", "192.0.2.2", "api");
  const running = made.start();
  await made.rest();
  return { ...made, running };
}

describe.each(WAYS)("Z-32 by way of %s", (way) => {
  test.each([true, false])("while the new name is a stranger's, restart: %s", async (restarts) => {
    const { name, rest, start, shows, remove } = world(way);
    name("web", "192.0.2.1", "www");
    let running = start();
    await rest();
    if (restarts) await running.stop();
    name("web", "192.0.2.1", "taken");
    if (restarts) running = start();
    await rest();
    expect([shows("www"), shows("taken")]).toEqual(["192.0.2.1", "198.51.100.1"]);
    name("web", "192.0.2.1", "shop");
    await rest();
    expect([shows("www"), shows("shop")]).toEqual(["", "192.0.2.1"]);
    remove("web");
    await rest();
    expect(shows("shop")).toBe("");
    await running.stop();
  });

  test("it goes with its object, and stays where the object takes it back", async () => {
    const { name, rest, shows, remove, running } = await published(way);
    name("web", "192.0.2.1", "taken");
    name("api", "192.0.2.2", "taken");
    await rest();
    name("api", "192.0.2.3", "api");
    remove("web");
    await rest();
    expect([shows("www"), shows("api")]).toEqual(["", "192.0.2.3"]);
    await running.stop();
  });

  test("objects swap their names, and another object has a former name at once", async () => {
    const { name, rest, start, shows } = world(way);
    name("one", "192.0.2.1", "a");
    name("two", "192.0.2.2", "b");
    name("three", "192.0.2.3", "c");
    name("four", "192.0.2.4", "d");
    const running = start();
    await rest();
    name("one", "192.0.2.1", "b");
    name("two", "192.0.2.2", "c");
    name("three", "192.0.2.3", "a");
    name("four", "192.0.2.4", "taken");
    name("five", "192.0.2.5", "d");
    await rest();
    expect(["a", "b", "c", "d"].map(shows)).toEqual([
      "192.0.2.3",
      "192.0.2.1",
      "192.0.2.2",
      "192.0.2.5",
    ]);
    await running.stop();
  });

  test("while the name of another zone is a stranger's, and while no zone has it", async () => {
    const { name, rest, shows, net, running } = await published(way);
    name("web", "192.0.2.1", "www.example.net");
    await rest();
    expect(shows("www")).toBe("192.0.2.1");
    const zone = net("www.example.net. 300 A 198.51.100.1");
    await rest();
    expect([shows("www"), zone.shows("www")]).toEqual(["192.0.2.1", "198.51.100.1"]);
    name("web", "192.0.2.1", "taken");
    await rest();
    expect(shows("www")).toBe("192.0.2.1");
    name("web", "192.0.2.1", "shop.example.net");
    await rest();
    expect([shows("www"), zone.shows("shop")]).toEqual(["", "192.0.2.1"]);
    await running.stop();
  });

  test("objects swap names of two zones", async () => {
    const { name, rest, start, shows, net } = world(way);
    const zone = net();
    name("one", "192.0.2.1", "a");
    name("two", "192.0.2.2", "b.example.net");
    name("api", "192.0.2.3", "api");
    const running = start();
    await rest();
    name("one", "192.0.2.1", "b.example.net");
    name("two", "192.0.2.2", "a");
    await rest();
    expect([shows("a"), zone.shows("b")]).toEqual(["192.0.2.2", "192.0.2.1"]);
    await running.stop();
  });

  test("after a second rename to a stranger's name, and a restart", async () => {
    const { name, rest, start, shows } = world(way);
    name("web", "192.0.2.1", "www");
    name("api", "192.0.2.2", "api");
    let running = start();
    await rest();
    for (const next of ["taken", "kept"]) {
      name("web", "192.0.2.1", next);
      await rest();
    }
    await running.stop();
    running = start();
    await rest();
    expect(shows("www")).toBe("192.0.2.1");
    await running.stop();
  });

  test("while another object has the new name", async () => {
    const { name, rest, start, shows, remove } = world(way);
    name("one", "192.0.2.1", "a");
    name("two", "192.0.2.2", "b");
    const running = start();
    await rest();
    name("two", "192.0.2.2", "a");
    await rest();
    expect([shows("a"), shows("b")]).toEqual(["192.0.2.1", "192.0.2.2"]);
    remove("one");
    await rest();
    expect([shows("a"), shows("b")]).toEqual(["192.0.2.2", ""]);
    await running.stop();
  });
});

test.each([
  { on: "patch", code: "Unavailable" },
  { on: "patch", code: "Conflict" },
  { on: "create", code: "Unavailable" },
  { on: "create", code: "Forbidden" },
] as const)("Z-32 a call that makes the new entry fails: $on, $code", async ({ on, code }) => {
  const { name, rest, shows, cluster, running } = await published("made");
  cluster.fail({ on, code, applied: false, kind: DNS_ENTRY });
  name("web", "192.0.2.1", "taken");
  await rest();
  expect(shows("www")).toBe("192.0.2.1");
  name("web", "192.0.2.1", "shop");
  await rest();
  expect([shows("www"), shows("shop")]).toEqual(["", "192.0.2.1"]);
  await running.stop();
});

test.each(["made", "direct"] as const)("Z-32 without an address in between: %s", async (way) => {
  const { name, rest, shows, cluster, running } = await published(way);
  name("web", "192.0.2.1", "taken");
  await rest();
  cluster.setStatus(SERVICE, "default", "web", {});
  await rest();
  expect(shows("www")).toBe("192.0.2.1");
  const annotations = { "dns.gardener.cloud/dnsnames": "shop.example.org" };
  const fields = { metadata: { annotations }, spec: { type: "LoadBalancer" } };
  cluster.apply(SERVICE, objectOf("v1", "Service", "web", fields));
  await rest();
  expect(shows("www")).toBe("192.0.2.1");
  name("web", "192.0.2.1", "shop");
  await rest();
  expect([shows("www"), shows("shop")]).toEqual(["", "192.0.2.1"]);
  await running.stop();
});

test.each(["made", "direct"] as const)("Z-32 by way of a mistake: %s", async (way) => {
  const { name, rest, shows, running } = await published(way);
  for (const names of [["taken", "bad..host.example.org"], ["taken"]]) {
    name("web", "192.0.2.1", ...names);
    await rest();
    expect(shows("www"), String(names)).toBe("192.0.2.1");
  }
  await running.stop();
});

test("Z-32 renamed while the program is down and publishes otherwise after it", async () => {
  const { name, rest, start, shows } = world("direct");
  name("web", "192.0.2.1", "www");
  name("api", "192.0.2.2", "api");
  const before = start();
  await rest();
  await before.stop();
  name("web", "192.0.2.1", "taken");
  const running = start("entries");
  await rest();
  expect(shows("www")).toBe("192.0.2.1");
  name("web", "192.0.2.1", "shop");
  await rest();
  expect([shows("www"), shows("shop")]).toEqual(["", "192.0.2.1"]);
  await running.stop();
});

test.each(["made", "copied", "chain", "far"] as const)(
  "Z-32 in a DNSProvider whose quota is full what is renamed has its place: %s",
  async (way) => {
    const { name, rest, start, shows, providers } = world(way);
    const spec = { type: "memory", secretRef: { name: "s" }, quotas: { entries: 2 } };
    providers.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p", { spec }));
    name("web", "192.0.2.1", "www");
    name("api", "192.0.2.2", "api");
    const running = start();
    await rest();
    name("web", "192.0.2.1", "shop");
    await rest();
    expect([shows("www"), shows("shop")]).toEqual(["", "192.0.2.1"]);
    await running.stop();
  },
);

test("a name that is taken off alone goes, whatever the other names wait for", async () => {
  const { name, rest, start, shows } = world("direct");
  name("web", "192.0.2.1", "www", "shop", "taken");
  name("api", "192.0.2.2", "api");
  const running = start();
  await rest();
  name("web", "192.0.2.1", "www", "taken");
  await rest();
  expect([shows("www"), shows("shop")]).toEqual(["192.0.2.1", ""]);
  name("web", "192.0.2.1", "taken");
  await rest();
  expect(shows("www")).toBe("");
  await running.stop();
});

test("half of a rename: an address whose kind does not come stays until it does", async () => {
  const { cluster, rest, shows, start } = world("entry");
  const entry = (object: string, label: string, ...targets: readonly string[]) =>
    cluster.apply(
      DNS_ENTRY,
      objectOf(API, "DNSEntry", object, { spec: { dnsName: `${label}.example.org`, targets } }),
    );
  entry("own", "own", "192.0.2.9");
  entry("blk", "new", "192.0.2.2");
  entry("web", "old", "192.0.2.1", "2001:db8::1");
  const running = start();
  await rest();
  entry("web", "new", "192.0.2.1", "2001:db8::1");
  await rest();
  expect([shows("old"), shows("new")]).toEqual(["192.0.2.1", "192.0.2.2 2001:db8::1"]);
  cluster.delete(DNS_ENTRY, "default", "blk");
  await rest();
  expect([shows("old"), shows("new")]).toEqual(["", "192.0.2.1 2001:db8::1"]);
  await running.stop();
});

test("equal data of another object is an answer", async () => {
  const { name, rest, start, shows } = world("direct");
  name("one", "192.0.2.1", "a");
  name("two", "192.0.2.1", "b");
  const running = start();
  await rest();
  name("two", "192.0.2.1", "a");
  await rest();
  expect([shows("a"), shows("b")]).toEqual(["192.0.2.1", ""]);
  await running.stop();
});

test("the entry says what its name waits for, and is Ready after it", async () => {
  const { name, rest, start, cluster } = world("entry");
  const state = () => {
    const entry = cluster.now(DNS_ENTRY, "default", "web");
    return fieldsOf(entry?.["status"])["state"];
  };
  name("web", "192.0.2.1", "www");
  const running = start();
  await rest();
  name("web", "192.0.2.1", "taken");
  await rest();
  expect(state()).toBe("Error");
  name("web", "192.0.2.1", "shop");
  await rest();
  expect(state()).toBe("Ready");
  await running.stop();
});

test.each(["chain", "far"] as const)(
  "Z-32 a copy of an entry of a former name has its note and its state, and ends with it: %s",
  async (way) => {
    const { name, rest, start, shows, cluster, providers, clock } = world(way);
    const at = (one: string) => {
      const entries = new Set([...cluster.all(DNS_ENTRY), ...providers.all(DNS_ENTRY)]);
      const named = [...entries].filter(
        ({ spec }) => fieldsOf(spec)["dnsName"] === `${one}.example.org`,
      );
      return named.map(({ metadata, status }) => [
        metadata.annotations?.[RENAMED_TO_ANNOTATION],
        fieldsOf(status)["targets"],
      ]);
    };
    const quiet = async () => {
      const before = cluster.writes.length + providers.writes.length;
      await clock.advance(600_000);
      expect(cluster.writes.length + providers.writes.length).toBe(before);
    };
    name("one", "192.0.2.1", "a");
    name("two", "192.0.2.2", "b");
    let running = start();
    await rest();
    name("one", "192.0.2.1", "taken");
    await rest();
    const noted = ["taken.example.org", ["192.0.2.1"]];
    expect(at("a")).toEqual([noted, noted]);
    await quiet();
    await running.stop();
    running = start();
    await rest();
    expect([shows("a"), at("a")]).toEqual(["192.0.2.1", [noted, noted]]);
    name("one", "192.0.2.1", "a");
    await rest();
    const listed = [undefined, ["192.0.2.1"]];
    expect([at("a"), at("taken")]).toEqual([[listed, listed], []]);
    name("one", "192.0.2.1", "taken");
    await rest();
    name("two", "192.0.2.2", "a");
    await rest();
    expect([shows("a"), shows("b")]).toEqual(["192.0.2.2", ""]);
    expect(at("a")).toEqual([
      [undefined, ["192.0.2.2"]],
      [undefined, ["192.0.2.2"]],
    ]);
    await quiet();
    await running.stop();
  },
);

test("an entry that waits because of its note names the annotation and what to do, which helps", async () => {
  const { name, rest, start, shows, cluster } = world("made");
  name("web", "192.0.2.1", "www");
  const running = start();
  await rest();
  await running.stop();
  const noteIn = async (text: string | null) => {
    const [entry] = cluster.all(DNS_ENTRY);
    const ref = { kind: DNS_ENTRY, namespace: "default", name: entry?.metadata.name ?? "" };
    await cluster.patch(ref, { metadata: { annotations: { [RENAMED_TO_ANNOTATION]: text } } });
  };
  const status = () => fieldsOf(cluster.all(DNS_ENTRY)[0]?.["status"]);
  await noteIn("shop.example.org");
  // Nobody who knows the Service looks at the note.
  const publishing = start(undefined, { runs: ["compound"] });
  await rest();
  expect(status()).toMatchObject({
    state: "Stale",
    message: expect.stringMatching(
      /as its annotation zonekeeper.dev\/renamed-to says; .*; if that is wrong, remove the annotation$/,
    ),
  });
  await noteIn(null);
  await rest();
  expect([shows("www"), status()["state"]]).toEqual(["192.0.2.1", "Ready"]);
  await publishing.stop();
});

test.each(["made", "copied", "chain"] as const)(
  "Z-32 the note of a former name is taken off, emptied or garbled: %s",
  async (way) => {
    const { name, rest, start, shows, cluster, clock } = world(way);
    const noted = () =>
      cluster
        .all(DNS_ENTRY)
        .filter(({ metadata }) => metadata.annotations?.[RENAMED_TO_ANNOTATION] !== undefined)
        .filter(({ spec }) => fieldsOf(spec)["dnsName"] === "a.example.org");
    const write = async (text: string | null) => {
      for (const { metadata } of noted()) {
        const ref = { kind: DNS_ENTRY, namespace: "default", name: metadata.name };
        await cluster.patch(ref, { metadata: { annotations: { [RENAMED_TO_ANNOTATION]: text } } });
      }
    };
    const notes = () =>
      new Set(noted().map(({ metadata }) => metadata.annotations?.[RENAMED_TO_ANNOTATION]));
    name("one", "192.0.2.1", "a");
    name("two", "192.0.2.2", "b");
    let running = start();
    await rest();
    name("one", "192.0.2.1", "taken");
    await rest();
    for (const text of [null, "", "%%% ,,", "?"]) {
      await write(text);
      await rest();
      expect([shows("a"), [...notes()]], String(text)).toEqual([
        "192.0.2.1",
        ["taken.example.org"],
      ]);
    }
    await running.stop();
    await write(",");
    running = start();
    await rest();
    expect([shows("a"), [...notes()]]).toEqual(["192.0.2.1", ["taken.example.org"]]);
    // A tool that prunes each second.
    for (let second = 0; second < 90; second += 1) {
      await write(null);
      await clock.advance(1_000);
    }
    expect(shows("a")).toBe("192.0.2.1");
    name("one", "192.0.2.1", "c");
    await rest();
    expect([shows("a"), shows("c"), [...notes()]]).toEqual(["", "192.0.2.1", []]);
    await running.stop();
  },
);
