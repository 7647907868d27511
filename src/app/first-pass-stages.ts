/** The stages of the first pass, from what is started. */
import { compareText } from "../model/dns-name.ts";
import type { ZoneStatus } from "../sync/contract/zone-status.ts";
import { FirstPass, type FirstPassFacts } from "./first-pass.ts";
import type { ControllersOptions } from "./start-controllers.ts";

type Started = Pick<ControllersOptions, "entrySources" | "zoneSources" | "startQueue">;

/** DNSProviders first: entries need them. What sources generate is read as entries then. */
export function openFirstPass(
  { entrySources, zoneSources, startQueue }: Started,
  facts: FirstPassFacts,
): FirstPass {
  const entries = [...entrySources, ...zoneSources].map(({ name }) => name);
  const direct = zoneSources.map(({ primary }) => primary.kind.toLowerCase());
  return new FirstPass(startQueue, [["dnsprovider"], entries, ["dnsentry", ...direct]], facts);
}

/** Loaded zones with names that nobody has planned yet, sorted. A failed one says why. */
export function zonesInPlanning(zones: readonly ZoneStatus[]): readonly string[] {
  return zones
    .filter(({ state, isPlanning }) => state === "ready" && isPlanning === true)
    .map(({ zone }) => zone.name)
    .sort(compareText);
}
