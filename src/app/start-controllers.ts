/**
 * Starts the controllers of one program: DNSProviders, DNSEntries and one for each source. Nothing
 * is decided here; clusters, ports and the engine are handed in.
 */

import type { AccountPorts } from "../controllers/accounts/account.ts";
import type { AccountEnvironment } from "../controllers/accounts/guarded-environment.ts";
import { EntryWaits } from "../controllers/objects/entry-waits.ts";
import { HostLookups } from "../controllers/objects/host-lookups.ts";
import type { LiveChecks } from "../controllers/objects/live-checks.ts";
import { type WatchedKind, WatchedObjects } from "../controllers/objects/observe-objects.ts";
import { ProviderDirectory } from "../controllers/zone-choice/provider-directory.ts";
import { EntryController } from "../gardener/dns-entry/entry-controller.ts";
import { ProviderController } from "../gardener/dns-provider/provider-controller.ts";
import type { DnsClasses } from "../model/dns-class.ts";
import type { EntryMarks } from "../model/entry-marks.ts";
import { DNS_ENTRY } from "../model/kinds.ts";
import { kindText } from "../model/kubernetes.ts";
import type { ClusterIdentity } from "../ports/cluster-identity.ts";
import type { ClusterView } from "../ports/cluster-view.ts";
import type { ClusterWriter, EventRecorder } from "../ports/cluster-writer.ts";
import type { Resolver } from "../ports/resolver.ts";
import type { StartQueue } from "../ports/work-queue.ts";
import type { ProviderType } from "../providers/provider.ts";
import { EntrySourceController } from "../source-controllers/entries/entry-source-controller.ts";
import { StatusAnnotation } from "../source-controllers/zones/status-annotation.ts";
import { ZoneSourceController } from "../source-controllers/zones/zone-source-controller.ts";
import type { Source } from "../sources/source.ts";
import type { PublishEngine } from "../sync/contract/publish-engine.ts";
import type { ZoneKey } from "../sync/contract/zone.ts";

/** One cluster, read and written. */
export interface ClusterAccess {
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly recorder: EventRecorder;
  /** Absent = the cluster is always the one it was. */
  readonly identity?: ClusterIdentity;
}

/** What the controllers are made from. */
export interface ControllersOptions {
  /** Services, Ingresses. Several = several source clusters. */
  readonly sourceClusters: readonly ClusterAccess[];
  /** DNSEntries. */
  readonly target: ClusterAccess;
  /** DNSProviders and Secrets. */
  readonly provider: ClusterAccess;
  /** Sources that publish entries: `service-dns`, `ingress-dns`. */
  readonly entrySources: readonly Source[];
  /** The source that reads DNSEntries themselves. */
  readonly entrySource: Source;
  /** Sources that publish to zones directly: `crd`, and others with `--publish direct`. */
  readonly zoneSources: readonly Source[];
  /** Whether their objects get their state in an annotation, where their kind has no status. */
  readonly statusAnnotation: boolean;
  readonly engine: PublishEngine;
  readonly types: ReadonlyMap<string, ProviderType>;
  readonly environment: AccountEnvironment;
  /** Policy, adoption, managed types and default TTL of every zone. */
  readonly rules: AccountPorts["rules"];
  readonly openOwnership: AccountPorts["openOwnership"];
  readonly startQueue: StartQueue;
  /** Classes of DNSProviders and DNSEntries. */
  readonly dnsClasses: DnsClasses;
  /** Classes of the objects that sources read. */
  readonly sourceClasses: DnsClasses;
  /** Class of generated entries; usually the main one of `dnsClasses`. */
  readonly targetClass: string;
  /** Namespace of generated entries; null = that of their source. */
  readonly targetNamespace: string | null;
  /** The checks behind the condition Live; stopped with the controllers. */
  readonly live: LiveChecks;
  /** Looks up host names that objects list as targets. */
  readonly resolver: Resolver;
  /** What generated entries carry. */
  readonly marks: EntryMarks;
  /** Entries may use providers of other namespaces. */
  readonly anyNamespace: boolean;
}

/** The running controllers. */
export interface Controllers {
  readonly directory: ProviderDirectory;
  /** Sources first, providers (and with them zones) last. */
  stop(): Promise<void>;
}

/**
 * Kinds that decide which names are wanted, for the observer that the engine is made with (before
 * the controllers): those that markers may name, and what sources read besides them.
 */
export function watchedKinds(options: SourceClusters): readonly WatchedKind[] {
  const { view, writer: reader } = options.target;
  const originals = options.sourceClusters.flatMap((cluster) =>
    options.entrySources.map((source) => ({ ...primaryOf(cluster, source), isOriginal: true })),
  );
  const direct = zoneSourcesOf(options).map(([cluster, source]) => primaryOf(cluster, source));
  const primary: readonly WatchedKind[] = [
    { view, kind: DNS_ENTRY, reader },
    ...direct,
    ...originals,
  ];
  const known = new Set(primary.map(watchedText));
  const secondary = [...direct, ...originals].flatMap(({ source, ...others }) =>
    source.secondary.map((kind) => ({ ...others, kind, isSecondary: true })),
  );
  return [...primary, ...secondary.filter((one) => isFirst(known, watchedText(one)))];
}

