/**
 * Law: where a marker of a record may be written, it is read as that of this very record and of
 * nothing else.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { runsOf } from "../../../test/support/values/law-runs.ts";
import { nameTemplate } from "../../../test/support/values/name-template.ts";
import { ORIGIN, parseZone, shortName, showZone } from "../../../test/support/values/zone-text.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { gardenerFormat } from "../gardener/format.ts";
import { meshFormat } from "../mesh/format.ts";
import { candidatesAt, templatesRead } from "./marker-candidates.ts";
import { chooseMarkerName } from "./marker-location.ts";
import { TYPED } from "./name-template.ts";
import { openTxtOwnership } from "./ownership.ts";

const TEMPLATES = [
  TYPED,
  nameTemplate("txt-"),
  nameTemplate("txt."),
  nameTemplate("", "-old"),
  nameTemplate("", ".o.w"),
  nameTemplate("cname-"),
  nameTemplate("a-"),
  nameTemplate("%{record_type}"),
  nameTemplate("%{record_type}-"),
  nameTemplate("_%{record_type}."),
  nameTemplate("", "-%{record_type}"),
  nameTemplate("", "%{record_type}"),
  nameTemplate("_owner."),
  nameTemplate("txt-", "", "any"),
  nameTemplate("", "-txt", "_wildcard"),
];
const LABELS = [
  "www",
  "a-www",
  "aaaawww",
  "txt-a-www",
  "www-old",
  "any",
  "*",
  "txt",
  "_owner.a.www",
  "_wildcard",
];
const MORE = [
  "www-a",
  "a-any",
  "cname-www",
  "o.w",
  "-base",
  "---at",
  "@",
  "_mesh",
  "_mesh._wildcard",
  "comment-",
];
const DATA = [
  "A 192.0.2.1",
  "AAAA 2001:db8::1",
  "CNAME lb.example.com",
  'TXT "x"',
  "MX 1 mx.example.com",
];
const ME =
  '"heritage=external-dns,external-dns/owner=me,external-dns/resource=service/default/web"';

const name = fc.constantFrom("@", ...LABELS, ...MORE, ...LABELS.map((label) => `${label}.sub`));
const line = fc
  .record({ name, data: fc.constantFrom(...DATA) })
  .map((one) => `${one.name} 300 ${one.data}`);
const anyTemplate = fc.constantFrom(...TEMPLATES);

test("law: read(write(key)) is that key, whatever is read besides and stands in the zone", async () => {
  const also = fc.array(anyTemplate, { maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(
      fc.record({ own: anyTemplate, starInNames: fc.boolean() }),
      also,
      fc.array(line, { minLength: 1, maxLength: 6 }),
      async ({ own, starInNames }, readAlso, lines) => {
        const zone = new ZoneModel([]);
        for (const one of lines)
          for (const next of parseZone(one)) zone.write({ op: "create", next });
        const [data] = zone.all();
        if (data === undefined) return;
        const nameTemplates = templatesRead(own, readAlso);
        const options = {
          apex: ORIGIN,
          markerLocation: "typed",
          nameTemplate: own,
          atomic: true,
          starInNames,
          nameTemplates,
        } as const;
        const chosen = chooseMarkerName(data, { ...options, present: zone, avoid: null });
        if (!("name" in chosen)) return;
        const [best] = candidatesAt(chosen.name, options);
        expect(best).toEqual({ name: data.name, type: data.type });
        for (const next of parseZone(`${shortName(chosen.name)} 300 TXT ${ME}`))
          zone.write({ op: "create", next });
        const ownership = openTxtOwnership({
          apex: ORIGIN,
          isOwnedByUs: (owner) => owner === "me",
          nameTemplate: own,
          starInNames,
          readAlso,
        });
        const owned = (await ownership.read(zone.all())).filter(({ marker }) => marker !== null);
        expect(
          owned.map(({ name: of, type, marker }) => [of, type, marker?.owner]),
          showZone(zone.all()),
        ).toEqual([[data.name, data.type, "me"]]);
        for (const { name: at } of zone.all()) {
          const related = ownership.related(at).flatMap((one) => zone.at(one));
          const alone = (await ownership.read(related)).filter((one) => one.name === at);
          expect(alone).toEqual(
            (await ownership.read(zone.all())).filter((one) => one.name === at),
          );
        }
      },
    ),
    { numRuns: runsOf(2000) },
  );
});

test.each([gardenerFormat(ORIGIN), meshFormat(ORIGIN)])(
  "law: a place of $name labels its name",
  (format) => {
    fc.assert(
      fc.property(line, (text) => {
        const of = parseZone(text)[0]?.name ?? ORIGIN;
        const markerNames = [...format.markerNames(of), ...format.otherMarkerNames(of)];
        expect(markerNames.map((markerName) => format.labelled(markerName))).toEqual(
          markerNames.map(() => of),
        );
        const labelled = format.labelled(of);
        if (labelled !== null)
          expect([...format.markerNames(labelled), ...format.otherMarkerNames(labelled)]).toContain(
            of,
          );
      }),
      { numRuns: runsOf(500) },
    );
  },
);
