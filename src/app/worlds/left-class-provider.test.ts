/** A DNSProvider whose class goes to another set of controllers (ADR 0091). */
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { CLASS_ANNOTATION } from "../../model/dns-class.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const OTHER = { dnsClasses: ["other"], owner: "you" } as const;
const WWW = "www.example.org";
const MINE = "dns.gardener.cloud/compound";
const OTHERS = `other.${MINE}`;

function world() {
  const made = programWorld({ controllers: ["compound"] });
  const { cluster, clock } = made;
  const ofClass = (dnsClass: string) => ({ annotations: { [CLASS_ANNOTATION]: dnsClass } });
  const entry = (dnsClass: string, target = "192.0.2.1") => {
    const spec = { dnsName: WWW, targets: [target] };
    const fields = { metadata: ofClass(dnsClass), spec };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "www", fields));
  };
  const provider = (dnsClass: string) => {
    const spec = { type: "memory", secretRef: { name: "s" } };
    const fields = { metadata: ofClass(dnsClass), spec };
    cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p", fields));
  };
  const now = () => cluster.now(DNS_ENTRY, "default", "www");
  const finalizers = () => cluster.now(DNS_PROVIDER, "default", "p")?.metadata.finalizers;
  const state = () => fieldsOf(now()?.["status"])["state"];
  const rest = () => clock.advance(60_000);
  const left = () => cluster.events.filter(({ note }) => note.reason === "RecordsLeft");
  return { ...made, entry, provider, now, finalizers, state, rest, left };
}

test.each([
  ["in one moment", ["p www"], false],
  ["first", ["p", "www"], false],
  ["minutes before", ["p", "", "", "", "", "", "", "", "www"], false],
  ["ten seconds later", ["www", "p"], false],
  ["in one moment, and the set that is left begins anew", ["p www"], true],
  ["ten seconds later, and the set that is left begins anew", ["www", "p"], true],
])(
  "the only DNSProvider goes with its entry, %s: its record goes, too",
  async (_, steps, isAnew) => {
    const { start, entry, provider, rest, clock, cluster, values, zone, state, ...made } = world();
    const other = start(undefined, OTHER);
    let one = start();
    entry("gardendns");
    await rest();
    for (const step of steps) {
      if (step.includes("p")) provider("other");
      if (step.includes("www")) entry("other", "192.0.2.2");
      await clock.advance(isAnew ? 100 : 10_000);
    }
    if (isAnew) {
      await one.stop();
      one = start();
    }
    await rest();
    expect([state(), values(WWW)]).toEqual(["Ready", ["192.0.2.2"]]);
    expect(zone()).not.toMatch(/_permit|owner=me/);
    expect([made.finalizers(), made.now()?.metadata.finalizers]).toEqual([[OTHERS], [OTHERS]]);
    cluster.delete(DNS_ENTRY, "default", "www");
    await rest();
    expect([made.now(), values(WWW), made.left()]).toEqual([null, [], []]);
    for (const each of [one, other]) await each.stop();
  },
);

test("a DNSProvider that goes alone is held for an hour, and then an Event counts the records", async () => {
  const made = world();
  const { start, entry, provider, rest, clock, values, state, now, finalizers, left } = made;
  const both = [start(), start(undefined, OTHER)];
  entry("gardendns");
  await rest();
  provider("other");
  await rest();
  expect([state(), values(WWW), finalizers()]).toEqual(["Stale", ["192.0.2.1"], [MINE, OTHERS]]);
  const message = 'provider "default/p" not valid: its class is other';
  expect(now()?.["status"]).toMatchObject({ message });
  const versions = () => made.cluster.all(DNS_PROVIDER).map((one) => one.metadata.resourceVersion);
  const before = versions();
  await clock.advance(600_000);
  expect(versions()).toEqual(before);
  await clock.advance(3_000_000);
  expect([values(WWW), finalizers()]).toEqual([["192.0.2.1"], [OTHERS]]);
  expect(left().map(({ object, note }) => [object, note.message])).toEqual([
    ["dnsprovider/default/p", expect.stringContaining("1 names in its zones still have records")],
  ]);
  provider("gardendns");
  entry("gardendns", "192.0.2.3");
  await rest();
  expect([state(), values(WWW)]).toEqual(["Ready", ["192.0.2.3"]]);
  for (const each of both) await each.stop();
});

test("a DNSProvider that comes back in time serves on", async () => {
  const { start, entry, provider, rest, clock, values, state } = world();
  const both = [start(), start(undefined, OTHER)];
  entry("gardendns");
  await rest();
  provider("other");
  await rest();
  provider("gardendns");
  entry("gardendns", "192.0.2.3");
  await rest();
  expect([state(), values(WWW)]).toEqual(["Ready", ["192.0.2.3"]]);
  await clock.advance(2 * 3_600_000);
  entry("gardendns", "192.0.2.4");
  await rest();
  expect([state(), values(WWW)]).toEqual(["Ready", ["192.0.2.4"]]);
  for (const each of both) await each.stop();
});
