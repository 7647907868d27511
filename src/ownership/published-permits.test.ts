/**
 * A permit that a marker of any format labels is a user's text: it gives no right, and we never
 * remove it (ADR 0014, ADR 0020).
 */
import { describe, expect, test } from "vitest";
import { rulesWith } from "../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  showZone,
} from "../../test/support/values/zone-text.ts";
import { step } from "../../test/support/worlds/reconcile.ts";
import { ZoneModel } from "../../test/support/worlds/zone-model.ts";
import { NO_TRANSFER } from "../model/transfer-request.ts";
import type { NamePlan } from "../plan/changes.ts";
import { planName } from "../plan/plan.ts";
import { type Ownership, setsAround } from "./ownership.ts";
import { openTxtOwnership } from "./txt/ownership.ts";
import { withOtherFormats } from "./with-other-formats.ts";

const WWW = nameOf("www");
const external = (owner: string) => `"heritage=external-dns,external-dns/owner=${owner}"`;
const PERMIT = `_permit.a.www 300 TXT "heritage=zonekeeper,zonekeeper/kind=permit,zonekeeper/owner=east,zonekeeper/to-owner=west,zonekeeper/to-resource=dnsentry/evil/x"`;
const EAST = `www 300 A 192.0.2.1
a-www 300 TXT "heritage=external-dns,external-dns/cluster=c1,external-dns/owner=east,external-dns/resource=service/default/web"`;
const gardener = (owner: string) =>
  `comment-_permit.a.www 600 TXT "owner=${owner}"\ncomment-_permit.a.www 600 TXT "prefix=comment-"`;

/** By the format that has written it. */
const MARKERS: readonly (readonly [string, string])[] = [
  ["gardener", gardener("shoot")],
  ["a lock of gardener", `${gardener("x")}\ncomment-_permit.a.www 600 TXT "kind=DNSLock"`],
  ["gardener, of the owner who would use it", gardener("west")],
  ["mesh", '_mesh._permit.a.www 300 TXT "mesh=you,types=TXT"'],
  ["mesh, without types", '_mesh._permit.a.www 300 TXT "mesh=you"'],
  ["external-dns", `txt-_permit.a.www 300 TXT ${external("ext")}`],
  ["ours", `_owner.txt._permit.a.www 300 TXT ${external("east")}`],
];

function opened(owner: string): Ownership {
  const isOwnedByUs = (one: string) => one === owner;
  return withOtherFormats(openTxtOwnership({ apex: ORIGIN, isOwnedByUs }), {
    apex: ORIGIN,
    isOwnedByUs,
  });
}
const rulesOf = (owner: string) => rulesWith({ owners: new Set([owner]), mainOwner: owner });
const claim = () =>
  parseDesired("www 300 A 192.0.2.66 ; from=dnsentry/evil/x").map((one) => ({
    ...one,
    transfer: { ...NO_TRANSFER, claim: true },
  }));
const one = (zone: ZoneModel, owner: string, desired = claim()) =>
  step(WWW, { zone, ownership: opened(owner), desired, rules: rulesOf(owner) });

