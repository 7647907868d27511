/** Records of an object that moves between two owners (Z-13, ADR 0077). */
import { describe, expect, test } from "vitest";
import { rulesWith, UNPROVEN } from "../../test/support/values/plan-rules.ts";
import {
  nameOf,
  parseDesired,
  parseOwned,
  parseZone,
} from "../../test/support/values/zone-text.ts";
import { NO_TRANSFER, type TransferRequest } from "../model/transfer-request.ts";
import type { NamePlan, PermitRecord } from "./changes.ts";
import { planName } from "./plan.ts";
import type { PlanRules } from "./rules.ts";

const LINE = "www 300 A 192.0.2.1";
const WEB = "service/default/web";

function permitRecord(owner: string, toOwner: string): PermitRecord {
  const [record] = parseZone('_permit.a.www 300 TXT "permit"');
  if (record === undefined) throw new Error("no record");
  return { owner, toOwner, toResource: WEB, record };
}

/** One line a change or hold. */
function lines({ changes, holds }: NamePlan): readonly string[] {
  const shown = changes.map(
    ({ reason, change, permit }) => `${reason.code} ${change?.op ?? "-"} ${JSON.stringify(permit)}`,
  );
  return [...shown, ...holds.map(({ code }) => `! ${code}`)];
}

describe("Z-13 the object of a record claims what its former owner permits", () => {
  const plan = (marked: string) => {
    const current = parseOwned(`${LINE} ; owner=you ${marked}`);
    const permitted = current.map((one) => ({ ...one, permit: permitRecord("you", "me") }));
    return lines(planName(nameOf("www"), parseDesired(LINE), permitted, rulesWith()));
  };
  test.each([
    [`resource=${WEB}`, 'Transferred - {"is":"used"}'],
    [`resource=${WEB} cluster=c1`, 'Transferred - {"is":"used"}'],
    [`resource=${WEB} cluster=c2`, "! ForeignRecord"],
    ["resource=service/default/next", "! ForeignRecord"],
  ])("marked for %s", (marked, expected) => {
    expect(plan(marked)).toEqual([expected]);
  });

  test("not of a marker that names no object", () => {
    const nameless = parseOwned(`${LINE} ; owner=you`).flatMap((one) => {
      if (one.marker === null) return [];
      const marker = { ...one.marker, resource: null, anyObject: true as const };
      return [{ ...one, marker, permit: permitRecord("you", "me") }];
    });
    const planned = planName(nameOf("www"), parseDesired(LINE), nameless, rulesWith());
    expect(lines(planned)).toEqual(["! ForeignRecord"]);
  });
});

describe("Z-13 an object without a readable record set permits, too", () => {
  const [object] = parseDesired(LINE).map(({ provenance }) => provenance);
  const permits: Partial<TransferRequest> = { permit: { owner: "you", resource: WEB } };
  const GIVEN = `PermitGiven - {"is":"given","owner":"you","resource":"${WEB}"}`;
  const plan = (
    current: ReturnType<typeof parseOwned>,
    transfer: Partial<TransferRequest> = permits,
    rules: Partial<PlanRules> = {},
  ) => {
    if (object === undefined) throw new Error("no object");
    const objectTransfers = [{ object, transfer: { ...NO_TRANSFER, ...transfer } }];
    return planName(
      nameOf("www"),
      [],
      current,
      rulesWith({ ...UNPROVEN, objectTransfers, ...rules }),
    );
  };
  const owned = parseOwned(`${LINE} ; owner=me resource=${WEB}`);

  test("once, and the data stays", () => {
    expect(lines(plan(owned))).toEqual([GIVEN]);
    const given = owned.map((one) => ({ ...one, permit: permitRecord("me", "you") }));
    expect(lines(plan(given))).toEqual(["! NotSynced"]);
    const former = owned.map((one) => ({ ...one, permit: permitRecord("me", "north") }));
    expect(lines(plan(former))).toEqual([GIVEN]);
  });

  test.each<[string, ReturnType<typeof parseOwned>, Partial<TransferRequest>, string]>([
    ["nothing to say", owned, {}, "! NotSynced"],
    ["an id of owned", owned, { permit: { owner: "me2", resource: WEB } }, "! NotSynced"],
    [
      "a record of another object",
      parseOwned(`${LINE} ; owner=me resource=service/default/next`),
      permits,
      "! NotSynced",
    ],
    ["a marker alone", owned.map((one) => ({ ...one, data: null })), permits, "! NotSynced"],
  ])("not with %s", (_, current, transfer, expected) => {
    expect(lines(plan(current, transfer))).toEqual([expected]);
  });

  test("not in a zone without permits, and its object is told", () => {
    const held = plan(owned, permits, { noPermits: "nothing is compared" });
    expect(lines(held)).toEqual(["! PermitRefused"]);
    expect(held.holds[0]?.provenance).toEqual(object);
  });

  test("a proven removal goes before it", () => {
    const absence = { proven: true, proof: "deleted-object" } as const;
    expect(lines(plan(owned, permits, { absence }))).toEqual(["NotWanted remove undefined"]);
  });
});
