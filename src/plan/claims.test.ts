import { describe, expect, test } from "vitest";
import { rulesWith, UNPROVEN } from "../../test/support/values/plan-rules.ts";
import {
  nameOf,
  parseDesired,
  parseOwned,
  parseZone,
} from "../../test/support/values/zone-text.ts";
import { NO_TRANSFER, type TransferRequest } from "../model/transfer-request.ts";
import type { Marker, NamePlan, OwnedRecordSet, PermitRecord } from "./changes.ts";
import { markerState, putPermitsInOrder } from "./claims.ts";
import { planName } from "./plan.ts";
import type { OrderedChange, PlanRules } from "./rules.ts";

const LINE = "www 300 A 192.0.2.1";
const FOREIGN = `${LINE} ; owner=you resource=service/default/web`;
const CLAIM: Partial<TransferRequest> = { claim: true };

function permit(overrides: Partial<PermitRecord> = {}): PermitRecord {
  const [record] = parseZone('_permit.a.www 300 TXT "permit"');
  if (record === undefined) throw new Error("no record");
  return { owner: "you", toOwner: "me", toResource: "service/default/web", record, ...overrides };
}

const owned = (text: string, overrides: Partial<OwnedRecordSet> = {}) =>
  parseOwned(text).map((one): OwnedRecordSet => ({ ...one, ...overrides }));
const wants = (text: string, transfer: Partial<TransferRequest> = {}) =>
  parseDesired(text).map((one) => ({ ...one, transfer: { ...NO_TRANSFER, ...transfer } }));
const orders = (order: OrderedChange) => new Map([["www.example.org A", order]]);
const stateOf = (text: string) =>
  parseOwned(text)
    .map(({ marker }) => marker)
    .flatMap((marker) => (marker === null ? [] : [markerState(marker)]))[0] ?? "";

/** One line a change or hold: reason, operation, owner in the marker, permit. */
function lines({ changes, holds }: NamePlan): readonly string[] {
  return [
    ...changes.map(
      (one) =>
        `${one.key.type} ${one.reason.code} ${one.change?.op ?? "-"} owner=${one.marker?.owner ?? "-"} permit=${one.permit?.is ?? "-"}`,
    ),
    ...holds.map((one) => `! ${one.key.type} ${one.code}`),
  ];
}
const plan = (
  desired: ReturnType<typeof wants>,
  current: readonly OwnedRecordSet[],
  rules: Partial<PlanRules> = {},
) => planName(nameOf("www"), desired, current, rulesWith(rules));

const TAKEN = ["A Transferred - owner=me permit=used"];
const WITHOUT_PERMITS = ["! A ForeignRecord"];

