import { describe, expect, test } from "vitest";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import {
  party,
  permitFor,
  planned,
  settleParties,
  type TransferParty,
} from "../../../test/support/worlds/transfer-world.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { NO_TRANSFER, type TransferRequest } from "../../model/transfer-request.ts";
import { planName } from "../../plan/plan.ts";
import { dataHash } from "../data-hash.ts";
import { openTxtOwnership } from "./ownership.ts";

const CLAIM: Partial<TransferRequest> = { claim: true };
const DESIRED = "www 300 A 192.0.2.1";
const markerOf = (owner: string) =>
  `a-www 300 TXT "heritage=external-dns,external-dns/cluster=c1,external-dns/owner=${owner},external-dns/resource=service/default/${owner}"`;
const HELD = `${DESIRED}\n${markerOf("east")}`;
const zoneOf = (text: string) => new ZoneModel(parseZone(text));
const ownerIn = (zone: ZoneModel) =>
  /external-dns\/owner=(\w+)/.exec(zone.at(nameOf("a-www"))[0]?.values[0] ?? "")?.[1];
const dataWrites = (groups: Awaited<ReturnType<typeof settleParties>>) =>
  groups.flatMap(({ changes }) =>
    changes.filter((one) => (one.op === "remove" ? one.previous : one.next).name === nameOf("www")),
  );

