/**
 * The whole publishing spine in one process: memory cluster, controllers, the real engine, TXT
 * ownership and the memory provider, on a virtual clock. What is read from `zone()` is what a DNS
 * server would answer from.
 */

import { createHash, createHmac } from "node:crypto";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SECRET, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ControllersOptions } from "../../../src/app/compose/controllers-options.ts";
import { RefusedWrites } from "../../../src/app/compose/refused-writes.ts";
import {
  type Controllers,
  startControllers,
  watchedKinds,
} from "../../../src/app/compose/start-controllers.ts";
import { WatchedObjects } from "../../../src/controllers/objects/observe-objects.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../../src/model/kinds.ts";
import type { RecordSet } from "../../../src/model/record-set.ts";
import { openTxtOwnership } from "../../../src/ownership/txt/ownership.ts";
import { openSource } from "../../../src/sources/index.ts";
import type { Source } from "../../../src/sources/source.ts";
import { SYNC_DEFAULTS } from "../../../src/sync/contract/settings.ts";
import type { ZoneStatus } from "../../../src/sync/contract/zone-status.ts";
import { Engine, type EngineOptions } from "../../../src/sync/engine.ts";
import { MemoryAccount, memoryProvider } from "../memory-provider/provider.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../ports/test-ports.ts";
import { VirtualClock } from "../ports/virtual-clock.ts";
import { MapState } from "../values/fuse.ts";
import { OPEN_GUARD } from "../values/open-guard.ts";
import { DEFAULT_CLASSES } from "./default-classes.ts";
import { DEFAULT_MARKS } from "./default-publish.ts";
import { FakeResolver } from "./fake-resolver.ts";
import { MemoryCluster } from "./memory-cluster.ts";
import { MemoryQueues } from "./memory-queue.ts";
import { ZoneServers } from "./zone-servers.ts";

const OWNER = "me";

const crypto: Crypto = {
  hash: (algorithm, data) => createHash(algorithm).update(data).digest(),
  hmac: (algorithm, key, data) => createHmac(algorithm, key).update(data).digest(),
  equal: () => false,
};

/** What a test may replace. */
export interface SpineOptions {
  readonly openGuard?: EngineOptions["openGuard"];
  readonly noTargetsGraceMs?: number;
  /** Owner id; default `me`. */
  readonly owner?: string;
  /** Another world whose zones and time it shares, and nothing else. */
  readonly beside?: SpineWorld;
  /** Services and Ingresses are in a cluster `c2` of their own. Default false. */
  readonly sourcesApart?: boolean;
  /** Reads DNSEndpoints too, and manages their types. Default false. */
  readonly endpoints?: boolean;
}

/** The world. `start` and `stop` may alternate; cluster and zones stay. */
export class SpineWorld {
  readonly clock: VirtualClock;
  readonly cluster = new MemoryCluster("c1", () => this.clock.nowMs());
  /** The cluster of Services and Ingresses. */
  readonly sources: MemoryCluster;
  readonly account: MemoryAccount;
  readonly queues: MemoryQueues;
  readonly servers = new ZoneServers();
  readonly resolver = new FakeResolver();
  readonly log = new MemoryLog();
  readonly #state = new MapState();
  #running: { readonly controllers: Controllers; readonly engine: Engine } | null = null;

  readonly #replaced: SpineOptions;

  constructor(zones: readonly string[] = ["example.org"], replaced: SpineOptions = {}) {
    const { beside } = replaced;
    this.#replaced = replaced;
    this.clock = beside?.clock ?? new VirtualClock();
    this.account = beside?.account ?? new MemoryAccount();
    this.queues = new MemoryQueues(this.clock);
    const apart = () => new MemoryCluster("c2", () => this.clock.nowMs());
    this.sources = replaced.sourcesApart === true ? apart() : this.cluster;
    for (const zone of beside === undefined ? zones : [])
      this.account.addZone({ name: trustedDnsName(zone) });
  }