describe("another owner's record by its permit (Z-13)", () => {
  test.each<[string, Partial<OwnedRecordSet>, Partial<TransferRequest>, readonly string[]]>([
    ["goes to the claimant that it names", { permit: permit() }, CLAIM, TAKEN],
    [
      "not to whatever object: a permit names the one that claims",
      { permit: permit({ toResource: "*" }) },
      CLAIM,
      WITHOUT_PERMITS,
    ],
    ["not without a permit", {}, CLAIM, WITHOUT_PERMITS],
    [
      "not by the permit of a former holder",
      { permit: permit({ owner: "gone" }) },
      CLAIM,
      WITHOUT_PERMITS,
    ],
    ["not to another group", { permit: permit({ toOwner: "north" }) }, CLAIM, WITHOUT_PERMITS],
    [
      "not to another owner id of ours",
      { permit: permit({ toOwner: "me2" }) },
      CLAIM,
      WITHOUT_PERMITS,
    ],
    [
      "not to another object",
      { permit: permit({ toResource: "service/default/next" }) },
      CLAIM,
      WITHOUT_PERMITS,
    ],
    [
      "not while two markers stand",
      { permit: permit(), contested: true },
      CLAIM,
      ["! A Contested"],
    ],
    [
      "not by a permit that proves nothing",
      { permit: permit({ trouble: "forged" }) },
      CLAIM,
      WITHOUT_PERMITS,
    ],
    ["not without its data", { permit: permit(), data: null }, CLAIM, ["! A ForeignMarker"]],
  ])("%s", (_, overrides, transfer, expected) => {
    expect(lines(plan(wants(LINE, transfer), owned(FOREIGN, overrides)))).toEqual(expected);
  });

  test("not where the marker proves nothing, or is in the middle of a sequence", () => {
    const with_ = (overrides: Partial<Marker>) =>
      owned(FOREIGN, { permit: permit() }).map((one) =>
        one.marker === null ? one : { ...one, marker: { ...one.marker, ...overrides } },
      );
    const claim = wants(LINE, CLAIM);
    const forged = with_({ trouble: "MarkerForged" });
    expect(lines(plan(claim, forged))).toEqual(["! A MarkerForged"]);
    const step = with_({ labels: { state: "pending", data: "+0" } });
    expect(lines(plan(claim, step))).toEqual(WITHOUT_PERMITS);
    const other = with_({ format: "gardener" });
    expect(lines(plan(claim, other))).toEqual(["! A ForeignMarker"]);
    const permitted = owned(FOREIGN.replace("/web", "/next"), { permit: permit() });
    expect(lines(plan(wants(LINE), permitted))).toEqual(WITHOUT_PERMITS);
    const silent = planName(nameOf("www"), parseDesired(LINE), permitted, rulesWith());
    expect(lines(silent)).toEqual(WITHOUT_PERMITS);
  });

  test("a record of another type at the name only if its marker names the object (ADR 0090)", () => {
    const aaaa = (resource: string) =>
      owned(`www 300 AAAA 2001:db8::1 ; owner=you resource=${resource}`, { permit: permit() });
    const taken = ["AAAA Transferred - owner=me permit=used", ...WITHOUT_PERMITS];
    expect(lines(plan(wants(LINE), aaaa("service/default/web")))).toEqual(taken);
    expect(lines(plan(wants(LINE, CLAIM), aaaa("service/default/next")))).toEqual(WITHOUT_PERMITS);
  });

  test("not in a zone without permits, and its author is told why", () => {
    const current = owned(FOREIGN, { permit: permit() });
    const held = plan(wants(LINE, CLAIM), current, { noPermits: "the provider cannot compare" });
    expect(lines(held)).toEqual(WITHOUT_PERMITS);
    expect(held.holds[0]?.message).toContain(
      "it cannot be claimed in this zone: the provider cannot compare",
    );
  });

  test("the owner id that the claimant asks for counts", () => {
    const asked = wants(`${LINE} ; owner=me2`, CLAIM);
    const current = (toOwner: string) => owned(FOREIGN, { permit: permit({ toOwner }) });
    expect(lines(plan(asked, current("me2")))).toEqual(["A Transferred - owner=me2 permit=used"]);
    expect(lines(plan(asked, current("me")))).toEqual(WITHOUT_PERMITS);
  });

  test("data that differs waits until the marker has moved", () => {
    const current = owned(FOREIGN, { permit: permit() });
    expect(lines(plan(wants("www 300 A 192.0.2.9", CLAIM), current))).toEqual(TAKEN);
  });

  describe("beside an older object", () => {
    const both = [
      ...wants(`${LINE} ; from=service/a/old created=1`),
      ...wants(`${LINE} ; created=5`, CLAIM),
    ];
    const neighbour = owned('www 300 TXT "x" ; owner=you resource=a/b/c');

    test("a claimant with a permit goes first, whatever other record the name has", () => {
      const current = owned(FOREIGN, { permit: permit() });
      expect(lines(plan(both, [...current, ...neighbour]))).toEqual([...TAKEN, "! A SharedRecord"]);
    });

    test("one without a permit for this very record set does not", () => {
      const other = owned("www 300 AAAA 2001:db8::1 ; owner=you", { permit: permit() });
      const held = plan(both, other).holds;
      expect(held.map(({ code, provenance }) => `${provenance?.name} ${code}`)).toEqual([
        "old ForeignRecord",
        "web ForeignRecord",
      ]);
    });

    test("a permit record between owner ids of ours gives no rank: the order of conflicts is enough", () => {
      const own = owned(`${LINE} ; owner=me resource=service/a/gone`, {
        permit: permit({ owner: "me", toOwner: "me" }),
      });
      expect(plan(both, own).holds.map(({ provenance }) => provenance?.name)).toEqual(["web"]);
    });
  });
});

