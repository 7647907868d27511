/**
 * The whole program on a cluster in memory and a zone in memory, in virtual time: `compose` with
 * real guards, queues and registries. The cluster has a DNSProvider of the zone example.org.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Net } from "@zonekeeper/base/ports/net";
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import { compose } from "../../../src/app/compose/compose.ts";
import { queueStarter } from "../../../src/app/compose/open-cluster.ts";
import { openGuards, openPauses } from "../../../src/app/compose/open-guards.ts";
import { configuredRegistry, journalIn } from "../../../src/app/compose/zone-openers.ts";
import { METRICS } from "../../../src/app/ports/metrics-table.ts";
import { PrometheusMetrics } from "../../../src/app/ports/prometheus-metrics.ts";
import { RealCrypto } from "../../../src/app/ports/real-crypto.ts";
import { StoredState } from "../../../src/app/ports/wrapped-store.ts";
import type { RegistryConfig } from "../../../src/config/ownership-options.ts";
import type { PublishConfig } from "../../../src/config/publish-options.ts";
import type { DnsClasses } from "../../../src/model/dns-class.ts";
import { type ImportRules, portOf } from "../../../src/model/imports.ts";
import { DNS_PROVIDER } from "../../../src/model/kinds.ts";
import type { Adoption } from "../../../src/plan/rules.ts";
import type { ProviderType } from "../../../src/providers/provider.ts";
import { SOURCES } from "../../../src/sources/index.ts";
import type { SourceRow } from "../../../src/sources/source.ts";
import type { FenceOptions } from "../../../src/sync/fence/zone-fence.ts";
import type { MemoryFaults } from "../memory-provider/faults.ts";
import { MemoryAccount, memoryProvider } from "../memory-provider/provider.ts";
import { MemoryLog, SeededRandom } from "../ports/test-ports.ts";
import { VirtualClock } from "../ports/virtual-clock.ts";
import { parseZone, showZone } from "../values/zone-text.ts";
import { DEFAULT_CLASSES } from "./default-classes.ts";
import { DEFAULT_PUBLISH } from "./default-publish.ts";
import { FakeResolver } from "./fake-resolver.ts";
import { MemoryCluster } from "./memory-cluster.ts";

const noNet: Net = {
  connectTcp: () => Promise.reject(new Error("no network")),
  listenTcp: () => Promise.reject(new Error("no network")),
  bindUdp: () => Promise.reject(new Error("no network")),
};

const HTTPS = [portOf("https", 443)];

/** How the program is started. */
export interface ProgramOptions {
  /** Default `compound`, `service-dns` and `ingress-dns`. */
  readonly controllers?: readonly string[];
  /** Default SOURCES. */
  readonly sources?: readonly SourceRow[];
  readonly dryRun?: boolean;
  readonly paused?: boolean;
  /** Records of the zone before the first start, as `zone-text.ts` writes them; default none. */
  readonly zone?: string;
  /** As `--publish`; default null: as the rows of the sources say. */
  readonly publishing?: "entries" | "direct" | null;
  /** Cluster id; default `c1`, which a person chose. */
  readonly clusterId?: string;
  /** As `--exclude-domains`; default none. */
  readonly excludedDomains?: readonly DnsName[];
  /** As `--target-namespace`; default null. */
  readonly targetNamespace?: string | null;
  /** As `--registry`; default `txt`. */
  readonly registry?: RegistryConfig["format"];
  /** Everybody can ask the zone; default: nobody knows. */
  readonly visibility?: "public";
  /** The history of zones is kept; default false. */
  readonly isJournalKept?: boolean;
}

/** What lies between one process and the world: it may end there at any call. */
export interface ProcessBorder {
  readonly clock: Clock;
  access(cluster: MemoryCluster): ReturnType<typeof accessTo>;
  provider(type: ProviderType): ProviderType;
}

/** Another installation in the same world. */
interface StartOptions {
  /** Default: nothing; the process ends by `stop` alone. */
  readonly border?: ProcessBorder;
  /** Default those of the world. */
  readonly runs?: readonly string[];
  /** Where its sources read; default the cluster of the world. */
  readonly source?: MemoryCluster;
  /** Where its DNSEntries are; default the cluster of the world. */
  readonly target?: MemoryCluster;
  /** Where its DNSProviders are; default the cluster of the world. */
  readonly providers?: MemoryCluster;
  /** Default `me`. */
  readonly owner?: string;
  /** As `--dns-class`; default `gardendns`. */
  readonly dnsClasses?: DnsClasses;
  /** As `--source-dns-class`; default `dnsClasses`. */
  readonly sourceClasses?: DnsClasses;
  /** As `--dns-target-class`; default the first source class. */
  readonly targetClass?: string;
  /** Others of the options about publishing. */
  readonly publish?: Partial<PublishConfig>;
  /** As `--import` with `--import-ports https/443`; default none. */
  readonly imports?: readonly Pick<ImportRules, "zone" | "namespace">[];
  /** As `--adopt`; default never. */
  readonly adoption?: Adoption;
  /** As `--blocked-zone`; default none. */
  readonly blockedZones?: readonly string[];
  /** Default: zones are not fenced. */
  readonly fence?: FenceOptions;
  /** Of the program and its configuration, for the fuse; default `1`. */
  readonly version?: string;
  /** Of the program's ports; default none. */
  readonly asTyped?: (text: string) => string;
  /** As `--provider-types`: `memory`, and `second` of the zone example.com; default all. */
  readonly providerTypes?: readonly string[];
}

