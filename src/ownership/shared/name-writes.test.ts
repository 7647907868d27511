/**
 * What a marker that labels a whole name keeps saying when one type of the name changes, and
 * where it goes.
 */
import { describe, expect, test } from "vitest";
import { rulesWith, UNPROVEN } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  shortName,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import { step } from "../../../test/support/worlds/reconcile.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import type { PlanRules } from "../../plan/rules.ts";
import { openGardenerOwnership } from "../gardener/registry.ts";
import { openMeshOwnership } from "../mesh/registry.ts";
import type { Ownership } from "../ownership.ts";

const options = { apex: ORIGIN, isOwnedByUs: (owner: string) => owner === "me", atomic: true };
const GARDENER = openGardenerOwnership(options);
const MESH = openMeshOwnership(options);
const comment = (...texts: readonly string[]) =>
  ["owner=me", "prefix=comment-", ...texts].map((text) => `comment-www 600 TXT "${text}"`);
const mesh = (markerName: string, types: string) =>
  `${markerName} 300 TXT "cluster=c1,m=mesh,mesh=me,ns=default,resource=service/default/web,types=${types}"`;

interface Case {
  readonly ownership?: Ownership;
  readonly zone: readonly string[];
  readonly desired: string;
  readonly rules?: Partial<PlanRules>;
  readonly name?: string;
}

/** The group of one name and the zone after it; or the holds. */
async function made({ ownership = GARDENER, zone: lines, desired, rules, name = "www" }: Case) {
  const zone = new ZoneModel(parseZone(lines.join("\n")));
  const world = { zone, ownership, desired: parseDesired(desired), rules: rulesWith(rules) };
  const { group, holds } = await step(nameOf(name), world);
  if (group !== null) expect(zone.apply(group)).toBe(true);
  const owned = await ownership.read(zone.all());
  return {
    holds: holds.map(({ code, message }) => `${code}: ${message}`),
    ops: group?.changes.map((change) => {
      const { name: at, type } = change.op === "remove" ? change.previous : change.next;
      return `${change.op} ${shortName(at)} ${type}`;
    }),
    group,
    zone: showZone(zone.all()),
    owners: owned.map((one) => {
      const id = one.setIdentifier === null ? "" : ` ${one.setIdentifier}`;
      const data = one.data === null ? "half" : "data";
      return `${shortName(one.name)} ${one.type}${id} ${data} ${one.marker?.owner ?? "nobody"}`;
    }),
  };
}

describe("types that are left alone keep their owner", () => {
  const A_ONLY = { managedTypes: new Set(["A"]) };

  test("where the marker named no types", async () => {
    const { owners, ops } = await made({
      zone: ["www 300 A 192.0.2.1", "www 300 AAAA 2001:db8::1", ...comment()],
      desired: "www 300 A 192.0.2.2",
      rules: A_ONLY,
    });
    expect(ops).toEqual(["replace comment-www TXT", "replace www A"]);
    expect(owners).toEqual(["www A data me", "www AAAA data me"]);
  });

  test("a type without data that may not go yet, whatever record exists at the marker's own name", async () => {
    const { owners } = await made({
      zone: [
        "www 300 A 192.0.2.1",
        "comment-www 300 AAAA 2001:db8::1",
        ...comment("resource-A=service/default/web", "resource-AAAA=service/default/web"),
      ],
      desired: "www 300 A 192.0.2.2",
      rules: UNPROVEN,
    });
    expect(owners).toEqual(["comment-www AAAA data nobody", "www A data me", "www AAAA half me"]);
  });

  test("a type without data that may not go yet, while another member of the policy has data of that type", async () => {
    const as = (id: string) => (line: string) => `${line} ; id=${id} policy=weighted`;
    const { owners } = await made({
      zone: [
        ...["www 300 A 192.0.2.1", ...comment("resource-A=", "resource-AAAA=")].map(as("eu")),
        ...["www 300 AAAA 2001:db8::1", ...comment("resource-AAAA=")].map(as("us")),
      ],
      desired: `${as("eu")("www 300 A 192.0.2.2")}`,
      rules: UNPROVEN,
    });
    expect(owners).toEqual(["www A eu data me", "www AAAA eu half me", "www AAAA us data me"]);
  });
});

describe("where a marker goes", () => {
  test("members of one policy have their markers at one name; policy and properties are the record's", async () => {
    const as = (id: string) => (line: string) => `${line} ; id=${id} policy=weighted`;
    const own = comment("resource-A=service/default/web");
    const { group, owners } = await made({
      zone: ["www 300 A 192.0.2.1", ...own].map(as("eu")),
      desired: `${as("eu")("www 300 A 192.0.2.1")}\n${as("us")("www 300 A 192.0.2.2")}`,
    });
    expect(owners).toEqual(["www A eu data me", "www A us data me"]);
    expect(group?.changes[0]).toMatchObject({
      next: { setIdentifier: "us", routingPolicy: { type: "weighted" }, properties: {} },
    });
  });

  test("back to the name itself when the other place is given away and the alias goes", async () => {
    const { ops, owners } = await made({
      ownership: MESH,
      zone: ["www 300 CNAME x.example.com", mesh("_mesh.www", "CNAME"), "_mesh.www 300 NS ns.x"],
      desired: "www 300 A 192.0.2.1",
    });
    expect(ops).toEqual([
      "remove www CNAME",
      "remove _mesh.www TXT",
      "create www TXT",
      "create www A",
    ]);
    expect(owners).toContain("www A data me");
  });

  test("a marker of another name does not make room, also while something else goes", async () => {
    const own = [
      'comment-comment-www 600 TXT "owner=me"',
      'comment-comment-www 600 TXT "prefix=comment-"',
      'comment-comment-www 600 TXT "resource-A=service/default/web"',
    ];
    const { holds } = await made({
      zone: [
        ...["www 300 A 192.0.2.1", ...comment("resource-A=service/default/web")],
        ...["comment-www 300 A 192.0.2.9", ...own],
      ],
      desired: "comment-www 300 CNAME x.example.com",
      name: "comment-www",
    });
    expect(holds).toHaveLength(2);
    for (const hold of holds)
      expect(hold).toMatch(/^NameInUse: TXT .* already has this name: move or remove it$/);
  });

  test("the same text in a record of another type is no marker, and is written", async () => {
    const { ops } = await made({
      ownership: MESH,
      zone: [],
      desired: 'www 300 HINFO "mesh=you"',
      rules: { managedTypes: new Set(["HINFO"]) },
    });
    expect(ops).toEqual(["create www TXT", "create www HINFO"]);
  });
});