describe("what a claim waits for", () => {
  const message = (
    current: readonly OwnedRecordSet[],
    transfer: Partial<TransferRequest>,
    text = LINE,
  ) => plan(wants(text, transfer), current).holds[0]?.message;
  const whose = 'A 192.0.2.1 exists and is owned by "you"';

  test("nothing is said to who claims nothing", () => {
    expect(message(owned(FOREIGN), {})).toBe(
      `${whose}; set --owner back if it was changed, switch a DNSOwner of that id on if it moves here, else claim it: docs/guides/ownership.md`,
    );
  });

  test("the permit, with the words that the holder has to write", () => {
    expect(message(owned(FOREIGN), CLAIM)).toBe(
      `${whose}; the claim waits for a permit: annotate the object of that record with permit-claim-by-resource "service/default/web" and permit-claim-by-owner "me"`,
    );
    expect(message(owned(FOREIGN), CLAIM, `${LINE} ; owner=me2`)).toContain(
      'permit-claim-by-owner "me2"',
    );
  });

  test.each([
    ["unsigned", "its permit is not signed, and this instance requires signatures"],
    [
      "forged",
      "the signature of its permit fits none of our keys: give both instances the same --marker-signing-keys-file",
    ],
  ] as const)("a permit that counts: the one that stands is %s", (trouble, advice) => {
    const held = message(owned(FOREIGN, { permit: permit({ trouble }) }), CLAIM);
    expect(held).toContain(`${whose}; ${advice}`);
  });

  test("a person, where nobody holds it", () => {
    expect(message(owned(LINE), CLAIM)).toBe(
      "A 192.0.2.1 exists and has no owner; without an owner no permit is possible, so take it over with zonekeeper ownership adopt",
    );
  });
});

describe("a permit inside one group (Z-15)", () => {
  const HELD = `${LINE} ; owner=me resource=service/default/web`;
  const NEXT = `${LINE} ; from=service/default/next`;
  const given = (
    owner: string | null,
    resource = "service/default/next",
  ): Partial<TransferRequest> => ({
    permit: { owner, resource },
  });
  const moves = ["A MarkerOnly - owner=me permit=-", "! A SharedRecord"];
  const stays = ["! A SharedRecord"];

  test.each<[string, Partial<TransferRequest>, Partial<TransferRequest>, readonly string[]]>([
    ["moves the name to the claimant", given(null), CLAIM, moves],
    ["may say the group's own owner id", given("me"), CLAIM, moves],
    ["does nothing without a claim", given(null), {}, stays],
    ["does nothing for another object", given(null, "service/default/other"), CLAIM, stays],
    ["counts inside the group whatever owner id it names, too", given("west"), CLAIM, moves],
    [
      "of another owner id does nothing here without a claim",
      given("west"),
      {},
      ["A PermitGiven - owner=me permit=given", ...stays],
    ],
    ["is needed", {}, CLAIM, stays],
  ])("%s", (_, holder, claimant, expected) => {
    const both = [...wants(LINE, holder), ...wants(NEXT, claimant)];
    expect(lines(plan(both, owned(HELD)))).toEqual(expected);
  });

  test("goes before the proof that the holder wants nothing here (Z-2)", () => {
    const both = (transfer: Partial<TransferRequest>) => [
      ...wants(LINE, transfer),
      ...wants("www 300 A 192.0.2.9 ; from=service/default/next", CLAIM),
    ];
    expect(lines(plan(both(given(null)), owned(HELD), UNPROVEN))).toEqual([
      "A ValueChanged replace owner=me permit=-",
      "! A Superseded",
    ]);
    expect(lines(plan(both({}), owned(HELD), UNPROVEN))).toEqual(["! A Superseded"]);
  });

  test("is not given by an object that says nothing", () => {
    const both = [...parseDesired(LINE), ...wants(NEXT, CLAIM)];
    const { changes, holds } = planName(nameOf("www"), both, owned(HELD), rulesWith());
    expect([changes.length, holds.map(({ code }) => code)]).toEqual([0, ["SharedRecord"]]);
  });

  test("is the holder's to give, and nobody else's", () => {
    const both = [
      ...wants(`${LINE} ; from=service/default/third`, given(null)),
      ...wants(NEXT, CLAIM),
      ...wants(LINE),
    ];
    expect(lines(plan(both, owned(HELD)))).toEqual(["! A SharedRecord", "! A SharedRecord"]);
  });

  test("counts for records of ours alone", () => {
    const both = [
      ...wants(`${LINE} ; created=1`, given("me")),
      ...wants(`${NEXT} created=5`, CLAIM),
    ];
    expect(lines(plan(both, owned(FOREIGN)))).toEqual(["! A ForeignRecord", "! A ForeignRecord"]);
  });
});

