import { describe, expect, test } from "vitest";
import { rulesWith, UNPROVEN } from "../../test/support/values/plan-rules.ts";
import { planLines } from "../../test/support/values/plan-summary.ts";
import {
  nameOf,
  parseDesired,
  parseOwned,
  parseZone,
} from "../../test/support/values/zone-text.ts";
import { NO_TRANSFER, type TransferRequest } from "../model/transfer-request.ts";
import type { OwnedRecordSet, PermitRecord } from "./changes.ts";
import { planName } from "./plan.ts";
import type { Blocker, PlanRules } from "./rules.ts";

const [record] = parseZone('_permit.a.www 300 TXT "permit"');
if (record === undefined) throw new Error("no record");
const PERMIT: PermitRecord = { owner: "me", toOwner: "you", toResource: "service/b/next", record };
const OBJECT = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
const GIVES: Partial<TransferRequest> = { permit: { owner: "you", resource: "service/b/next" } };
const OTHERS: Partial<TransferRequest> = { permit: { owner: "you", resource: "service/b/other" } };
const LINE = "www 300 A 192.0.2.1";
const SPF = 'www 300 TXT "v=spf1 -all"';

const saying = (transfer: Partial<TransferRequest>) => ({ ...NO_TRANSFER, ...transfer });
const wants = (text: string, transfer: Partial<TransferRequest> = {}) =>
  parseDesired(text).map((one) => ({ ...one, transfer: saying(transfer) }));
const transfers = (...transfers: readonly Partial<TransferRequest>[]) => ({
  objectTransfers: transfers.map((transfer) => ({ object: OBJECT, transfer: saying(transfer) })),
});
/** Records at www: our A with its permit, and more lines. */
const zone = (permit: Partial<PermitRecord> = {}, ...more: readonly string[]) => [
  ...parseOwned(`${LINE} ; owner=me`).map((one) => ({ ...one, permit: { ...PERMIT, ...permit } })),
  ...more.flatMap((text) => parseOwned(text)),
];
const planOf = (
  desired: ReturnType<typeof wants>,
  current: readonly OwnedRecordSet[] = zone(),
  rules: Partial<PlanRules> = {},
) => planName(nameOf("www"), desired, current, rulesWith(rules));
const lines = ({ changes, holds }: ReturnType<typeof planOf>) => [
  ...changes.map(({ key, reason, permit }) => `${key.type} ${reason.code} ${permit?.is ?? "-"}`),
  ...holds.map(({ code }) => `! ${code}`),
];
const BACK = "A PermitWithdrawn withdrawn";

describe("a permit that its object gives no more goes at once", () => {
  const BLOCKER: Blocker = { code: "LooksLikeMarker", message: "x" };
  const blocked = { blockers: new Map([["www.example.org AAAA", BLOCKER]]) };
  const marked = wants('www 300 TXT "x"');
  const [text] = marked;
  if (text === undefined) throw new Error("no text");
  const refused = { refused: new Map([[text, BLOCKER]]) };
  const UPSERT_ONLY = { policy: "upsert-only" } as const;
  const NO_ADDRESS: Partial<PlanRules> = {
    absence: { proven: false, code: "NoTargets", message: "no address" },
  };

  test.each<[string, readonly string[], () => ReturnType<typeof planOf>]>([
    ["as all is wanted", [BACK], () => planOf(wants(LINE))],
    ["before a change of data", [BACK], () => planOf(wants("www 60 A 192.0.2.9"))],
    [
      "while a change of type is held",
      [BACK, "! ForeignRecord"],
      () => planOf(wants("www 300 CNAME a.example.net"), zone({}, SPF)),
    ],
    [
      "while the last answer is kept",
      [BACK, "! LooksLikeMarker"],
      () => planOf(wants("www 300 AAAA 2001:db8::1"), zone(), blocked),
    ],
    ["while a text is refused", [BACK, "! LooksLikeMarker"], () => planOf(marked, zone(), refused)],
    [
      "while somebody contests the record",
      [BACK, "! Contested"],
      () =>
        planOf(
          wants(LINE),
          zone().map((one) => ({ ...one, contested: true })),
          transfers({}),
        ),
    ],
    [
      "once its object is gone, though the record stays for another one",
      [BACK, "! WantedElsewhere"],
      () =>
        planOf([], zone(), {
          absence: {
            proven: false,
            code: "WantedElsewhere",
            message: "x wants it",
            unlessAnswered: "deleted-object",
          },
        }),
    ],
    [
      "while its object has no address",
      [BACK, "! NoTargets"],
      () => planOf([], zone(), { ...NO_ADDRESS, ...transfers({}) }),
    ],
    [
      "while its object cannot be read otherwise",
      [BACK, "! NotSynced"],
      () => planOf([], zone(), { ...UNPROVEN, ...transfers({}) }),
    ],
    [
      "when its object is gone and the record stays",
      [BACK, "! PolicyForbids"],
      () => planOf([], zone(), UPSERT_ONLY),
    ],
    [
      "when its object permits somebody else, and the data is held",
      [BACK, "! ForeignRecord"],
      () => planOf(wants("www 300 CNAME a.example.net", OTHERS), zone({}, SPF)),
    ],
  ])("%s", (_, expected, plan) => {
    expect(lines(plan())).toEqual(expected);
  });

  test("alone: nothing else is written, and the plan shows it", () => {
    const plan = planOf(wants("www 300 CNAME a.example.net"), zone({}, SPF));
    const [change] = plan.changes;
    expect(change).toMatchObject({ desired: null, change: null, permit: { alone: true } });
    expect(change?.reason.message).toBe('"you" may no longer claim www.example.org A');
    expect(planLines([plan])[0]).toBe("m www.example.org A owner=me service/default/web");
  });
});

