/**
 * DNSEndpoints without a class under `--dns-class x`: a version that ignored their class has
 * published them. None of their records goes before a person approves it.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { CLASS_ANNOTATION } from "../../model/dns-class.ts";
import { DNS_ENDPOINT, DNS_PROVIDER } from "../../model/kinds.ts";

const API = "externaldns.k8s.io/v1alpha1";
const OF_X = { annotations: { [CLASS_ANNOTATION]: "x" } };
const NAMES = ["one", "two"];

/** Published by the version before, which read DNSEndpoints of every class. */
async function published() {
  const made = programWorld({ controllers: ["compound", "crd"] });
  const { cluster, clock, start, values } = made;
  cluster.delete(DNS_PROVIDER, "default", "p");
  const spec = { type: "memory", secretRef: { name: "s" } };
  const provider = objectOf("dns.gardener.cloud/v1alpha1", "DNSProvider", "p", { spec });
  cluster.apply(DNS_PROVIDER, { ...provider, metadata: { ...provider.metadata, ...OF_X } });
  const endpoint = (name: string, target: string, metadata: object = {}) => {
    const record = { dnsName: `${name}.example.org`, recordType: "A", targets: [target] };
    const fields = { metadata, spec: { endpoints: [record] } };
    cluster.apply(DNS_ENDPOINT, objectOf(API, "DNSEndpoint", name, fields));
  };
  for (const name of NAMES) endpoint(name, "192.0.2.1");
  const before = start(null, { dnsClasses: ["x"], sourceClasses: ["x", "gardendns"] });
  await clock.advance(60_000);
  await before.stop();
  const standing = () => NAMES.map((name) => values(`${name}.example.org`).join());
  expect(standing()).toEqual(["192.0.2.1", "192.0.2.1"]);
  const upgraded = (more: object = {}) => start(null, { dnsClasses: ["x"], version: "2", ...more });
  return { ...made, endpoint, standing, upgraded, rest: () => clock.advance(60_000) };
}

test("after an upgrade they are held and told, also when one is edited, until a person approves", async () => {
  const { cluster, endpoint, standing, upgraded, rest, serial } = await published();
  const kept = serial();
  const running = upgraded();
  await rest();
  const held = () => running.zones().flatMap(({ heldSets }) => heldSets);
  expect(held()).toMatchObject([{ kind: "not-selected", removals: 2 }]);
  const [explained] = await running.explain(trustedDnsName("one.example.org"));
  const [hold] = explained?.holds ?? [];
  expect(hold).toMatchObject({ code: "NotSelected" });
  expect(hold?.message).toMatch(
    /explain says why.*stays as it is when it is selected again.*approve/,
  );
  expect(JSON.stringify(cluster.events)).toMatch(
    /zonekeeper approve \w+; zonekeeper plan shows them/,
  );
  endpoint("one", "192.0.2.9");
  await rest();
  await running.stop();
  const again = upgraded();
  await rest();
  expect([standing(), serial()]).toEqual([["192.0.2.1", "192.0.2.1"], kept]);
  const [set] = again.zones().flatMap(({ heldSets }) => heldSets);
  await again.approve(set?.hash ?? "");
  await rest();
  expect(standing()).toEqual(["", ""]);
  await again.stop();
});

test.each(["the annotation", "--source-dns-class"])(
  "%s selects them again, without a write",
  async (by) => {
    const { cluster, standing, upgraded, rest, serial } = await published();
    const kept = serial();
    const first = upgraded();
    await rest();
    if (by === "the annotation")
      for (const name of NAMES) {
        const present = cluster.now(DNS_ENDPOINT, "default", name);
        if (present === null) throw new Error("it is gone");
        cluster.apply(DNS_ENDPOINT, { ...present, metadata: { ...present.metadata, ...OF_X } });
      }
    await rest();
    await first.stop();
    const sourceClasses = by === "the annotation" ? ["x"] : ["gardendns"];
    const second = upgraded({ sourceClasses, version: "3" });
    await rest();
    expect([standing(), serial()]).toEqual([["192.0.2.1", "192.0.2.1"], kept]);
    expect(second.zones().flatMap(({ heldSets }) => heldSets)).toEqual([]);
    await second.stop();
  },
);

test("Z-2 one that goes to another class is listed here no more: its record goes, and another set that reads it has the name", async () => {
  const made = await published();
  const { cluster, endpoint, standing, rest, start, zone } = made;
  cluster.apply(SECRET, objectOf("v1", "Secret", "s2", {}));
  const provider = {
    metadata: { annotations: { [CLASS_ANNOTATION]: "y" } },
    spec: { type: "memory", secretRef: { name: "s2" } },
  };
  cluster.apply(
    DNS_PROVIDER,
    objectOf("dns.gardener.cloud/v1alpha1", "DNSProvider", "p2", provider),
  );
  const mine = start(null, { dnsClasses: ["x"], sourceClasses: ["x", "gardendns"] });
  const yours = start(null, { dnsClasses: ["y"], owner: "you" });
  await rest();
  for (const [name, dnsClass] of [
    ["one", "y"],
    ["two", "z"],
  ] as const)
    endpoint(name, "192.0.2.1", { annotations: { [CLASS_ANNOTATION]: dnsClass } });
  await rest();
  await rest();
  expect(standing()).toEqual(["192.0.2.1", ""]);
  expect(zone()).toContain("external-dns/owner=you,external-dns/resource=crd/default/one");
  await mine.stop();
  await yours.stop();
});
