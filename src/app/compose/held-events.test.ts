/** The fuse holds a set: the DNSProvider of the zone has a Warning Event with what to run. */
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const API = "dns.gardener.cloud/v1alpha1";
const NAMES = Array.from({ length: 40 }, (_, index) => `e${index}`);

test("the DNSProvider is told when a set begins, and the hash when it is complete", async () => {
  const world = programWorld({ controllers: ["compound"] });
  const { cluster, clock } = world;
  for (const name of NAMES) {
    const spec = { dnsName: `${name}.example.org`, targets: ["192.0.2.1"] };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { spec }));
  }
  const running = world.start();
  await clock.advance(1_200_000);
  const warnings = () =>
    cluster.events
      .filter(({ object, note }) => object === "dnsprovider/default/p" && note.type === "Warning")
      .map(({ note: { type, reason, message } }) => `${type} ${reason}: ${message}`);
  expect(warnings()).toEqual([]);
  for (const name of NAMES) cluster.delete(DNS_ENTRY, "default", name);
  await clock.advance(5_000);
  expect(warnings()).toEqual([
    expect.stringMatching(
      /^Warning ChangesHeld: zone example\.org: removals \(\d+\) are held until a person approves them, and more may join them; zonekeeper plan shows them and the hash to approve$/,
    ),
  ]);
  await clock.advance(15_000);
  const [set] = running.zones().flatMap(({ heldSets }) => heldSets);
  expect(warnings().slice(1)).toEqual([
    `Warning ChangesHeld: zone example.org: removals (${set?.removals}) are held until a person approves them: zonekeeper approve ${set?.hash}; zonekeeper plan shows them`,
  ]);
  await running.stop();
});