describe("giving and taking back permits", () => {
  const HELD = `${LINE} ; owner=me resource=service/default/web`;
  const GIVE: Partial<TransferRequest> = { permit: { owner: "you", resource: "service/b/next" } };
  const own = (overrides: Partial<PermitRecord> = {}) =>
    permit({ owner: "me", toOwner: "you", toResource: "service/b/next", ...overrides });
  const GIVEN = ["A PermitGiven - owner=me permit=given"];
  const BACK = ["A PermitWithdrawn - owner=me permit=withdrawn"];

  test.each<[string, Partial<TransferRequest>, Partial<OwnedRecordSet>, readonly string[]]>([
    ["is given", GIVE, {}, GIVEN],
    ["is left alone as it is wanted", GIVE, { permit: own() }, []],
    ["for whatever object is given anew", GIVE, { permit: own({ toResource: "*" }) }, GIVEN],
    ["of a former holder is given anew", GIVE, { permit: own({ owner: "me2" }) }, GIVEN],
    ["for another group is given anew", GIVE, { permit: own({ toOwner: "north" }) }, GIVEN],
    ["of an outdated form is given anew", GIVE, { permit: own({ isOutdated: true }) }, GIVEN],
    [
      "for what names no object is given anew",
      { permit: { owner: "you", resource: "nonsense" } },
      { permit: own({ toResource: "nonsense" }) },
      GIVEN,
    ],
    ["for another object is given anew", GIVE, { permit: own({ toResource: "a/b/c" }) }, GIVEN],
    ["goes when it is no longer wanted", {}, { permit: own() }, BACK],
    ["goes when it was used", {}, { permit: own({ owner: "you", toOwner: "me" }) }, BACK],
    ["between others is theirs", {}, { permit: own({ owner: "you", toOwner: "north" }) }, []],
    ["inside one group needs no record", { permit: { owner: "me2", resource: "a/b/c" } }, {}, []],
    ["without a group needs none either", { permit: { owner: null, resource: "a/b/c" } }, {}, []],
  ])("a permit %s", (_, transfer, overrides, expected) => {
    expect(lines(plan(wants(LINE, transfer), owned(HELD, overrides)))).toEqual(expected);
  });

  test("the change says whom it permits, or whom no longer", () => {
    const [given] = plan(wants(LINE, GIVE), owned(HELD)).changes;
    expect(given?.permit).toEqual({ is: "given", owner: "you", resource: "service/b/next" });
    expect(given?.reason.message).toBe('service/b/next of the owner "you" may claim the record');
    const [back] = plan(wants(LINE), owned(HELD, { permit: own() })).changes;
    expect(back?.reason.message).toBe('"you" may no longer claim www.example.org A');
  });

  test("only the object in the marker gives one", () => {
    const other = `${LINE} ; owner=me resource=service/default/other`;
    const desired = wants(LINE, GIVE);
    expect(lines(plan(desired, owned(other)))).toEqual(["A MarkerOnly - owner=me permit=-"]);
    const having = owned(other, { permit: own() });
    expect(lines(plan(wants(LINE), having, UNPROVEN))).toEqual(["! A NotSynced"]);
    expect(lines(plan(wants(LINE), having))).toEqual(BACK);
  });

  test("data goes before a permit that is given, and after one that is taken back", () => {
    const changed = "www 300 A 192.0.2.9";
    expect(lines(plan(wants(changed, GIVE), owned(HELD)))).toEqual([
      "A ValueChanged replace owner=me permit=-",
    ]);
    expect(lines(plan(wants(changed), owned(HELD, { permit: own() })))).toEqual(BACK);
  });

  test("where none can be given the object is told, and its data is kept up all the same", () => {
    const rules = { noPermits: "the registry keeps none" };
    const held = plan(wants(LINE, GIVE), owned(HELD), rules);
    expect(lines(held)).toEqual(["! A PermitRefused"]);
    expect(held.holds[0]?.message).toBe(
      "the record exists, but no permit can be given for it: the registry keeps none",
    );
    expect(lines(plan(wants(LINE), owned(HELD), rules))).toEqual([]);
    const changed = lines(plan(wants("www 300 A 192.0.2.9", GIVE), owned(HELD), rules));
    expect(changed).toEqual(["A ValueChanged replace owner=me permit=-"]);
  });

  test("who has what this object permits them to have is distinguished from others", () => {
    const gone = plan(wants(LINE, GIVE), owned(FOREIGN));
    expect(lines(gone)).toEqual(["! A HandedOver"]);
    expect(gone.holds[0]?.message).toBe(
      'A 192.0.2.1 exists and is owned by "you", as this object permits; this object may be deleted now',
    );
    const north: Partial<TransferRequest> = { permit: { owner: "north", resource: "a/b/c" } };
    expect(lines(plan(wants(LINE, north), owned(FOREIGN)))).toEqual(WITHOUT_PERMITS);
    expect(lines(plan(wants(LINE, GIVE), owned(LINE)))).toEqual(WITHOUT_PERMITS);
  });
});