  start(): void {
    const { cluster, sources, clock, log } = this;
    const ports = { clock, log, random: new SeededRandom(3), metrics: new MemoryMetrics() };
    const access = { view: cluster, writer: cluster, recorder: cluster };
    const options: Omit<ControllersOptions, "engine"> = {
      sourceClusters: [{ view: sources, writer: sources, recorder: sources }],
      target: access,
      provider: access,
      entrySources: [source("service-dns"), source("ingress-dns")],
      zoneSources: this.#replaced.endpoints === true ? [source("crd")] : [],
      entrySource: source("dnsentry"),
      statusAnnotation: false,
      live: this.servers.checks(clock),
      resolver: this.resolver,
      metrics: ports.metrics,
      types: new Map([["memory", memoryProvider(this.account)]]),
      providerTypes: null,
      environment: {
        ...ports,
        crypto,
        dryRun: false,
        net: undefined as never,
        http: undefined as never,
      },
      rules: {
        policy: "sync",
        adoption: { mode: "never" },
        managedTypes: new Set(["A", "AAAA", "CNAME", "DNAME", "NS", "TXT"]),
        defaultTtlSeconds: 300,
        blockedZones: [],
      },
      openOwnership: ({ name: apex }, { starInNames = false }) => {
        const isOwnedByUs = (owner: string): boolean => owner === this.#owner;
        return openTxtOwnership({ apex, isOwnedByUs, starInNames });
      },
      startQueue: this.queues.start,
      dnsClasses: DEFAULT_CLASSES,
      sourceClasses: DEFAULT_CLASSES,
      targetClass: "gardendns",
      targetNamespace: null,
      marks: DEFAULT_MARKS,
      aliases: new Map(),
      anyNamespace: false,
      refused: new RefusedWrites([]),
      ownerId: this.#owner,
    };
    const observer = new WatchedObjects(watchedKinds(options), clock);
    const identity = { owners: new Set([this.#owner]), mainOwner: this.#owner, clusterRank: {} };
    const settings = SYNC_DEFAULTS;
    const engine = new Engine({
      identity,
      observer,
      openGuard: () => OPEN_GUARD,
      settings,
      ...ports,
      seenBefore: { state: this.#state, crypto },
      ...this.#replaced,
    });
    observer.onGateChange(() => engine.gatesChanged());
    this.#running = { engine, controllers: startControllers({ ...options, engine }) };
  }

  get #owner(): string {
    return this.#replaced.owner ?? OWNER;
  }

  /** The engine, while it runs. */
  get engine(): Engine {
    if (this.#running === null) throw new Error("not started");
    return this.#running.engine;
  }

  /** What the engine says of its zones. */
  zones(): readonly ZoneStatus[] {
    return this.#running?.engine.status() ?? [];
  }

  /** Approves a held set; answers how many zones had it. */
  async approve(hash: string): Promise<number> {
    return ((await this.#running?.engine.approve(hash)) ?? []).length;
  }

  explain(name: string): Promise<unknown> | undefined {
    return this.#running?.engine.explain(trustedDnsName(name));
  }

  async stop(): Promise<void> {
    const stopped = this.#running?.controllers.stop();
    await this.clock.advance(10_000);
    await stopped;
    await this.#running?.engine.stop();
    this.#running = null;
  }

  /** Lets `ms` of virtual time pass. */
  async pass(ms = 2_000): Promise<void> {
    await this.clock.advance(ms);
  }

  /** All but apex and markers, as sorted lines `name ttl type value…`. */
  zone(name = "example.org"): readonly string[] {
    return this.#sets(name)
      .filter((set) => set.name !== name && !isMarker(set))
      .map((set) => `${set.name} ${set.ttlSeconds} ${set.type} ${set.values.join(" ")}`)
      .sort();
  }

  /** Owner names of all markers, sorted. */
  markers(name = "example.org"): readonly DnsName[] {
    return this.#sets(name)
      .filter(isMarker)
      .map((set) => set.name)
      .sort();
  }

  #sets(name: string): readonly RecordSet[] {
    return this.account.zoneNamed(trustedDnsName(name))?.content.all() ?? [];
  }

  provider(name = "p", spec: object = {}, namespace = "default"): void {
    this.cluster.apply(SECRET, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace },
      data: { KEY: btoa(name) },
    });
    this.cluster.apply(DNS_PROVIDER, {
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSProvider",
      metadata: { name, namespace },
      spec: { type: "memory", secretRef: { name }, ...spec },
    });
  }

  entry(name: string, spec: object, namespace = "default"): void {
    this.cluster.apply(DNS_ENTRY, {
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSEntry",
      metadata: { name, namespace },
      spec,
    });
  }

  /** Replaces all annotations of an object in the namespace default. */
  annotate(kind: KindRef, name: string, annotations: Readonly<Record<string, string>>): void {
    const present = this.cluster.now(kind, "default", name);
    if (present === null) throw new Error(`there is no ${kind.plural} ${name}`);
    const { status: _, ...object } = present;
    this.cluster.apply(kind, { ...object, metadata: { ...present.metadata, annotations } });
  }

  service(name: string, names: string, address: string | null): void {
    this.sources.apply(SERVICE, {
      apiVersion: "v1",
      kind: "Service",
      metadata: {
        name,
        namespace: "default",
        annotations: names === "" ? {} : { "dns.gardener.cloud/dnsnames": names },
      },
      spec: { type: "LoadBalancer" },
    });
    const ingress = address === null ? [] : [{ ip: address }];
    this.sources.setStatus(SERVICE, "default", name, { loadBalancer: { ingress } });
  }

  /** `state: message` of each entry by name. */
  entries(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.cluster.all(DNS_ENTRY).map((entry) => {
        const { state = "", message = "" } = fieldsOf(entry["status"]);
        return [entry.metadata.name, `${state}: ${message}`];
      }),
    );
  }
}

function isMarker(set: RecordSet): boolean {
  return set.type === "TXT" && set.values.some((value) => value.includes("heritage="));
}

function source(name: string): Source {
  const options = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null };
  return openSource(name, options);
}
