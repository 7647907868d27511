/**
 * One cluster, one memory engine, all Gardener controllers, virtual time: the stage of controller
 * tests.
 */
import { createHash, createHmac } from "node:crypto";
import { OperationError } from "@zonekeeper/base/operation-error";
import { fail, ok } from "@zonekeeper/base/result";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SECRET, SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { RefusedWrites } from "../../../src/app/compose/refused-writes.ts";
import { type Controllers, startControllers } from "../../../src/app/compose/start-controllers.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../../src/model/kinds.ts";
import type { Zone } from "../../../src/model/zone.ts";
import type {
  ProviderEnvironment,
  ProviderSession,
  ProviderType,
} from "../../../src/providers/provider.ts";
import { openSource } from "../../../src/sources/index.ts";
import type { Source } from "../../../src/sources/source.ts";
import { MemoryLog, MemoryMetrics } from "../ports/test-ports.ts";
import { VirtualClock } from "../ports/virtual-clock.ts";
import { DEFAULT_CLASSES } from "./default-classes.ts";
import { DEFAULT_MARKS } from "./default-publish.ts";
import { FakeResolver } from "./fake-resolver.ts";
import { MemoryCluster } from "./memory-cluster.ts";
import { MemoryEngine } from "./memory-engine.ts";
import { MemoryQueues } from "./memory-queue.ts";
import { ZoneServers } from "./zone-servers.ts";

/** A provider account whose zones a test sets. */
export class MemoryAccounts implements ProviderType {
  readonly type = "memory";
  /** Each an apex, or `id@apex`. */
  zones: readonly string[] = ["example.org"];
  /** Listing fails with this message. */
  failure: string | null = null;
  opened = 0;
  closed = 0;
  listings = 0;

  open(settings: { readonly secret: Readonly<Record<string, string>> }) {
    if (settings.secret["KEY"] === undefined)
      return fail([
        { code: "MissingKey", subject: "secret", message: 'the Secret lacks the key "KEY"' },
      ]);
    this.opened += 1;
    return ok(this.#session());
  }

  #session(): ProviderSession {
    const unused = (): never => {
      throw new Error("not used by controllers");
    };
    return {
      capabilities: {
        types: new Set(["A"]),
        atomicity: "zone",
        preconditions: {
          written: { absent: "sent", exact: "sent" },
          others: { absent: "sent", exact: "sent" },
        },
        cnameConflicts: "dropped",
        batch: { groupsMax: 1, valuesMax: 1, bytesMax: 1 },
        ttl: { minSeconds: 0, maxSeconds: 1 },
        rate: null,
      },
      zones: async () => {
        this.listings += 1;
        if (this.failure !== null)
          throw new OperationError({
            code: "Unavailable",
            message: this.failure,
            retry: "backoff",
          });
        return this.zones.map(
          (text): Zone => ({
            id: text.slice(0, Math.max(0, text.indexOf("@"))) || text,
            name: trustedDnsName(text.slice(text.indexOf("@") + 1)),
            providerType: "memory",
            endpoint: "",
            view: "",
          }),
        );
      },
      records: unused,
      audit: () => [],
      normalize: (set) => set,
      apply: unused,
      close: () => {
        this.closed += 1;
      },
    };
  }
}

/** The stage. `start` and `crash` may alternate; cluster and zones stay. */
export class GardenerWorld {
  readonly clock = new VirtualClock();
  readonly cluster = new MemoryCluster("c1", () => this.clock.nowMs());
  readonly engine = new MemoryEngine();
  readonly accounts = new MemoryAccounts();
  readonly queues = new MemoryQueues(this.clock);
  readonly servers = new ZoneServers();
  /** Queries a minute for the condition Live of all objects; counts from the next start. */
  liveQueriesPerMinute = 0;
  readonly log = new MemoryLog();
  #controllers: Controllers | null = null;

  start(): void {
    const { cluster, clock } = this;
    const access = { view: cluster, writer: cluster, recorder: cluster };
    const options = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null };
    const source = (name: string): Source => openSource(name, options);
    const crypto = {
      hash: (algorithm: string, data: Uint8Array) => createHash(algorithm).update(data).digest(),
      hmac: (algorithm: string, key: Uint8Array, data: Uint8Array) =>
        createHmac(algorithm, key).update(data).digest(),
      equal: () => false,
    };
    const environment = { clock, crypto, log: this.log } as unknown as ProviderEnvironment;
    this.#controllers = startControllers({
      metrics: new MemoryMetrics(),
      sourceClusters: [access],
      target: access,
      provider: access,
      entrySources: [source("service-dns"), source("ingress-dns")],
      zoneSources: [],
      statusAnnotation: false,
      resolver: new FakeResolver(),
      live: this.servers.checks(clock, this.liveQueriesPerMinute),
      entrySource: source("dnsentry"),
      engine: this.engine,
      types: new Map([["memory", this.accounts]]),
      providerTypes: null,
      environment,
      rules: {
        policy: "sync",
        adoption: { mode: "never" },
        managedTypes: new Set(["A", "AAAA", "CNAME", "TXT"]),
        defaultTtlSeconds: 300,
        blockedZones: [],
      },
      openOwnership: () => ({}) as never,
      startQueue: this.queues.start,
      ...options,
      sourceClasses: options.dnsClasses,
      targetClass: "gardendns",
      marks: DEFAULT_MARKS,
      aliases: new Map(),
      anyNamespace: false,
      refused: new RefusedWrites([]),
      ownerId: "me",
    });
  }

  /** Everything in memory is lost. */
  async crash(): Promise<void> {
    await this.#controllers?.stop();
    this.#controllers = null;
  }

  /** Lets `ms` of virtual time pass and everything that is due happen. */
  async pass(ms = 100): Promise<void> {
    await this.clock.advance(ms);
  }

  /** A provider with its Secret, and time for it to become Ready. */
  async withProvider(name = "p", spec: object = {}): Promise<void> {
    this.cluster.apply(SECRET, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace: "default" },
      data: { KEY: btoa(`hush-${name}`) },
    });
    this.cluster.apply(DNS_PROVIDER, {
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSProvider",
      metadata: { name, namespace: "default" },
      spec: { type: "memory", secretRef: { name }, ...spec },
    });
    await this.pass();
  }

  /** An entry with these spec fields. */
  entry(name: string, spec: object, annotations: Readonly<Record<string, string>> = {}): void {
    this.cluster.apply(DNS_ENTRY, {
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSEntry",
      metadata: { name, namespace: "default", annotations },
      spec,
    });
  }

  /** A Service of type LoadBalancer with an address; `names` empty = without the annotation. */
  service(name: string, names: string, address: string | null = "192.0.2.1"): void {
    this.cluster.apply(SERVICE, {
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
    this.cluster.setStatus(SERVICE, "default", name, { loadBalancer: { ingress } });
  }

  /** `status` of an entry; empty when it is gone. */
  status(name: string): Readonly<Record<string, unknown>> {
    return fieldsOf(this.cluster.now(DNS_ENTRY, "default", name)?.["status"]);
  }

  /** `state: message` of an entry. */
  shown(name: string): string {
    const { state = "", message = "" } = this.status(name);
    return `${state}: ${message}`;
  }

  /** What stands in the zone, as sorted lines `name ttl type value…`. */
  zone(id = "example.org"): readonly string[] {
    return this.engine.zone(id);
  }

  provider(name = "p"): KubeObject | null {
    return this.cluster.now(DNS_PROVIDER, "default", name);
  }
}