describe("Z-13: transfer by permit and claim", () => {
  test("the marker moves and nothing else; the permit goes with the batch that uses it", async () => {
    const zone = zoneOf(HELD);
    const giver = party("east", DESIRED, permitFor("west"));
    const [given, ...more] = await settleParties([giver], zone);
    expect(more).toEqual([]);
    expect(given?.changes).toMatchObject([
      { op: "create", next: { name: nameOf("_permit.a.www") } },
    ]);
    const taker = party("west", DESIRED, CLAIM);
    const { group } = await planned(taker, zone);
    expect(group?.changes.map(({ op }) => op).sort()).toEqual(["remove", "replace"]);
    expect(group?.preconditions).toEqual(
      expect.arrayContaining(
        zone.all().map((set) =>
          expect.objectContaining({
            is: "exact",
            set: expect.objectContaining({ name: set.name, values: set.values }),
          }),
        ),
      ),
    );
    const written = await settleParties([taker, giver], zone);
    expect(dataWrites(written)).toEqual([]);
    expect(showZone(zone.all())).toBe(`${markerOf("west")}\n${DESIRED}`);
  });

  test("data that the taker wants otherwise changes after the marker, in a batch of its own", async () => {
    const zone = zoneOf(HELD);
    const parties = [
      party("east", DESIRED, permitFor("west")),
      party("west", "www 300 A 192.0.2.2", CLAIM),
    ];
    const written = await settleParties(parties, zone);
    expect(written).toHaveLength(3);
    expect(dataWrites(written.slice(0, 2))).toEqual([]);
    expect(showZone(zone.all())).toBe(`${markerOf("west")}\nwww 300 A 192.0.2.2`);
  });

  test.each<[string, TransferParty, Partial<TransferRequest>]>([
    ["without a claim", party("west", DESIRED), permitFor("west")],
    ["without a permit", party("west", DESIRED, CLAIM), {}],
    ["with a permit for another group", party("west", DESIRED, CLAIM), permitFor("north")],
    [
      "with a permit for another object (the slip in the seed's example)",
      party("west", DESIRED, CLAIM),
      { permit: { owner: "west", resource: "service/default/east" } },
    ],
    [
      "with a permit for an object of that name in another group",
      party("west", DESIRED, CLAIM),
      { permit: { owner: "north", resource: "service/default/west" } },
    ],
    [
      "with a permit that stays in the giver's own group",
      party("west", DESIRED, CLAIM),
      { permit: { owner: null, resource: "service/default/west" } },
    ],
  ])("%s nothing moves", async (_, taker, permit) => {
    const zone = zoneOf(HELD);
    await settleParties([party("east", DESIRED, permit), taker], zone);
    expect(ownerIn(zone)).toBe("east");
    const { holds, group } = await planned(taker, zone);
    expect(group?.changes ?? []).toEqual([]);
    expect(holds).toMatchObject([{ code: "ForeignRecord" }]);
    expect(holds[0]?.message.includes("permit-claim-by-resource")).toBe(
      taker.desired[0]?.transfer?.claim,
    );
  });

  test.each([
    ["a permit of a former holder", markerOf("east"), markerOf("north")],
    [
      "a permit while the record is being changed",
      markerOf("east"),
      markerOf("east").replace(
        /"$/,
        `,external-dns/data=+${parseZone(DESIRED).map(dataHash).join()},external-dns/state=pending"`,
      ),
    ],
  ])("%s gives no right", async (_, before, after) => {
    const zone = zoneOf(HELD);
    await settleParties([party("east", DESIRED, permitFor("west"))], zone);
    for (const [at, previous] of parseZone(before).entries()) {
      const next = parseZone(after)[at];
      if (next !== undefined) zone.write({ op: "replace", previous, next });
    }
    const { group, holds } = await planned(party("west", DESIRED, CLAIM), zone);
    expect([group?.changes, holds.length]).toEqual([[], 1]);
  });

  test("a permit that is taken back waits for no other change at the name", async () => {
    const aaaa = (value: string) => parseZone(`www 300 AAAA ${value}`);
    const zone = zoneOf(
      `${HELD}\nwww 300 AAAA 2001:db8::1\n${markerOf("east").replace("a-www", "aaaa-www")}`,
    );
    const both = (one: TransferParty, value: string): TransferParty => ({
      ...one,
      desired: one.desired.flatMap((recordSet) => [
        recordSet,
        ...aaaa(value).map((set) => ({ ...recordSet, ...set, transfer: NO_TRANSFER })),
      ]),
    });
    await settleParties([both(party("east", DESIRED, permitFor("west")), "2001:db8::1")], zone);
    expect(zone.at(nameOf("_permit.a.www"))).toHaveLength(1);
    const { group } = await planned(both(party("east", DESIRED), "2001:db8::2"), zone);
    expect(group?.keys.map(({ permit, change }) => [permit?.is, change])).toEqual([
      ["withdrawn", null],
    ]);
  });

  test("a permit that is taken back goes while the record is held, and its marker stays as it is", async () => {
    const zone = zoneOf(`${HELD}\nwww 300 TXT "v=spf1 -all"`);
    await settleParties([party("east", DESIRED, permitFor("west"))], zone);
    const { group, holds } = await planned(party("east", "www 300 CNAME lb.example.net"), zone);
    expect(group?.changes.map((one) => one.op === "remove" && one.previous.name)).toEqual([
      nameOf("_permit.a.www"),
    ]);
    expect(holds).toMatchObject([{ code: "ForeignRecord" }]);
    if (group !== null) expect(zone.apply(group)).toBe(true);
    expect(showZone(zone.all())).toBe(
      showZone([...parseZone(HELD), ...parseZone('www 300 TXT "v=spf1 -all"')]),
    );
  });

  test("a permit gives no right to change or remove before the transfer", async () => {
    const zone = zoneOf(HELD);
    await settleParties([party("east", DESIRED, permitFor("west"))], zone);
    const before = showZone(zone.all());
    await settleParties([party("west", null), party("west", "www 300 A 192.0.2.9")], zone);
    expect(showZone(zone.all())).toBe(before);
  });

  test("a permit that was taken back stops the transfer, also one on its way", async () => {
    const zone = zoneOf(HELD);
    await settleParties([party("east", DESIRED, permitFor("west"))], zone);
    const late = await planned(party("west", DESIRED, CLAIM), zone.copy());
    await settleParties([party("east", DESIRED)], zone);
    expect(showZone(zone.all())).toBe(`${markerOf("east")}\n${DESIRED}`);
    expect(late.group !== null && zone.apply(late.group)).toBe(false);
  });

  test("a permit is taken back before data is written, and given after", async () => {
    const zone = zoneOf(HELD);
    const changed = party("east", "www 300 A 192.0.2.5", permitFor("west"));
    const [first, second] = await settleParties([changed], zone);
    expect([first, second].map((group) => group?.keys.map(({ permit }) => permit?.is))).toEqual([
      [undefined],
      ["given"],
    ]);
    const { group } = await planned(party("east", "www 300 A 192.0.2.6"), zone);
    expect(group?.keys.map(({ permit, change }) => [permit?.is, change])).toEqual([
      ["withdrawn", null],
    ]);
  });

  test("after the transfer the giver releases the name, says so, and does not give it away again", async () => {
    const zone = zoneOf(HELD);
    const giver = party("east", "www 300 A 192.0.2.7", permitFor("west"));
    await settleParties([giver], zone);
    await settleParties([party("west", "www 300 A 192.0.2.7", CLAIM)], zone);
    const { group, holds } = await planned(giver, zone);
    expect(group?.changes).toEqual([]);
    expect(holds).toMatchObject([{ code: "HandedOver" }]);
  });

  test("S16: a marker that a person rewrote to another owner is a transfer too: we release the record and do not repair it", async () => {
    const zone = zoneOf(`${DESIRED}\n${markerOf("west")}`);
    for (const desired of [DESIRED, "www 300 A 192.0.2.8", null]) {
      expect(await settleParties([party("east", desired)], zone)).toEqual([]);
    }
  });

  test("a permit of ours at a record that is not ours any more goes alone", async () => {
    const zone = zoneOf(HELD);
    const giver = party("east", DESIRED, permitFor("west"));
    await settleParties([giver], zone);
    const [previous] = zone.at(nameOf("a-www"));
    const [next] = parseZone(markerOf("north"));
    if (previous !== undefined && next !== undefined) zone.write({ op: "replace", previous, next });
    const [tidied, ...more] = await settleParties([giver, party("east", null)], zone);
    expect(more).toEqual([]);
    expect(tidied?.changes.map(({ op }) => op)).toEqual(["remove"]);
    expect(showZone(zone.all())).toBe(`${markerOf("north")}\n${DESIRED}`);
  });

  test("when the record goes, its permit goes with it", async () => {
    const zone = zoneOf(HELD);
    await settleParties([party("east", DESIRED, permitFor("west"))], zone);
    await settleParties([party("east", null)], zone);
    expect(showZone(zone.all())).toBe("");
  });

  test.each(["TXT", "A", "CNAME"])(
    "nobody can have a %s published at the name of a permit",
    async (type) => {
      const value = { TXT: '"x"', A: "192.0.2.1", CNAME: "a.example.com" }[type];
      const zone = zoneOf(HELD);
      const evil = party("west", `_permit.a.www 300 ${type} ${value}`);
      const { holds } = await planned(evil, zone, "_permit.a.www");
      expect(holds).toMatchObject([{ code: "ReservedName" }]);
    },
  );

  test("a user's text in the form of a permit gives no right, not even published in between", async () => {
    const zone = zoneOf(HELD);
    const forged =
      '"heritage=zonekeeper,zonekeeper/kind=permit,zonekeeper/owner=east,zonekeeper/to-owner=west,zonekeeper/to-resource=service/default/west"';
    for (const next of parseZone(`_permit.a.www 300 TXT ${forged}`))
      zone.write({ op: "create", next });
    const early = await planned(party("west", DESIRED, CLAIM), zone.copy());
    for (const next of parseZone(
      '_owner.txt._permit.a.www 300 TXT "heritage=external-dns,external-dns/owner=east,external-dns/resource=service/user/evil"',
    ))
      zone.write({ op: "create", next });
    expect(early.group !== null && zone.apply(early.group)).toBe(false);
    const { group, holds } = await planned(party("west", DESIRED, CLAIM), zone);
    expect([group?.changes, holds[0]?.code]).toEqual([[], "ForeignRecord"]);
  });

  test("where no permit is possible, the record is held with the reason and stays", async () => {
    const long = "x".repeat(57);
    const name = `${long}.${long}.${long}.${long}.yyyy`;
    const zone = zoneOf("");
    await settleParties([party("east", `${name} 300 A 192.0.2.1`)], zone, { name });
    const before = showZone(zone.all());
    const giver = party("east", `${name} 300 A 192.0.2.1`, permitFor("west"));
    const { group, holds } = await planned(giver, zone, name);
    expect([group, holds[0]?.code]).toEqual([null, "NoMarkerPossible"]);
    expect(holds[0]?.message).toContain("no permit can be written");
    expect(showZone(zone.all())).toBe(before);
  });

  test("where a wildcard exists below the name, the permit would hide it and is held", async () => {
    const zone = zoneOf(`${HELD}\n*.www 300 A 192.0.2.77`);
    const { holds } = await planned(party("east", DESIRED, permitFor("west")), zone);
    expect(holds[0]?.message).toContain("would hide the wildcard");
  });

  test("Z-10: where each write is a call of its own, the marker moves first and the permit is cleared after", async () => {
    const zone = new ZoneModel(parseZone(HELD), { atomic: false });
    const parties = [party("east", DESIRED, permitFor("west")), party("west", DESIRED, CLAIM)];
    const written = await settleParties(parties, zone, { atomic: false });
    expect(dataWrites(written)).toEqual([]);
    expect(showZone(zone.all())).toBe(`${markerOf("west")}\n${DESIRED}`);
  });
});

