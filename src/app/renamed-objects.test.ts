/** An object that is renamed keeps its former record until the new one is published (Z-32). */
import { describe, expect, test } from "vitest";
import { parseZone } from "../../test/support/values/zone-text.ts";
import { objectOf, programWorld } from "../../test/support/worlds/program-world.ts";
import { trustedDnsName } from "../model/dns-name.ts";
import { DNS_ENTRY, DNS_PROVIDER, SERVICE } from "../model/kinds.ts";
import { fieldsOf } from "../model/object-fields.ts";
import type { RecordSet } from "../model/record-set.ts";

/** `made`: a Service through DNSEntries. */
const WAYS = ["entry", "made", "direct"] as const;
const API = "dns.gardener.cloud/v1alpha1";
/** A record that has no owner. */
const TAKEN = "taken.example.org. 300 A 198.51.100.1";

function world(way: (typeof WAYS)[number], zone = TAKEN) {
  const options = way === "direct" ? { publishing: way } : {};
  const made = programWorld({ ...options, zone });
  const { cluster, clock, values } = made;
  /** The object wants these names; an entry has one. */
  const name = (object: string, address: string, ...names: readonly string[]) => {
    const hosts = names.map((one) => (one.includes(".") ? one : `${one}.example.org`));
    if (way === "entry") {
      const spec = { dnsName: hosts[0], targets: [address] };
      const entry = objectOf(API, "DNSEntry", object, { spec });
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
    cluster.delete(way === "entry" ? DNS_ENTRY : SERVICE, "default", object);
  const rest = () => clock.advance(90_000);
  const shows = (one: string) => values(`${one}.example.org`).join(" ");
  return { ...made, name, remove, rest, shows };
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
    const { name, rest, start, shows, remove } = world(way);
    name("web", "192.0.2.1", "www");
    name("api", "192.0.2.2", "api");
    const running = start();
    await rest();
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

  test("while the name of another zone is a stranger's", async () => {
    const { name, rest, start, shows, cluster, secondZone } = world(way);
    const spec = { type: "second", secretRef: { name: "s" } };
    cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "q", { spec }));
    const { content } = secondZone("example.net");
    const [taken] = parseZone("www.example.net. 300 A 198.51.100.1");
    const write = (next: RecordSet | null) =>
      content.write(taken === undefined ? [] : [{ key: taken, next }], 0);
    const both = () => [
      shows("www"),
      ...content.at(trustedDnsName("www.example.net")).flatMap((set) => set.values),
    ];
    write(taken ?? null);
    name("web", "192.0.2.1", "www");
    name("api", "192.0.2.2", "api");
    const running = start();
    await rest();
    name("web", "192.0.2.1", "www.example.net");
    await rest();
    expect(both()).toEqual(["192.0.2.1", "198.51.100.1"]);
    write(null);
    await rest();
    expect(both()).toEqual(["", "192.0.2.1"]);
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
