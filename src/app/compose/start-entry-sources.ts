/** Starts the controllers of sources whose objects get DNSEntries. */
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { EntryWaits } from "../../controllers/objects/entry-waits.ts";
import type { ProviderDirectory } from "../../controllers/zone-choice/provider-directory.ts";
import { noteOfNew } from "../../controllers/zone-choice/zone-notes.ts";
import type { DnsClasses } from "../../model/dns-class.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { AnnotationController } from "../../source-controllers/annotations/annotation-controller.ts";
import {
  CarriedStatus,
  type CarriedStatusPorts,
} from "../../source-controllers/entries/carried-status.ts";
import { withoutReturns } from "../../source-controllers/entries/copy-origins.ts";
import { EntrySourceController } from "../../source-controllers/entries/entry-source-controller.ts";
import { StatusAnnotation } from "../../source-controllers/zones/status-annotation.ts";
import { ANNOTATED_KINDS, isAnnotated } from "../../sources/index.ts";
import type { Source } from "../../sources/source.ts";
import type { PublishEngine } from "../../sync/contract/publish-engine.ts";
import type { ClusterAccess, ControllersOptions } from "./controllers-options.ts";
import { ownZoneSourcesOf, type SourceClusters } from "./source-clusters.ts";

type SourcesOptions = Omit<ControllersOptions, "engine" | "live">;

type EntryClasses = Pick<SourcesOptions, "targetClass" | "dnsClasses">;

/** Whether generated entries are published by this process. */
function isTargetServed({ targetClass, dnsClasses: [main] }: EntryClasses): boolean {
  return targetClass === main;
}

/** Classes of entries that were generated here. */
export function entryClasses(options: EntryClasses): DnsClasses {
  return isTargetServed(options) ? options.dnsClasses : [options.targetClass];
}

/** Of a source that may have published directly before. */
function formerStatusOf(
  { sourceClasses: dnsClasses, environment: { log } }: SourcesOptions,
  { primary, publishesEither }: Source,
  writer: ClusterAccess["writer"],
) {
  return publishesEither === true
    ? { formerStatus: new StatusAnnotation({ writer, log, dnsClasses }, primary) }
    : {};
}

/** Of a source whose objects have a status of their own. */
function carriedStatusOf(
  { primary: kind, writesStatus }: Source,
  ports: Omit<CarriedStatusPorts, "kind">,
) {
  return writesStatus === true ? { carriedStatus: new CarriedStatus({ ...ports, kind }) } : {};
}

/** Without what would copy entries into what is copied, again and again. */
function copyingSources(
  { entrySources, target, sourceClasses, targetClass, environment, aliases }: SourcesOptions,
  { clusterId }: ClusterView,
): readonly Source[] {
  const isLoop = clusterId === target.view.clusterId && sourceClasses.includes(targetClass);
  const kept = entrySources.filter(({ primary }) => primary !== DNS_ENTRY || !isLoop);
  if (kept.length < entrySources.length)
    environment.log.error("entries are not copied: source and target are the same cluster", {
      cluster: clusterId,
      class: targetClass,
      remedy: "correct --target, or give another --dns-target-class or --source-dns-class",
    });
  const scope = { cluster: clusterId, targetCluster: target.view.clusterId, aliases };
  const copies = { view: target.view, dnsClass: targetClass };
  return kept.map((source) =>
    source.primary === DNS_ENTRY ? withoutReturns(source, scope, copies) : source,
  );
}

/** Who publishes the entries; null = another process does. */
interface Publishing {
  readonly engine: PublishEngine;
  readonly waits: EntryWaits;
  readonly directory: ProviderDirectory;
}

/** One controller for each source and source cluster. */
export function startEntrySources(
  options: SourcesOptions,
  publishing: Publishing | null,
): readonly EntrySourceController[] {
  const { environment, target, targetNamespace, aliases, marks, startQueue, sourceClasses } =
    options;
  const former =
    publishing === null
      ? []
      : options.zoneSources.filter(({ publishesEither }) => publishesEither === true);
  // clause: finalizer-only-where-served
  const served = isTargetServed(options) ? publishing : null;
  return options.sourceClusters.flatMap(({ writer: reader, ...cluster }) =>
    [...copyingSources(options, cluster.view), ...former].map(
      (source) =>
        new EntrySourceController({
          ...cluster,
          isClearing: former.includes(source),
          ...formerStatusOf(options, source, reader),
          ...carriedStatusOf(source, { writer: reader, clock: environment.clock }),
          waits: served?.waits ?? null,
          engine: served?.engine ?? null,
          noteOf: (entry) =>
            served === null ? null : noteOfNew(served.directory, entry, targetNamespace),
          source,
          reader,
          target,
          targetNamespace,
          aliases,
          targetClasses: entryClasses(options),
          sourceClasses,
          isServed: served !== null,
          marks,
          clock: environment.clock,
          crypto: environment.crypto,
          startQueue,
        }),
    ),
  );
}

type AnnotationsOptions = SourceClusters &
  Pick<ControllersOptions, "sourceClasses" | "startQueue"> & {
    readonly environment: Pick<ControllersOptions["environment"], "log">;
  };

/**
 * Those that write the status of DNSAnnotations: one for each cluster with annotated objects.
 * `publishedClasses`: of the DNSEntries that this process publishes; null = none.
 */
export function startAnnotations(
  options: AnnotationsOptions,
  publishedClasses: DnsClasses | null,
): readonly AnnotationController[] {
  const { entrySources, sourceClusters, sourceClasses: dnsClasses, startQueue, target } = options;
  const direct = ownZoneSourcesOf(options).filter(([, source]) => isAnnotated(source));
  const clusters = new Set([...sourceClusters, ...direct.map(([cluster]) => cluster)]);
  return [...clusters].map((cluster) => {
    const own = direct.filter(([one]) => one === cluster).map(([, source]) => source);
    const entries = sourceClusters.includes(cluster) ? entrySources.filter(isAnnotated) : [];
    return new AnnotationController({
      ...cluster,
      kinds: ANNOTATED_KINDS,
      served: [...entries, ...own].map(({ primary }) => primary),
      dnsClasses,
      publishedClasses: cluster.view.clusterId === target.view.clusterId ? publishedClasses : null,
      log: options.environment.log,
      startQueue,
    });
  });
}
