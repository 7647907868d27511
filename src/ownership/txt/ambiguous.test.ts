/**
 * Markers whose names several templates read differently: none is written, none gives a right that
 * may be another's.
 */
import { describe, expect, test } from "vitest";
import { nameTemplate } from "../../../test/support/values/name-template.ts";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  shortName,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import { settle, step } from "../../../test/support/worlds/reconcile.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { openGardenerOwnership } from "../gardener/registry.ts";
import { openMeshOwnership } from "../mesh/registry.ts";
import type { Ownership } from "../ownership.ts";
import { openTxtOwnership } from "./ownership.ts";
import type { TxtOwnershipOptions } from "./ownership-options.ts";

const ME =
  '"heritage=external-dns,external-dns/cluster=c1,external-dns/owner=me,external-dns/resource=service/default/web"';
const isOwnedByUs = (owner: string) => owner === "me";
const open = (options: Partial<TxtOwnershipOptions> = {}) =>
  openTxtOwnership({ apex: ORIGIN, isOwnedByUs, ...options });
const OLD_SUFFIX = { readAlso: [nameTemplate("", "-old")] };
const TXT_PREFIX = { readAlso: [nameTemplate("txt-")] };
const WILD = { nameTemplate: nameTemplate("txt-", "", "any") };
const gardener = () => openGardenerOwnership({ apex: ORIGIN, isOwnedByUs, atomic: true });
const mesh = () => openMeshOwnership({ apex: ORIGIN, isOwnedByUs, atomic: true });

/** Zone and holds after all rounds; then the zone after the record set is no longer wanted. */
async function settled(ownership: Ownership, zone: readonly string[], desired: string) {
  const world = {
    zone: new ZoneModel(parseZone(zone.join("\n"))),
    ownership,
    desired: parseDesired(desired),
    rules: rulesWith(),
  };
  await settle(world);
  const kept = showZone(world.zone.all());
  const holds: string[] = [];
  for (const name of new Set(world.desired.map((one) => one.name)))
    for (const { key, code } of (await step(name, world)).holds)
      holds.push(`${shortName(key.name)} ${key.type} ${code}`);
  const later = { ...world, desired: [] };
  await settle(later);
  return { kept, holds, end: showZone(world.zone.all()) };
}

describe("a marker is not written where it would label another record", () => {
  test.each<[string, Ownership, string, string, string]>([
    [
      "a suffix that is read besides",
      open(OLD_SUFFIX),
      "www 300 A 198.51.100.1",
      "www-old 300 A 192.0.2.1",
      "_owner.a.www-old",
    ],
    [
      "a prefix that is read besides",
      open(TXT_PREFIX),
      "team 300 A 198.51.100.1",
      'a-team 300 TXT "hello"',
      "_owner.txt.a-team",
    ],
    [
      "a wildcard's replacement",
      open(WILD),
      "any 300 A 198.51.100.1",
      "* 300 A 192.0.2.1",
      "_owner.a._wildcard",
    ],
    [
      "a type beside the name",
      open({ nameTemplate: nameTemplate("%{record_type}") }),
      "aaafoo 300 A 198.51.100.1",
      "foo 300 AAAA 2001:db8::1",
      "_owner.aaaa.foo",
    ],
    [
      "the default template beneath a prefix",
      open({ nameTemplate: nameTemplate("txt-") }),
      'a-www 300 TXT "theirs"',
      "www 300 A 192.0.2.1",
      "_owner.a.www",
    ],
  ])("%s", async (_, ownership, foreign, desired, markerName) => {
    const { kept, holds, end } = await settled(ownership, [foreign], desired);
    expect([kept, holds]).toEqual([
      showZone(parseZone([foreign, desired, `${markerName} 300 TXT ${ME}`].join("\n"))),
      [],
    ]);
    expect(end).toBe(foreign);
  });

  test.each<[string, Ownership, string, string]>([
    [
      "gardener: the word for the apex",
      gardener(),
      "@ 300 A 198.51.100.1",
      "-base 300 A 192.0.2.1",
    ],
    ["gardener: the word for @", gardener(), "@.w 300 A 198.51.100.1", "---at.w 300 A 192.0.2.1"],
    [
      "mesh: the word for the wildcard",
      mesh(),
      "* 300 CNAME foreign.example.com",
      "_wildcard 300 CNAME lb.example.com",
    ],
  ])("%s: held", async (_, ownership, foreign, desired) => {
    const { kept, holds, end } = await settled(ownership, [foreign], desired);
    const [name, , type] = desired.split(" ");
    expect([kept, holds, end]).toEqual([foreign, [`${name} ${type} NoMarkerPossible`], foreign]);
  });
});

