import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import { ORIGIN, parseDesired, parseOwned } from "../../../test/support/values/zone-text.ts";
import { planName } from "../../plan/plan.ts";
import type { ZoneFence } from "../fence/zone-fence.ts";
import { FenceGuard } from "./fence-guard.ts";
import type { Guard } from "./guard.ts";

const APEX = trustedDnsName("example.org");
const fence = {
  close: () => undefined,
  admit: async () => ({ may: "go" }),
} as unknown as ZoneFence;
const OPEN: Guard = {
  admit: async (plans) => plans,
  approve: async () => false,
  heldSets: () => [],
};

test("what the guards behind it say of the zone comes through", async () => {
  const set = { hash: "4f0c", kind: "removals", removals: 0, items: [] } as const;
  const closed: string[] = [];
  const inner: Guard = {
    admit: async (plans) => plans,
    approve: async (hash) => hash === "4f0c",
    heldSets: () => [set],
    pauseReason: () => "zone example.org is paused",
    close: () => closed.push("inner"),
  };
  const guard = new FenceGuard(inner, fence, APEX);
  expect(guard.pauseReason()).toBe("zone example.org is paused");
  expect(guard.heldSets()).toEqual([set]);
  expect([await guard.approve("4f0c"), await guard.approve("other")]).toEqual([true, false]);
  guard.close();
  expect(closed).toEqual(["inner"]);
});

test("a zone that nobody pauses is not paused", () => {
  const inner: Guard = {
    admit: async (plans) => plans,
    approve: async () => false,
    heldSets: () => [],
  };
  expect(new FenceGuard(inner, fence, APEX).pauseReason()).toBeNull();
});

/**
 * What becomes of one name that is wanted like this, while that stands: `create`, …, or the code of
 * a hold.
 */
async function admitted(name: string, desired: string, zone = ""): Promise<readonly string[]> {
  const rules = rulesWith({ managedTypes: new Set(["A", "CNAME", "NS", "TXT"]) });
  const owner = trustedDnsName(`${name}.${ORIGIN}`);
  const plan = planName(owner, parseDesired(desired), parseOwned(zone), rules);
  const guard = new FenceGuard(OPEN, fence, APEX);
  const plans = await guard.admit([plan], { owned: 1, isFirst: false } as never);
  return plans.flatMap(({ changes, holds }) => [
    ...changes.map(({ change }) => change?.op ?? "marker"),
    ...holds.map(({ code }) => code),
  ]);
}

test.each([["A 192.0.2.1"], ["NS ns.example.net"], ["CNAME lb.example.net"], ['TXT "hello"']])(
  "%s is not to be had right above the fences, nor at one",
  async (data) => {
    for (const name of ["_zonekeeper-fence", "749a911b19b4fb31._zonekeeper-fence"])
      expect(await admitted(name, `${name} 300 ${data}`)).toEqual(["ReservedName"]);
    expect(await admitted("fence", `fence 300 ${data}`)).toEqual(["create"]);
    expect(await admitted("_zonekeeper-fence.sub", `_zonekeeper-fence.sub 300 ${data}`)).toEqual([
      "create",
    ]);
  },
);

test("what an earlier version let stand above the fences may go, and is not changed", async () => {
  const name = "_zonekeeper-fence";
  const published = `${name} 300 A 192.0.2.1 ; owner=me resource=service/default/web`;
  expect(await admitted(name, "", published)).toEqual(["remove"]);
  expect(await admitted(name, `${name} 300 A 192.0.2.2`, published)).toEqual(["ReservedName"]);
});
