/** Which sources read which clusters. */
import type { Source } from "../../sources/source.ts";
import type { ClusterAccess, ControllersOptions } from "./controllers-options.ts";

/** What decides it. */
export type SourceClusters = Pick<
  ControllersOptions,
  "sourceClusters" | "target" | "entrySources" | "zoneSources"
>;

/** Each source that publishes directly with each cluster that its objects are in. */
export function zoneSourcesOf({
  sourceClusters,
  target,
  zoneSources,
}: Omit<SourceClusters, "entrySources">): readonly (readonly [ClusterAccess, Source])[] {
  const ids = new Set(sourceClusters.map(({ view }) => view.clusterId));
  const isApart = !ids.has(target.view.clusterId);
  return zoneSources.flatMap((source) =>
    [...sourceClusters, ...(isApart && source.inTarget === true ? [target] : [])].map(
      (cluster) => [cluster, source] as const,
    ),
  );
}
