import { expect, test } from "vitest";
import { MemoryLog } from "../../../../test/support/ports/test-ports.ts";
import { instanceOf } from "../../../../test/support/programs/idle-instance.ts";
import { nameOf } from "../../../../test/support/values/zone-text.ts";
import { holdAt } from "../../../plan/hold-at.ts";
import type { ZoneStatus } from "../../../sync/contract/zone-status.ts";
import { FIRST_LISTS } from "../../compose/first-pass.ts";
import type { Instance, Work } from "../../compose/instance.ts";
import { logFirstPlan } from "./first-plan.ts";

const apex = nameOf("@");
const www = nameOf("www");
const zone: ZoneStatus = {
  key: { account: "a", zone: apex },
  zone: { id: apex, name: apex, providerType: "memory", endpoint: "", view: "" },
  ...{ state: "ready", paused: null, isAtomic: true, message: null, heldSets: [] },
  ...{ ownedNames: 3, foreignNames: 0, danglingNames: 0, open: [] },
};
const hold = holdAt(
  { name: www, type: "A", setIdentifier: null },
  { code: "ForeignRecord", message: "", provenance: null },
);
const listsRead = { name: FIRST_LISTS, ok: true, message: "" };
const unread = { name: "cache services", ok: false, message: "not listed yet" };
const refused = { object: "service/default/one", cluster: "c", name: www, state: "NoTargets" };
const withZone = (more: Partial<ZoneStatus>) => ({ zones: () => [{ ...zone, ...more }] });

/** What is logged before a second has passed; null = nothing. */
async function logged(more: Partial<Instance & Work>): Promise<string | null> {
  const log = new MemoryLog();
  const instance = instanceOf({ zones: () => [zone], checks: () => [listsRead], ...more });
  const end = AbortSignal.timeout(50);
  await logFirstPlan(() => instance, log, end);
  return log.lines[0]?.message ?? null;
}

test("nothing to do is said where the next change would be written, only", async () => {
  expect(await logged({})).toBe("the first plan: nothing to do");
});

test.each<[string, Partial<Instance & Work>]>([
  ["a held change", withZone({ open: [{ name: www, changes: [], holds: [hold] }] })],
  ["counters of the fuse that cannot be read", withZone({ removalTrouble: "no map" })],
  ["an object that is not published", { whoLists: async () => [{ ...refused, message: "" }] }],
  ["a zone that cannot be read", withZone({ state: "failed", message: "REFUSED" })],
  ["no zone", { zones: () => [] }],
])("with %s the log names the command that shows it", async (_, more) => {
  expect(await logged(more)).toBe("the first plan: zonekeeper plan shows it");
});

test.each<[string, Partial<Instance & Work>]>([
  ["a standby", { standbyReply: () => "pod-b leads" }],
  ["objects that are being read", { checks: () => [] }],
  ["another set of objects that is being read", { checks: () => [listsRead, unread] }],
  ["a zone that is being read", withZone({ state: "loading" })],
])("%s: there is no plan yet, and nothing is said", async (_, more) => {
  expect(await logged(more)).toBeNull();
});
