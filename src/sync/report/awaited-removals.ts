/** What would be left in zones if a DNSProvider went. Reads actors; no I/O. */
import type { Change, Hold } from "../../plan/changes.ts";
import type { AwaitedRemovals } from "../contract/publish-engine.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/** The answer about those zones of `actors` that no other DNSProvider leads into. */
export function awaitedRemovals(actors: readonly ZoneActor[], provider: string): AwaitedRemovals {
  const own = actors.filter(({ ways }) => {
    const providers = ways.all().flatMap(({ input }) => input.facts?.().providers ?? []);
    return providers.length > 0 && providers.every((one) => one === provider);
  });
  return {
    isSettled: own.every(({ state, zoneFailure, ledger }) =>
      state === null ? zoneFailure !== null : ledger.isAllPlanned,
    ),
    ownedNames: sum(own.map(({ state }) => state?.owned.markedNames ?? 0)),
    removals: sum(own.map(removalsIn)),
    hashes: own.flatMap(({ guard }) => guard.heldSets().map(({ hash }) => hash)),
  };
}

function removalsIn({ ledger }: ZoneActor): number {
  const plans = ledger.openPlans();
  const planned = plans.flatMap(({ changes }) => changes.filter(({ change }) => isRemoval(change)));
  const held = plans.flatMap(({ holds }) => holds.filter(waitsForAPerson));
  return planned.length + held.length;
}

/**
 * Holds of removals; while a cluster waits to be accepted (Z-30), its records may be removed later.
 */
function waitsForAPerson({ change, proof, code }: Hold): boolean {
  return (isRemoval(change) && (proof ?? null) !== null) || code === "ClusterChanged";
}

function isRemoval(change: Change | null | undefined): boolean {
  return change?.op === "remove";
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
