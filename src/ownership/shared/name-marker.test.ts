import { describe, expect, test } from "vitest";
import { ORIGIN, parseZone, shortName } from "../../../test/support/values/zone-text.ts";
import { gardenerFormat } from "../gardener/format.ts";
import { meshFormat } from "../mesh/format.ts";
import { fold, type NameMarkerFormat } from "./name-marker.ts";

const MESH = meshFormat(ORIGIN);
const GARDENER = gardenerFormat(ORIGIN);

const folded = (zone: string, format: NameMarkerFormat = MESH) =>
  fold(parseZone(zone), { format, isOwnedByUs: (owner) => owner === "me" });

/** Each line: key, set identifier, data, owner. */
const shown = (zone: string, format: NameMarkerFormat = MESH) =>
  folded(zone, format).map(({ name, type, setIdentifier, data, marker, contested }) => {
    const owner = contested ? "contested" : (marker?.owner ?? "foreign");
    const key = `${shortName(name)} ${type}${setIdentifier === null ? "" : ` ${setIdentifier}`}`;
    return `${key} ${data === null ? "-" : data.values.join(" ")} ${owner}`;
  });

describe("which records a marker labels", () => {
  test.each<[string, string, readonly string[]]>([
    ["its types", 'www 300 TXT "mesh=me,types=A"\nwww 300 A 192.0.2.1', ["www A 192.0.2.1 me"]],
    [
      "no other types",
      'www 300 TXT "mesh=me,types=A"\nwww 300 AAAA 2001:db8::1',
      ["www A - me", "www AAAA 2001:db8::1 foreign"],
    ],
    [
      "without types addresses and aliases",
      'www 300 TXT "mesh=me"\nwww 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1\nwww 300 MX 1 mx',
      ["www A 192.0.2.1 me", "www AAAA 2001:db8::1 me", "www MX 1 mx foreign"],
    ],
    ["an alias", '_mesh.www 300 TXT "mesh=me"\nwww 300 CNAME lb', ["www CNAME lb me"]],
    [
      "texts only where there are no addresses at the name",
      '_mesh.www 300 TXT "mesh=me"\nwww 300 TXT "hello"\napi 300 A 192.0.2.1',
      ["api A 192.0.2.1 foreign", 'www TXT "hello" me'],
    ],
    [
      "and nothing else there",
      '_mesh.www 300 TXT "mesh=me"\nwww 300 MX 1 mx',
      ["www ANY - me", "www MX 1 mx foreign"],
    ],
    [
      "its own set identifier",
      'www 300 TXT "mesh=me,types=A" ; id=eu\nwww 300 A 192.0.2.1 ; id=us',
      ["www A eu - me", "www A us 192.0.2.1 foreign"],
    ],
    ["a TXT and no other type", 'www 300 SPF "mesh=me"', ['www SPF "mesh=me" foreign']],
  ])("%s", (_, zone, keys) => {
    expect(shown(zone)).toEqual(keys);
  });

  test("an alias in Gardener's form", () => {
    const zone = 'comment-www 600 TXT "owner=me"\ncomment-www 600 TXT "prefix=comment-"';
    expect(shown(`${zone}\nwww 300 CNAME lb`, GARDENER)).toEqual(["www CNAME lb me"]);
  });
});

describe("a text that shares its record set with a marker", () => {
  test("is somebody's data, and of that marker only what it means is ours", () => {
    const zone = 'www 300 TXT "mesh=me,types=A"\nwww 300 TXT "hello"\nwww 300 A 192.0.2.1';
    expect(shown(zone)).toEqual(["www A 192.0.2.1 me", 'www TXT "hello" foreign']);
  });

  test("is contested where the marker would label it, also beside other markers", () => {
    const other = 'api 300 TXT "mesh=me,types=A"';
    expect(shown(`www 300 TXT "mesh=me"\nwww 300 TXT "hello"\n${other}`)).toEqual([
      "api A - me",
      'www TXT "hello" contested',
    ]);
  });
});

describe("the marker that the planner sees", () => {
  test.each([
    ["mesh=me", { owner: "me" }],
    ["cluster=c1,mesh=me", { owner: "me", cluster: "c1" }],
    ["mesh=me,resource=service/a/b", { owner: "me", resource: "service/a/b" }],
  ])("%s: labels of what it says", (text, labels) => {
    const [key] = folded(`www 300 TXT "${text}"\nwww 300 A 192.0.2.1`);
    expect(key?.marker).toMatchObject({ resource: null, cluster: null, ...labels });
    expect(key?.marker?.labels).toEqual(labels);
  });

  test.each([
    ["ours alone: one of its values", ['"mesh=me,types=A"', '"mesh=me,types=AAAA"'], 1],
    ["with a foreign one: all of them", ['"mesh=me,types=A"', '"hello"'], 2],
  ])("%s", (_, values, count) => {
    const zone = values.map((value) => `www 300 TXT ${value}`).join("\n");
    const [key] = folded(`${zone}\nwww 300 A 192.0.2.1`);
    expect(key?.marker?.record?.values).toHaveLength(count);
  });

  test("of two owners: contested, and both are named", () => {
    const zone = 'www 300 TXT "mesh=you,types=A"\n_mesh.www 300 TXT "mesh=me,types=A"';
    const [key] = folded(`${zone}\nwww 300 A 192.0.2.1`);
    expect(key).toMatchObject({ contested: true, owners: ["me", "you"], marker: { owner: "me" } });
  });
});
