import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { type MemoryFaults, NO_FAULTS } from "../../test/support/memory-provider/faults.ts";
import { explainedText } from "../../test/support/programs/client-text.ts";
import { SpineWorld } from "../../test/support/worlds/spine-world.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../model/kinds.ts";

const WWW = trustedDnsName("www.example.org");
const DOWN: MemoryFaults = { ...NO_FAULTS, read: () => [{ kind: "down" }] };

async function published(): Promise<SpineWorld> {
  const world = new SpineWorld();
  world.provider();
  world.start();
  world.entry("www", { dnsName: WWW, targets: ["192.0.2.1"] });
  await world.pass(10_000);
  expect(world.entries()["www"]).toBe("Ready: dns entry active");
  return world;
}

const explained = async (world: SpineWorld): Promise<string> =>
  explainedText(WWW, await world.engine.explain(WWW));
const providerOf = (world: SpineWorld) =>
  fieldsOf(world.cluster.now(DNS_PROVIDER, "default", "p")?.["status"]);

test("a zone that was never read: nothing is said to be absent, and what was published is Stale", async () => {
  const world = await published();
  await world.stop();
  world.account.breakWith(DOWN);
  world.start();
  await world.pass(5_000);
  world.entry("new", { dnsName: "new.example.org", targets: ["192.0.2.2"] });
  await world.pass(60_000);
  expect(world.entries()["www"]).toMatch(/^Stale: errorneous entry preserved in provider: /);
  expect(world.entries()["new"]).toMatch(/^Error: /);
  expect(world.cluster.now(DNS_ENTRY, "default", "www")?.["status"]).toMatchObject({
    targets: ["192.0.2.1"],
  });
  expect(providerOf(world)).toMatchObject({
    state: "Error",
    message: expect.stringMatching(/^zone example\.org cannot be read: /),
  });
  const text = await explained(world);
  expect(text).toMatch(
    /in the zone: not known, it cannot be read since 2\d{3}-.*: .+\n {2}owner: not known/,
  );
  expect(text).not.toContain("nothing");
  world.account.breakWith(NO_FAULTS);
  await world.pass(120_000);
  expect(Object.values(world.entries())).toEqual(Array(2).fill("Ready: dns entry active"));
  expect(providerOf(world)).toMatchObject({ state: "Ready", message: "provider operational" });
});

test("a zone that was read before: it is shown as it was read last, with the time", async () => {
  const world = await published();
  world.account.breakWith(DOWN);
  await world.pass(180_000);
  expect(world.entries()["www"]).toMatch(/^Stale: /);
  expect(providerOf(world)).toMatchObject({ state: "Error" });
  expect(await explained(world)).toMatch(
    /zone: it cannot be read since .*\n {2}in the zone, as last read at 2\d{3}-.*Z:\n {4}A 300 192\.0\.2\.1 {3}ours/,
  );
});
