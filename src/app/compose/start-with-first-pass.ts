/** Starts the controllers under a first pass, whose stages follow from what is started. */
import { compareText } from "@zonekeeper/base/compare-text";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import type { ControllersOptions } from "./controllers-options.ts";
import { FirstPass } from "./first-pass.ts";
import { zoneSourcesOf } from "./source-clusters.ts";
import { type Controllers, startControllers } from "./start-controllers.ts";

/** What runs, and the pass that follows it. */
interface Started {
  readonly controllers: Controllers;
  readonly pass: FirstPass;
}

/**
 * DNSProviders come first: entries need them. What sources generate is read as entries then.
 * `isListed`: no kind is `syncing` any more.
 */
export function startWithFirstPass(
  options: ControllersOptions,
  engine: { status(): readonly ZoneStatus[] },
  isListed: () => boolean,
): Started {
  const { entrySources, zoneSources, environment } = options;
  const sources = [...entrySources, ...zoneSources].map(({ name }) => name);
  const direct = zoneSourcesOf(options).map(([, { primary }]) => primary.kind.toLowerCase());
  const stages = [["dnsprovider"], sources, ["dnsentry", ...direct]];
  const pass = new FirstPass(options.startQueue, stages, {
    isListed,
    isJudging: () => controllers.directory.isListingZones(),
    zonesInPlanning: () => zonesInPlanning(engine.status()),
    nowMs: () => environment.clock.monotonicMs(),
  });
  const controllers = startControllers({ ...options, startQueue: pass.startQueue });
  return { controllers, pass };
}

/** Zones that are not loaded, or have names that nobody has planned yet. A failed one says why. */
function zonesInPlanning(zones: readonly ZoneStatus[]): readonly string[] {
  return zones
    .filter(({ state, message, isPlanning }) =>
      state === "loading" ? message === null : state === "ready" && isPlanning === true,
    )
    .map(({ zone }) => zone.name)
    .sort(compareText);
}
