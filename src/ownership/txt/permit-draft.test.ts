/** Where a permit stands, what it rests on, and where there can be none (Z-13). */
import { describe, expect, test } from "vitest";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseOwned,
  parseZone,
  shortName,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import type { KeyChange, PermitChange } from "../../plan/changes.ts";
import { MarkerCodec } from "./marker-codec.ts";
import { LABEL, TYPED } from "./name-template.ts";
import { formatPermit, withPermits } from "./permit.ts";
import { draftPermit } from "./permit-draft.ts";

const CONTENT = { owner: "me", toOwner: "west", toResource: "service/default/west" };
const SCOPE = { apex: ORIGIN, signing: null };
const KEY = { name: nameOf("www"), type: "A", setIdentifier: null };
const TEXT = formatPermit(CONTENT, KEY, SCOPE) ?? "";
const PUBLISHED = `_permit.a.www 60 TXT ${TEXT}`;
const GIVEN: PermitChange = { is: "given", owner: "west", resource: "service/default/west" };

/** Names of markers that would label the permit. */
const MARKER_NAMES = ["_owner.txt._permit.a.www", "txt-_permit.a.www"];

function absentText(name: string) {
  return { is: "absent", key: { name: nameOf(name), type: "TXT", setIdentifier: null } };
}

/** The permit's change at a key that stands as it is wanted; `zone` = what else is there. */
function drafted(permit: PermitChange | null, zone = "", desiredText = "www 300 A 192.0.2.1") {
  const [desired] = parseDesired(desiredText);
  if (desired === undefined) throw new Error("no record set");
  const { name, type, setIdentifier } = desired;
  const key = { name, type, setIdentifier };
  const present = parseZone(zone);
  const current =
    withPermits(parseOwned("api 300 A 192.0.2.1 ; owner=me"), present, SCOPE).find(
      (one) => one.name === name && one.type === type,
    ) ?? null;
  const change: KeyChange = {
    key,
    current,
    desired,
    change: null,
    marker: { owner: "me", provenance: desired.provenance },
    reason: { code: "PermitGiven", message: "" },
    proof: null,
    ...(permit === null ? {} : { permit }),
  };
  return draftPermit(change, {
    ...SCOPE,
    nameTemplates: [LABEL, TYPED],
    codec: new MarkerCodec(null),
    isOwnedByUs: (owner) => owner === "me",
    present: new ZoneModel(present),
    markerTtlSeconds: 300,
  });
}

/** Writes as text, or the trouble. */
function shown(draft: ReturnType<typeof drafted>): readonly string[] {
  if ("code" in draft) return [`! ${draft.code}: ${draft.message}`];
  return draft.writes.map((write) =>
    write.op === "remove"
      ? `- ${showZone([write.previous])}`
      : `${{ create: "+", replace: "~" }[write.op]} ${showZone([write.next])}`,
  );
}

describe("given", () => {
  test("a new one, which rests on there being no alias at its name, and no marker for it", () => {
    const draft = drafted(GIVEN);
    expect(shown(draft)).toEqual([`+ _permit.a.www 300 TXT ${TEXT}`]);
    expect("preconditions" in draft && draft.preconditions).toEqual([
      { is: "absent", key: { name: nameOf("_permit.a.www"), type: "CNAME", setIdentifier: null } },
      ...MARKER_NAMES.map((name) => absentText(name)),
    ]);
  });

  test.each(MARKER_NAMES)("not over a marker at %s that reserves its name", (marker) => {
    const zone = `${marker} 300 TXT "heritage=external-dns,external-dns/owner=you"`;
    expect(shown(drafted(GIVEN, zone))[0]).toMatch(/^! NoMarkerPossible: .*somebody publishes/);
  });

  test("it takes policy and properties of its record", () => {
    const draft = drafted(GIVEN, "", "www 300 A 192.0.2.1 ; id=one policy=weighted");
    expect("writes" in draft && draft.writes).toMatchObject([
      {
        op: "create",
        next: { setIdentifier: "one", routingPolicy: { type: "weighted" }, properties: {} },
      },
    ]);
  });

  test("one that stands is rewritten, with its TTL", () => {
    const old = PUBLISHED.replace("west", "north");
    expect(shown(drafted(GIVEN, old))).toEqual([`~ ${PUBLISHED}`]);
  });

  test.each([
    [
      "an alias",
      "_permit.a.www 300 CNAME x.example.com",
      "NoMarkerPossible: the name of the permit, _permit.a.www.example.org, is taken by another record",
    ],
    [
      "a text",
      '_permit.a.www 300 TXT "hello"',
      "NoMarkerPossible: the name of the permit, _permit.a.www.example.org, is taken by another record",
    ],
    [
      "an alias beside the permit that stands",
      `${PUBLISHED}\n_permit.a.www 300 CNAME x.example.com`,
      "NoMarkerPossible: the name of the permit, _permit.a.www.example.org, is taken by another record",
    ],
    [
      "a wildcard that it would hide",
      "*.www 300 A 192.0.2.7",
      "NoMarkerPossible: a permit at _permit.a.www.example.org would hide the wildcard *.www.example.org",
    ],
    [
      "a delegation above",
      "www 300 NS ns.example.com",
      "NoMarkerPossible: _permit.a.www.example.org is not answered: the zone ends at www.example.org",
    ],
    [
      "a delegation at its name",
      "_permit.a.www 300 NS ns.example.com",
      "NoMarkerPossible: _permit.a.www.example.org is not answered: the zone ends at _permit.a.www.example.org",
    ],
    [
      "a DNAME above",
      "www 300 DNAME x.example.com",
      "NoMarkerPossible: _permit.a.www.example.org is not answered: the zone ends at www.example.org",
    ],
  ])("not where there is %s", (_, zone, trouble) => {
    expect(shown(drafted(GIVEN, zone))).toEqual([`! ${trouble}`]);
  });

  test.each([
    ["other records at its name", "_permit.a.www 300 A 192.0.2.7"],
    ["a DNAME at its name", "_permit.a.www 300 DNAME x.example.com"],
    ["the delegation of the zone itself", "@ 300 NS ns.example.com"],
    ["a wildcard beside", "*.other 300 A 192.0.2.7"],
  ])("%s: it may stand", (_, zone) => {
    expect(shown(drafted(GIVEN, zone))).toEqual([`+ _permit.a.www 300 TXT ${TEXT}`]);
  });

  test("a permit beside the name hides no wildcard below it", () => {
    expect(shown(drafted(GIVEN, "*.www 300 A 192.0.2.7", "www 300 NS ns.example.com"))).toEqual([
      `+ _permit-ns-www 300 TXT ${TEXT}`,
    ]);
  });

  test.each<[string, PermitChange, string, string]>([
    ["a group with a comma", { ...GIVEN, owner: "a,b" }, "www", "MarkerTooLong: .* 255 bytes"],
    ["a name of 250 bytes", GIVEN, `${`${"x".repeat(57)}.`.repeat(4)}yyyyyy`, "NoMarkerPossible"],
  ])("%s cannot be permitted", (_, permit, name, code) => {
    expect(shown(drafted(permit, "", `${name} 300 A 192.0.2.1`))[0]).toMatch(
      new RegExp(`^! ${code}`),
    );
  });
});

