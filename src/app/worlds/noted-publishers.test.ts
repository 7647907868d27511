/** Who notes that it has an entry, for which class (ADR 0089). */
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { CLASS_ANNOTATION } from "../../model/dns-class.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const OTHER = { dnsClasses: ["other"], owner: "you" } as const;

function world() {
  const made = programWorld({ controllers: ["compound"] });
  const { cluster, clock } = made;
  const entry = (dnsClass: string, more: object = {}) => {
    const annotations = { [CLASS_ANNOTATION]: dnsClass, ...more };
    const spec = { dnsName: "www.example.org", targets: ["192.0.2.1"] };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", "www", { metadata: { annotations }, spec }));
  };
  const give = (dnsClass: string) =>
    cluster.patch(
      { kind: DNS_ENTRY, namespace: "default", name: "www" },
      { metadata: { annotations: { [CLASS_ANNOTATION]: dnsClass } } },
    );
  cluster.apply(SECRET, objectOf("v1", "Secret", "s2", {}));
  const metadata = { annotations: { [CLASS_ANNOTATION]: "other" } };
  const spec = { type: "memory", secretRef: { name: "s2" } };
  cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p2", { metadata, spec }));
  const now = () => cluster.now(DNS_ENTRY, "default", "www");
  const writes = () => Number(now()?.metadata.resourceVersion);
  return { ...made, entry, give, now, writes, rest: () => clock.advance(60_000) };
}

test.each([
  ["is noted already", { "zonekeeper.dev/publisher": "you other" }, []],
  ["comes from another class, whose set is down", {}, [OTHER]],
])("they do not correct each other's note of an entry that %s", async (_, noted, before) => {
  const { start, entry, rest, writes } = world();
  for (const options of before) {
    const former = start(undefined, options);
    entry("other");
    await rest();
    await former.stop();
  }
  const both = [start(), start(undefined, { owner: "third" })];
  entry("gardendns", noted);
  await rest();
  const written = writes();
  await rest();
  expect(writes() - written).toBeLessThan(50);
  for (const each of both) await each.stop();
});

test("an entry goes back while its set is down, which has permitted the claim", async () => {
  const { start, entry, give, rest, now, zone, clock } = world();
  const one = start();
  entry("gardendns");
  await rest();
  await one.stop();
  const other = start(undefined, OTHER);
  await give("other");
  await clock.advance(1_000);
  const again = start();
  while (!zone().includes("_permit")) await clock.advance(100);
  await again.stop();
  await rest();
  expect(zone()).toContain("external-dns/owner=you,");
  expect(now()?.metadata.finalizers).toHaveLength(2);
  await give("gardendns");
  await clock.advance(5_000);
  const last = start();
  await rest();
  expect(now()?.["status"]).toMatchObject({ state: "Ready" });
  expect(now()?.metadata.finalizers).toEqual(["dns.gardener.cloud/compound"]);
  expect(zone()).toContain("external-dns/owner=me,");
  for (const each of [other, last]) await each.stop();
});
