/**
 * Writes objects to a Kubernetes API as a user's tool does: JSON over kept connections, one call
 * for one object.
 */
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";

/** Where the API is; what api-process.ts prints. */
export interface ApiAddress {
  readonly kubeconfig: string;
  readonly server: string;
  readonly caFile: string;
  readonly token: string;
}

/** One call. */
export interface ApiCall {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  /** A PATCH is a merge patch. */
  readonly body?: unknown;
}

/** A client of one API. */
export class ApiCalls {
  readonly #address: ApiAddress;
  readonly #agent: Agent;
  /** Calls so far. */
  calls = 0;
  /** Those that write. */
  writes = 0;

  constructor(address: ApiAddress) {
    this.#address = address;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 16, ca: readFileSync(address.caFile) });
  }

  /** The answer's object. Rejects when the status is neither 2xx nor that the object exists. */
  call({ method, path, body }: ApiCall): Promise<unknown> {
    this.calls += 1;
    if (method !== "GET") this.writes += 1;
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const headers = { authorization: `Bearer ${this.#address.token}`, "content-type": type };
    return new Promise((resolve, reject) => {
      const url = `${this.#address.server}${path}`;
      const sent = request(url, { method, headers, agent: this.#agent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => {
          const { statusCode = 500 } = response;
          const isGood = statusCode < 300 || (method === "POST" && statusCode === 409);
          if (isGood) resolve(JSON.parse(text));
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
        });
      });
      // The server may close a kept connection in the moment in which it is used again.
      sent.on("error", (error) => {
        if (sent.reusedSocket) this.call({ method, path, body }).then(resolve, reject);
        else reject(error);
      });
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Runs calls, at most 16 at a time. */
  async all(calls: readonly ApiCall[]): Promise<void> {
    const rest = [...calls].reverse();
    const worker = async (): Promise<void> => {
      for (let next = rest.pop(); next !== undefined; next = rest.pop()) await this.call(next);
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  }

  close(): void {
    this.#agent.destroy();
  }
}

const ENTRIES = "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsentries";

/** A POST of the DNSEntry `host-<index>`; `more`: other fields of its spec. */
export function createEntry(index: number, target: string, more: object = {}): ApiCall {
  const body = {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSEntry",
    metadata: { name: `host-${index}`, namespace: "default" },
    spec: { dnsName: nameOf(index), ttl: 60, targets: [target], ...more },
  };
  return { method: "POST", path: ENTRIES, body };
}

/** A PATCH of its target. */
export function patchEntry(index: number, address: string): ApiCall {
  return {
    method: "PATCH",
    path: `${ENTRIES}/host-${index}`,
    body: { spec: { targets: [address] } },
  };
}

/** Its name in the zone. */
export function nameOf(index: number): string {
  return `host-${index}.example.org`;
}

/** Secret and DNSProvider for a server that takes signed updates of example.org and more zones. */
export function createProvider(
  server: {
    readonly port: number;
    readonly key: { readonly name: string; readonly secretBase64: string };
  },
  moreZones: readonly string[] = [],
): readonly ApiCall[] {
  const metadata = { name: "bind", namespace: "default" };
  const stringData = {
    Server: `127.0.0.1:${server.port}`,
    Zone: "example.org.",
    TSIGKeyName: `${server.key.name}.`,
    TSIGSecret: server.key.secretBase64,
    TSIGSecretAlgorithm: "hmac-sha256",
  };
  const spec = {
    type: "rfc2136",
    secretRef: { name: "bind" },
    domains: { include: ["example.org", ...moreZones] },
    ...(moreZones.length === 0 ? {} : { providerConfig: { zones: moreZones } }),
  };
  const provider = {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSProvider",
    metadata,
    spec,
  };
  return [
    { method: "POST", path: "/api/v1/namespaces/default/secrets", body: { metadata, stringData } },
    {
      method: "POST",
      path: "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsproviders",
      body: provider,
    },
  ];
}
