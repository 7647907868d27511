/** Which markers a record without one may want for itself (ADR 0023). */
import { expect, test } from "vitest";
import { ORIGIN, parseZone, shortName } from "../../../test/support/values/zone-text.ts";
import { fold } from "./fold-markers.ts";
import { templatesRead } from "./marker-candidates.ts";
import { MarkerCodec } from "./marker-codec.ts";
import { TYPED } from "./name-template.ts";

const OPTIONS = {
  apex: ORIGIN,
  nameTemplates: templatesRead(TYPED, []),
  codec: new MarkerCodec(null),
  signing: null,
  isOwnedByUs: (owner: string) => owner === "me",
};
const TEXT =
  '"heritage=external-dns,external-dns/owner=me,external-dns/resource=service/default/web"';

/** `<key>: <marker's place> <type that may want it>`, for each marker of each key. */
function flags(lines: readonly string[]): readonly string[] {
  return fold(parseZone(lines.join("\n")), OPTIONS).flatMap(({ name, type, markers }) =>
    markers.map(
      ({ record, competingType = "-" }) =>
        `${shortName(name)} ${type}: ${shortName(record.name)} ${competingType}`,
    ),
  );
}

test.each<[string, readonly string[], readonly string[]]>([
  ["nothing beside", ["www 300 A 192.0.2.1"], ["www A: www -"]],
  ["a mail server beside", ["www 300 A 192.0.2.1", "www 300 MX 1 m"], ["www A: www MX"]],
  ["one at another name", ["www 300 A 192.0.2.1", "x 300 MX 1 m"], ["www A: www -"]],
  ["a type that it labels itself", ["www 300 A 192.0.2.1", "www 300 AAAA ::1"], ["www A: www -"]],
  [
    "a mail server with its own marker",
    ["www 300 A 192.0.2.1", "www 300 MX 1 m", `mx-www 300 TXT ${TEXT}`],
    ["www A: www -", "www MX: mx-www -"],
  ],
  ["a delegation", ["www 300 A 192.0.2.1", "www 300 NS ns1.x."], ["www A: www NS"]],
])("a marker without a type at www, and %s", (_, zone, expected) => {
  expect(flags([...zone, `www 300 TXT ${TEXT}`])).toEqual(expected);
});

test.each<[string, string, string]>([
  ["the zone's own servers", "@ 3600 NS ns1.x.", "-"],
  ["a mail server", "@ 300 MX 1 m", "MX"],
])("at the apex, beside %s", (_, line, competingType) => {
  const zone = ["@ 300 A 192.0.2.1", line, `@ 300 TXT ${TEXT}`];
  expect(flags(zone)).toEqual([`@ A: @ ${competingType}`]);
});

test("a marker that may be read with a type is one of that type, whatever record its own name has", () => {
  const marker = `a-www 300 TXT ${TEXT}`;
  const own = ["a-www 300 A 192.0.2.1", "a-www 300 MX 1 m", "www 300 MX 1 m", marker];
  expect(flags(own)).toEqual(["www A: a-www -"]);
});