test("a claim to a record without an owner is held: there is nobody to permit it", async () => {
  const { holds } = await planned(party("west", "www 300 A 192.0.2.9", CLAIM), zoneOf(DESIRED));
  expect(holds[0]?.message).toContain("zonekeeper ownership adopt");
});

describe("adoption by a list of exactly the present data", () => {
  const rules = { adoption: { mode: "listed", keys: [] } } as const;
  const listing = (...values: readonly string[]) => ({
    adopt: values.map((value) => ({ type: "A", value })),
  });

  test.each([
    ["what is listed is adopted, and then as wanted", listing("192.0.2.1"), rules, true],
    [
      "a list of more than the present data adopts nothing",
      listing("192.0.2.1", "192.0.2.2"),
      rules,
      false,
    ],
    ["a list of something else adopts nothing", listing("192.0.2.9"), rules, false],
    ["no list adopts nothing", {}, rules, false],
    ["where adoption is off a list is nothing", listing("192.0.2.1"), {}, false],
  ])("%s", async (_, transfer, more, isAdopted) => {
    const claimant = party("west", "www 300 A 192.0.2.2", transfer);
    const { group, holds } = await planned(claimant, zoneOf(DESIRED), "www", more);
    expect(group?.keys.map(({ reason }) => reason.code)).toEqual(isAdopted ? ["Adopted"] : []);
    expect(holds.map(({ code }) => code)).toEqual(isAdopted ? [] : ["ForeignRecord"]);
  });
});

