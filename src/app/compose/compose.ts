/**
 * Joins clusters, engine (src/sync), sources and controllers into the running program of one term
 * of leadership. `dev`, `run` and tests use this one function; what differs between them (sockets,
 * clusters, registries) is handed in. With `compound` it publishes; without it, it only generates
 * DNSEntries for another instance.
 */
import { invariant } from "@zonekeeper/base/invariant";
import { WatchedObjects } from "../../controllers/objects/observe-objects.ts";
import type { OwnerController } from "../../gardener/dns-owner/owner-controller.ts";
import { zoneIdOf } from "../../gardener/dns-provider/provider-spec.ts";
import { SHARED_OWNER } from "../../model/external-dns-rules.ts";
import { guardedHttp } from "../../providers/shared/guarded-http.ts";
import { openSource } from "../../sources/index.ts";
import { withOwnerFor, withoutDomains } from "../../sources/shared/by-operator.ts";
import type { Source, SourceRow } from "../../sources/source.ts";
import { SYNC_DEFAULTS } from "../../sync/contract/settings.ts";
import { Engine, type EngineOptions } from "../../sync/engine.ts";
import { asksOf } from "./asks-of.ts";
import { openLiveChecks } from "./authority/live-answer.ts";
import type { ComposeOptions, ProgramOptions } from "./controllers-options.ts";
import { type GardenerFigures, NO_FIGURES } from "./gauges.ts";
import { cacheChecks, cachedKinds, cacheStatus, healthOf } from "./health-checks.ts";
import { type HealthCheck, NO_WORK, type Work } from "./instance.ts";
import { measuredHttp } from "./measured-http.ts";
import { observedNames } from "./observed-names.ts";
import { heldEvents } from "./open-guards.ts";
import { openRestoring } from "./open-restoring.ts";
import { pinClusters } from "./pin-clusters.ts";
import { RefusedWrites } from "./refused-writes.ts";
import {
  editorOf,
  furtherRows,
  listedKinds,
  queuedKinds,
  removedEvents,
  shownSourcesOf,
} from "./source-clusters.ts";
import { furtherIdsOf, openImports, openOwners, watchedKinds } from "./start-controllers.ts";
import { startAnnotations, startEntrySources } from "./start-entry-sources.ts";
import { startWithFirstPass } from "./start-with-first-pass.ts";

/** The running program. */
export interface Composition extends Work {
  /** The counts that Gardener's manager has as metrics. */
  figures(): GardenerFigures;
  /** Caches and zones, sorted by name. */
  checks(): readonly HealthCheck[];
  /** Lets calls in flight finish, starts none. Records and objects stay as they are. */
  stop(): Promise<void>;
}

/** Record types of DNSEntries: targets and texts (docs/architecture.md#options). */
const MANAGED_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME", "TXT"]);

