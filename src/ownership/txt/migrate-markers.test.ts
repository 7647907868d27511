import { describe, expect, test } from "vitest";
import { SeededRandom } from "../../../test/support/ports/test-ports.ts";
import { ORIGIN, parseZone, showZone } from "../../../test/support/values/zone-text.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { RealCrypto } from "../../app/ports/real-crypto.ts";
import { RealGzip } from "../../app/ports/real-gzip.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { MarkerTarget } from "../../plan/changes.ts";
import { dataHash } from "../data-hash.ts";
import type { Ownership } from "../ownership.ts";
import { openTxtOwnership } from "./ownership.ts";
import type { TxtOwnershipOptions } from "./ownership-options.ts";

const m = (owner: string, more = "") =>
  `"heritage=external-dns,external-dns/owner=${owner},external-dns/resource=service/default/web${more}"`;
const ME = m("me");
/** In the middle of a write that led to what stands. */
const PENDING = m("me", ",external-dns/state=pending").replace(
  "external-dns/owner",
  `external-dns/data=+${dataHash(parseOne("www 300 A 192.0.2.1"))},external-dns/owner`,
);
const crypto = new RealCrypto();
const encryption = {
  key: new Uint8Array(32).fill(3),
  write: false,
  cipher: crypto,
  gzip: new RealGzip(),
  random: new SeededRandom(1),
};
const signing = {
  mode: "write" as const,
  keys: [{ id: "k1", secret: new Uint8Array(32).fill(1) }],
  crypto,
};

function parseOne(line: string): RecordSet {
  const [set] = parseZone(line);
  if (set === undefined) throw new Error("no record set");
  return set;
}

const open = (options: Partial<TxtOwnershipOptions> = {}) =>
  openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owner === "me", ...options });
const LABEL: MarkerTarget = { location: "label", encrypt: false };
const TYPED: MarkerTarget = { location: "typed", encrypt: false };
const AS_CONFIGURED: MarkerTarget = { location: null, encrypt: false };

/**
 * One round over all names; the writes it made. Checks at each write that no data of ours is
 * without marker.
 */
async function round(zone: ZoneModel, ownership: Ownership, target: MarkerTarget) {
  const owned = await ownership.read(zone.all());
  const data = dataOf(zone);
  let writes = 0;
  const stuck: string[] = [];
  for (const name of new Set(owned.map((one) => one.name))) {
    const { changes = [], holds = [] } = ownership.migration?.outdated(name, zone, target) ?? {};
    stuck.push(...holds.map(({ key, code }) => `${key.type} ${code}`));
    if (changes.length === 0) continue;
    const prepared = await ownership.prepare({ name, changes, holds: [] }, zone);
    if (!prepared.ok) {
      stuck.push(...prepared.holds.map(({ key, code }) => `${key.type} ${code}`));
      continue;
    }
    expect(zone.apply(prepared.group)).toBe(true);
    writes += prepared.group.changes.length;
    expect(dataOf(zone)).toBe(data);
    const after = await ownership.read(zone.all());
    for (const one of owned.filter((set) => set.data !== null && set.marker?.owner === "me"))
      expect(
        after.find((set) => set.name === one.name && set.type === one.type)?.marker?.owner,
      ).toBe("me");
  }
  return { writes, stuck };
}

const dataOf = (zone: ZoneModel) => showZone(zone.all().filter(({ type }) => type !== "TXT"));

async function migrated(
  text: string,
  target: MarkerTarget,
  options: Partial<TxtOwnershipOptions> = {},
): Promise<string> {
  const zone = new ZoneModel(parseZone(text), { atomic: options.atomic ?? true });
  const ownership = open(options);
  for (let count = 0; count < 6; count++) {
    const { writes, stuck } = await round(zone, ownership, target);
    if (writes === 0) return [showZone(zone.all()), ...stuck.map((one) => `! ${one}`)].join("\n");
  }
  throw new Error("still writing after 6 rounds");
}

const lines = (...text: readonly string[]) => text.join("\n");

