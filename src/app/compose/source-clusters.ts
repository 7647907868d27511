/** Which sources read which clusters. */
import type { Source, SourceRow } from "../../sources/source.ts";
import type { ClusterAccess, ControllersOptions } from "./controllers-options.ts";

/** What decides it. */
export type SourceClusters = Pick<
  ControllersOptions,
  "sourceClusters" | "target" | "entrySources" | "zoneSources" | "further"
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
}: Pick<SourceClusters, "sourceClusters" | "target" | "zoneSources">): Sourced {
  const ids = new Set(sourceClusters.map(({ view }) => view.clusterId));
  const isApart = !ids.has(target.view.clusterId);
  return zoneSources.flatMap((source) =>
    [...sourceClusters, ...(isApart && source.inTarget === true ? [target] : [])].map(
      (cluster) => [cluster, source] as const,
    ),
  );
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
export function furtherSourcesOf({ further }: Pick<SourceClusters, "further">): Sourced {
  const { clusters = [], sources = [] } = further ?? {};
  return clusters.flatMap((cluster) => sources.map((source) => [cluster, source] as const));
}