/** Starts everything. */
export function compose(options: ComposeOptions): Composition {
  const shared = programOptions(options);
  const refused = new RefusedWrites(queuedKinds(shared));
  // What an API server refuses the controllers is reported.
  const startQueue = refused.following(shared.startQueue);
  const controllerOptions = { ...shared, startQueue, refused };
  if (!options.controllers.has("compound")) return composeSources(controllerOptions, refused);
  const { state = null, owner, ports } = options;
  const pinning = { ...ports, state, owner, onChecked: () => engine.gatesChanged() };
  // Shared by all that ask: with many clusters the list is long.
  const kinds = listedKinds(controllerOptions);
  const pinned = pinClusters(watchedKinds(controllerOptions), pinning);
  const facts = { ...options, areObjectsUnread: () => pass.areObjectsUnread() };
  const observer = new WatchedObjects(pinned.watched, ports.clock, facts);
  const engine: Engine = new Engine({
    ...engineOptions(options, controllerOptions, kinds),
    furtherIds: furtherIdsOf(() => owners),
    observer,
    // With external-dns's options, as with external-dns itself, no name belongs to one namespace.
    tenancyOf: (ways) => ({
      ...controllers.directory.tenancyOf(ways),
      ...(options.publish.externalDns === undefined ? {} : { sharedNames: true }),
    }),
    onHeld: heldEvents(options.provider, (ways) => controllers.directory.serving(ways)),
  });
  const owners: OwnerController = openOwners(options, () => engine.ownerIdsChanged());
  const sourceClusters = controllerOptions.sourceClusters.map(pinned.withIdentity);
  const { clusters = [], sources = [] } = controllerOptions.further ?? {};
  const further = { clusters: clusters.map(pinned.withIdentity), sources };
  const live = openLiveChecks(controllerOptions, options.publish, engine);
  const started = { ...controllerOptions, sourceClusters, further, engine, live, owners };
  const { controllers, pass } = startWithFirstPass(started, engine);
  const imports = openImports(options, engine);
  const restoring = openRestoring(controllerOptions, ports);
  // A change of a DNSProvider, too, may open what holds a change: shared names, or a delegation.
  const changed = (): void => engine.gatesChanged();
  const stopGates = [observer.onGateChange(changed), controllers.directory.onChange(changed)];
  return {
    ...asksOf(options, { engine, kinds, refused }),
    caches: () => cachedKinds(controllerOptions).map(cacheStatus),
    troubles: (name) => controllers.directory.troubles(name),
    observed: (watched) =>
      observedNames(shownSourcesOf(watched, started), { ...started, ...controllers }),
    imports: () => imports?.statuses() ?? [],
    approve: async (hash) =>
      (await pinned.accept(hash)) || imports?.approve(hash) === true
        ? engine.health().map(({ key }) => key)
        : engine.approve(hash),
    heldRecords: (hash) => restoring.withEdits(engine.heldRecords(hash)),
    restore: (hash, isDoing) => restoring.restore(engine.heldRecords(hash), isDoing),
    pauses: options.pauses ?? null,
    figures: () => ({ entries: owners.counts(), accounts: controllers.accounts() }),
    checks: () =>
      healthOf(controllerOptions, { pass, pinned, refused, controllers, engine, imports }),
    stop: async () => {
      for (const stopGate of stopGates) stopGate();
      for (const one of [options.pauses, restoring]) one?.close();
      // Zones stop at once: a controller may wait for an API server that does not answer, and
      // another replica may lead by then.
      const running = [pinned, engine, controllers, owners, ...(imports === null ? [] : [imports])];
      await Promise.all(running.map((one) => one.stop()));
    },
  };
}

function engineOptions(
  options: ComposeOptions,
  shared: ProgramOptions,
  kinds: ReturnType<typeof listedKinds>,
): Omit<EngineOptions, "observer" | "tenancyOf"> {
  const { openGuard, publish, sourceClusters, furtherClusters = [], state, journal } = options;
  return {
    identity: {
      owners: new Set([/* clause: former-owner-ids-give-no-right */ options.owner]),
      mainOwner: options.owner,
      // In conflicts between clusters the one that is named first wins (Z-15).
      clusterRank: Object.fromEntries(
        [...sourceClusters, ...furtherClusters].map(({ view }, rank) => [view.clusterId, rank]),
      ),
    },
    isOwnerShared: publish.externalDns !== undefined && options.owner === SHARED_OWNER,
    openGuard,
    // clause: installation-has-a-fence
    ...(options.fence === undefined ? {} : { fence: options.fence }),
    ...(state === undefined ? {} : { seenBefore: { state, crypto: options.ports.crypto } }),
    ...(journal === undefined ? {} : { journal }),
    editorOf: (change) => editorOf(change, kinds),
    ...(publish.externalDns === undefined ? {} : removedEvents(shared)),
    ...options.ports,
    settings: options.settings ?? SYNC_DEFAULTS,
    noTargetsGraceMs: publish.noTargetsGraceMs,
    isPreview: writesNothing(options),
  };
}

/** True = a dry run: the engine sends nothing. */
function writesNothing({ publish }: ComposeOptions): boolean {
  return /* clause: engine-knows-dry-run */ publish.dryRun;
}