describe.each([true, false])("migration of markers, atomic %s", (atomic) => {
  test.each<[string, string, MarkerTarget, string]>([
    [
      "typed to label",
      lines("www 300 A 192.0.2.1", `a-www 60 TXT ${ME}`),
      LABEL,
      lines(`_owner.a.www 60 TXT ${ME}`, "www 300 A 192.0.2.1"),
    ],
    [
      "label to typed",
      lines("www 300 A 192.0.2.1", `_owner.a.www 60 TXT ${ME}`),
      TYPED,
      lines(`a-www 60 TXT ${ME}`, "www 300 A 192.0.2.1"),
    ],
    [
      "a marker without a type that may be meant for a record beside stays (ADR 0023)",
      lines("www 300 A 192.0.2.1", `a-www 300 TXT ${ME}`, `www 300 TXT ${ME}`, "www 300 MX 1 m"),
      TYPED,
      lines(
        `a-www 300 TXT ${ME}`,
        "www 300 A 192.0.2.1",
        "www 300 MX 1 m",
        `www 300 TXT ${ME}`,
        "! A MarkerAmbiguous",
      ),
    ],
    [
      "what the typed location cannot mark stays in the label location",
      lines(
        "* 300 A 192.0.2.1",
        `_owner.a._wildcard 300 TXT ${ME}`,
        "@ 300 A 192.0.2.1",
        `_owner.a 300 TXT ${ME}`,
      ),
      TYPED,
      lines(
        "@ 300 A 192.0.2.1",
        "* 300 A 192.0.2.1",
        `_owner.a 300 TXT ${ME}`,
        `_owner.a._wildcard 300 TXT ${ME}`,
      ),
    ],
    [
      "legacy, typed duplicate and unknown labels",
      lines("www 300 A 192.0.2.1", `www 300 TXT ${m("me", ",external-dns/team=blue")}`),
      AS_CONFIGURED,
      lines(`a-www 300 TXT ${m("me", ",external-dns/team=blue")}`, "www 300 A 192.0.2.1"),
    ],
    [
      "what is interrupted between the two writes goes on",
      lines("www 300 A 192.0.2.1", `a-www 300 TXT ${ME}`, `_owner.a.www 300 TXT ${ME}`),
      LABEL,
      lines(`_owner.a.www 300 TXT ${ME}`, "www 300 A 192.0.2.1"),
    ],
    [
      "markers of another owner and of none are left alone",
      lines(
        "www 300 A 192.0.2.1",
        `a-www 300 TXT ${m("you")}`,
        "x 300 A 192.0.2.2",
        `a-y 300 TXT ${m("you")}`,
      ),
      LABEL,
      lines(
        `a-www 300 TXT ${m("you")}`,
        `a-y 300 TXT ${m("you")}`,
        "www 300 A 192.0.2.1",
        "x 300 A 192.0.2.2",
      ),
    ],
    [
      "a legacy one goes to the next place of the template where the first is taken",
      lines("www 300 A 192.0.2.1", `www 300 TXT ${ME}`, 'a-www 300 TXT "hello"'),
      TYPED,
      lines(`_owner.a.www 300 TXT ${ME}`, 'a-www 300 TXT "hello"', "www 300 A 192.0.2.1"),
    ],
    [
      "of two, the one that has the form already stays as it is",
      lines(
        "www 300 A 192.0.2.1",
        `_owner.a.www 300 TXT ${m("me", ",external-dns/team=blue")}`,
        `a-www 300 TXT ${ME}`,
      ),
      TYPED,
      lines(`a-www 300 TXT ${ME}`, "www 300 A 192.0.2.1"),
    ],
    [
      "two, of which one is in a sequence",
      lines("www 300 A 192.0.2.1", `_owner.a.www 300 TXT ${ME}`, `a-www 300 TXT ${PENDING}`),
      TYPED,
      lines(
        `_owner.a.www 300 TXT ${ME}`,
        `a-www 300 TXT ${PENDING}`,
        "www 300 A 192.0.2.1",
        "! A MarkerPending",
      ),
    ],
    [
      "nothing is asked for, and nothing is done",
      lines("www 300 A 192.0.2.1", `a-www 300 TXT ${ME}`),
      AS_CONFIGURED,
      lines(`a-www 300 TXT ${ME}`, "www 300 A 192.0.2.1"),
    ],
    ["a marker without data moves as well", `a-y 300 TXT ${ME}`, LABEL, `_owner.a.y 300 TXT ${ME}`],
    [
      "a marker without data does not open a name below a wildcard",
      lines("*.w 300 A 192.0.2.1", `_owner.a._wildcard.w 300 TXT ${ME}`, `a-y.w 300 TXT ${ME}`),
      LABEL,
      lines(
        "*.w 300 A 192.0.2.1",
        `_owner.a._wildcard.w 300 TXT ${ME}`,
        `a-y.w 300 TXT ${ME}`,
        "! A NoMarkerPossible",
      ),
    ],
    [
      "a marker without data and without a type in its name has no place in a template",
      `y 300 TXT ${ME}`,
      LABEL,
      lines(`y 300 TXT ${ME}`, "! ANY NoMarkerPossible"),
    ],
    [
      "ours and another's of one record: neither moves, and it is said",
      lines("www 300 A 192.0.2.1", `www 300 TXT ${ME}`, `a-www 300 TXT ${m("you")}`),
      LABEL,
      lines(
        `a-www 300 TXT ${m("you")}`,
        "www 300 A 192.0.2.1",
        `www 300 TXT ${ME}`,
        "! A Contested",
      ),
    ],
    [
      "a sequence is left to end first",
      lines(
        "www 300 A 192.0.2.1",
        `a-www 300 TXT "heritage=external-dns,external-dns/data=+1,external-dns/owner=me,external-dns/state=pending"`,
      ),
      LABEL,
      lines(
        `a-www 300 TXT "heritage=external-dns,external-dns/data=+1,external-dns/owner=me,external-dns/state=pending"`,
        "www 300 A 192.0.2.1",
        "! A MarkerPending",
      ),
    ],
    [
      "a place that another has taken holds it",
      lines("www 300 A 192.0.2.1", `a-www 300 TXT ${ME}`, '_owner.a.www 300 TXT "hello"'),
      LABEL,
      lines(
        '_owner.a.www 300 TXT "hello"',
        `a-www 300 TXT ${ME}`,
        "www 300 A 192.0.2.1",
        "! A NoMarkerPossible",
      ),
    ],
    [
      "what cannot move keeps no other type of its name",
      lines(
        "www 300 A 192.0.2.1",
        `a-www 300 TXT ${ME}`,
        "www 300 AAAA 2001:db8::1",
        `aaaa-www 300 TXT ${ME}`,
        "_owner.aaaa.www 300 CNAME x.example.net",
      ),
      LABEL,
      lines(
        `_owner.a.www 300 TXT ${ME}`,
        "_owner.aaaa.www 300 CNAME x.example.net",
        `aaaa-www 300 TXT ${ME}`,
        "www 300 A 192.0.2.1",
        "www 300 AAAA 2001:db8::1",
        "! AAAA NoMarkerPossible",
      ),
    ],
    [
      "two types of one name go together",
      lines(
        "www 300 A 192.0.2.1",
        `a-www 300 TXT ${ME}`,
        "www 300 AAAA 2001:db8::1",
        `aaaa-www 300 TXT ${ME}`,
      ),
      LABEL,
      lines(
        `_owner.a.www 300 TXT ${ME}`,
        `_owner.aaaa.www 300 TXT ${ME}`,
        "www 300 A 192.0.2.1",
        "www 300 AAAA 2001:db8::1",
      ),
    ],
  ])("%s", async (_, zone, target, after) => {
    expect(await migrated(zone, target, { atomic })).toBe(
      lines(
        showZone(parseZone(after.replaceAll(/^!.*$/gm, ""))),
        ...(after.match(/^!.*$/gm) ?? []),
      ),
    );
  });

  test("signed, encrypted, and back; labels survive", async () => {
    const start = lines("www 300 A 192.0.2.1", `a-www 300 TXT ${ME}`);
    const signed = await migrated(start, AS_CONFIGURED, { atomic, signing });
    expect(signed).toContain("sig=k1.");
    const both = await migrated(
      signed,
      { location: "label", encrypt: true },
      { atomic, signing, encryption },
    );
    expect(both).not.toContain("heritage");
    const sets = await open({ encryption, signing: { ...signing, mode: "require" } }).read(
      parseZone(both),
    );
    expect(sets.map(({ type, marker }) => [type, marker?.owner, marker?.record?.name])).toEqual([
      ["A", "me", "_owner.a.www.example.org"],
    ]);
    // Nothing is to be done twice: the text that says it already is kept.
    expect(
      await migrated(both, { location: "label", encrypt: true }, { atomic, signing, encryption }),
    ).toBe(both);
    expect(await migrated(both, TYPED, { atomic, encryption })).toBe(showZone(parseZone(start)));
  });

  test("markers without data are signed, so that signatures can be required; with a type in their name or without", async () => {
    const half = await migrated(lines(`a-half 300 TXT ${ME}`, `old 300 TXT ${ME}`), AS_CONFIGURED, {
      atomic,
      signing,
    });
    expect(half).toMatch(/^! ANY NoMarkerPossible$/m);
    const sets = parseZone(half.replaceAll(/^!.*$/gm, ""));
    const read = await open({ signing: { ...signing, mode: "require" } }).read(sets);
    expect(read.map(({ name, marker }) => [name, marker?.owner, marker?.trouble])).toEqual([
      ["half.example.org", "me", undefined],
      ["old.example.org", "me", undefined],
    ]);
  });

  test("a marker that names no object keeps saying so", async () => {
    const bare = '"heritage=external-dns,external-dns/owner=me"';
    const zone = lines("www 300 A 192.0.2.1", `a-www 300 TXT ${bare}`);
    expect(await migrated(zone, LABEL, { atomic })).toBe(
      lines(`_owner.a.www 300 TXT ${bare}`, "www 300 A 192.0.2.1"),
    );
  });

  test("encrypted in its place, and plain again", async () => {
    const start = lines(`a-www 300 TXT ${ME}`, "www 300 A 192.0.2.1");
    const sealed = await migrated(start, { location: null, encrypt: true }, { atomic, encryption });
    expect(sealed).toMatch(/^a-www 300 TXT "[A-Za-z0-9+/=]+"/);
    expect(await migrated(sealed, AS_CONFIGURED, { atomic, encryption })).toBe(start);
  });

  test("below a wildcard it moves where one call takes all", async () => {
    const zone = lines(
      `_owner.a._wildcard.w 300 TXT ${ME}`,
      `a-y.w 300 TXT ${ME}`,
      "*.w 300 A 192.0.2.1",
      "y.w 300 A 192.0.2.2",
    );
    const shown = await migrated(zone, LABEL, { atomic });
    expect(shown.includes("_owner.a.y.w 300")).toBe(atomic);
    expect(shown.includes("! A NoMarkerPossible")).toBe(!atomic);
  });

  test("what does not fit with a signature stays as it is, and it is said", async () => {
    const long = m("me", `,external-dns/team=${"x".repeat(125)}`);
    const zone = lines(`a-www 300 TXT ${long}`, "www 300 A 192.0.2.1");
    for (const target of [AS_CONFIGURED, LABEL])
      expect(await migrated(zone, target, { atomic, signing })).toBe(
        lines(zone, "! A MarkerTooLong"),
      );
  });

  test("a marker that shares its record set with a foreign text stays, and it is said", async () => {
    const zone = lines(`a-www 300 TXT "hello"`, `a-www 300 TXT ${ME}`, "www 300 A 192.0.2.1");
    expect(await migrated(zone, LABEL, { atomic })).toBe(lines(zone, "! A MarkerShared"));
  });

  test("a text that shares its record set with a marker is somebody's: its own marker stays, too", async () => {
    const zone = lines(
      `txt-www 300 TXT ${ME}`,
      'www 300 TXT "hello"',
      `www 300 TXT ${m("me", ",external-dns/team=blue")}`,
    );
    expect(await migrated(zone, LABEL, { atomic })).toBe(
      lines(zone, "! ANY MarkerShared", "! TXT Contested"),
    );
  });

  test("a marker without data and type that does not fit with a signature stays, and it is said", async () => {
    const zone = `old 300 TXT ${m("me", `,external-dns/team=${"x".repeat(125)}`)}`;
    expect(await migrated(zone, AS_CONFIGURED, { atomic, signing })).toBe(
      lines(zone, "! ANY MarkerTooLong"),
    );
  });

  test("without a key nothing is encrypted, and it is said", async () => {
    const zone = lines("www 300 A 192.0.2.1", `a-www 300 TXT ${ME}`);
    expect(await migrated(zone, { location: null, encrypt: true }, { atomic })).toBe(
      lines(showZone(parseZone(zone)), "! A NoMarkerPossible"),
    );
  });
});

