/**
 * Several templates in one zone at once: who owns what, what is written where, and what happens
 * when they disagree.
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
import { openTxtOwnership } from "./ownership.ts";
import type { TxtOwnershipOptions } from "./ownership-options.ts";

const PREFIX = nameTemplate("txt.", "", "any");
const SUFFIX = nameTemplate("", "-txt");
const TEMPLATE = nameTemplate("own-%{record_type}-");
const READ_ALSO = [PREFIX, SUFFIX, TEMPLATE];

const m = (owner: string, resource = "service/default/web") =>
  `"heritage=external-dns,external-dns/cluster=c1,external-dns/owner=${owner},external-dns/resource=${resource}"`;
const ME = m("me");
const YOU = m("you");

const open = (options: Partial<TxtOwnershipOptions> = {}) =>
  openTxtOwnership({
    apex: ORIGIN,
    isOwnedByUs: (owner) => owner.startsWith("me"),
    readAlso: READ_ALSO,
    ...options,
  });
const lines = (...text: readonly string[]) => text.join("\n");

/** The zone after all rounds; then what is held. */
async function settled(
  desired: string,
  zone: string,
  options: Partial<TxtOwnershipOptions> = {},
): Promise<string> {
  const world = {
    zone: new ZoneModel(parseZone(zone)),
    ownership: open(options),
    desired: parseDesired(desired),
    rules: rulesWith(),
  };
  await settle(world);
  const owned = await world.ownership.read(world.zone.all());
  const names = new Set([...owned, ...world.desired].map((one) => one.name));
  const holds: string[] = [];
  for (const name of [...names].sort())
    for (const hold of (await step(name, world)).holds)
      holds.push(`! ${shortName(hold.key.name)} ${hold.key.type} ${hold.code}`);
  return lines(showZone(world.zone.all()), ...holds);
}

test("every template is read at once, each marker with its owner", async () => {
  const zone = lines(
    "typed 300 A 192.0.2.1",
    `a-typed 300 TXT ${m("me1")}`,
    "label 300 A 192.0.2.1",
    `_owner.a.label 300 TXT ${m("me2")}`,
    "prefixed 300 CNAME lb.example.com",
    `txt.cname-prefixed 300 TXT ${m("me3")}`,
    "suffixed 300 A 192.0.2.1",
    `a-suffixed-txt 300 TXT ${m("me4")}`,
    "template 300 AAAA 2001:db8::1",
    `own-aaaa-template 300 TXT ${m("me5")}`,
    "legacy 300 A 192.0.2.1",
    `legacy 300 TXT ${m("me6")}`,
    "old-legacy 300 A 192.0.2.1",
    `txt.old-legacy 300 TXT ${m("me7")}`,
    "*.w 300 A 192.0.2.1",
    `txt.a-any.w 300 TXT ${m("me8")}`,
    "other 300 A 192.0.2.1",
    `a-other-txt 300 TXT ${m("you")}`,
    "nobody 300 A 192.0.2.1",
    'nobody 300 TXT "heritage=mate,external-dns/owner=me"',
  );
  const owned = await open().read(parseZone(zone));
  const seen = owned.map(({ name, type, marker }) => [shortName(name), type, marker?.owner]);
  expect(seen.sort()).toEqual(
    [
      ["typed", "A", "me1"],
      ["label", "A", "me2"],
      ["prefixed", "CNAME", "me3"],
      ["suffixed", "A", "me4"],
      ["template", "AAAA", "me5"],
      ["legacy", "A", "me6"],
      ["old-legacy", "A", "me7"],
      ["*.w", "A", "me8"],
      ["other", "A", "you"],
      ["nobody", "A", undefined],
      ["nobody", "TXT", undefined],
    ].sort(),
  );
});

/** Where a marker of `www` A stands in each template. */
const MARKER_NAMES = [
  "a-www",
  "_owner.a.www",
  "www",
  "txt.a-www",
  "a-www-txt",
  "own-a-www",
  "txt.www",
];

describe("Z-9 half pairs and contested names, in every template", () => {
  test.each(MARKER_NAMES)(
    "Z-9 our marker at %s without data: its data comes, the marker stays where it is",
    async (markerName) => {
      const zone = `${markerName} 300 TXT ${ME}`;
      const result = await settled("www 300 A 192.0.2.1", zone);
      const isTyped = markerName !== "www" && markerName !== "txt.www";
      // A marker that names no type is one of any type: it goes, and a typed one comes.
      const marker = isTyped ? `${markerName} 300 TXT ${ME}` : `a-www 300 TXT ${ME}`;
      expect(result).toContain("www 300 A 192.0.2.1");
      expect(result).toContain(marker);
      expect(result).not.toContain("!");
    },
  );

  test.each(MARKER_NAMES)(
    "Z-9 our marker at %s without data goes under the proof that data would need",
    async (markerName) => {
      expect(await settled("", `${markerName} 300 TXT ${ME}`)).toBe("");
    },
  );

  test.each(MARKER_NAMES)(
    "Z-9 another's marker at %s without data holds the name",
    async (markerName) => {
      const zone = `${markerName} 300 TXT ${YOU}`;
      expect(await settled("www 300 A 192.0.2.1", zone)).toBe(lines(zone, "! www A ForeignMarker"));
      expect(await settled("", zone)).toBe(zone);
    },
  );

  test.each(MARKER_NAMES)(
    "Z-9 data with another's marker at %s is foreign, data without any too",
    async (markerName) => {
      const zone = showZone(
        parseZone(lines("www 300 A 192.0.2.9", `${markerName} 300 TXT ${YOU}`)),
      );
      expect(await settled("www 300 A 192.0.2.1", zone)).toBe(lines(zone, "! www A ForeignRecord"));
      expect(await settled("www 300 A 192.0.2.1", "www 300 A 192.0.2.9")).toBe(
        lines("www 300 A 192.0.2.9", "! www A ForeignRecord"),
      );
    },
  );

  const pairs = MARKER_NAMES.flatMap((first) =>
    MARKER_NAMES.filter((second) => second !== first).map((second) => [first, second] as const),
  );
  test.each(pairs)(
    "Z-9 ours at %s and another's at %s: contested, nobody writes",
    async (owned, foreign) => {
      const zone = showZone(
        parseZone(
          lines("www 300 A 192.0.2.9", `${owned} 300 TXT ${ME}`, `${foreign} 300 TXT ${YOU}`),
        ),
      );
      expect(await settled("www 300 A 192.0.2.1", zone)).toBe(lines(zone, "! www A Contested"));
      expect(await settled("", zone)).toBe(lines(zone, "! www A Contested"));
    },
  );

  test.each(MARKER_NAMES)(
    "Z-9 a marker at %s is updated where it was found",
    async (markerName) => {
      const old = m("me", "service/default/old");
      const zone = lines("www 300 A 192.0.2.1", `${markerName} 60 TXT ${old}`);
      expect(await settled("www 300 A 192.0.2.1", zone)).toBe(
        showZone(parseZone(lines("www 300 A 192.0.2.1", `${markerName} 60 TXT ${ME}`))),
      );
    },
  );
});