describe("an existing marker of that kind gives no right", () => {
  test.each<[string, Ownership, readonly string[], string]>([
    [
      "a suffix that is read besides",
      open(OLD_SUFFIX),
      ["www 300 A 198.51.100.1", "www-old 300 A 192.0.2.1", `a-www-old 300 TXT ${ME}`],
      "www-old A",
    ],
    [
      "a prefix that is read besides",
      open(TXT_PREFIX),
      ["team 300 A 198.51.100.1", 'a-team 300 TXT "hello"', `txt-a-team 300 TXT ${ME}`],
      "a-team TXT",
    ],
    [
      "the default template beneath a prefix",
      open({ nameTemplate: nameTemplate("txt-") }),
      ["team 300 A 198.51.100.1", 'a-team 300 TXT "hello"', `txt-a-team 300 TXT ${ME}`],
      "a-team TXT",
    ],
    [
      "a wildcard's replacement",
      open(WILD),
      ["any 300 A 198.51.100.1", "* 300 A 192.0.2.1", `txt-a-any 300 TXT ${ME}`],
      "* A",
    ],
    [
      "… whose wildcard is gone",
      open(WILD),
      ["any 300 A 198.51.100.1", `txt-a-any 300 TXT ${ME}`],
      "any A",
    ],
  ])("%s", async (_, ownership, lines, keyText) => {
    const zone = showZone(parseZone(lines.join("\n")));
    const data = keyText.endsWith("TXT") ? '"other"' : "192.0.2.7";
    const desired = keyText.replace(/ (\w+)$/, ` 300 $1 ${data}`);
    const { kept, holds, end } = await settled(ownership, lines, desired);
    expect([kept, holds, end]).toEqual([zone, [`${keyText} MarkerAmbiguous`], zone]);
  });

  test.each<[string, Partial<TxtOwnershipOptions>, readonly string[]]>([
    [
      "a wildcard's replacement",
      WILD,
      ["any 300 A 198.51.100.1", "* 300 A 192.0.2.1", `txt-a-any 300 TXT ${ME}`],
    ],
    [
      "a suffix",
      OLD_SUFFIX,
      ["www 300 A 198.51.100.1", "www-old 300 A 192.0.2.1", `a-www-old 300 TXT ${ME}`],
    ],
    [
      "a prefix",
      { nameTemplate: nameTemplate("txt-") },
      ["www 300 A 198.51.100.1", 'a-www 300 TXT "x"', `txt-a-www 300 TXT ${ME}`],
    ],
  ])("each name alone says what the whole zone says: %s", async (_, options, lines) => {
    const ownership = open(options);
    const sets = parseZone(lines.join("\n"));
    const whole = await ownership.read(sets);
    for (const name of new Set(sets.map((set) => set.name))) {
      const related = new Set(ownership.related(name));
      const part = await ownership.read(sets.filter((set) => related.has(set.name)));
      expect(part.filter((one) => one.name === name)).toEqual(
        whole.filter((one) => one.name === name),
      );
    }
  });

  test("a marker of another owner counts at each name that it may label, without trouble", async () => {
    const lines = ["www 300 A 198.51.100.1", "www-old 300 A 192.0.2.1"];
    const foreign = `a-www-old 300 TXT ${ME.replace("owner=me", "owner=you")}`;
    const owned = await open(OLD_SUFFIX).read(parseZone([...lines, foreign].join("\n")));
    const markers = owned.map(({ name, marker }) => [
      shortName(name),
      marker?.owner,
      marker?.trouble,
    ]);
    expect(markers).toEqual([
      ["www-old", "you", undefined],
      ["www", "you", undefined],
    ]);
  });

  test("what comes to stand beside changes the view of the other, both ways", () => {
    expect(open(WILD).zoneMarkers?.dependentNames(nameOf("any"))).toContain(nameOf("*"));
    expect(open(WILD).zoneMarkers?.dependentNames(nameOf("*"))).toContain(nameOf("any"));
    expect(open().zoneMarkers?.dependentNames(nameOf("www"))).toEqual([]);
  });
});
