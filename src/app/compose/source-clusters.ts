/** Decides which sources read which clusters. */
import { SERVICE_ENTRY } from "../../model/kinds.ts";
import type { Source, SourceRow } from "../../sources/source.ts";
import type { ClusterAccess, ControllersOptions } from "./controllers-options.ts";

/** The options that decide it. */
export type SourceClusters = Pick<
  ControllersOptions,
  "sourceClusters" | "target" | "entrySources" | "zoneSources" | "further" | "configCluster"
>;

type Further = Pick<SourceClusters, "further" | "configCluster">;
type Sourced = readonly (readonly [ClusterAccess, Source])[];

/** Each source that publishes directly with each cluster that its objects are in. */
export function zoneSourcesOf(options: Omit<SourceClusters, "entrySources">): Sourced {
  return [...ownZoneSourcesOf(options), ...furtherSourcesOf(options)];
}

/**
 * The same, without further clusters. A source may read the target cluster, too, where that is no
 * source cluster.
 */
export function ownZoneSourcesOf(
  options: Omit<SourceClusters, "entrySources" | "further">,
): Sourced {
  const { sourceClusters, target, zoneSources, configCluster } = options;
  const ids = new Set(sourceClusters.map(({ view }) => view.clusterId));
  const isApart = !ids.has(target.view.clusterId);
  return zoneSources
    .flatMap((source) =>
      [...sourceClusters, ...(isApart && source.inTarget === true ? [target] : [])].map(
        (cluster) => [cluster, source] as const,
      ),
    )
    .filter((one) => isConfigured(one, configCluster));
}

/** The rows of sources that read further clusters; only the first row of each kind. */
export function furtherRows(
  rows: readonly SourceRow[],
  controllers: ReadonlySet<string>,
): readonly SourceRow[] {
  const chosen = rows.filter(
    ({ name, publishes }) => publishes === "itself" || controllers.has(name),
  );
  return chosen.filter(
    ({ primary }, index) => chosen.findIndex((one) => one.primary === primary) === index,
  );
}

/** Each source of further clusters with each of them. */
export function furtherSourcesOf({ further, configCluster }: Further): Sourced {
  const { clusters = [], sources = [] } = further ?? {};
  return everySource(clusters, sources).filter((one) => isConfigured(one, configCluster));
}

/**
 * Sources whose objects are shown to people and not published: all of the observed clusters, and
 * ServiceEntries outside of the config cluster.
 */
export function shownSourcesOf(
  watched: readonly ClusterAccess[],
  { further, configCluster }: Further,
): Sourced {
  const { clusters = [], sources = [] } = further ?? {};
  const others = everySource(clusters, sources).filter((one) => !isConfigured(one, configCluster));
  return [...everySource(watched, sources), ...others];
}

function everySource(clusters: readonly ClusterAccess[], sources: readonly Source[]): Sourced {
  return clusters.flatMap((cluster) => sources.map((source) => [cluster, source] as const));
}

/** False = a ServiceEntry source outside of the config cluster, where there is a config cluster. */
function isConfigured(
  [{ view }, { primary }]: Sourced[number],
  configCluster: string | null = null,
): boolean {
  return (
    configCluster === null ||
    primary.kind !== SERVICE_ENTRY.kind ||
    view.clusterId === configCluster
  );
}
