/**
 * Logs once what the first plan of `run` says, so that whoever has put the program in another one's
 * place reads in its log that there is nothing to do. Reads the running instance; changes nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "@zonekeeper/base/ports/log";
import { type PlanDocument, planVerdict } from "../../api/plan/document.ts";
import { planOf } from "../../api/plan-api.ts";
import { FIRST_LISTS } from "../../compose/first-pass.ts";
import type { Instance } from "../../compose/instance.ts";
import { unreadKinds } from "../../compose/zone-checks.ts";

const ASK_AGAIN_MS = 1_000;

/** Waits for the plan and logs it. A standby has none before its term begins. */
export async function logFirstPlan(
  instanceNow: () => Instance | null,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const plan = await firstPlanOf(instanceNow());
    if (plan !== null) {
      const { open, unknown } = planVerdict(plan);
      const text = open + unknown === 0 ? "nothing to do" : "zonekeeper plan shows it";
      const ownedNames = plan.zones.reduce((sum, zone) => sum + zone.ownedNames, 0);
      const facts = { zones: plan.zones.length, ownedNames, open, unknown };
      log.info(`the first plan: ${text}`, { ...facts, ...plan.summary.counts });
      return;
    }
    await sleep(ASK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Null = not all objects and zones are read yet. */
async function firstPlanOf(instance: Instance | null): Promise<PlanDocument | null> {
  if (instance === null || (instance.standbyReply?.() ?? null) !== null) return null;
  const checks = instance.checks();
  const isListed = checks.some(({ name, ok }) => ok && name === FIRST_LISTS);
  if (!isListed || unreadKinds(checks).length > 0) return null;
  const plan = await planOf(instance, { zone: null, name: null, limit: 0 });
  return plan.zones.some(({ state }) => state === "loading") ? null : plan;
}
