/**
 * The HTTP client of one cluster, with fresh credentials: certificates that were renewed on disk or
 * by a credential plugin are used within a minute. Requests that are under way end on the
 * connection on which they began.
 */
import type { HttpClient, HttpRequest, HttpResponse } from "@zonekeeper/base/ports/http";
import type { ClusterAccess } from "@zonekeeper/kube/client/access/cluster-access";
import {
  ClusterCredentials,
  type CredentialPorts,
} from "@zonekeeper/kube/client/access/credentials";
import { RealClock } from "../../ports/real-clock.ts";
import { RealHttpClient, type RealHttpClientOptions } from "../../ports/real-http-client.ts";
import { realSources, resolveAccess } from "./resolve-access.ts";

/** Milliseconds after which certificates are read again. */
const TLS_AGE_MS = 60_000;
/** Milliseconds after which a former client is closed; longer than a watch lives. */
const RETIRE_MS = 900_000;

/** Limits of the client, as in `RealHttpClientOptions`. */
export type ClientLimits = Pick<RealHttpClientOptions, "headersTimeoutMs" | "mayDial">;

/** Opens no connection before the first request. */
export class ClusterHttpClient implements HttpClient {
  readonly #access: ClusterAccess;
  readonly #credentials: ClusterCredentials;
  readonly #ports: CredentialPorts;
  readonly #limits: ClientLimits;
  #inner: {
    readonly client: RealHttpClient;
    readonly tls: string;
    readonly checkedMs: number;
  } | null = null;
  readonly #retired = new Map<RealHttpClient, NodeJS.Timeout>();

  constructor(access: ClusterAccess, ports: CredentialPorts, limits: ClientLimits = {}) {
    this.#access = access;
    this.#limits = limits;
    this.#credentials = new ClusterCredentials(access, ports);
    this.#ports = ports;
  }

  async request(request: HttpRequest): Promise<HttpResponse> {
    const client = await this.#current();
    const { generation } = this.#credentials;
    const response = await client.request(request);
    if (response.status === 401) {
      this.#credentials.invalidate(generation);
      if (this.#inner !== null) this.#inner = { ...this.#inner, checkedMs: -TLS_AGE_MS };
    }
    return response;
  }

  close(): void {
    this.#inner?.client.close();
    for (const [client, timer] of this.#retired) {
      clearTimeout(timer);
      client.close();
    }
  }

  async #current(): Promise<RealHttpClient> {
    const nowMs = this.#ports.clock.monotonicMs();
    if (this.#inner !== null && nowMs - this.#inner.checkedMs < TLS_AGE_MS)
      return this.#inner.client;
    const material = await this.#credentials.tls();
    const tls = JSON.stringify(material);
    const present = this.#inner;
    if (present?.tls === tls) {
      this.#inner = { ...present, checkedMs: nowMs };
      return present.client;
    }
    const client = new RealHttpClient({
      origin: this.#access.server,
      tls: material,
      ...this.#limits,
      ...(this.#access.proxyUrl === null ? {} : { proxyUrl: this.#access.proxyUrl }),
      authorization: () => this.#credentials.authorization(),
    });
    this.#inner = { client, tls, checkedMs: nowMs };
    if (present !== null) this.#retire(present.client);
    return client;
  }

  #retire(client: RealHttpClient): void {
    const timer = setTimeout(() => {
      this.#retired.delete(client);
      client.close();
    }, RETIRE_MS);
    timer.unref();
    this.#retired.set(client, timer);
  }
}

/** The cluster that the user of this process means; whoever opens it closes its client. */
export async function openUserCluster(
  kubeconfig: string | null,
  context: string | null,
  limits: ClientLimits = {},
) {
  const clock = new RealClock();
  const from = realSources(clock, context);
  const access = await resolveAccess(kubeconfig, from);
  const http = new ClusterHttpClient(access, from.credentials, limits);
  return { http, clock, origin: access.origin };
}