describe("Z-11 marker names collide", () => {
  const WANT = "www 300 A 192.0.2.1";

  test.each([
    ["an alias", "a-www 300 CNAME x.example.com"],
    ["a user's text", 'a-www 300 TXT "hello"'],
    ["a text that only looks like a marker", 'a-www 300 TXT "heritage=external-dns-not"'],
  ])("Z-11 %s at the first place: the marker goes to the other one", async (_, taken) => {
    expect(await settled(WANT, taken)).toBe(
      showZone(parseZone(lines(taken, WANT, `_owner.a.www 300 TXT ${ME}`))),
    );
  });

  test("Z-11 both places taken: held, and nothing is written", async () => {
    const taken = showZone(
      parseZone(lines('a-www 300 TXT "hello"', "_owner.a.www 300 CNAME x.example.com")),
    );
    expect(await settled(WANT, taken)).toBe(lines(taken, "! www A NoMarkerPossible"));
  });

  test("Z-11 ours in the old template and another's in the new one: contested, and no migration moves it", async () => {
    const zone = showZone(
      parseZone(lines("www 300 A 192.0.2.1", `txt.a-www 300 TXT ${ME}`, `a-www 300 TXT ${YOU}`)),
    );
    expect(await settled(WANT, zone)).toBe(lines(zone, "! www A Contested"));
    const target = { location: "label", encrypt: false } as const;
    expect(
      open().migration?.outdated(nameOf("www"), new ZoneModel(parseZone(zone)), target),
    ).toMatchObject({
      changes: [],
      holds: [{ code: "Contested" }],
    });
  });

  test.each([
    ["typed", "a-www", {}],
    ["with a prefix", "txt.a-www", { nameTemplate: PREFIX }],
  ])(
    "Z-11 an alias wanted at our marker's name first moves that marker, %s",
    async (_, markerName, options) => {
      const zone = lines("www 300 A 192.0.2.1", `${markerName} 300 TXT ${ME}`);
      const result = await settled(
        lines(WANT, `${markerName} 300 CNAME lb.example.com`),
        zone,
        options,
      );
      expect(result).toContain(`_owner.a.www 300 TXT ${ME}`);
      expect(result).toContain(`${markerName} 300 CNAME lb.example.com`);
      expect(result).not.toContain("!");
    },
  );
});

describe("what is written, as external-dns names it", () => {
  test.each<[string, Partial<TxtOwnershipOptions>, string, string]>([
    ["a prefix", { nameTemplate: nameTemplate("txt.") }, "www 300 A 192.0.2.1", "txt.a-www"],
    ["a suffix", { nameTemplate: SUFFIX }, "www 300 CNAME lb.example.com", "cname-www-txt"],
    ["a template", { nameTemplate: TEMPLATE }, "www 300 AAAA 2001:db8::1", "own-aaaa-www"],
    [
      "a replaced wildcard would read as the plain label too",
      { nameTemplate: PREFIX },
      "*.w 300 A 192.0.2.1",
      "_owner.a._wildcard.w",
    ],
    [
      "… where the plain label would read alike",
      { nameTemplate: PREFIX },
      "any.w 300 A 192.0.2.1",
      "_owner.a.any.w",
    ],
    [
      "the apex under a prefix: the fallback",
      { nameTemplate: nameTemplate("txt.") },
      "@ 300 A 192.0.2.1",
      "_owner.a",
    ],
    [
      "the apex under a template with a dot",
      { nameTemplate: nameTemplate("_%{record_type}.") },
      "@ 300 A 192.0.2.1",
      "_a",
    ],
    [
      "the label location",
      { markerLocation: "label", nameTemplate: PREFIX },
      "www 300 A 192.0.2.1",
      "_owner.a.www",
    ],
  ])("%s", async (_, options, desired, markerName) => {
    const ownOptions = { ...options, readAlso: [] };
    const zone = await settled(desired, "", ownOptions);
    expect(zone.split("\n")).toContain(`${markerName} 300 TXT ${ME}`);
    const [owned] = await open(ownOptions).read(parseZone(zone));
    expect([owned?.marker?.owner, owned?.data !== null]).toEqual(["me", true]);
    expect(await settled("", zone, ownOptions)).toBe("");
  });
});
