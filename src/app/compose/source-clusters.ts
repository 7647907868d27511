/** Which sources read which clusters. */
import { SERVICE_ENTRY } from "../../model/kinds.ts";
import type { Source, SourceRow } from "../../sources/source.ts";
import type { ClusterAccess, ControllersOptions } from "./controllers-options.ts";

/** What decides it. */
export type SourceClusters = Pick<
  ControllersOptions,
  "sourceClusters" | "target" | "entrySources" | "zoneSources" | "further" | "configCluster"
>;

type Sourced = readonly (readonly [ClusterAccess, Source])[];

/** Each source that publishes directly with each cluster that its objects are in. */
export function zoneSourcesOf(options: Omit<SourceClusters, "entrySources">): Sourced {
  return [...ownZoneSourcesOf(options), ...furtherSourcesOf(options)];
}

/** Without those of further clusters. */
export function ownZoneSourcesOf({
  sourceClusters,
  target,
  zoneSources,
  configCluster,
}: Pick<SourceClusters, "sourceClusters" | "target" | "zoneSources" | "configCluster">): Sourced {
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

/** The chosen rows that read further clusters: each kind once. */
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

/** Every source with each further cluster. */
export function furtherSourcesOf({
  further,
  configCluster,
}: Pick<SourceClusters, "further" | "configCluster">): Sourced {
  const { clusters = [], sources = [] } = further ?? {};
  return everySource(clusters, sources).filter((one) => isConfigured(one, configCluster));
}

/** What is only told of: all of clusters that are watched, and ServiceEntries of the others. */
export function shownSourcesOf(
  watched: readonly ClusterAccess[],
  { further, configCluster }: Pick<SourceClusters, "further" | "configCluster">,
): Sourced {
  const { clusters = [], sources = [] } = further ?? {};
  const others = everySource(clusters, sources).filter((one) => !isConfigured(one, configCluster));
  return [...everySource(watched, sources), ...others];
}

function everySource(clusters: readonly ClusterAccess[], sources: readonly Source[]): Sourced {
  return clusters.flatMap((cluster) => sources.map((source) => [cluster, source] as const));
}

/** ServiceEntries are read in the config cluster alone, if there is one. */
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
