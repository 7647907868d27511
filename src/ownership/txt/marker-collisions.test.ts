/**
 * Z-11: a marker of ours is at the name of a desired record, and moves; any other record there
 * stays.
 */
import { describe, expect, test } from "vitest";
import { SeededRandom } from "../../../test/support/ports/test-ports.ts";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import { settle, step } from "../../../test/support/worlds/reconcile.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { RealCrypto } from "../../app/ports/real-crypto.ts";
import { RealGzip } from "../../app/ports/real-gzip.ts";
import { MarkerCodec, type MarkerEncryption } from "./marker-codec.ts";
import { openTxtOwnership } from "./ownership.ts";
import type { MarkerSigning } from "./signature.ts";

const m = (owner: string, more = "") =>
  `"heritage=external-dns,external-dns/cluster=c1,external-dns/owner=${owner},external-dns/resource=service/default/web${more}"`;
const SIGNING: MarkerSigning = {
  mode: "write",
  keys: [{ id: "k1", secret: new Uint8Array(32).fill(1) }],
  crypto: new RealCrypto(),
};
const HELD = "www 300 A 192.0.2.1";
const ALIAS = "a-www 300 CNAME lb.example.com";

/** The zone after an alias was wanted at `a-www`, or the holds. */
async function zoneAfter(
  text: string,
  signing: MarkerSigning | null = null,
  encryption: MarkerEncryption | null = null,
): Promise<string> {
  const zone = new ZoneModel(parseZone(text));
  const isOwnedByUs = (owner: string) => owner === "me";
  const ownership = openTxtOwnership({
    apex: ORIGIN,
    isOwnedByUs,
    signing,
    encryption,
  });
  const world = { zone, ownership, desired: parseDesired(ALIAS), rules: rulesWith() };
  const { group, holds } = await step(nameOf("a-www"), world);
  if (group === null || group.changes.length === 0)
    return holds.map(({ code, message }) => `${code}: ${message}`).join("\n");
  expect(zone.apply(group)).toBe(true);
  const owned = await ownership.read(zone.all());
  expect(owned.length).toBeGreaterThan(1);
  for (const { marker, contested } of owned)
    expect([marker?.owner, contested]).toEqual(["me", false]);
  return showZone(zone.all());
}

describe("an alias is wanted where a marker stands", () => {
  test("ours moves, byte for byte", async () => {
    const found = m("me", ",external-dns/team=blue");
    const shown = await zoneAfter(`${HELD}\na-www 60 TXT ${found}`);
    expect(shown).toContain(`_owner.a.www 60 TXT ${found}`);
    expect(shown).not.toContain("a-www 60");
    expect(shown).toContain(ALIAS);
  });

  test("a copy that stands already is not made again", async () => {
    const copy = `_owner.a.www 60 TXT ${m("me", ",external-dns/old=1")}`;
    const shown = await zoneAfter(`${HELD}\na-www 60 TXT ${m("me")}\n${copy}`);
    expect(shown).toContain(copy);
    expect(shown.match(/_owner\.a\.www/g)).toHaveLength(1);
  });

  test("an encrypted one moves byte for byte, too", async () => {
    const encryption = {
      key: new Uint8Array(32).fill(3),
      write: false,
      cipher: new RealCrypto(),
      gzip: new RealGzip(),
      random: new SeededRandom(1),
    };
    const text = new MarkerCodec({ ...encryption, write: true }).write({
      owner: "me",
      resource: "service/default/web",
    });
    expect(await zoneAfter(`${HELD}\na-www 60 TXT ${text}`, null, encryption)).toContain(
      `_owner.a.www 60 TXT ${text}`,
    );
  });

  test.each([
    ["whose record is missing", ""],
    ["that waits for its record (Z-10)", ",external-dns/data=+0,external-dns/state=pending"],
  ])("one %s moves, too", async (_, more) => {
    const text = m("me", more);
    const shown = await zoneAfter(`a-www 60 TXT ${text}`);
    expect(shown).toContain(`_owner.a.www 60 TXT ${text}`);
    expect(shown).not.toContain("a-www 60");
    expect(shown).toContain(ALIAS);
  });

  test("who is in the way is said", async () => {
    expect(await zoneAfter(`${HELD}\na-www 300 TXT ${m("you")}`)).toBe(
      `NameInUse: TXT ${m("you")} already has this name: move or remove it`,
    );
  });

  test("it moves also while something else at that name goes", async () => {
    const zone = `${HELD}\na-www 60 TXT ${m("me")}\na-www 300 A 192.0.2.2\na-a-www 300 TXT ${m("me")}`;
    const shown = await zoneAfter(zone);
    expect(shown).toContain(`_owner.a.www 60 TXT ${m("me")}`);
    expect(shown).not.toContain("a-www 60");
  });

  test("all of them move", async () => {
    const weighted = (id: string) =>
      `www 300 A 192.0.2.1 ; id=${id} policy=weighted\na-www 60 TXT ${m("me")} ; id=${id} policy=weighted`;
    const shown = await zoneAfter(`${weighted("eu")}\n${weighted("us")}`);
    expect(shown.match(/_owner\.a\.www 60/g)).toHaveLength(2);
    expect(shown).not.toContain("a-www 60");
  });

  test("it is signed for its new place", async () => {
    const shown = await zoneAfter(`${HELD}\na-www 60 TXT ${m("me")}`, SIGNING);
    expect(shown).toMatch(/_owner\.a\.www 60 TXT ".*,external-dns\/sig=k1\.[\w-]{43}"/);
  });

  test("… and held where it does not fit with a signature", async () => {
    const long = `,external-dns/team=${"x".repeat(125)}`;
    const zone = `${HELD}\na-www 60 TXT ${m("me", long)}`;
    expect(await zoneAfter(zone, SIGNING)).toBe("MarkerTooLong: a-www.example.org cannot move");
    expect(await zoneAfter(zone)).toContain("_owner.a.www");
  });

  test.each([
    ["another's marker", `${HELD}\na-www 300 TXT ${m("you")}`, "NameInUse"],
    [
      "ours with a foreign text",
      `${HELD}\na-www 300 TXT ${m("me")}\na-www 300 TXT "hello"`,
      "ForeignRecord",
    ],
    [
      "ours and another's in one set",
      `${HELD}\na-www 300 TXT ${m("me")}\na-www 300 TXT ${m("you")}`,
      "NameInUse",
    ],
    [
      "two of ours in one set",
      `${HELD}\na-www 300 TXT ${m("me")}\na-www 300 TXT ${m("me", ",external-dns/old=1")}`,
      "NameInUse",
    ],
    [
      "ours, beside another's at the next place",
      `${HELD}\n_owner.a.www 300 TXT ${m("you")}\na-www 300 TXT ${m("me")}`,
      "NoMarkerPossible",
    ],
    [
      "ours, and every other place is taken",
      `${HELD}\na-www 300 TXT ${m("me")}\n_owner.a.www 300 TXT "hello"`,
      "NoMarkerPossible",
    ],
  ])("%s stays, and the alias waits", async (_, zone, code) => {
    expect(await zoneAfter(zone)).toMatch(new RegExp(`^${code}`));
    // A foreign text is a record, which the planner sees.
    expect(blockerCodeOf(zone)).toBe(code === "ForeignRecord" ? undefined : code);
  });

  test.each([
    ["nothing", ""],
    ["a marker of ours that can move", `${HELD}\na-www 60 TXT ${m("me")}`],
    ["data, which is the planner's business", "a-www 300 A 192.0.2.9"],
    ["data beside a marker that can move", `${HELD}\na-www 60 TXT ${m("me")}\na-www 300 MX 1 x`],
  ])("%s blocks nothing", (_, zone) => {
    expect(blockerCodeOf(zone)).toBeUndefined();
  });
});

