/** One name's story in one zone: who wants what, what stands, whose it is, what is held and when it is tried next. */
import type { DnsName } from "../model/dns-name.ts";
import { isAtOrBelow } from "../model/dns-name.ts";
import type { OwnedRecordSet } from "../plan/changes.ts";
import type { NameExplanation } from "./contract.ts";
import type { ZoneActor } from "./zone-actor.ts";

/** Nothing when the name does not lie in the actor's zone. */
export function explainName(
  actor: ZoneActor,
  name: DnsName,
  nowMs: number,
): readonly NameExplanation[] {
  if (!isAtOrBelow(name, actor.setup.zone.name)) return [];
  const owned = actor.state?.owned.at(name) ?? [];
  return [
    {
      zone: actor.setup.key,
      name,
      desired: actor.index.wanted(name),
      current: owned.flatMap((set) => (set.data === null ? [] : [set.data])),
      ...markedBy(owned),
      holds: actor.ledger.planAt(name)?.holds ?? [],
      lastOutcome: lastOutcome(actor, name),
      nextTryAtMs: nextTryAtMs(actor, name, nowMs),
    },
  ];
}

function markedBy(owned: readonly OwnedRecordSet[]): Pick<NameExplanation, "owner" | "resource"> {
  const marker = owned.find((set) => set.marker !== null)?.marker;
  return { owner: marker?.owner ?? null, resource: marker?.resource ?? null };
}

function lastOutcome(actor: ZoneActor, name: DnsName): string | null {
  const failure = actor.ledger.failureAt(name) ?? actor.zoneFailure;
  return failure === null ? null : `${failure.code}: ${failure.message}`;
}

function nextTryAtMs(actor: ZoneActor, name: DnsName, nowMs: number): number | null {
  const wait = actor.ledger.nextTryMs(name);
  return wait === null ? null : nowMs + wait;
}
