/**
 * What a registry knows of the formats that it does not keep: whose a marker is, and what reads as
 * one.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { nameOf, ORIGIN, parseZone } from "../../test/support/values/zone-text.ts";
import { knownFormats } from "./other-formats.ts";

const formatOf = (name: string, apex = ORIGIN) => {
  const format = knownFormats(apex).find((one) => one.name === name);
  if (format === undefined) throw new Error(`no format ${name}`);
  return format;
};

test.each([
  ["txt", "a-www", '"heritage=external-dns,external-dns/owner=east"', ["east"]],
  ["txt", "a-www", '"heritage=external-dns"', [""]],
  ["txt", "a-www", '"hello"', []],
  ["gardener", "comment-www", '"prefix=comment-"', [""]],
  ["gardener", "www", '"prefix=comment-"', []],
  ["gardener", "comment-www", '"owner=east"', []],
  ["mesh", "www", '"m=mesh,mesh=east"', ["east"]],
  ["mesh", "www", '"mesh=,x"', []],
])("%s: at %s the text %s names the owners %j", (name, markerName, text, owners) => {
  const [set] = parseZone(`${markerName} 300 TXT ${text}`);
  expect(set && formatOf(name).ownersIn(set)).toEqual(owners);
});

test("an encrypted text, or data alone, is no marker of another format", () => {
  const secret = `"${"A".repeat(96)}"`;
  const sets = parseZone(`www 300 A 192.0.2.1\na-www 300 TXT ${secret}\nx 300 A 192.0.2.2`);
  for (const format of knownFormats(ORIGIN)) expect(format.read(sets)).toEqual([]);
});

test.each([
  ["txt", "a-www", `"${"A".repeat(96)}"`, true],
  ["txt", "www", `"${"A".repeat(96)}"`, false],
  ["txt", "a-www", `"${"A".repeat(40)}"`, false],
  ["gardener", "www", '"prefix=note-"', false],
  ["mesh", "www", '"mesh=east,x"', false],
  ["gardener", "www", '"prefix=" "comment-"', true],
  ["gardener", "www", '"prefix\\=comment-"', true],
  ["gardener", "www", '"prefix=\\"comment-"', false],
])("%s: at %s the text %s reads as a marker: %s", (name, markerName, text, isLike) => {
  const [set] = parseZone(`${markerName} 300 TXT ${text}`);
  expect(set && formatOf(name).hasMarkerForm(set)).toBe(isLike);
});

test("in a zone whose name leaves no room for a marker of Gardener's, no text reads as one", () => {
  const apex = trustedDnsName(`${`${"x".repeat(59)}.`.repeat(4)}example.org`);
  const [text] = parseZone('www 300 TXT "prefix=comment-"');
  if (text === undefined) throw new Error("no text");
  expect(formatOf("gardener").hasMarkerForm(text)).toBe(true);
  expect(formatOf("gardener", apex).hasMarkerForm({ ...text, name: apex })).toBe(false);
});

test("each format knows the names of its markers, and which names a marker there labels", () => {
  for (const format of knownFormats(ORIGIN))
    for (const markerName of format.markerNames(nameOf("www")))
      expect(format.labelled(markerName)).toContain(nameOf("www"));
});

test("one value that reads as a marker is enough", () => {
  const [set] = parseZone(
    'www 300 TXT "hello"\nwww 300 TXT "heritage=external-dns"\nwww 300 TXT "mesh=a"\nwww 300 TXT "prefix=comment-"',
  );
  for (const format of knownFormats(ORIGIN)) expect(set && format.hasMarkerForm(set)).toBe(true);
});

test("Gardener's old place of the zone's wildcard is looked at, and a name that is none says nothing", () => {
  const gardener = formatOf("gardener");
  expect(gardener.markerNames(nameOf("*"))).toContain(nameOf("*.comment-"));
  expect(gardener.labelled(nameOf("www"))).toEqual([]);
});

test.each([
  ["txt", "a-www", '"heritage=external-dns,external-dns/owner=east"', ["www"]],
  ["txt", "a-www", '"hello"', []],
  ["mesh", "_mesh.www", '"m=mesh,mesh=east"', ["www"]],
  ["mesh", "_mesh.www", '"hello"', []],
])("%s: at %s the text %s may mark %j", (name, markerName, text, names) => {
  const [set] = parseZone(`${markerName} 300 TXT ${text}`);
  const found = set === undefined ? [] : formatOf(name).namesIn(set);
  expect([...found].sort()).toEqual(names.map(nameOf).sort());
});