test.each([
  [
    "a marker that cannot move, beside data",
    `${HELD}\na-www 300 TXT ${m("you")}\na-www 300 MX 1 x`,
  ],
  [
    "… and a marker without data for another name",
    `a-a-www 300 TXT ${m("me")}\n${HELD}\na-www 300 TXT ${m("you")}\na-www 300 MX 1 x`,
  ],
])("%s blocks an alias and a text", (_, zone) => {
  expect([blockerCodeOf(zone), blockerCodeOf(zone, 'a-www 300 TXT "hello"')]).toEqual([
    "NameInUse",
    "NameInUse",
  ]);
  expect(blockerCodeOf(zone, "a-www 300 A 192.0.2.9")).toBeUndefined();
});

test("the marker that is in the way counts, not another one of the same record", () => {
  const zone = `${HELD}\na-www 300 TXT ${m("you")}\n_owner.a.www 300 TXT ${m("me")}`;
  expect(blockerCodeOf(zone, "_owner.a.www 300 CNAME x.example.com")).toBe("NoMarkerPossible");
});

/** What the planner is told about the alias, or another record. */
function blockerCodeOf(text: string, desired = ALIAS): string | undefined {
  const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owner === "me" });
  const [wanted] = parseZone(desired);
  if (wanted === undefined) throw new Error("nothing is wanted");
  const blocker = ownership.zoneMarkers?.blockerOf(wanted, new ZoneModel(parseZone(text)));
  return blocker === null ? undefined : (blocker?.code ?? "it says nothing");
}

test.each([
  [true, "web"],
  [true, "old"],
  [false, "web"],
  [false, "old"],
])(
  "a text is wanted where a changed record has its old marker: it gets a new one, atomic %s, for %s",
  async (atomic, object) => {
    const zone = new ZoneModel(
      parseZone(`${HELD}\nwww 300 TXT ${m("me").replace("web", object)}`),
      { atomic },
    );
    const ownership = openTxtOwnership({
      apex: ORIGIN,
      isOwnedByUs: (owner) => owner === "me",
      atomic,
    });
    const desired = parseDesired('www 300 A 192.0.2.2\nwww 300 TXT "hello"');
    await settle({ zone, ownership, desired, rules: rulesWith() }, 12);
    expect(showZone(zone.all())).toBe(
      showZone(
        parseZone(
          `a-www 300 TXT ${m("me")}\ntxt-www 300 TXT ${m("me")}\nwww 300 A 192.0.2.2\nwww 300 TXT "hello"`,
        ),
      ),
    );
  },
);

test("a marker of ours that names no type stays: nobody knows what it is for", () => {
  const zone = `foo 300 TXT ${m("me")}`;
  expect(blockerCodeOf(zone, "foo 300 CNAME x.example.com")).toBe("NameInUse");
});
