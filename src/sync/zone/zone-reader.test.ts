import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";

const WWW = trustedDnsName("www.example.org");
const KEY = { name: WWW, type: "A", setIdentifier: null };

/** Somebody else writes into the zone; null = takes the record out. */
function otherClient(fixture: SpineWorld, address: string | null): void {
  const next =
    address === null
      ? null
      : { ...KEY, ttlSeconds: 60, values: [address], routingPolicy: null, properties: {} };
  const zone = fixture.account.zoneNamed(trustedDnsName("example.org"));
  zone?.content.write([{ key: KEY, next }], fixture.clock.monotonicMs());
}

async function started(): Promise<SpineWorld> {
  const fixture = new SpineWorld();
  fixture.start();
  fixture.provider();
  await fixture.pass();
  return fixture;
}

test("Z-6: what was refused is no write of ours: the name is published when the stranger's record goes", async () => {
  const fixture = await started();
  otherClient(fixture, "192.0.2.9");
  fixture.entry("web", { dnsName: WWW, targets: ["192.0.2.1"] });
  await fixture.pass();
  expect(fixture.entries()["web"]).toContain("Error: A 192.0.2.9 exists");
  otherClient(fixture, null);
  await fixture.pass(30_000);
  expect(fixture.zone()).toEqual([`${WWW} 300 A 192.0.2.1`]);
});

test("Z-6: a stranger's change right after ours at the same name is seen when our writing rests", async () => {
  const fixture = await started();
  fixture.entry("web", { dnsName: WWW, targets: ["192.0.2.1"] });
  await fixture.pass(500);
  expect(fixture.zone()).toEqual([`${WWW} 300 A 192.0.2.1`]);
  otherClient(fixture, null);
  await fixture.pass(60_000);
  expect(fixture.zone()).toEqual([`${WWW} 300 A 192.0.2.1`]);
});
