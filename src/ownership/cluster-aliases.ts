/**
 * Former ids of clusters (`--cluster-alias old=new`, Z-30): a marker (the record that states owner
 * and object) with a former id is read as one with the present id. The zone keeps the former id
 * until the marker is written the next time.
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
