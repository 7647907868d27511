/** What goes while the marker of another removal of the name has to stay. */
import { expect, test } from "vitest";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import { nameOf, ORIGIN, parseZone, showZone } from "../../../test/support/values/zone-text.ts";
import { step } from "../../../test/support/worlds/reconcile.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { openTxtOwnership } from "./ownership.ts";

const OLD =
  '"heritage=external-dns,external-dns/owner=me,external-dns/resource=service/default/old"';
const GOING = `www 300 MX 1 m\nmx-www 300 TXT ${OLD}`;

/** A record set whose second marker shares its record set with somebody's text. */
const unremovable = (type: string, value: string) =>
  [
    `_owner.${type}.www 300 TXT "hello"`,
    `_owner.${type}.www 300 TXT ${OLD}`,
    `${type}-www 300 TXT ${OLD}`,
    `www 300 ${type.toUpperCase()} ${value}`,
  ].join("\n");
const A = unremovable("a", "192.0.2.1");
const AAAA = unremovable("aaaa", "2001:db8::1");

test.each([
  ["one removal", A, ["A MarkerShared"]],
  ["two of them", `${A}\n${AAAA}`, ["A MarkerShared", "AAAA MarkerShared"]],
])("the other records go while the marker of %s has to stay", async (_, kept, held) => {
  const zone = new ZoneModel(parseZone(`${kept}\n${GOING}`));
  const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owner === "me" });
  const rules = rulesWith({ managedTypes: new Set(["A", "AAAA", "MX"]) });
  const { group, holds } = await step(nameOf("www"), { zone, ownership, desired: [], rules });
  expect(holds.map(({ key, code }) => `${key.type} ${code}`)).toEqual(held);
  expect(group !== null && zone.apply(group)).toBe(true);
  expect(showZone(zone.all())).toBe(showZone(parseZone(kept)));
});
