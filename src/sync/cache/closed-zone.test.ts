/**
 * Wishes outlive the zone's actor: what is said while a zone is closed counts, and nothing else of
 * it stays.
 */
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { nameOf } from "../../../test/support/values/zone-text.ts";
import { APEX, engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { openTxtOwnership } from "../../ownership/txt/ownership.ts";
import { ZoneTexts } from "./columns/zone-texts.ts";
import { ZoneState } from "./zone-state.ts";

test("what is said before a zone opens and while it is closed is published when it opens", async () => {
  const { clock, engine, zoneInput, values } = engineWorld();
  for (const name of ["early", "gone", "stays"]) engine.contribute(KEY, entry(name, ["192.0.2.1"]));
  engine.openZone(zoneInput);
  await clock.advance(20_000);
  expect(values("early")).toEqual(["192.0.2.1"]);
  await engine.closeZone(KEY);
  engine.contribute(KEY, entry("early", ["192.0.2.2"]));
  engine.contribute(KEY, entry("late", ["192.0.2.3"]));
  engine.withdraw(entry("gone", []).object, "deleted-object");
  await clock.advance(20_000);
  expect(values("early")).toEqual(["192.0.2.1"]);
  engine.openZone(zoneInput);
  await clock.advance(20_000);
  expect(["early", "late", "gone", "stays"].map(values)).toEqual([
    ["192.0.2.2"],
    ["192.0.2.3"],
    [],
    ["192.0.2.1"],
  ]);
});

test("a zone that is forgotten leaves no text behind", async () => {
  const texts = new ZoneTexts();
  const owners = new Set(["me"]);
  const ownership = openTxtOwnership({ apex: APEX, isOwnedByUs: (owner) => owners.has(owner) });
  const state = new ZoneState({ apex: APEX, ownership, owners, texts, clock: new VirtualClock() });
  const plain = { setIdentifier: null, ttlSeconds: 300, properties: {}, routingPolicy: null };
  const text = '"heritage=external-dns,external-dns/owner=me,external-dns/resource=service/a/b"';
  const sets = [
    { ...plain, name: nameOf("www"), type: "A", values: ["192.0.2.1"] },
    { ...plain, name: nameOf("a-www"), type: "TXT", values: [text] },
  ];
  await state.load(sets, new Set());
  expect(state.owned.owned).toBe(1);
  await state.forget();
  const { names, symbols, bodies, resources } = texts;
  expect([names.live, symbols.live, bodies.live, resources.live]).toEqual([0, 0, 0, 0]);
});