describe("a permit stays", () => {
  test.each<[string, readonly string[], () => ReturnType<typeof planOf>]>([
    ["while its object gives it", [], () => planOf(wants(LINE, GIVES))],
    [
      "while its object gives it and is held",
      ["! ForeignRecord"],
      () => planOf(wants("www 300 CNAME a.example.net", GIVES), zone({}, SPF)),
    ],
    ["while its object is not known", ["! NotSynced"], () => planOf([], zone(), UNPROVEN)],
    [
      "while one of two entries gives it",
      ["! NotSynced"],
      () => planOf([], zone(), { ...UNPROVEN, ...transfers({}, GIVES) }),
    ],
    [
      "for its form to be renewed in place",
      ["A PermitGiven given"],
      () => planOf(wants(LINE, GIVES), zone({ isOutdated: true })),
    ],
    [
      "where a foreign permit is beside our record",
      ["! PolicyForbids"],
      () => planOf([], zone({ owner: "east", toOwner: "west" }), { policy: "upsert-only" }),
    ],
  ])("%s", (_, expected, plan) => {
    expect(lines(plan())).toEqual(expected);
  });

  test("until another one takes its place, where nothing else is to do", () => {
    expect(lines(planOf(wants(LINE, OTHERS)))).toEqual(["A PermitGiven given"]);
    expect(lines(planOf(wants("www 60 A 192.0.2.9", OTHERS)))).toEqual([BACK]);
  });

  test("… and goes before a removal at the name, behind which the next one would be given", () => {
    const old = `${SPF} ; owner=me resource=service/default/old`;
    expect(lines(planOf(wants(LINE, OTHERS), zone({}, old)))).toEqual([BACK]);
  });

  test("each for its own record: what a removal takes along settles no other one", () => {
    const aaaa = parseOwned("www 300 AAAA 2001:db8::1 ; owner=me").map((one) => ({
      ...one,
      permit: { ...PERMIT, record: { ...PERMIT.record, name: nameOf("_permit.aaaa.www") } },
    }));
    const both = [...zone(), ...aaaa];
    expect(lines(planOf(wants("www 300 AAAA 2001:db8::1"), both))).toEqual([
      "AAAA PermitWithdrawn withdrawn",
    ]);
  });

  test("a marker that names no object is none's: the change names nobody", () => {
    const nameless = zone().map((one) =>
      one.marker === null ? one : { ...one, marker: { ...one.marker, resource: null } },
    );
    const { changes } = planOf([], nameless, { policy: "upsert-only" });
    expect(changes.map(({ marker, permit }) => [marker, permit?.is])).toEqual([
      [null, "withdrawn"],
    ]);
  });

  test("for the removal that takes it along", () => {
    expect(lines(planOf([]))).toEqual(["A NotWanted withdrawn"]);
  });
});
