/**
 * Starts the controllers of `dev`, connected to its API by a real socket and to its name server
 * inside the process. Names of its zone are looked up at that server, since no other one knows the
 * zone, and all others at the configured resolver; CNAMEs are followed from one to the other.
 */
import type { HttpClient } from "@zonekeeper/base/ports/http";
import type { Net, SocketAddress } from "@zonekeeper/base/ports/net";
import type { NameServer } from "@zonekeeper/dns/name-server/name-server";
import { type DnsName, isAtOrBelow, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { HostAddresses, Resolver } from "../../../ports/resolver.ts";
import { type Composition, compose } from "../../compose/compose.ts";
import { folderTerm } from "../../compose/lease-epochs.ts";
import { openCluster, previewing, queueStarter } from "../../compose/open-cluster.ts";
import { openPauses } from "../../compose/open-guards.ts";
import { configuredKeys, journalIn, zoneOpeners } from "../../compose/zone-openers.ts";
import { RealHttpClient } from "../../ports/real-http-client.ts";
import { RealResolver } from "../../ports/real-resolver.ts";
import { addressText } from "../../ports/system-error.ts";
import { StoredState } from "../../ports/wrapped-store.ts";
import type { DevContext } from "./dev-context.ts";
import { ensureEmbeddedProvider } from "./embedded-provider.ts";
import type { EmbeddedApi, EmbeddedDns } from "./embedded-servers.ts";
import { LoadBalancer } from "./load-balancer.ts";

/** A client with the controllers' token. */
export function apiClient({ identity, tls, teardown }: DevContext, origin: string): HttpClient {
  const client = new RealHttpClient({
    origin,
    tls: { ca: tls.caCertificate },
    authorization: async () => `Bearer ${identity.tokens.controllers}`,
  });
  teardown.add("api client", () => client.close());
  return client;
}

/** The servers that the controllers are connected to. */
export interface Embedded {
  readonly api: EmbeddedApi;
  readonly dns: EmbeddedDns;
  readonly client: HttpClient;
}

/** Starts controllers and load balancer. */
export async function startControllers(
  context: DevContext,
  { api, dns, client }: Embedded,
): Promise<Composition> {
  const { config, identity, teardown, store, rows } = context;
  const { sources, providers, registries } = rows;
  const inDev = sources.filter((row) => row.inDev).map(({ name }) => name);
  const controllers: ReadonlySet<string> = new Set(["compound", ...inDev]);
  const { at, nameServer } = dns;
  const { zone } = config;
  // Look-ups of its zone, and connections to its name server, are within the process.
  const resolver = new OwnResolver({ at, zone }, context.ports.resolver);
  const ports = { ...context.ports, resolver, net: ownNet(context.ports.net, at, nameServer) };
  const { clusterId } = api.controlPlane;
  const cluster = openCluster({
    ...{ http: client, clusterId, namespace: null, sources, ports, writeRate: null },
  });
  teardown.add("cluster", () => cluster.close());
  const { access } = cluster;
  const { owner, tsig } = identity;
  const { dryRun } = config.publish;
  if (dryRun) ports.log.info("dry run: nothing is written to any zone");
  // Load balancer and DNSProvider belong to the embedded cluster, and are written in a dry run,
  // too.
  const worked = previewing(ports.clock, dryRun)(access);
  const [dnsClass] = config.publish.dnsClasses;
  await ensureEmbeddedProvider(access.writer, { at, zone, dnsClass, tsig });
  const startQueue = queueStarter(ports);
  const state = new StoredState(store, "dev/sync/");
  const pauses = openPauses({ ...ports, state, owner, given: config.pause });
  const keys = configuredKeys(config.txt, ports);
  const term = await folderTerm(state, ports.random);
  const running = compose({
    pauses,
    owner,
    publish: config.publish,
    imports: config.imports,
    adoption: { mode: "never" },
    controllers,
    sources,
    sourceClusters: [worked],
    target: worked,
    provider: worked,
    types: providers,
    ...zoneOpeners(
      { ...config, owner, namespace: null, controllers },
      { ...ports, state, pauses, term, keys, rows: registries },
    ),
    journal: journalIn(state, "folder"),
    startQueue,
    ports,
  });
  teardown.add("controllers", () => running.stop());
  const balancer = new LoadBalancer({ ...access, events: access.recorder, startQueue });
  teardown.add("load balancer", () => balancer.stop());
  return running;
}

/**
 * `net`, with plain TCP to `at` connected within the process: other clients may use up the server's
 * connections, and changes must be published all the same.
 */
function ownNet(net: Net, at: SocketAddress, server: NameServer): Net {
  return {
    connectTcp: async (to, options) => {
      const isOwn = to.host === at.host && to.port === at.port && options.tls === undefined;
      return isOwn ? server.connect(at) : net.connectTcp(to, options);
    },
    listenTcp: (where, onConnection, tls) => net.listenTcp(where, onConnection, tls),
    bindUdp: (where, onDatagram) => net.bindUdp(where, onDatagram),
  };
}

/** Aliases of one name that are followed; more is taken for a loop. */
const ALIASES_MAX = 8;
const NO_ADDRESSES: HostAddresses = { a: [], aaaa: [] };

/** The zone and its server. */
interface OwnServer {
  readonly zone: DnsName;
  readonly at: SocketAddress;
}

/** A resolver over two others. */
export class OwnResolver implements Resolver {
  readonly #zone: DnsName;
  readonly #own: RealResolver;
  readonly #others: Resolver;

  /** `others`: for names outside of the zone. */
  constructor({ zone, at }: OwnServer, others: Resolver) {
    this.#zone = zone;
    this.#own = new RealResolver([addressText(at)]);
    this.#others = others;
  }

  async addressesOf(host: DnsName): Promise<HostAddresses> {
    let name: DnsName | null = host;
    for (let aliases = 0; name !== null && aliases < ALIASES_MAX; aliases++) {
      if (!isAtOrBelow(name, this.#zone)) return this.#others.addressesOf(name);
      const found = await this.#own.addressesOf(name);
      if (found.a.length + found.aaaa.length > 0) return found;
      const alias = parseDnsName((await this.#own.aliasOf(name)) ?? "");
      name = alias.ok ? alias.value : null;
    }
    return NO_ADDRESSES;
  }

  textsOf(name: DnsName): Promise<readonly string[]> {
    return (isAtOrBelow(name, this.#zone) ? this.#own : this.#others).textsOf(name);
  }
}
