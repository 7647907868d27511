/**
 * Starts the controllers of one program: DNSProviders, DNSEntries, DNSOwners, imports, and one for
 * each source. Nothing is decided here; clusters, ports and the engine are handed in.
 */
import { kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { AccountUse } from "../../controllers/accounts/accounts.ts";
import { EntryWaits } from "../../controllers/objects/entry-waits.ts";
import { HostLookups } from "../../controllers/objects/host-lookups.ts";
import { reportImpossibleClasses } from "../../controllers/objects/main-class.ts";
import { type WatchedKind, WatchedObjects } from "../../controllers/objects/observe-objects.ts";
import type { PublicationController } from "../../controllers/publication/publication-controller.ts";
import { ProviderDirectory } from "../../controllers/zone-choice/provider-directory.ts";
import { startEntryController } from "../../gardener/dns-entry/published-entries.ts";
import { OwnerController } from "../../gardener/dns-owner/owner-controller.ts";
import { ProviderController } from "../../gardener/dns-provider/provider-controller.ts";
import { DNS_ENTRY, DNS_OWNER, DNS_PROVIDER } from "../../model/kinds.ts";
import { ImportController } from "../../source-controllers/imports/import-controller.ts";
import { startDirectController } from "../../source-controllers/zones/published-objects.ts";
import { StatusAnnotation } from "../../source-controllers/zones/status-annotation.ts";
import type { Source } from "../../sources/source.ts";
import type { FurtherIds } from "../../sync/contract/fence-status.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import type { Engine } from "../../sync/engine.ts";
import type { ClusterAccess, ComposeOptions, ControllersOptions } from "./controllers-options.ts";
import { warnProviders } from "./open-guards.ts";
import {
  furtherSourcesOf,
  ownZoneSourcesOf,
  type SourceClusters,
  zoneSourcesOf,
} from "./source-clusters.ts";
import { entryClasses, startAnnotations, startEntrySources } from "./start-entry-sources.ts";

/** The running controllers. */
export interface Controllers {
  readonly directory: ProviderDirectory;
  /** For metrics. */
  accounts(): readonly AccountUse[];
  /** Sources first, providers (and with them zones) last. */
  stop(): Promise<void>;
}

/**
 * The kinds on whose lists removals depend, for the observer that the engine is made with (before
 * the controllers): kinds that markers may name, and secondary kinds that sources read with them.
 */
export function watchedKinds(options: SourceClusters): readonly WatchedKind[] {
  const { view, writer: reader } = options.target;
  const sources = options.sourceClusters.flatMap((cluster) =>
    options.entrySources.map((source) => primaryOf(cluster, source)),
  );
  const originals = sources
    .filter(({ kind }) => kind !== DNS_ENTRY)
    .map((one) => ({ ...one, isOriginal: true }));
  // Markers name the copy of an entry, which is in the target cluster.
  const copied: readonly WatchedKind[] = sources
    .filter(({ kind }) => kind === DNS_ENTRY)
    .map(({ view: from, reader: by }) => ({ view: from, kind: DNS_ENTRY, reader: by }));
  const direct = zoneSourcesOf(options).map(([cluster, source]) => primaryOf(cluster, source));
  const primary: readonly WatchedKind[] = [
    { view, kind: DNS_ENTRY, reader },
    ...direct,
    ...originals,
  ];
  const known = new Set(primary.map(watchedText));
  const secondary = [...direct, ...originals].flatMap(({ source, ...others }) =>
    // clause: secondary-kinds-gate
    source.secondary.map((kind) => ({ ...others, kind, isSecondary: true })),
  );
  const gates = [...copied, ...secondary].filter((one) => {
    const { size } = known;
    return known.add(watchedText(one)).size > size;
  });
  return [...primary, ...gates];
}

function primaryOf({ view, writer: reader }: ClusterAccess, source: Source) {
  return { view, kind: source.primary, source, reader };
}

function watchedText({ view, kind }: WatchedKind): string {
  return `${view.clusterId}|${kindText(kind)}`;
}

/** Starts everything. */
export function startControllers(options: ControllersOptions): Controllers {
  const { engine, environment, rules, target, metrics } = options;
  const { startQueue, dnsClasses, providerTypes } = options;
  const directory = new ProviderDirectory({
    anyNamespace: options.anyNamespace,
    ...(environment.trusts === undefined ? {} : { trusts: environment.trusts }),
    cutOf: (key, name) => engine.cutOf(key, name),
  });
  const shared = { directory, engine, startQueue, dnsClasses, providerTypes };
  const impossible = reportImpossibleClasses([
    { ...target, kinds: [DNS_ENTRY, DNS_OWNER] },
    { ...options.provider, kinds: [DNS_PROVIDER] },
  ]);
  const stops = [engine.onCuts(() => directory.cutsChanged()), impossible];
  const { clock, log } = environment;
  const providers = new ProviderController({
    ...options.provider,
    ...shared,
    entries: target.view,
    ...{ cuts: engine, types: options.types, environment },
    ports: { engine, clock, log, metrics, rules, openOwnership: options.openOwnership },
  });
  const lookups = new HostLookups({ clock, resolver: options.resolver });
  const waits = new EntryWaits();
  const ensureOpen = (key: ZoneKey): void => providers.ensureOpen(key);
  const entries = startEntryController({
    waits,
    origins: new WatchedObjects(watchedKinds(options), clock),
    ...target,
    ...shared,
    source: options.entrySource,
    ensureOpen,
    clock,
    targetNamespace: options.targetNamespace,
    ownerId: options.ownerId,
    defaultTtlSeconds: rules.defaultTtlSeconds,
    blockedZones: rules.blockedZones,
    live: options.live,
    refused: options.refused,
    lookups,
    ...(options.owners === undefined ? {} : { owners: options.owners }),
  });
  const zoneSources = startZoneSources(options, { directory, lookups, ensureOpen });
  const sources = [
    ...startEntrySources(options, { engine, waits, directory }),
    ...startAnnotations(options, dnsClasses),
  ];
  return {
    directory,
    accounts: () => providers.accounts(),
    async stop() {
      for (const stop of stops) stop();
      await Promise.all([...sources, ...zoneSources].map((source) => source.stop()));
      await entries.stop();
      await providers.stop();
      options.live.stop();
      lookups.stop();
    },
  };
}

/** The parts that the controllers of objects share. */
interface ZoneSourceContext {
  readonly directory: ProviderDirectory;
  readonly lookups: HostLookups;
  readonly ensureOpen: (key: ZoneKey) => void;
}

function startZoneSources(
  options: ControllersOptions,
  { directory, lookups, ensureOpen }: ZoneSourceContext,
): readonly PublicationController[] {
  const { engine, startQueue } = options;
  const own = ownZoneSourcesOf(options).map(([cluster, source]) => ({
    ...{ ...cluster, source },
    ...(source.publishesEither === true ? directOptions(options, cluster, source) : {}),
  }));
  const further = furtherSourcesOf(options).map(([cluster, source]) => ({
    ...{ ...cluster, source, isFurther: true },
  }));
  return [...own, ...further].map(({ source, ...where }) =>
    startDirectController({
      ...where,
      reason: source.publishesEither === true ? "dns-annotation" : source.primary.kind,
      knownReasons: options.knownReasons,
      source,
      realms: source.publishesEither === true ? options.marks.realms : null,
      directory,
      engine,
      ensureOpen,
      startQueue,
      clock: options.environment.clock,
      live: options.live,
      lookups,
      dnsClasses: options.sourceClasses,
    }),
  );
}

/**
 * Further options for a source whose objects can also be published by DNSEntries (`--publish`):
 * where old entries may be, and the status annotation.
 */
function directOptions(
  options: ControllersOptions,
  { view, writer }: ClusterAccess,
  { primary: kind }: Source,
) {
  const { target, targetNamespace, aliases, environment } = options;
  const targetCluster = target.view.clusterId;
  const scope = { kind, cluster: view.clusterId, targetCluster, targetNamespace, aliases };
  const entries = { target: target.view, scope, targetClasses: entryClasses(options) };
  const ports = { writer, log: environment.log, dnsClasses: options.sourceClasses };
  const annotation = new StatusAnnotation(ports, kind);
  return { entries, ...(options.statusAnnotation ? { annotation } : {}) };
}

/** `onChange` is called when other owner ids are switched on or off. */
export function openOwners(options: ComposeOptions, onChange: () => void): OwnerController {
  return new OwnerController({
    ...options.target,
    ...options.ports,
    startQueue: options.startQueue,
    dnsClasses: options.publish.dnsClasses,
    mainOwner: options.owner,
    onChange,
  });
}

/** The ids of a controller that is opened later than the engine that asks for them. */
export const furtherIdsOf = (owners: () => FurtherIds): FurtherIds => ({
  wanted: () => owners().wanted(),
  settled: (zone, waiting) => owners().settled(zone, waiting),
});

/** The controller of the imports; null = none is configured. */
export function openImports(
  { imports = [], sourceClusters: [cluster], provider, startQueue, ports }: ComposeOptions,
  engine: Engine,
): ImportController | null {
  if (imports.length === 0 || cluster === undefined) return null;
  const onTrouble = (name: string, message: string): void => {
    const zones = engine
      .status()
      .filter(({ zone: { id, name: apex } }) => [id, apex].includes(name));
    const ids = new Set(zones.flatMap(({ providers = [] }) => providers));
    warnProviders(provider, ids, { reason: "ImportTrouble", message: `zone ${name}: ${message}` });
  };
  const zones = engine.views;
  return new ImportController({ ...cluster, ...ports, imports, zones, startQueue, onTrouble });
}
