import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { nameTemplate } from "../../../test/support/values/name-template.ts";
import { nameOf, ORIGIN, parseZone, shortName } from "../../../test/support/values/zone-text.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { RealCrypto } from "../../app/ports/real-crypto.ts";
import { encodeMarker } from "./encode-marker.ts";
import { templatesRead } from "./marker-candidates.ts";
import { MarkerCodec } from "./marker-codec.ts";
import { chooseMarkerName, type LocationOptions, markerNamesOf } from "./marker-location.ts";
import { LABEL, labelledBy, type NameTemplate, TYPED } from "./name-template.ts";
import { checkSignature, type MarkerSigning, signLabels } from "./signature.ts";

interface LocationCase extends Partial<LocationOptions> {
  readonly name?: string;
  readonly type?: string;
  readonly id?: string | null;
  readonly avoid?: string;
}

/** Where the marker of `www` may stand, or why not. */
function locate(zone: string, given: LocationCase = {}): string {
  const { name = "www", type = "A", id = null, avoid, ...options } = given;
  const found = chooseMarkerName(
    { name: nameOf(name), type, setIdentifier: id },
    {
      apex: ORIGIN,
      markerLocation: "typed",
      nameTemplate: TYPED,
      nameTemplates: [LABEL, TYPED],
      atomic: true,
      present: new ZoneModel(parseZone(zone)),
      avoid: avoid === undefined ? null : nameOf(avoid),
      ...options,
    },
  );
  return "name" in found ? shortName(found.name) : found.trouble;
}

const NO_FORM =
  "no marker name fits this record: each one is too long, or labels another record; choose another name";
/** A prefix in use, and another one that is read besides. */
const readAs = (prefix: string): LocationCase => {
  const own = nameTemplate("txt-");
  return { nameTemplate: own, nameTemplates: [LABEL, own, nameTemplate(prefix), TYPED] };
};

const withTemplate = (own: NameTemplate): LocationCase => ({
  nameTemplate: own,
  nameTemplates: templatesRead(own, []),
});
const TXT_DASH = withTemplate(nameTemplate("txt-"));
const OWN_DOT = withTemplate(nameTemplate("%{record_type}.own."));
const DOT_SUFFIX = withTemplate(nameTemplate("", ".%{record_type}"));

describe("Z-11, Z-12: the place of a new marker", () => {
  test.each<[string, string, LocationCase, string]>([
    ["the typed form", "", {}, "a-www"],
    ["the label location", "", { markerLocation: "label" }, "_owner.a.www"],
    ["not the name that is about to be taken", "", { avoid: "a-www" }, "_owner.a.www"],
    ["a wildcard, as external-dns has it", "", { name: "*.w", starInNames: true }, "a-*.w"],
    ["… at the apex", "", { name: "*", starInNames: true, type: "CNAME" }, "cname-*"],
    ["… with a prefix", "", { name: "*.w", starInNames: true, ...TXT_DASH }, "txt-a-*.w"],
    ["… with a template", "", { name: "*.w", starInNames: true, ...OWN_DOT }, "a.own.*.w"],
    [
      "… whose place would be a wildcard itself",
      "",
      { name: "*.w", starInNames: true, ...DOT_SUFFIX },
      "_owner.a._wildcard.w",
    ],
    [
      "… in the label location",
      "",
      { name: "*.w", starInNames: true, markerLocation: "label" },
      "_owner.a._wildcard.w",
    ],
    [
      "… whose place is taken",
      'a-*.w 300 TXT "x"',
      { name: "*.w", starInNames: true },
      "_owner.a._wildcard.w",
    ],
    ["a wildcard where a zone takes no such name", "", { name: "*.w" }, "_owner.a._wildcard.w"],
    ["an alias in the way", "a-www 300 CNAME x.example.com", {}, "_owner.a.www"],
    ["a text in the way", 'a-www 300 TXT "x"', {}, "_owner.a.www"],
    ["an address is not", "a-www 300 A 192.0.2.7", {}, "a-www"],
    ["a member beside a member", 'a-www 300 TXT "x" ; id=one', { id: "two" }, "a-www"],
    ["a member at its own place", 'a-www 300 TXT "x" ; id=one', { id: "one" }, "_owner.a.www"],
    ["a member beside a plain one", 'a-www 300 TXT "x"', { id: "two" }, "_owner.a.www"],
    ["a plain one beside a member", 'a-www 300 TXT "x" ; id=one', {}, "_owner.a.www"],
    ["a delegation at the typed name", "a-www 300 NS ns.example.com", {}, "_owner.a.www"],
    ["a DNAME at the typed name is no cut", "a-www 300 DNAME x.example.com", {}, "a-www"],
    ["an NS of the apex is none", "@ 300 NS ns.example.com", {}, "a-www"],
    ["a DS in the label location has none", "", { type: "DS", markerLocation: "label" }, NO_FORM],
    ["a DS in the typed one has none", "", { type: "DS" }, NO_FORM],
    [
      "a DNAME in the label location has none",
      "",
      { type: "DNAME", markerLocation: "label" },
      NO_FORM,
    ],
    ["a DNAME in the typed one", "", { type: "DNAME" }, "dname-www"],
    ["an apex whose place is about to be taken", "", { name: "@", avoid: "_owner.a" }, NO_FORM],
    ["an apex", "", { name: "@" }, "_owner.a"],
    ["what could be taken for it", "ww 300 A 192.0.2.7", readAs("txt-a-w"), "_owner.a.www"],
    ["… a text could not", 'ww 300 TXT "x"', readAs("txt-a-w"), "txt-a-www"],
    ["… of its own name", "www 300 MX 1 mail", readAs("txt-a-"), "_owner.a.www"],
    ["… of its own name and type", "www 300 A 192.0.2.7", readAs("txt-a-"), "txt-a-www"],
    [
      "under a wildcard in one batch",
      "* 300 A 192.0.2.7",
      { markerLocation: "label" },
      "_owner.a.www",
    ],
    [
      "elsewhere in several",
      "*.other 300 A 192.0.2.7",
      { markerLocation: "label", atomic: false },
      "_owner.a.www",
    ],
    ["typed under a wildcard in several", "* 300 A 192.0.2.7", { atomic: false }, "a-www"],
  ])("%s", (_, zone, options, expected) => {
    expect(locate(zone, options)).toBe(expected);
  });

  test.each<[string, string, LocationCase, RegExp]>([
    [
      "a DNAME above",
      "www 300 DNAME x.example.com",
      { markerLocation: "label" },
      /_owner.a.www.example.org is not answered: the zone ends at www.example.org$/,
    ],
    [
      "a wildcard above, in several calls",
      "* 300 A 192.0.2.7",
      { markerLocation: "label", atomic: false },
      /would hide the wildcard/,
    ],
    ["NS has no fallback", 'ns-www 300 TXT "x"', { type: "NS" }, /^ns-www.example.org is taken$/],
    [
      "both taken",
      'a-www 300 TXT "x"\n_owner.a.www 300 CNAME x.example.com',
      {},
      /^a-www.example.org is taken; _owner.a.www.example.org is an alias$/,
    ],
    [
      "what could be taken for it, and a text",
      'ww 300 A 192.0.2.7\n_owner.a.www 300 TXT "x"',
      readAs("txt-a-w"),
      /^a marker at txt-a-www.example.org would also label ww.example.org A; _owner.a.www.example.org is taken$/,
    ],
    [
      "NS in the label location",
      "",
      { type: "NS", markerLocation: "label" },
      /^no marker name fits/,
    ],
  ])("%s: none", (_, zone, options, expected) => {
    expect(locate(zone, options)).toMatch(expected);
  });
});

