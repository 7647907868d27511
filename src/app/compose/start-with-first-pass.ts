/** Starts the controllers under a first pass (first-pass.ts), and decides its stages. */
import type { Explainer } from "../../sync/contract/publish-engine.ts";
import type { ZoneHealth } from "../../sync/contract/zone-status.ts";
import type { ControllersOptions } from "./controllers-options.ts";
import { FirstPass } from "./first-pass.ts";
import { areListed, cachedKinds } from "./health-checks.ts";
import { zoneSourcesOf } from "./source-clusters.ts";
import { type Controllers, startControllers } from "./start-controllers.ts";

/** The running controllers, and the pass that follows them. */
interface Started {
  readonly controllers: Controllers;
  readonly pass: FirstPass;
}

/**
 * Stages: DNSProviders, since names need them; sources, which generate entries; then entries and
 * objects that are published directly.
 */
export function startWithFirstPass(
  options: ControllersOptions,
  engine: Pick<Explainer, "health"> & { gatesChanged(): void },
): Started {
  const { entrySources, zoneSources, environment } = options;
  const sources = [...entrySources, ...zoneSources].map(({ name }) => name);
  const direct = zoneSourcesOf(options).map(([, { primary }]) => primary.kind.toLowerCase());
  const stages = [["dnsprovider"], sources, ["dnsentry", ...direct]];
  const kinds = cachedKinds(options);
  let isStarted = false;
  const pass = new FirstPass(options.startQueue, stages, {
    isListed: () => isStarted && areListed(kinds),
    isJudging: () => controllers.directory.isListingZones(),
    zonesInPlanning: () =>
      engine
        .health()
        .filter(isInPlanning)
        .map(({ zone }) => zone.name),
    onRead: () => engine.gatesChanged(),
    clock: environment.clock,
  });
  const controllers = startControllers({ ...options, startQueue: pass.startQueue });
  isStarted = true;
  pass.listed();
  const stops = kinds.map(({ view, kind }) =>
    view.subscribe(kind, { onChange: () => undefined, onState: () => pass.listed() }),
  );
  const stop = (): Promise<void> => {
    for (const one of stops) one();
    pass.stop();
    return controllers.stop();
  };
  return { controllers: { ...controllers, stop }, pass };
}

/**
 * True = the zone is being read, or has names that are not planned yet. A failed zone is not
 * awaited.
 */
function isInPlanning({ state, isPlanning }: ZoneHealth): boolean {
  return state === "loading" || (state === "ready" && isPlanning === true);
}
