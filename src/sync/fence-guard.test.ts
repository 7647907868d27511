import { expect, test } from "vitest";
import { trustedDnsName } from "../model/dns-name.ts";
import { FenceGuard } from "./fence-guard.ts";
import type { Guard } from "./guard.ts";
import type { ZoneFence } from "./zone-fence.ts";

const APEX = trustedDnsName("example.org");
const fence = { close: () => undefined } as unknown as ZoneFence;

test("what the guards behind it say of the zone comes through", async () => {
  const set = { hash: "4f0c", kind: "removals", items: [] } as const;
  const closed: string[] = [];
  const inner: Guard = {
    admit: async (plans) => plans,
    approve: async (hash) => hash === "4f0c",
    heldSets: () => [set],
    barredBy: () => "zone example.org is paused",
    close: () => closed.push("inner"),
  };
  const guard = new FenceGuard(inner, fence, APEX);
  expect(guard.barredBy()).toBe("zone example.org is paused");
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
  expect(new FenceGuard(inner, fence, APEX).barredBy()).toBeNull();
});