/** Without `compound`: DNSEntries are generated for another instance, and no zone is opened. */
function composeSources(controllerOptions: ProgramOptions, refused: RefusedWrites): Composition {
  const running = [
    ...startEntrySources(controllerOptions, null),
    ...startAnnotations(controllerOptions, null),
  ];
  return {
    ...NO_WORK,
    figures: () => NO_FIGURES,
    checks: () => [...cacheChecks(controllerOptions), ...refused.checks()],
    stop: async () => {
      await Promise.all(running.map((controller) => controller.stop()));
    },
  };
}

function programOptions(options: ComposeOptions): ProgramOptions {
  const { sourceClusters, target, provider, openOwnership, startQueue, publish, ports } = options;
  const { externalDns } = publish;
  const chosen = options.sources.filter(
    ({ name, publishes }) => publishes === "itself" || options.controllers.has(name),
  );
  const wayOf = ({ publishes, publishesEither }: SourceRow): SourceRow["publishes"] =>
    publishesEither === true ? (publish.publishing ?? publishes) : publishes;
  const published = (publishes: SourceRow["publishes"]): readonly Source[] =>
    chosen.flatMap((row) => (wayOf(row) === publishes ? sourceOf(row, options) : []));
  const [entrySource] = published("itself");
  invariant(entrySource, "no source reads DNSEntries");
  const rails = { dryRun: writesNothing(options), writeGate: options.pauses?.writeGate };
  const isDialect = externalDns !== undefined;
  return {
    ...publish,
    ...{ sourceClusters, target, provider, openOwnership, startQueue },
    further: { clusters: options.furtherClusters ?? [], sources: furtherSources(options) },
    configCluster: options.configCluster ?? null,
    entrySources: published("entries"),
    entrySource,
    zoneSources: published("direct"),
    ...(isDialect ? { knownReasons: EXTERNAL_DNS_REASONS } : {}),
    types: new Map(options.types.map((type) => [type.type, type])),
    providerTypes: options.providerTypes ?? null,
    environment: {
      ...ports,
      ...rails,
      http: guardedHttp(isDialect ? measuredHttp(ports.http, ports) : ports.http, rails),
      pluginOptions: publish.pluginOptions,
      ...(options.trusts === undefined ? {} : { trusts: options.trusts }),
      ...(options.part === undefined ? {} : { part: options.part }),
    },
    rules: {
      policy: publish.policy,
      adoption: options.adoption,
      managedTypes:
        externalDns?.types ??
        new Set([...MANAGED_TYPES, ...chosen.flatMap(({ types = [] }) => types)]),
      defaultTtlSeconds: publish.ttlSeconds,
      ...(isDialect ? { scope: externalDns.scope, joins: true } : {}),
      allowsPrivateTargets: publish.allowsPrivateTargets,
      blockedZones: publish.blockedZones.map(zoneIdOf),
    },
    resolver: ports.resolver,
    metrics: ports.metrics,
    ownerId: options.owner,
    aliases: options.clusterAliases ?? new Map(),
  };
}

/** As external-dns names its Events (`--events-emit`). */
const EXTERNAL_DNS_REASONS = { published: "RecordReady", trouble: "RecordError" } as const;

/** The sources of further clusters, each kind once. They write no status there. */
function furtherSources({ publish, sources, controllers }: ComposeOptions): readonly Source[] {
  const { sourceClasses: dnsClasses, excludedDomains, targetOwnerId } = publish;
  return furtherRows(sources, controllers).map(({ name }) => ({
    ...withOwnerFor(
      withoutDomains(openSource(name, { ...publish, dnsClasses }, sources), excludedDomains),
      targetOwnerId,
    ),
    writesStatus: false,
  }));
}

function sourceOf(
  { name, publishes, publishesEither }: SourceRow,
  { publish, sources }: ComposeOptions,
): Source {
  const { sourceClasses, ...shared } = publish;
  const dnsClasses = publishes === "itself" ? publish.dnsClasses : sourceClasses;
  const source = openSource(name, { ...shared, dnsClasses }, sources);
  // Options that narrow names hold for annotations, not for objects that are themselves DNS
  // records.
  if (publishes !== "entries" && publishesEither !== true) return source;
  return withOwnerFor(withoutDomains(source, publish.excludedDomains), publish.targetOwnerId);
}