function primaryOf({ view, writer: reader }: ClusterAccess, source: Source) {
  return { view, kind: source.primary, source, reader };
}

function watchedText({ view, kind }: WatchedKind): string {
  return `${view.clusterId}|${kindText(kind)}`;
}

/** Also notes it. */
function isFirst(known: Set<string>, text: string): boolean {
  const { size } = known;
  return known.add(text).size > size;
}

type SourceClusters = Pick<
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

/** Starts everything. */
export function startControllers(options: ControllersOptions): Controllers {
  const { engine, environment, rules, startQueue, dnsClasses, target } = options;
  const directory = openDirectory(options);
  const stopCuts = engine.onCuts(() => directory.cutsChanged());
  const { clock, log } = environment;
  const providers = new ProviderController({
    ...options.provider,
    entries: target.view,
    directory,
    types: options.types,
    environment,
    ports: { engine, clock, log, rules, openOwnership: options.openOwnership },
    startQueue,
    dnsClasses,
  });
  const lookups = new HostLookups({ clock, resolver: options.resolver });
  const waits = new EntryWaits();
  const entries = new EntryController({
    waits,
    origins: new WatchedObjects(watchedKinds(options)),
    ...target,
    source: options.entrySource,
    directory,
    engine,
    ensureOpen: (key) => providers.ensureOpen(key),
    clock,
    startQueue,
    dnsClasses,
    targetNamespace: options.targetNamespace,
    defaultTtlSeconds: rules.defaultTtlSeconds,
    live: options.live,
    lookups,
  });
  const ensureOpen = (key: ZoneKey): void => providers.ensureOpen(key);
  const zoneSources = startZoneSources(options, { directory, lookups, ensureOpen });
  const sources = startSources(options, waits);
  return {
    directory,
    async stop() {
      stopCuts();
      await Promise.all(sources.map((source) => source.stop()));
      await Promise.all(zoneSources.map((source) => source.stop()));
      await entries.stop();
      await providers.stop();
      options.live.stop();
      lookups.stop();
    },
  };
}

function openDirectory({ anyNamespace, environment, engine }: ControllersOptions) {
  return new ProviderDirectory({
    anyNamespace,
    ...(environment.trusts === undefined ? {} : { trusts: environment.trusts }),
    cutOf: (key, name) => engine.cutOf(key, name),
  });
}

/** What the controllers of objects share. */
interface ZoneSourceContext {
  readonly directory: ProviderDirectory;
  readonly lookups: HostLookups;
  readonly ensureOpen: (key: ZoneKey) => void;
}

function startZoneSources(
  options: ControllersOptions,
  { directory, lookups, ensureOpen }: ZoneSourceContext,
): readonly ZoneSourceController[] {
  const { engine, startQueue } = options;
  return zoneSourcesOf(options).map(
    ([cluster, source]) =>
      new ZoneSourceController({
        ...cluster,
        ...(source.publishesEither === true ? directOptions(options, cluster, source) : {}),
        reason: source.publishesEither === true ? "dns-annotation" : source.primary.kind,
        source,
        realms: source.publishesEither === true ? options.marks.realms : null,
        directory,
        engine,
        ensureOpen,
        startQueue,
        clock: options.environment.clock,
        live: options.live,
        lookups,
      }),
  );
}

/** For a source whose objects have DNSEntries where they are published the other way. */
function directOptions(
  {
    target,
    targetNamespace,
    targetClass,
    dnsClasses,
    sourceClasses,
    statusAnnotation,
    environment,
  }: ControllersOptions,
  { view, writer }: ClusterAccess,
  { primary: kind }: Source,
) {
  const targetCluster = target.view.clusterId;
  const scope = { kind, cluster: view.clusterId, targetCluster, targetNamespace };
  const targetClasses = entryClasses({ targetClass, dnsClasses });
  const entries = { target: target.view, scope, targetClasses };
  const ports = { writer, log: environment.log, dnsClasses: sourceClasses };
  const annotation = new StatusAnnotation(ports, kind);
  return { entries, ...(statusAnnotation ? { annotation } : {}) };
}

type EntryClasses = Pick<ControllersOptions, "targetClass" | "dnsClasses">;

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
  { sourceClasses: dnsClasses, environment: { log } }: ControllersOptions,
  { primary, publishesEither }: Source,
  writer: ClusterAccess["writer"],
) {
  return publishesEither === true
    ? { formerStatus: new StatusAnnotation({ writer, log, dnsClasses }, primary) }
    : {};
}

function startSources(
  options: ControllersOptions,
  waits: EntryWaits,
): readonly EntrySourceController[] {
  const former = options.zoneSources.filter(({ publishesEither }) => publishesEither === true);
  return options.sourceClusters.flatMap(({ writer: reader, ...cluster }) =>
    [...options.entrySources, ...former].map(
      (source) =>
        new EntrySourceController({
          ...cluster,
          isClearing: former.includes(source),
          ...formerStatusOf(options, source, reader),
          waits: isTargetServed(options) ? waits : null,
          engine: isTargetServed(options) ? options.engine : null,
          source,
          reader,
          target: options.target,
          targetNamespace: options.targetNamespace,
          targetClasses: entryClasses(options),
          isServed: isTargetServed(options),
          marks: options.marks,
          crypto: options.environment.crypto,
          startQueue: options.startQueue,
        }),
    ),
  );
}
