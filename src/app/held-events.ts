/** Tells the DNSProviders of a zone in an Event which set of changes waits for approval (Z-16). */
import type { ProviderFacts } from "../controllers/zone-choice/provider-facts.ts";
import type { DnsName } from "../model/dns-name.ts";
import { DNS_PROVIDER } from "../model/kinds.ts";
import type { HeldNews } from "../sync/guards/fuse-log.ts";
import type { ClusterAccess } from "./start-controllers.ts";

/** `serving` = the DNSProviders of the zone. */
export function recordHeld(
  { view, recorder }: Pick<ClusterAccess, "view" | "recorder">,
  serving: readonly ProviderFacts[],
  message: string,
): void {
  for (const { id } of serving) {
    const [namespace = "", name = ""] = id.split("/");
    const found = view.get(DNS_PROVIDER, namespace, name);
    if (found.state !== "value") continue;
    recorder.record(found.value, { type: "Warning", reason: "ChangesHeld", message });
  }
}

/** What is held in the zone, and the command that lets it pass. */
export function heldText(zone: DnsName, { hash, changes, removals, isComplete }: HeldNews): string {
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