test("all places of a record: those that cannot be are left out", () => {
  const options = {
    apex: ORIGIN,
    markerLocation: "typed",
    nameTemplate: TYPED,
    nameTemplates: [LABEL, TYPED],
    atomic: true,
  } as const;
  const namesOf = (name: string) =>
    markerNamesOf({ name: nameOf(name), type: "A", setIdentifier: null }, options).map(shortName);
  expect([namesOf("www"), namesOf("@")]).toEqual([["a-www", "_owner.a.www"], ["_owner.a"]]);
});

test("a name that begins like a marker's and names no type labels nothing", () => {
  expect(labelledBy(LABEL, nameOf("_owner.soa.www"), ORIGIN)).toEqual([]);
  expect(labelledBy(LABEL, nameOf("_owner.a.www"), ORIGIN)).toEqual([
    { name: nameOf("www"), type: "A" },
  ]);
  const prefix = { prefix: "x%{record_type}.", suffix: "", wildcard: "" };
  expect(labelledBy(prefix, nameOf("x.www"), ORIGIN)).toEqual([
    { name: nameOf("www"), type: null },
  ]);
});

describe("what a marker is signed for", () => {
  const signing: MarkerSigning = {
    mode: "write",
    keys: [{ id: "k1", secret: new Uint8Array(32).fill(1) }],
    crypto: new RealCrypto(),
  };
  const key = { name: nameOf("www"), type: "AAAA", setIdentifier: null };
  const at = (text: string) =>
    encodeMarker(
      { labels: { owner: "me" }, key, markerName: nameOf(text), found: null },
      {
        apex: ORIGIN,
        nameTemplates: [LABEL, TYPED],
        codec: new MarkerCodec(null),
        signing,
        isOwnedByUs: () => true,
      },
    );
  const verdicts = (rdata: string | null) => {
    const text = new MarkerCodec(null).read(rdata ?? "");
    if (text === null || text === "unreadable") throw new Error("no marker");
    return ["AAAA", null].filter(
      (type) => checkSignature(text.labels, { ...key, type, apex: ORIGIN }, signing) === "good",
    );
  };

  test("what its place says: a type, or none; where that says nothing of the name, the record's", () => {
    expect(verdicts(at("aaaa-www"))).toEqual(["AAAA"]);
    expect(verdicts(at("www"))).toEqual([null]);
    expect(verdicts(at("elsewhere"))).toEqual(["AAAA"]);
  });

  test("without a key nothing is signed: that is a fault of ours", () => {
    const empty = { ...signing, keys: [] };
    expect(() =>
      signLabels(
        { owner: "me" },
        { ...key, apex: trustedDnsName("example.org") },
        { signing: empty, isShort: false },
      ),
    ).toThrow(/signed with a key/);
  });
});
