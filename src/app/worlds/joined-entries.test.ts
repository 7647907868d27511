/** Entries that one process makes in a class whose objects another takes into its main one. */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { DEFAULT_PUBLISH } from "../../../test/support/worlds/default-publish.ts";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { CLASS_ANNOTATION } from "../../model/dns-class.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const OLD_MAKER = { dnsClasses: ["old"], runs: ["service-dns"], owner: "two" } as const;
const TAKER = { dnsClasses: ["gardendns", "old"], owner: "one" } as const;

function world() {
  const made = programWorld();
  const { cluster, clock } = made;
  const service = (dnsClass: string, ip = "192.0.2.9") => {
    const names = { "dns.gardener.cloud/dnsnames": "web.example.org" };
    const annotations = { [CLASS_ANNOTATION]: dnsClass, ...names };
    const fields = { metadata: { annotations }, spec: { type: "LoadBalancer" } };
    cluster.apply(SERVICE, objectOf("v1", "Service", "web", fields));
    cluster.setStatus(SERVICE, "default", "web", { loadBalancer: { ingress: [{ ip }] } });
  };
  const rest = () => clock.advance(60_000);
  const writes = () => cluster.writes.filter((write) => write.includes("dnsentries")).length;
  const uids = () => cluster.all(DNS_ENTRY).map(({ metadata }) => metadata.uid);
  const answer = () => made.values("web.example.org").join(" ");
  return { ...made, service, rest, writes, uids, answer };
}

type Options = Parameters<ReturnType<typeof programWorld>["start"]>[1];

test.each<[string, readonly NonNullable<Options>[]]>([
  ["publishes", [{ ...TAKER, runs: ["compound"] }]],
  ["makes entries for its main class, too", [{ ...TAKER, sourceClasses: ["gardendns"] }]],
  [
    "publishes, beside a third that makes entries for its main class",
    [
      { ...TAKER, runs: ["compound"] },
      { dnsClasses: ["gardendns"], runs: ["service-dns"], owner: "three" },
    ],
  ],
])("the taker %s: the entry stays one, and its maker goes on with it", async (_, others) => {
  const { service, start, rest, writes, uids, answer, cluster, clock } = world();
  service("old");
  const all = [start(undefined, OLD_MAKER)];
  await clock.advance(5_000);
  const made = uids();
  all.push(...others.map((other) => start(undefined, other)));
  await rest();
  expect([uids(), answer()]).toEqual([made, "192.0.2.9"]);
  const before = writes();
  await rest();
  expect(writes()).toBe(before);
  service("old", "192.0.2.10");
  await rest();
  expect([uids(), answer()]).toEqual([made, "192.0.2.10"]);
  expect(cluster.all(DNS_ENTRY)[0]?.metadata.annotations).not.toHaveProperty(CLASS_ANNOTATION);
  cluster.delete(SERVICE, "default", "web");
  await rest();
  // The fuse may hold the removal of the record.
  const staying = cluster
    .all(DNS_ENTRY)
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  expect(staying).toEqual([]);
  for (const one of all) await one.stop();
});

test("started again with a longer list, a process keeps what it made of other sources", async () => {
  const { service, start, rest, writes, uids, answer } = world();
  service("old");
  const before = start(undefined, { dnsClasses: ["old"], owner: "one" });
  await rest();
  const made = uids();
  await before.stop();
  const after = start(undefined, { ...TAKER, sourceClasses: ["gardendns"] });
  await rest();
  const written = writes();
  await rest();
  expect([uids(), answer(), writes()]).toEqual([made, "192.0.2.9", written]);
  await after.stop();
});

test("a Service that goes to the main class is left alone by a maker that starts again", async () => {
  const { service, start, rest, uids, answer, clock } = world();
  service("old");
  const maker = start(undefined, OLD_MAKER);
  await clock.advance(5_000);
  const taker = start(undefined, { ...TAKER, sourceClasses: ["gardendns"] });
  await rest();
  await maker.stop();
  service("gardendns");
  await rest();
  const made = uids();
  const again = start(undefined, OLD_MAKER);
  await rest();
  expect([uids(), answer()]).toEqual([made, "192.0.2.9"]);
  for (const one of [taker, again]) await one.stop();
});

test("a publisher says which of its entries another one has taken, and gets them back", async () => {
  const { service, start, rest, answer, cluster } = world();
  service("gardendns");
  const before = start();
  await rest();
  await before.stop();
  const [made] = cluster.all(DNS_ENTRY);
  const ref = { kind: DNS_ENTRY, namespace: "default", name: made?.metadata.name ?? "" };
  const give = (annotations: Readonly<Record<string, string | null>>) =>
    cluster.patch(ref, { metadata: { annotations } });
  await give({ [CLASS_ANNOTATION]: "old", "zonekeeper.dev/former-class": "gardendns" });
  const alone = start();
  await rest();
  const events = cluster.events.filter(({ note }) =>
    note.message.includes("was taken into class old"),
  );
  expect(events.map(({ object, count }) => `${object} ${count}`)).toEqual([
    "service/default/web 1",
  ]);
  await give({ [CLASS_ANNOTATION]: null });
  service("gardendns", "192.0.2.10");
  await rest();
  expect(answer()).toBe("192.0.2.10");
  await alone.stop();
});

test("two makers of one class whose options differ write in turn a few times a minute, and say so", async () => {
  const { service, start, rest, writes, uids, cluster } = world();
  service("gardendns");
  const maker = (owner: string, realms: string) => {
    const marks = { ...DEFAULT_PUBLISH.marks, realms };
    return start(undefined, { runs: ["service-dns"], owner, publish: { marks } });
  };
  const both = [maker("one", "a"), maker("two", "b")];
  await rest();
  const [made, before] = [uids(), writes()];
  await rest();
  expect(writes() - before).toBeLessThan(15);
  expect(uids()).toEqual(made);
  const contested = cluster.events.filter(({ note }) => note.message.includes("is changed back"));
  expect(contested.map(({ object }) => object)).toContain("service/default/web");
  for (const one of both) await one.stop();
});
