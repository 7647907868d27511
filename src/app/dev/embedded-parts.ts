/** Starts the parts that exist outside of `dev` elsewhere: the Kubernetes API and the name server. */

import type { DevConfig } from "../../config/dev-config.ts";
import { ControlPlane } from "../../embedded/control-plane/control-plane.ts";
import { NameServer } from "../../embedded/name-server/name-server.ts";
import { trustedDnsName } from "../../model/dns-name.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Crypto } from "../../ports/crypto.ts";
import type { Log } from "../../ports/log.ts";
import type { Net, SocketAddress } from "../../ports/net.ts";
import type { Random } from "../../ports/random.ts";
import type { Store } from "../../ports/store.ts";
import { startHttpServer } from "../ports/real-http-server.ts";
import type { Teardown } from "../teardown.ts";
import type { ServerCredentials } from "./certificates.ts";
import { firstRecords } from "./first-zone.ts";
import type { Identity } from "./identity.ts";
import { withPort } from "./port-memory.ts";

/** The real world below `dev`. */
export interface DevPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly crypto: Crypto;
  readonly net: Net;
  readonly store: Store;
  readonly log: Log;
}

/** What the embedded parts are started with. */
export interface EmbeddedOptions {
  readonly config: DevConfig;
  readonly identity: Identity;
  readonly ports: DevPorts;
  readonly teardown: Teardown;
}

/** A running API. */
export interface EmbeddedApi {
  readonly controlPlane: ControlPlane;
  readonly at: SocketAddress;
}

/** Opens the API on its kept data and serves it over TLS. Rejects with OperationError `AddressInUse`. */
export async function startApi(
  { config, identity, ports, teardown }: EmbeddedOptions,
  tls: ServerCredentials,
): Promise<EmbeddedApi> {
  const controlPlane = await ControlPlane.open({
    ...ports,
    log: ports.log.child({ part: "api" }),
    tokens: [
      { name: "admin", token: identity.tokens.admin },
      { name: "zonekeeper", token: identity.tokens.controllers },
    ],
  });
  const server = await withPort({ part: "api", given: config.apiPort }, identity.ports, (port) =>
    startHttpServer({
      handler: controlPlane.handler,
      at: { host: config.listen, port },
      tls: { cert: tls.certificate, key: tls.key },
      log: ports.log.child({ part: "api" }),
    }),
  );
  teardown.add("api", async () => {
    await controlPlane.stop();
    await server.close();
  });
  return { controlPlane, at: server.local };
}

/** A running name server. */
export interface EmbeddedDns {
  readonly nameServer: NameServer;
  readonly at: SocketAddress;
}

/** Serves the zone, which is made if the store does not have it. Rejects with OperationError `AddressInUse`. */
export async function startDns({
  config,
  identity,
  ports,
  teardown,
}: EmbeddedOptions): Promise<EmbeddedDns> {
  const { tsig } = identity;
  const nameServer = new NameServer({
    ...ports,
    log: ports.log.child({ part: "name-server" }),
    keys: [
      {
        name: trustedDnsName(tsig.name),
        algorithm: tsig.algorithm,
        secret: new Uint8Array(Buffer.from(tsig.secretBase64, "base64")),
        zones: "all",
        mayUpdate: true,
        mayTransfer: true,
      },
    ],
  });
  await nameServer.addZone(config.zone, firstRecords(config.zone, config.listen));
  const { port } = await withPort(
    { part: "dns", given: config.dnsPort },
    identity.ports,
    (wanted) => nameServer.start({ address: { host: config.listen, port: wanted } }),
  );
  teardown.add("name server", () => nameServer.stop());
  return { nameServer, at: { host: config.listen, port } };
}
