import { expect, test } from "vitest";
import { rulesWith } from "../../../test/support/plan-rules.ts";
import { ZoneModel } from "../../../test/support/zone-model.ts";
import { nameOf, parseDesired, parseZone, showZone } from "../../../test/support/zone-text.ts";
import { planName } from "../../plan/plan.ts";
import { openNoopOwnership } from "./ownership.ts";

const ownership = openNoopOwnership();
const www = nameOf("www");

test("creates where nothing stands, and asserts that nothing does", async () => {
  const zone = new ZoneModel([]);
  const plan = planName(www, parseDesired("www 300 A 192.0.2.1"), [], rulesWith());
  const prepared = await ownership.prepare(plan, zone);
  expect(prepared.ok && prepared.group.preconditions.length).toBe(2);
  expect(prepared.ok && zone.apply(prepared.group)).toBe(true);
  expect(showZone(zone.all())).toBe("www 300 A 192.0.2.1");
});

test("what stands is foreign, and an adoption is refused", async () => {
  const zone = new ZoneModel(parseZone("www 300 A 192.0.2.1"));
  const current = await ownership.read(zone.all());
  const desired = parseDesired("www 300 A 192.0.2.1");
  expect(planName(www, desired, current, rulesWith()).holds[0]?.code).toBe("ForeignRecord");
  const plan = planName(www, desired, current, rulesWith({ adoption: { mode: "equal" } }));
  const prepared = await ownership.prepare(plan, zone);
  expect(!prepared.ok && prepared.holds[0]?.code).toBe("PolicyForbids");
  expect(ownership.related("www.example.org")).toEqual(["www.example.org"]);
  const group = { name: www, keys: [], changes: [], preconditions: [] };
  await ownership.confirm(group, { name: www, status: "applied" });
});