test("every write rests on the data and both places as they were read", async () => {
  const zone = new ZoneModel(parseZone(lines("www 300 A 192.0.2.1", `a-www 300 TXT ${ME}`)));
  const ownership = open();
  const name = parseZone("www 300 A 192.0.2.1")[0]?.name ?? ORIGIN;
  const changes = ownership.migration?.outdated(name, zone, LABEL).changes ?? [];
  const prepared = await ownership.prepare({ name, changes, holds: [] }, zone);
  expect(prepared.ok && prepared.group.preconditions.map((one) => JSON.stringify(one))).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/"exact".*"www.example.org".*192\.0\.2\.1/),
      expect.stringMatching(/"exact".*"a-www.example.org"/),
      expect.stringMatching(/"absent".*"_owner.a.www.example.org".*"TXT"/),
      expect.stringMatching(/"absent".*"_owner.a.www.example.org".*"CNAME"/),
    ]),
  );
});

describe("messages of held migrations", () => {
  const trouble = (
    zone: string,
    target: MarkerTarget,
    options: Partial<TxtOwnershipOptions> = {},
  ) => {
    const name = parseOne("www 300 A 192.0.2.1").name;
    const plan = open(options).migration?.outdated(name, new ZoneModel(parseZone(zone)), target);
    return plan?.holds.map(({ message }) => message);
  };
  const HELD = "www 300 A 192.0.2.1";
  const long = m("me", `,external-dns/team=${"x".repeat(125)}`);

  test.each<[string, string, MarkerTarget, Partial<TxtOwnershipOptions>, string]>([
    [
      "another's marker",
      lines(HELD, `www 300 TXT ${ME}`, `a-www 300 TXT ${m("you")}`),
      LABEL,
      {},
      "somebody else's marker or text claims the record, too: remove what is wrong (our marker: TXT www.example.org)",
    ],
    [
      "a sequence, and two markers",
      lines(HELD, `www 300 TXT ${ME}`, `a-www 300 TXT ${PENDING}`),
      LABEL,
      {},
      "a write of the record is under way: ask again when zonekeeper plan shows it no more (our marker: TXT a-www.example.org, www.example.org)",
    ],
    [
      "no key",
      lines(HELD, `a-www 300 TXT ${ME}`),
      { location: null, encrypt: true },
      {},
      "no key is configured: start the instance with --txt-encrypt-aes-key-file (our marker: TXT a-www.example.org)",
    ],
    [
      "no type",
      `www 300 TXT ${ME}`,
      LABEL,
      {},
      "its name says no type, so no name template fits it (our marker: TXT www.example.org; it has no record: remove it by hand if it is not needed)",
    ],
    [
      "no room",
      lines(HELD, `a-www 300 TXT ${long}`),
      AS_CONFIGURED,
      { signing },
      "the marker does not fit 255 bytes in its new form; it stays as it is (our marker: TXT a-www.example.org)",
    ],
    [
      "a text beside",
      lines(HELD, `a-www 300 TXT ${ME}`, 'a-www 300 TXT "hello"'),
      LABEL,
      {},
      "our marker at TXT a-www.example.org shares its record set with another text: move that text to another name; the change then follows by itself (our marker: TXT a-www.example.org)",
    ],
  ])("%s", (_, zone, target, options, message) => {
    expect(trouble(zone, target, options)).toEqual([message]);
  });

  test("a change says which object the marker names, and is a rewrite where it stands", async () => {
    const zone = new ZoneModel(parseZone(lines(HELD, `a-www 300 TXT ${ME}`)));
    const ownership = open({ signing });
    const name = parseOne(HELD).name;
    const { changes = [] } = ownership.migration?.outdated(name, zone, AS_CONFIGURED) ?? {};
    expect(changes).toMatchObject([
      {
        reason: { code: "MarkerMigrated", message: "the marker is brought to another form" },
        marker: { owner: "me", provenance: { kind: "service", namespace: "default", name: "web" } },
      },
    ]);
    const prepared = await ownership.prepare({ name, changes, holds: [] }, zone);
    expect(prepared.ok && prepared.group.changes.map(({ op }) => op)).toEqual(["replace"]);
  });
});
