import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import type { ZoneStatus } from "../../../sync/contract/zone-status.ts";
import { ShadowPlan } from "./preview.ts";

const zone = (more: object = {}): ZoneStatus =>
  ({
    ...{ key: { zone: "1", account: "a" }, zone: { name: trustedDnsName("example.org") } },
    ...{ state: "ready", heldSets: [], open: [] },
    ...more,
  }) as unknown as ZoneStatus;

const open = (...names: readonly string[]) =>
  zone({ open: names.map((name) => ({ name, changes: [{}] })) });

test("a plan is well while nothing is unread, held, or open for longer than the leader takes", () => {
  const plan = new ShadowPlan();
  const ok = { name: "cache services", ok: true, message: "" };
  expect(plan.trouble([zone()], [ok], 0)).toBeNull();
  expect(plan.trouble([zone()], [{ ...ok, ok: false, message: "stale" }], 0)).toBe(
    "cache services: stale",
  );
  for (const more of [{ state: "failed" }, { isPlanning: true }])
    expect(plan.trouble([zone(more)], [], 0)).toBe("zone example.org is not planned yet");
  expect(plan.trouble([zone({ heldSets: [{}] })], [], 0)).toMatch(/^it would hold changes of zone/);
  expect(plan.trouble([open("a", "b")], [], 0)).toBeNull();
  expect(plan.trouble([open("a", "c")], [], 60_000)).toBeNull();
  expect(plan.trouble([open("a", "c")], [], 61_000)).toBe("it would change 1 names; see its plan");
  expect(plan.trouble([zone({ open: [{ name: "a", changes: [] }] })], [], 62_000)).toBeNull();
  expect(plan.trouble([open("a")], [], 63_000)).toBeNull();
});