describe("permits that were left behind", () => {
  const TIDIED = ["A PermitTidied - owner=- permit=tidied"];
  test.each<[string, string, Partial<OwnedRecordSet>, readonly string[]]>([
    ["ours beside another's record goes", FOREIGN, { permit: permit({ owner: "me" }) }, TIDIED],
    [
      "our permit for a record without an owner goes",
      LINE,
      { permit: permit({ owner: "me" }) },
      TIDIED,
    ],
    ["another's stays", LINE, { permit: permit() }, []],
    [
      "ours beside our own record is no stray, and is taken back although somebody contests it",
      `${LINE} ; owner=me contested`,
      { permit: permit({ owner: "me" }) },
      ["A PermitWithdrawn - owner=me permit=withdrawn", "! A Contested"],
    ],
  ])("%s", (_, zone, overrides, expected) => {
    expect(lines(plan([], owned(zone, overrides)))).toEqual(expected);
  });

  test("one whose record is gone blocks nobody", () => {
    const left = owned(LINE, { data: null, marker: null, permit: permit({ owner: "me" }) });
    expect(lines(plan([], left))).toEqual(TIDIED);
    const created = owned(LINE, { data: null, marker: null, permit: permit() });
    expect(lines(plan(wants(LINE), created))).toEqual(["A Wanted create owner=me permit=-"]);
  });

  test("goes alone, before anything else at the name", () => {
    const zone = owned("www 300 AAAA 2001:db8::1 ; owner=you", { permit: permit({ owner: "me" }) });
    const text = 'www 300 TXT "x" ; owner=me';
    const both = [...zone, ...owned(text)];
    expect(lines(plan([], both))).toEqual(["AAAA PermitTidied - owner=- permit=tidied"]);
    expect(plan([], both).changes[0]?.reason.message).toBe(
      "the record is not ours any more, so our permit for it is removed",
    );
    expect(lines(plan([], owned(text)))).toEqual(["TXT NotWanted remove owner=- permit=-"]);
  });
});

describe("rights before data, data before new rights", () => {
  const [given] = plan(
    wants(LINE, { permit: { owner: "you", resource: "a/b/c" } }),
    owned(`${LINE} ; owner=me`),
  ).changes;
  const removals = plan(
    [],
    owned(`${LINE} ; owner=me`, { permit: permit({ owner: "me", toOwner: "you" }) }),
  ).changes;

  test("a removal takes its permit along and is no change of rights", () => {
    if (given === undefined) throw new Error("no permit");
    expect(removals.map((one) => one.permit?.is)).toEqual(["withdrawn"]);
    expect(putPermitsInOrder([given, ...removals])).toEqual(removals);
    expect(putPermitsInOrder([given])).toEqual([given]);
    const { permit: _, ...plain } = given;
    expect(putPermitsInOrder([given, plain])).toEqual([plain]);
    const release = { ...given, desired: null, permit: { is: "withdrawn" } as const };
    expect(putPermitsInOrder([release, ...removals])).toEqual([release, ...removals]);
    const back = { ...given, permit: { is: "withdrawn", alone: true } as const };
    expect(putPermitsInOrder([...removals, back])).toEqual([back]);
  });
});

