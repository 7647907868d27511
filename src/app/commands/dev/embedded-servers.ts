/** Starts the two servers that `dev` brings along: the Kubernetes API and the name server. */
import type { SocketAddress } from "@zonekeeper/base/ports/net";
import { NameServer } from "@zonekeeper/dns/name-server/name-server";
import type { ZoneRecordSet } from "@zonekeeper/dns/name-server/zone/zone-version";
import { childName, type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { ControlPlane } from "@zonekeeper/kube/control-plane/control-plane";
import { startHttpServer } from "../../ports/real-http-server.ts";
import { embeddedDefinitions } from "../run/definitions.ts";
import type { DevContext } from "./dev-context.ts";
import { withPort } from "./port-memory.ts";

/** A running API. */
export interface EmbeddedApi {
  readonly controlPlane: ControlPlane;
  readonly at: SocketAddress;
}

/**
 * Opens the API on its kept data and serves it over TLS. Rejects with OperationError
 * `AddressInUse`.
 */
export async function startApi(context: DevContext): Promise<EmbeddedApi> {
  const { config, identity, ports, store, teardown, tls } = context;
  const controlPlane = await ControlPlane.open({
    ...ports,
    store,
    log: ports.log.child({ part: "api" }),
    definitions: embeddedDefinitions(),
    tokens: [
      { name: "admin", token: identity.tokens.admin },
      { name: "zonekeeper", token: identity.tokens.controllers },
    ],
  });
  teardown.add("api", () => controlPlane.stop());
  const server = await withPort({ part: "api", given: config.apiPort }, identity.ports, (port) =>
    startHttpServer({
      handler: controlPlane.handler,
      tooLarge: controlPlane.tooLarge,
      at: { host: config.listen, port },
      tls: { cert: tls.certificate, key: tls.key },
      log: ports.log.child({ part: "api" }),
    }),
  );
  teardown.add("api server", () => server.close());
  return { controlPlane, at: server.local };
}

/** The preferred port; README has it in commands to paste. */
const DNS_PORT = 5300;

const ANSWERS = {
  query: "zonekeeper_dns_queries_total",
  update: "zonekeeper_dns_updates_total",
} as const;

/** A running name server. */
export interface EmbeddedDns {
  readonly nameServer: NameServer;
  readonly at: SocketAddress;
}

/**
 * Serves the zone, which is made if the store does not have it. Rejects with OperationError
 * `AddressInUse`.
 */
export async function startDns(context: DevContext): Promise<EmbeddedDns> {
  const { config, identity, metrics, ports, store, teardown, tls } = context;
  const key = {
    name: trustedDnsName(identity.tsig.name),
    algorithm: identity.tsig.algorithm,
    secret: new Uint8Array(Buffer.from(identity.tsig.secretBase64, "base64")),
  };
  const nameServer = new NameServer({
    ...ports,
    store,
    log: ports.log.child({ part: "name-server" }),
    keys: [{ ...key, zones: "all", mayUpdate: true, mayTransfer: true }],
    notify: {
      secondaries: config.secondaries.map((address) => ({ address, key })),
      random: ports.random,
    },
    onAnswer: (kind, rcode) => metrics.count(ANSWERS[kind], { rcode }),
  });
  await nameServer.addZone(config.zone, firstRecords(config.zone, config.listen));
  const secure =
    config.dnsTlsPort === null
      ? {}
      : { tls: { port: config.dnsTlsPort, certificate: tls.certificate, key: tls.key } };
  const tlsPort = config.dnsTlsPort ?? 0;
  const { port } = await withPort(
    { part: "dns", given: config.dnsPort, preferred: DNS_PORT, tlsPort },
    identity.ports,
    (wanted) => nameServer.start({ address: { host: config.listen, port: wanted }, ...secure }),
  );
  teardown.add("name server", () => nameServer.stop());
  return { nameServer, at: { host: config.listen, port } };
}

/** Seconds; short, so that new names are seen at once while somebody tries things out. */
const NEGATIVE_TTL_SECONDS = 5;
const TTL_SECONDS = 300;

/**
 * SOA, NS and the address of the name server (RFC 1035 §3.3.13). Nobody owns them: they have no
 * marker.
 */
function firstRecords(apex: DnsName, address: string): readonly ZoneRecordSet[] {
  const server = childName("ns", apex) ?? apex;
  const type = address.includes(":") ? "AAAA" : "A";
  const soa = `${server} hostmaster.${apex} 1 3600 600 86400 ${NEGATIVE_TTL_SECONDS}`;
  return [
    { name: apex, type: "SOA", ttlSeconds: TTL_SECONDS, values: [soa] },
    { name: apex, type: "NS", ttlSeconds: TTL_SECONDS, values: [server] },
    { name: server, type, ttlSeconds: TTL_SECONDS, values: [address] },
  ];
}
