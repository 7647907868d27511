/** What the provider of a zone cannot publish is held before anything is sent. */
import { expect, test } from "vitest";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { Contribution } from "../contract/contribution.ts";

/** A weighted record set, which memory zones do not have. */
function weighted(name: string): Contribution {
  const contribution = entry(name, ["192.0.2.1"]);
  const routingPolicy = { type: "weighted", parameters: { weight: "10" } } as const;
  const items = contribution.found.items.map((item) => ({
    ...item,
    setIdentifier: "blue",
    routingPolicy,
  }));
  return { ...contribution, found: { ...contribution.found, items } };
}

test("a record set that the provider cannot publish is held with the reason, and its neighbour is written", async () => {
  const { clock, engine, zoneInput, values, reports } = engineWorld();
  engine.openZone(zoneInput);
  engine.contribute(KEY, weighted("blue"));
  engine.contribute(KEY, entry("www", ["192.0.2.2"]));
  await clock.advance(10_000);
  expect([values("blue"), values("www")]).toEqual([[], ["192.0.2.2"]]);
  const report = reports.findLast(({ names }) => names[0]?.name === "blue.example.org");
  expect(report?.names[0]).toMatchObject({
    state: "held",
    code: "NotSupported",
    message: expect.stringContaining("routing policies"),
  });
  await engine.stop();
});

test("a published record stays when its object asks for what the provider cannot publish", async () => {
  const { clock, engine, zoneInput, values } = engineWorld();
  engine.openZone(zoneInput);
  engine.contribute(KEY, entry("blue", ["192.0.2.1"]));
  await clock.advance(10_000);
  engine.contribute(KEY, weighted("blue"));
  await clock.advance(10_000);
  expect(values("blue")).toEqual(["192.0.2.1"]);
  await engine.stop();
});
