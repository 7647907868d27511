/** A CNAME at the apex, on a back end that flattens it and on one that does not. */
import { expect, test } from "vitest";
import { recordSet } from "../../../test/conformance/provider-harness.ts";
import {
  LIKE_CLOUDFLARE,
  LIKE_ROUTE53,
  type MemoryBehaviour,
} from "../../../test/support/memory-provider/behaviour.ts";
import { APEX, engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { Contribution } from "../contract/contribution.ts";

const TARGET = "lb.example.net";

function apexEntry(type: string, value: string): Contribution {
  const made = entry("apex", [value], type);
  const items = made.found.items.map((item) => ({ ...item, name: APEX }));
  return { ...made, found: { ...made.found, items } };
}

/** The zone has what people have at an apex. */
function apexWorld(like: MemoryBehaviour) {
  const world = engineWorld({ behaviour: { ...like, readLagMs: 0 } });
  const add = (type: string, value: string): void => {
    const next = recordSet("example.org", type, value);
    world.content.write([{ key: next, next }]);
  };
  add("MX", "10 mx.example.net");
  add("TXT", '"v=spf1 -all"');
  const typesAtApex = (): readonly string[] => world.content.at(APEX).map(({ type }) => type);
  return { ...world, add, typesAtApex };
}

test("a CNAME comes beside the zone's own records and others' mail, follows its target, becomes addresses and goes", async () => {
  const { clock, engine, zoneInput, content, typesAtApex } = apexWorld(LIKE_CLOUDFLARE);
  engine.openZone(zoneInput);
  engine.contribute(KEY, apexEntry("CNAME", TARGET));
  await clock.advance(10_000);
  expect(typesAtApex()).toEqual(["CNAME", "MX", "NS", "SOA", "TXT"]);
  engine.contribute(KEY, apexEntry("CNAME", "other.example.net"));
  await clock.advance(10_000);
  expect(content.at(APEX).find(({ type }) => type === "CNAME")?.values).toEqual([
    "other.example.net",
  ]);
  engine.contribute(KEY, apexEntry("A", "192.0.2.1"));
  await clock.advance(10_000);
  expect(typesAtApex()).toEqual(["A", "MX", "NS", "SOA", "TXT"]);
  engine.contribute(KEY, apexEntry("CNAME", TARGET));
  await clock.advance(10_000);
  expect(typesAtApex()).toEqual(["CNAME", "MX", "NS", "SOA", "TXT"]);
  await engine.stop();
});

test("a stranger's address bars it", async () => {
  const { clock, engine, zoneInput, add, typesAtApex, reports } = apexWorld(LIKE_CLOUDFLARE);
  add("A", "198.51.100.1");
  engine.openZone(zoneInput);
  engine.contribute(KEY, apexEntry("CNAME", TARGET));
  await clock.advance(10_000);
  expect(typesAtApex()).toEqual(["A", "MX", "NS", "SOA", "TXT"]);
  expect(reports.at(-1)?.names[0]).toMatchObject({ state: "held", code: "ForeignRecord" });
  await engine.stop();
});

test("elsewhere it is held", async () => {
  const { clock, engine, zoneInput, typesAtApex, reports } = apexWorld(LIKE_ROUTE53);
  engine.openZone(zoneInput);
  engine.contribute(KEY, apexEntry("CNAME", TARGET));
  await clock.advance(10_000);
  expect(typesAtApex()).toEqual(["MX", "NS", "SOA", "TXT"]);
  expect(reports.at(-1)?.names[0]).toMatchObject({ state: "held", code: "ForeignRecord" });
  await engine.stop();
});
