/**
 * Decides which sources read which clusters, and derives lists of kinds from that: kinds whose
 * objects can list a name, and kinds whose objects are in work queues. Finds the last editor of an
 * object.
 */

import { apiVersionOf, FIELD_MANAGER } from "@zonekeeper/kube/objects/kubernetes";
import type { ListedKind } from "../../controllers/zone-choice/listing-objects.ts";
import { DNS_ENTRY, DNS_PROVIDER, markerKindOf, SERVICE_ENTRY } from "../../model/kinds.ts";
import type { Source, SourceRow } from "../../sources/source.ts";
import type { ZoneChange } from "../../sync/contract/zone-change.ts";
import type { ZoneChangesOptions } from "../../sync/report/zone-changes.ts";
import type { ClusterAccess, ProgramOptions } from "./controllers-options.ts";
import type { QueuedKind } from "./refused-writes.ts";

/** The options that decide it. */
export type SourceClusters = Pick<
  ProgramOptions,
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

/** The kinds whose objects can list a name, with the classes that are read. */
export function listedKinds(options: ProgramOptions): readonly ListedKind[] {
  const { target, entrySource, dnsClasses, sourceClasses, sourceClusters, entrySources } = options;
  const direct = zoneSourcesOf(options).map(([{ view }, source]) => ({
    ...{ view, source, dnsClasses: sourceClasses },
  }));
  const entries = { view: target.view, source: entrySource, dnsClasses };
  const generating = sourceClusters.flatMap(({ view }) =>
    entrySources.map((source) => ({ view, source, dnsClasses: sourceClasses })),
  );
  const kinds = [entries, ...direct, ...generating];
  return kinds.map((kind) => ({ ...kind, kept: new WeakMap() }));
}

/** The field manager that has edited the object last; undefined = not known, or it is ours. */
export function editorOf(
  { object, cluster }: Pick<ZoneChange, "object" | "cluster">,
  kinds: readonly ListedKind[],
): string | undefined {
  const [kind = "", namespace = "", name = ""] = object.split("/");
  const of = kinds.find(
    ({ view, source }) => view.clusterId === cluster && markerKindOf(source.primary) === kind,
  );
  const found = of?.view.get(of.source.primary, namespace, name);
  const editor = found?.state === "value" ? found.value.metadata.editor : undefined;
  return editor === FIELD_MANAGER ? undefined : editor;
}

/**
 * Records external-dns's Event on the object of a removed record, also where the object is deleted.
 */
export function removedEvents(options: ProgramOptions): Pick<ZoneChangesOptions, "onRemoved"> {
  const onRemoved = ({ object, cluster, name: dnsName, type }: ZoneChange): void => {
    const [kind = "", namespace = "", name = ""] = object.split("/");
    for (const [{ view, recorder }, { primary }] of zoneSourcesOf(options)) {
      const isThere = (cluster ?? view.clusterId) === view.clusterId;
      if (markerKindOf(primary) !== kind || !isThere) continue;
      const found = view.get(primary, namespace, name);
      const { kind: of } = primary;
      const gone = { apiVersion: apiVersionOf(primary), kind: of, metadata: { namespace, name } };
      const message = `removed: ${dnsName} ${type}`;
      const note = { type: "Normal", reason: "RecordDeleted", message } as const;
      if (found.state === "value") recorder.record(found.value, note);
      else if (cluster !== undefined) recorder.record(gone, note);
    }
  };
  return { onRemoved };
}

/** The kinds whose objects are in work queues, with the names of the queues. */
export function queuedKinds(options: ProgramOptions): readonly QueuedKind[] {
  const { target, provider, sourceClusters, entrySources } = options;
  const direct = zoneSourcesOf(options).map(([cluster, { primary: kind }]) => ({
    ...{ ...cluster, kind, name: kind.kind.toLowerCase() },
  }));
  const made = sourceClusters.flatMap((cluster) =>
    entrySources.map(({ name, primary: kind }) => ({ ...cluster, kind, name })),
  );
  const own = [
    { ...target, kind: DNS_ENTRY, name: "dnsentry" },
    { ...provider, kind: DNS_PROVIDER, name: "dnsprovider" },
  ];
  return [...own, ...direct, ...made];
}
