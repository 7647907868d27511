/** What `registry migrate` writes into markers about clusters. */
import { describe, expect, test } from "vitest";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import type { MarkerTarget } from "../../plan/changes.ts";
import { openTxtOwnership } from "./ownership.ts";

const ME =
  '"heritage=external-dns,external-dns/owner=me,external-dns/resource=service/default/web"';
const AS_CONFIGURED: MarkerTarget = { location: null, encrypt: false };

describe("Z-30 the cluster of a marker", () => {
  const RECORD = "www 300 A 192.0.2.1";
  const IN = (cluster: string) =>
    ME.replace("external-dns/owner", `external-dns/cluster=${cluster},external-dns/owner`);
  const wanting = (...clusters: readonly string[]): MarkerTarget => ({
    ...AS_CONFIGURED,
    wanted: parseDesired(clusters.map((one) => `${RECORD} ; cluster=${one}`).join("\n")),
  });
  const migrated = async (marker: string, target: MarkerTarget, options = {}) => {
    const zone = new ZoneModel(parseZone(`${RECORD}\na-www 300 TXT ${marker}`));
    const isOwnedByUs = (owner: string) => owner === "me";
    const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs, ...options });
    const name = nameOf("www");
    const { changes = [] } = ownership.migration?.outdated(name, zone, target) ?? {};
    const prepared = await ownership.prepare({ name, changes, holds: [] }, zone);
    expect(prepared.ok && zone.apply(prepared.group)).toBe(true);
    return showZone(zone.all());
  };
  const zoneWith = (marker: string) => `a-www 300 TXT ${marker}\n${RECORD}`;

  test("comes from the one object that wants the record", async () => {
    expect(await migrated(ME, wanting("c2"))).toBe(zoneWith(IN("c2")));
  });

  test.each([
    ["nobody wants the record", wanting()],
    ["objects of two clusters want it", wanting("c1", "c2")],
    [
      "another object wants it",
      { ...AS_CONFIGURED, wanted: parseDesired(`${RECORD} ; from=service/default/other`) },
    ],
    [
      "it wants another record",
      { ...AS_CONFIGURED, wanted: parseDesired("www 300 AAAA 2001:db8::1") },
    ],
  ])("is not guessed where %s", async (_, target) => {
    expect(await migrated(ME, target)).toBe(zoneWith(ME));
  });

  test("stays as it is where it is named, and is called by its present id", async () => {
    expect(await migrated(IN("c1"), wanting("c2"))).toBe(zoneWith(IN("c1")));
    const clusterAliases = new Map([["old", "eu-1"]]);
    expect(await migrated(IN("old"), wanting(), { clusterAliases })).toBe(zoneWith(IN("eu-1")));
  });
});
