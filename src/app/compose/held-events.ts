/** Tells the DNSProviders of a zone in an Event which set of changes waits for approval (Z-16). */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ProviderFacts } from "../../controllers/zone-choice/provider-facts.ts";
import { DNS_PROVIDER } from "../../model/kinds.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import type { EngineOptions } from "../../sync/engine.ts";
import type { HeldNews } from "../../sync/guards/fuse-log.ts";
import type { ClusterAccess } from "./controllers-options.ts";

/** What the engine calls; `servingOf` = the DNSProviders of a zone. */
export function heldEvents(
  { view, recorder }: Pick<ClusterAccess, "view" | "recorder">,
  servingOf: (ways: readonly ZoneKey[]) => readonly ProviderFacts[],
): NonNullable<EngineOptions["onHeld"]> {
  return (ways, zone, news) => {
    const note = { type: "Warning", reason: "ChangesHeld", message: heldText(zone, news) } as const;
    for (const { id } of servingOf(ways)) {
      const [namespace = "", name = ""] = id.split("/");
      const found = view.get(DNS_PROVIDER, namespace, name);
      if (found.state === "value") recorder.record(found.value, note);
    }
  };
}

/** What is held in the zone, and the command that lets it pass. */
function heldText(zone: DnsName, { hash, changes, removals, isComplete }: HeldNews): string {
  const updates = changes - removals;
  const counts = [
    ...(removals === 0 ? [] : [`removals (${removals})`]),
    ...(updates === 0 ? [] : [`updates (${updates})`]),
  ].join(" and ");
  const held = `zone ${zone}: ${counts} are held until a person approves them`;
  return isComplete
    ? `${held}: zonekeeper approve ${hash}; zonekeeper plan shows them`
    : `${held}, and more may join them; zonekeeper plan shows them and the hash to approve`;
}
