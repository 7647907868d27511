/**
 * What an API server really has, asked directly: DNSEntries that tests put and remove, and which
 * UIDs were removed.
 */
import { readFileSync } from "node:fs";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { listAll } from "@zonekeeper/kube/client/watch/list-pages";
import { ApiClusterWriter } from "@zonekeeper/kube/client/write/cluster-writer";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { RealClock } from "../../../src/app/ports/real-clock.ts";
import { RealHttpClient } from "../../../src/app/ports/real-http-client.ts";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import type { ApiServer } from "../api-servers/api-server.ts";

/** A DNSEntry whose text has characters of two and four bytes. */
export function entryOf(name: string, ttl: number): KubeObject {
  return {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSEntry",
    metadata: { name, namespace: "default", annotations: { "example.org/note": "Zürich 🜚" } },
    spec: { dnsName: `${name}.example.org`, ttl },
  };
}

/** `name uid resourceVersion`, by which two sights of an object are the same. */
export function identityOf({ metadata }: KubeObject): string {
  return `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`;
}

/** Past the front. */
export class Truth {
  /** UIDs of what was removed. */
  readonly removed = new Set<string>();
  readonly writer: ApiClusterWriter;
  readonly #http: RealHttpClient;
  readonly #client: ApiClient;
  #ttl = 60;

  constructor(server: ApiServer) {
    const clock = new RealClock();
    this.#http = new RealHttpClient({
      origin: server.url,
      tls: { ca: readFileSync(server.caFile, "utf8") },
      authorization: async () => `Bearer ${server.tokenOf("admin")}`,
    });
    this.#client = new ApiClient({ http: this.#http, clock });
    this.writer = new ApiClusterWriter({
      clusterId: "truth",
      client: this.#client,
      clock,
      rate: null,
    });
  }

  /** Creates it, or changes it. */
  async put(name: string): Promise<void> {
    this.#ttl += 1;
    const at = { kind: DNS_ENTRY, namespace: "default", name };
    if ((await this.writer.read(at)) === null)
      await this.writer.create(DNS_ENTRY, entryOf(name, this.#ttl));
    else await this.writer.patch(at, { spec: { ttl: this.#ttl } });
  }

  /** Removes it if it is there. */
  async remove(name: string): Promise<void> {
    const at = { kind: DNS_ENTRY, namespace: "default", name };
    const found = await this.writer.read(at);
    if (found === null) return;
    this.removed.add(String(found.metadata.uid));
    await this.writer.remove(at);
  }

  /** Identities of all entries, sorted, from a fresh list. */
  async content(): Promise<readonly string[]> {
    const { signal } = new AbortController();
    const list = await listAll({
      client: this.#client,
      kind: DNS_ENTRY,
      notOlderThan: null,
      signal,
    });
    return list.objects.map(identityOf).sort();
  }

  close(): void {
    this.#http.close();
  }
}