/** `start` starts a process; cluster and zone stay when it stops. */
export function programWorld({
  controllers = ["compound", "service-dns", "ingress-dns"],
  sources = SOURCES,
  dryRun = false,
  paused = false,
  zone = "",
  clusterId = "c1",
  publishing: first = null,
  excludedDomains = [],
  targetNamespace = null,
  registry: format = "txt",
  isJournalKept = false,
  visibility,
}: ProgramOptions = {}) {
  const clock = new VirtualClock();
  const cluster = new MemoryCluster(clusterId, () => clock.nowMs());
  const account = new MemoryAccount();
  const { content } = account.addZone({
    name: trustedDnsName("example.org"),
    ...(visibility === undefined ? {} : { visibility }),
  });
  const second = new MemoryAccount();
  const secondZone = second.addZone({ name: trustedDnsName("example.com") });
  content.write(
    parseZone(zone).map((next) => ({ key: next, next })),
    0,
  );
  addProvider(cluster);
  const metrics = new PrometheusMetrics(METRICS, { process: false });
  const ports = {
    clock,
    random: new SeededRandom(1),
    crypto: new RealCrypto(),
    net: noNet,
    resolver: new FakeResolver(),
    http: undefined as never,
    log: new MemoryLog(),
    metrics,
  };
  const store = new MemoryStore();
  const registry = { format, owns: [], clusterAliases: new Map() };
  const start = (
    publishing = first,
    {
      owner = "me",
      runs = controllers,
      source = cluster,
      target = cluster,
      providers = cluster,
      dnsClasses = DEFAULT_CLASSES,
      sourceClasses = dnsClasses,
      targetClass = sourceClasses[0],
      blockedZones = [],
      adoption = { mode: "never" },
      imports = [],
      publish = {},
      fence,
      asTyped,
      providerTypes,
      version = "1",
      border = { clock, access: accessTo, provider: (type) => type },
    }: StartOptions = {},
  ) => {
    const state = new StoredState(store, "");
    const given = { all: paused, zones: [] };
    const typed = asTyped === undefined ? {} : { asTyped };
    const own = { ...ports, ...typed, clock: border.clock };
    const pauses = openPauses({ ...own, state, owner, given });
    return compose({
      pauses,
      state,
      ...(isJournalKept ? { journal: journalIn(state, "folder") } : {}),
      owner,
      ...(fence === undefined ? {} : { fence }),
      publish: {
        ...{ ...DEFAULT_PUBLISH, dnsClasses, sourceClasses, targetClass, dryRun },
        ...{ publishing, excludedDomains, blockedZones, targetNamespace, ...publish },
      },
      imports: imports.map((one) => ({ ...one, ports: HTTPS, domains: [], excluded: [] })),
      adoption,
      controllers: new Set(runs),
      sources,
      sourceClusters: [border.access(source)],
      target: border.access(target),
      provider: border.access(providers),
      types: [
        border.provider(memoryProvider(account)),
        border.provider({ ...memoryProvider(second), type: "second" }),
      ],
      providerTypes: providerTypes === undefined ? null : new Set(providerTypes),
      openOwnership: configuredRegistry({ ...own, owner, registry }),
      openGuard: openGuards({ ...own, state, pauses, owner, version }),
      startQueue: queueStarter(own),
      ports: own,
    });
  };
  const values = (name: string): readonly string[] =>
    [content, secondZone.content].flatMap((zone) =>
      zone.at(trustedDnsName(name)).flatMap((set) => set.values),
    );
  return {
    clock,
    cluster,
    start,
    values,
    metrics,
    resolver: ports.resolver,
    /** Another zone of the type `second`. */
    secondZone: (name: string) => second.addZone({ name: trustedDnsName(name), id: "2" }),
    zone: () => showZone(content.all()),
    content,
    serial: () => content.serial,
    /** What goes wrong with calls to example.org; NO_FAULTS ends it. */
    breakWith: (faults: MemoryFaults): void => account.breakWith(faults),
    /** The texts at a name of example.org, and another one in their place, by somebody else. */
    textAt: (name: DnsName) => content.at(name).flatMap((set) => set.values),
    writeText: (name: DnsName, value: string) => {
      const [set] = content.at(name);
      if (set !== undefined)
        content.write([{ key: set, next: { ...set, values: [value] } }], clock.nowMs());
    },
  };
}

/** Gives a cluster the DNSProvider `p` of the zone example.org. */
export function addProvider(cluster: MemoryCluster): void {
  cluster.apply(SECRET, objectOf("v1", "Secret", "s", {}));
  const spec = { type: "memory", secretRef: { name: "s" } };
  const provider = objectOf("dns.gardener.cloud/v1alpha1", "DNSProvider", "p", { spec });
  cluster.apply(DNS_PROVIDER, provider);
}

function accessTo(cluster: MemoryCluster): {
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly recorder: EventRecorder;
} {
  return { view: cluster, writer: cluster, recorder: cluster };
}

/** An object of the namespace `default`. */
export function objectOf(
  apiVersion: string,
  kind: string,
  name: string,
  fields: object,
): KubeObject {
  const { metadata = {}, ...others } = fields as { readonly metadata?: object };
  return { apiVersion, kind, metadata: { name, namespace: "default", ...metadata }, ...others };
}
