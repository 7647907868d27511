/**
 * Former ids of clusters (`--cluster-alias old=new`, Z-30): a marker that names one is for an
 * object of the cluster as it is called now. What the zone says stays until the next write.
 */
import type { OwnedRecordSet } from "../plan/changes.ts";

/** Former id to the present one. */
export type ClusterAliases = ReadonlyMap<string, string>;

/** The views with the present ids; labels stay as they were read. */
export function withPresentClusters(
  views: readonly OwnedRecordSet[],
  aliases: ClusterAliases,
): readonly OwnedRecordSet[] {
  if (aliases.size === 0) return views;
  return views.map((view) => {
    const { marker } = view;
    const cluster = aliases.get(marker?.cluster ?? "");
    return marker === null || cluster === undefined
      ? view
      : { ...view, marker: { ...marker, cluster } };
  });
}