describe.each(MARKERS)("a marker of %s labels the permit", (_, marker) => {
  const zone = () => new ZoneModel(parseZone(`${EAST}\n${PERMIT}\n${marker}`));

  test("nobody takes over by it, and nothing is written", async () => {
    const { group, holds } = await one(zone(), "west");
    expect(group?.changes ?? []).toEqual([]);
    expect(holds.map(({ code }) => code)).toEqual(["ForeignRecord"]);
  });

  test("the view of the name is the same from what is near it and from the whole zone", async () => {
    const ownership = opened("west");
    const at = (views: Awaited<ReturnType<Ownership["read"]>>) =>
      views.filter(({ name }) => name === WWW);
    const near = at(await ownership.read(setsAround(WWW, ownership, zone())));
    expect(near).toEqual(at(await ownership.read(zone().all())));
    expect(near.map(({ permit }) => permit)).toEqual([undefined]);
  });

  test("the text is data again", async () => {
    const texts = (await opened("west").read(zone().all())).filter(
      ({ name, data }) => name === nameOf("_permit.a.www") && data !== null,
    );
    expect(texts).toHaveLength(1);
  });

  test.each(["east", "west"])("%s, who is in it, does not clear it away", async (owner) => {
    for (const all of [
      parseZone(`${PERMIT}\n${marker}`),
      parseZone(`${EAST}\n${PERMIT}\n${marker}`),
    ]) {
      const after = new ZoneModel(all);
      const stood = after.at(WWW);
      const { group } = await one(after, owner, []);
      if (group !== null) expect(after.apply(group)).toBe(true);
      expect(showZone(after.at("_permit.a.www.example.org"))).toBe(PERMIT);
      // The record goes with its object, whatever is said about its permit.
      expect(after.at(WWW)).toEqual(owner === "west" ? stood : []);
    }
  });

  test("what is removed or moves there is looked at under the record's name", () => {
    const markerNames = [...new Set(parseZone(marker).map(({ name }) => name))];
    expect(markerNames.flatMap((markerName) => opened("west").affected(markerName))).toContain(WWW);
  });
});

describe("it is written in the moment between reading and writing", () => {
  const unmarked = () => new ZoneModel(parseZone(`${EAST}\n${PERMIT}`));
  const PERMIT_ALONE = new ZoneModel(parseZone(PERMIT));

  test.each(MARKERS)("by %s: the call is refused", async (_, marker) => {
    for (const [zone, owner, desired] of [
      [unmarked(), "west", claim()],
      [PERMIT_ALONE.copy(), "east", []],
    ] as const) {
      const { group } = await one(zone, owner, [...desired]);
      if (group === null) throw new Error("it was to be written");
      for (const next of parseZone(marker)) zone.write({ op: "create", next });
      const stood = showZone(zone.all());
      expect(zone.apply(group)).toBe(false);
      expect(showZone(zone.all())).toBe(stood);
    }
  });

  test.each(MARKERS)(
    "by %s, and the plan is older: it is held with the reason",
    async (_, marker) => {
      const ownership = opened("west");
      const current = (await ownership.read(unmarked().all())).filter(({ name }) => name === WWW);
      const plan: NamePlan = planName(WWW, claim(), current, rulesOf("west"));
      expect(plan.changes.map(({ permit }) => permit?.is)).toEqual(["used"]);
      const now = new ZoneModel(parseZone(`${EAST}\n${PERMIT}\n${marker}`));
      const prepared = await ownership.prepare(plan, now);
      expect(prepared.ok ? [] : prepared.holds).toMatchObject([
        {
          code: "ForeignRecord",
          message: expect.stringMatching(/that somebody publishes|_permit/),
        },
      ]);
    },
  );
});

test("without any marker the permit is used", async () => {
  const zone = new ZoneModel(
    parseZone(`${EAST}\n${PERMIT}\ncomment-_permit.a.www 300 TXT "hello"`),
  );
  const { group } = await one(zone, "west");
  expect(group?.changes.map(({ op }) => op)).toEqual(["remove", "replace"]);
  expect(group === null ? null : zone.apply(group)).toBe(true);
});

test("no permit is given at a name that another format's marker reserves", async () => {
  const [recordSet] = parseDesired("www 300 A 192.0.2.1 ; from=service/default/web");
  if (recordSet === undefined) throw new Error("no record set");
  const permit = { owner: "west", resource: "service/shop/web" };
  const desired = [{ ...recordSet, transfer: { ...NO_TRANSFER, permit } }];
  const give = (marker: string) =>
    one(new ZoneModel(parseZone(`${EAST}\n${marker}`)), "east", desired);
  expect((await give("")).group?.changes.map(({ op }) => op)).toEqual(["create"]);
  expect((await give(gardener("shoot"))).holds.map(({ code }) => code)).toEqual(["ForeignRecord"]);
});
