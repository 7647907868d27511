/**
 * Starts the controllers of one program: DNSProviders, DNSEntries and one for each source. Nothing
 * is decided here; clusters, ports and the engine are handed in.
 */

import type { AccountPorts } from "../controllers/accounts/account.ts";
import { EntryWaits } from "../controllers/objects/entry-waits.ts";
import { type WatchedKind, WatchedObjects } from "../controllers/objects/observe-objects.ts";
import { ProviderDirectory } from "../controllers/zone-choice/provider-directory.ts";
import { EntryController } from "../gardener/dns-entry/entry-controller.ts";
import { ProviderController } from "../gardener/dns-provider/provider-controller.ts";
import { DNS_ENTRY } from "../model/kinds.ts";
import type { ClusterView } from "../ports/cluster-view.ts";
import type { ClusterWriter, EventRecorder } from "../ports/cluster-writer.ts";
import type { StartQueue } from "../ports/work-queue.ts";
import type { ProviderEnvironment, ProviderType } from "../providers/provider.ts";
import { EntrySourceController } from "../source-controllers/entries/entry-source-controller.ts";
import { ZoneSourceController } from "../source-controllers/zones/zone-source-controller.ts";
import type { Source } from "../sources/source.ts";
import type { PublishEngine } from "../sync/contract/publish-engine.ts";
import type { ZoneKey } from "../sync/contract/zone.ts";

/** One cluster, read and written. */
export interface ClusterAccess {
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly recorder: EventRecorder;
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
  /** Sources that publish to zones directly, in the target cluster: `crd`. */
  readonly zoneSources: readonly Source[];
  readonly engine: PublishEngine;
  readonly types: ReadonlyMap<string, ProviderType>;
  readonly environment: ProviderEnvironment;
  /** Policy, adoption, managed types and default TTL of every zone. */
  readonly rules: AccountPorts["rules"];
  readonly openOwnership: AccountPorts["openOwnership"];
  readonly startQueue: StartQueue;
  /** Class of objects that are read. */
  readonly dnsClass: string;
  /** Class of generated entries; usually the same. */
  readonly targetClass: string;
  /** Namespace of generated entries; null = that of their source. */
  readonly targetNamespace: string | null;
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
 * Kinds that markers may name, for the observer that the engine is made with (before the
 * controllers).
 */
export function watchedKinds(
  options: Pick<ControllersOptions, "sourceClusters" | "target" | "entrySources" | "zoneSources">,
): readonly WatchedKind[] {
  const sources = options.sourceClusters.flatMap(({ view, writer: reader }) =>
    options.entrySources.map((source) => ({ view, kind: source.primary, source, reader })),
  );
  const { view, writer: reader } = options.target;
  const direct = options.zoneSources.map(({ primary }) => ({ view, kind: primary, reader }));
  return [{ view, kind: DNS_ENTRY, reader }, ...direct, ...sources];
}

/** Starts everything. */
export function startControllers(options: ControllersOptions): Controllers {
  const { engine, environment, rules, startQueue, dnsClass, target } = options;
  const directory = new ProviderDirectory({
    anyNamespace: options.anyNamespace,
    cutOf: (key, name) => engine.cutOf(key, name),
  });
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
    dnsClass,
  });
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
    dnsClass,
    defaultTtlSeconds: rules.defaultTtlSeconds,
  });
  const endpoints = startEndpoints(options, directory, (key) => providers.ensureOpen(key));
  const sources = startSources(options, waits);
  return {
    directory,
    async stop() {
      stopCuts();
      await Promise.all(sources.map((source) => source.stop()));
      await Promise.all(endpoints.map((endpoint) => endpoint.stop()));
      await entries.stop();
      await providers.stop();
    },
  };
}

function startEndpoints(
  { zoneSources, target, engine, startQueue }: ControllersOptions,
  directory: ProviderDirectory,
  ensureOpen: (key: ZoneKey) => void,
): readonly ZoneSourceController[] {
  return zoneSources.map(
    (source) =>
      new ZoneSourceController({ ...target, source, directory, engine, ensureOpen, startQueue }),
  );
}

function startSources(
  options: ControllersOptions,
  waits: EntryWaits,
): readonly EntrySourceController[] {
  return options.sourceClusters.flatMap(({ view, writer, recorder }) =>
    options.entrySources.map(
      (source) =>
        new EntrySourceController({
          waits,
          source,
          view,
          reader: writer,
          recorder,
          target: options.target,
          targetNamespace: options.targetNamespace,
          targetClass: options.targetClass,
          crypto: options.environment.crypto,
          startQueue: options.startQueue,
        }),
    ),
  );
}