describe("`*` names no object, whoever writes it into the zone", () => {
  test("a permit for it permits nobody", async () => {
    const permit = `_permit.a.www 300 TXT "heritage=zonekeeper,zonekeeper/kind=permit,zonekeeper/owner=east,zonekeeper/to-owner=west,zonekeeper/to-resource=*"`;
    const { group, holds } = await planned(
      party("west", DESIRED, CLAIM),
      zoneOf(`${HELD}\n${permit}`),
    );
    expect([group?.changes, holds[0]?.code]).toEqual([[], "ForeignRecord"]);
  });

  test("a marker for it is not every object's", async () => {
    const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owner === "me" });
    const www = nameOf("www");
    const any = markerOf("me").replace("service/default/me", "*");
    const owned = await ownership.read(parseZone(`${DESIRED}\n${any}`));
    const current = owned.filter(({ name }) => name === www);
    const absence = { proven: false, code: "NotSynced", message: "not yet" } as const;
    const plan = planName(
      www,
      parseDesired("www 300 A 192.0.2.9"),
      current,
      rulesWith({ absence }),
    );
    expect(plan.changes).toEqual([]);
    expect(plan.holds.map(({ code }) => code)).toEqual(["NotSynced"]);
  });
});

describe("where permits cannot travel", () => {
  const noPermits = "the registry noop keeps no permits in the zone";

  test("the giver keeps its record, holds inform giver and taker, and nothing is written", async () => {
    const zone = zoneOf(HELD);
    await settleParties([party("east", DESIRED, permitFor("west"))], zone);
    const before = showZone(zone.all());
    const taker = await planned(party("west", DESIRED, CLAIM), zone, "www", { noPermits });
    expect([taker.group?.changes, taker.holds[0]?.code]).toEqual([[], "ForeignRecord"]);
    expect(taker.holds[0]?.message).toContain(noPermits);
    const asks = (owner: string) =>
      planned(party("east", DESIRED, permitFor(owner)), zone, "www", { noPermits });
    const giver = await asks("west");
    expect([giver.group?.changes, giver.holds[0]?.code]).toEqual([[], "PermitRefused"]);
    expect(showZone(zone.all())).toBe(before);
    const other = await asks("north");
    expect(other.group?.changes.map(({ op }) => op)).toEqual(["remove"]);
    expect(other.holds[0]?.code).toBe("PermitRefused");
  });
});

describe("release", () => {
  test("the marker and the permit go, the data stays, and nothing is written again", async () => {
    const zone = zoneOf(HELD);
    await settleParties([party("east", DESIRED, permitFor("west"))], zone);
    const released = party("east", DESIRED, { release: true });
    expect(await settleParties([released], zone)).toHaveLength(1);
    expect(showZone(zone.all())).toBe(DESIRED);
    expect((await planned(released, zone)).holds).toMatchObject([{ code: "Released" }]);
  });
});