describe("orders of a person", () => {
  test("a transfer takes the record over while its marker is as it was seen", () => {
    const rules = { orders: orders({ is: "transfer", marker: stateOf(FOREIGN) }) };
    expect(lines(plan(wants(LINE), owned(FOREIGN), rules))).toEqual([
      "A Transferred - owner=me permit=-",
    ]);
    const foreign = owned(FOREIGN, { permit: permit({ owner: "gone" }) });
    expect(lines(plan(wants(LINE), foreign, rules))).toEqual(["A Transferred - owner=me permit=-"]);
    const moved = owned(FOREIGN.replace("you", "north"));
    expect(lines(plan(wants(LINE), moved, rules))).toEqual(WITHOUT_PERMITS);
  });

  test.each<[string, OrderedChange]>([
    ["a release", { is: "release", marker: stateOf(FOREIGN) }],
    ["an adoption", { is: "adopt", values: ["192.0.2.1"] }],
  ])("%s does not take another's record", (_, order) => {
    expect(lines(plan(wants(LINE), owned(FOREIGN), { orders: orders(order) }))).toEqual(
      WITHOUT_PERMITS,
    );
  });

  describe("to end a claim that contests what is ours (an unfinished transfer)", () => {
    const contested = (overrides: Partial<OwnedRecordSet> = {}) =>
      owned(FOREIGN, { contested: true, owners: ["me", "you"], ...overrides });
    const order: OrderedChange = { is: "transfer", marker: stateOf(FOREIGN), ends: "you" };
    const ended = (current: readonly OwnedRecordSet[], given: OrderedChange = order) =>
      plan(wants(LINE), current, { orders: orders(given) }).changes.map(
        ({ reason, ends, permit: used }) => `${reason.code} ${ends} ${reason.message} ${used?.is}`,
      );

    test("the other one's marker goes, whoever's the first one is", () => {
      const transfers =
        'Transferred you service/default/web takes the record over from the owner "you" undefined';
      expect(ended(contested())).toEqual([transfers]);
      const own = owned(FOREIGN.replace("you", "me"), { contested: true, owners: ["me", "you"] });
      const seen = stateOf(FOREIGN.replace("you", "me"));
      expect(ended(own, { ...order, marker: seen })).toEqual([transfers]);
      expect(ended(contested({ permit: permit() }))).toEqual([transfers]);
    });

    test.each<[string, readonly OwnedRecordSet[], OrderedChange]>([
      ["an order that names somebody else", contested(), { ...order, ends: "north" }],
      ["an order that names nobody", contested(), { is: "transfer", marker: stateOf(FOREIGN) }],
      ["another order", contested(), { is: "release", marker: stateOf(FOREIGN) }],
      ["a marker that has changed since", contested(), { ...order, marker: "x" }],
      ["three claims", contested({ owners: ["me", "you", "zone"] }), order],
      ["no claim of ours", contested({ owners: ["you", "zone"] }), order],
      ["claims that nobody told", owned(FOREIGN, { contested: true }), order],
    ])("not by %s", (_, current, given) => {
      expect(ended(current, given)).toEqual([]);
    });

    test("not in the middle of a sequence", () => {
      const pending = contested().map((one) =>
        one.marker === null
          ? one
          : {
              ...one,
              marker: { ...one.marker, labels: { ...one.marker.labels, state: "pending" } },
            },
      );
      const seen = pending.map(({ marker }) => (marker === null ? "" : markerState(marker)))[0];
      expect(ended(pending, { ...order, marker: seen ?? "" })).toEqual([]);
    });
  });

  test("the state of a marker is its record, and its labels where it has none", () => {
    const [record = null] = parseZone('a-www 300 TXT "one"\na-www 300 TXT "two"');
    const marker = { owner: "me", resource: null, cluster: null, labels: { owner: "me" } };
    expect(markerState({ ...marker, record })).toBe(JSON.stringify(['"one"', '"two"']));
    expect(markerState({ ...marker, record: null })).toBe('{"owner":"me"}');
  });
});