describe("taken away", () => {
  describe.each(["withdrawn", "tidied"] as const)("%s", (is) => {
    test("as it was read, and rests on no marker speaking for it", () => {
      const draft = drafted({ is }, PUBLISHED);
      expect(shown(draft)).toEqual([`- ${PUBLISHED}`]);
      const grounds = MARKER_NAMES.map((name) => absentText(name));
      expect("preconditions" in draft && draft.preconditions).toEqual(grounds);
    });

    test.each(MARKER_NAMES)("a marker at %s labels it: it is a user's text and stays", (marker) => {
      const zone = `${PUBLISHED}\n${marker} 300 TXT "heritage=external-dns,external-dns/owner=you"`;
      expect(shown(drafted({ is }, zone))[0]).toMatch(/^! ForeignRecord: .*somebody publishes/);
    });

    test("a text that is no marker keeps nobody from it, while it stands as it was read", () => {
      const draft = drafted({ is }, `${PUBLISHED}\ntxt-_permit.a.www 300 TXT "hello"`);
      expect(shown(draft)).toEqual([`- ${PUBLISHED}`]);
      const grounds = "preconditions" in draft ? draft.preconditions : [];
      expect(grounds.map((one) => one.is)).toEqual(["absent", "exact"]);
    });
  });

  test.each<[string, PermitChange | null, string]>([
    ["nothing is said about it", null, PUBLISHED],
    ["it is gone already", { is: "used" }, ""],
  ])("%s: no write", (_, permit, zone) => {
    expect(drafted(permit, zone)).toEqual({ writes: [], preconditions: [] });
  });

  test("it is gone already, and the record stands: no write", () => {
    const draft = drafted({ is: "withdrawn" }, "", "api 300 A 192.0.2.1");
    expect(draft).toEqual({ writes: [], preconditions: [] });
  });

  test("used: other records at a marker's name say nothing about it", () => {
    const zone = `${PUBLISHED}\ntxt-_permit.a.www 300 A 192.0.2.7`;
    expect(shown(drafted({ is: "used" }, zone))).toEqual([`- ${PUBLISHED}`]);
  });

  test("used: it asserts that no marker labels it, in any template", () => {
    const draft = drafted({ is: "used" }, PUBLISHED);
    expect(shown(draft)).toEqual([`- ${PUBLISHED}`]);
    const keys = "preconditions" in draft ? draft.preconditions : [];
    expect(keys.map((one) => (one.is === "absent" ? shortName(one.key.name) : one.is))).toEqual(
      MARKER_NAMES,
    );
  });

  test.each(MARKER_NAMES)("used, and %s labels it: it gives no right", (marker) => {
    const zone = `${PUBLISHED}\n${marker} 300 TXT "heritage=external-dns,external-dns/owner=you"`;
    expect(shown(drafted({ is: "used" }, zone))[0]).toMatch(
      /^! ForeignRecord: the permit at _permit.a.www.example.org is a text that somebody publishes/,
    );
  });

  test("a template that has no marker name for it is left out", () => {
    const name = `${"x".repeat(60)}.${"x".repeat(60)}.${"x".repeat(60)}.${"x".repeat(38)}`;
    const zone = `_permit.a.${name} 60 TXT ${TEXT}`;
    const draft = drafted({ is: "used" }, zone, `${name} 300 A 192.0.2.1`);
    const keys = "preconditions" in draft ? draft.preconditions : [];
    expect(keys).toHaveLength(1);
  });
});
