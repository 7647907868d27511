/** DNSEntries that go to another set and are edited in the same change (ADR 0090). */
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { CLASS_ANNOTATION } from "../../model/dns-class.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const OTHER = { dnsClasses: ["other"], owner: "you" } as const;
const [WWW, NEW] = ["www.example.org", "new.example.org"];

function world({ zone = "" } = {}) {
  const made = programWorld({ controllers: ["compound"], zone });
  const { cluster, clock } = made;
  const ofClass = (dnsClass: string) => ({ annotations: { [CLASS_ANNOTATION]: dnsClass } });
  const entry = (dnsClass: string, targets: readonly string[], dnsName = WWW) =>
    cluster.apply(
      DNS_ENTRY,
      objectOf(API, "DNSEntry", "www", { metadata: ofClass(dnsClass), spec: { dnsName, targets } }),
    );
  // The last record of a set in a zone goes by approval alone (Z-16).
  const kept = { spec: { dnsName: "kept.example.org", targets: ["192.0.2.7"] } };
  cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "kept", kept));
  cluster.apply(SECRET, objectOf("v1", "Secret", "s2", {}));
  const spec = { type: "memory", secretRef: { name: "s2" } };
  const fields = { metadata: ofClass("other"), spec };
  cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p2", fields));
  const now = () => cluster.now(DNS_ENTRY, "default", "www");
  const state = () => fieldsOf(now()?.["status"])["state"];
  const answers = () => [WWW, NEW].flatMap((one) => made.values(one));
  return { ...made, entry, now, state, answers, rest: () => clock.advance(60_000) };
}

const EDITS: readonly (readonly [string, readonly string[], readonly string[], string])[] = [
  ["another name", ["192.0.2.1"], ["192.0.2.1"], NEW],
  ["a type less", ["192.0.2.1", "2001:db8::1"], ["192.0.2.1"], WWW],
  ["another type", ["192.0.2.1"], ["lb.example.net"], WWW],
  ["an address in place of a host", ["lb.example.net"], ["192.0.2.1", "2001:db8::1"], WWW],
  ["another name and type", ["192.0.2.1", "2001:db8::1"], ["lb.example.net"], NEW],
];

test.each(EDITS)(
  "an edit that changes the class, too, brings %s: nothing of before is left",
  async (_, before, after, name) => {
    const { start, entry, rest, clock, state, answers, now, zone } = world();
    const both = [start(), start(undefined, OTHER)];
    entry("gardendns", before);
    await rest();
    entry("other", after, name);
    for (let seconds = 0; seconds < 60; seconds++) {
      await clock.advance(1_000);
      expect(answers()).not.toEqual([]);
    }
    await rest();
    expect([state(), answers()]).toEqual(["Ready", after]);
    expect(now()?.metadata.finalizers).toEqual(["other.dns.gardener.cloud/compound"]);
    expect(zone()).not.toMatch(/_permit|-(www|new) .*owner=me/);
    for (const each of both) await each.stop();
  },
);

test.each(EDITS)("also while the set that is left is down: %s", async (_, before, after, name) => {
  const { start, entry, rest, state, answers, now, zone } = world();
  const one = start();
  entry("gardendns", before);
  await rest();
  await one.stop();
  const other = start(undefined, OTHER);
  entry("other", after, name);
  await rest();
  expect(answers()).toEqual(expect.arrayContaining([...before]));
  const again = start();
  await rest();
  await rest();
  expect([state(), answers()]).toEqual(["Ready", after]);
  expect(now()?.metadata.finalizers).toEqual(["other.dns.gardener.cloud/compound"]);
  expect(zone()).not.toMatch(/_permit|-(www|new) .*owner=me/);
  for (const each of [other, again]) await each.stop();
});

test.each([false, true])(
  "the former name answers while the new one is somebody else's, also over a restart: %s",
  async (isRestarted) => {
    const made = world({ zone: "new 300 A 192.0.2.9" });
    const { start, entry, rest, clock, state, answers, now, content, values, cluster } = made;
    const running = [start(undefined, OTHER)];
    let one = start();
    entry("gardendns", ["192.0.2.1"]);
    await rest();
    await one.stop();
    entry("other", ["192.0.2.1"], NEW);
    await clock.advance(1_000);
    one = start();
    await clock.advance(600_000);
    expect(state()).toBe("Error");
    if (isRestarted) {
      await one.stop();
      one = start();
      await clock.advance(600_000);
    }
    expect(answers()).toEqual(["192.0.2.1", "192.0.2.9"]);
    expect(now()?.metadata.finalizers).toHaveLength(2);
    for (const set of content.all().filter(({ name }) => name === NEW))
      content.write([{ key: set, next: null }], clock.nowMs());
    await clock.advance(600_000);
    expect([state(), values(WWW), values(NEW)]).toEqual(["Ready", [], ["192.0.2.1"]]);
    expect(now()?.metadata.finalizers).toHaveLength(1);
    cluster.delete(DNS_ENTRY, "default", "www");
    await rest();
    expect(answers()).toEqual([]);
    for (const each of [...running, one]) await each.stop();
  },
);
