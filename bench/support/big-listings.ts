/**
 * Zones of many record sets as Cloudflare and Azure list them, made while they are asked for: their
 * fakes keep limits of plans and would need memory of their own. Only listings are answered.
 */
import { AZURE_SECRET } from "../../test/support/fakes/azure/harness.ts";
import { SUBSCRIPTION } from "../../test/support/fakes/azure/server.ts";
import { CLOUDFLARE_SECRET } from "../../test/support/fakes/cloudflare/harness.ts";
import { type FakeAnswer, FakeApi, type FakeCall } from "../../test/support/fakes/fake-api.ts";

/** What the bench opens. */
export interface BigListing {
  readonly type: string;
  readonly secret: Readonly<Record<string, string>>;
  readonly config: unknown;
  stop(): Promise<void>;
}

const hex = (index: number): string => index.toString(16).padStart(32, "0");
const address = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

class BigCloudflare extends FakeApi {
  readonly #sets: number;

  constructor(sets: number) {
    super();
    this.#sets = sets;
  }

  protected answer({ url }: FakeCall): FakeAnswer {
    const [page, perPage] = ["page", "per_page"].map((key) => Number(url.searchParams.get(key)));
    if (!url.pathname.endsWith("/dns_records")) return this.#answered([ZONE], 1, 1, 1);
    const start = ((page ?? 1) - 1) * (perPage ?? 100);
    const length = Math.max(0, Math.min(perPage ?? 100, this.#sets - start));
    const records = Array.from({ length }, (_, index) => recordOf(start + index));
    const pages = Math.ceil(this.#sets / (perPage ?? 100));
    return this.#answered(records, page ?? 1, pages, this.#sets);
  }

  #answered(result: readonly unknown[], page: number, pages: number, total: number): FakeAnswer {
    const info = { page, per_page: 5000, count: result.length, total_count: total };
    const result_info = { ...info, total_pages: pages };
    return { status: 200, body: { success: true, errors: [], messages: [], result, result_info } };
  }
}

const ZONE = {
  id: hex(1),
  name: "example.org",
  status: "active",
  type: "full",
  name_servers: ["a.ns.cloudflare.com"],
  plan: { legacy_id: "enterprise" },
  account: { id: hex(2) },
};

function recordOf(index: number): unknown {
  const data = { type: "A", content: address(index), ttl: 300, proxied: false };
  const rest = { proxiable: true, settings: {}, meta: {}, comment: null, tags: [] };
  return { id: hex(index), name: `host-${index}.example.org`, ...data, ...rest };
}

const AZURE_ZONE = `/subscriptions/${SUBSCRIPTION}/resourceGroups/g/providers/Microsoft.Network/dnszones/example.org`;

class BigAzure extends FakeApi {
  readonly #sets: number;
  origin = "";

  constructor(sets: number) {
    super();
    this.#sets = sets;
  }

  protected answer({ url, method }: FakeCall): FakeAnswer {
    if (method === "POST" || url.pathname.includes(".well-known")) return this.#token(method);
    if (/dnszones$/i.test(url.pathname))
      return { status: 200, body: { value: [{ id: AZURE_ZONE, name: "example.org" }] } };
    const start = Number(url.searchParams.get("$skiptoken") ?? 0);
    const length = Math.min(Number(url.searchParams.get("$top") ?? 100), this.#sets - start);
    const value = Array.from({ length }, (_, index) => azureSetOf(start + index));
    const next = new URL(`${url.pathname}${url.search}`, this.origin);
    next.searchParams.set("$skiptoken", String(start + length));
    const more = start + length < this.#sets ? { nextLink: next.toString() } : {};
    return { status: 200, body: { value, ...more } };
  }

  #token(method: string): FakeAnswer {
    const host = this.origin.replace("http:", "https:");
    const found = { token_endpoint: `${host}/t/oauth2/v2.0/token`, issuer: `${host}/t/v2.0` };
    const other = { authorization_endpoint: `${host}/t/authorize`, jwks_uri: `${host}/t/keys` };
    const token = { token_type: "Bearer", expires_in: 3599, access_token: "token" };
    return { status: 200, body: method === "POST" ? token : { ...found, ...other } };
  }
}

function azureSetOf(index: number): unknown {
  if (index === 0) return AZURE_SOA;
  const name = `host-${index}`;
  return {
    id: `${AZURE_ZONE}/A/${name}`,
    name,
    type: "Microsoft.Network/dnszones/A",
    etag: `${hex(index).slice(0, 8)}-0000-0000-0000-${hex(index).slice(-12)}`,
    properties: {
      fqdn: `${name}.example.org.`,
      TTL: 300,
      ARecords: [{ ipv4Address: address(index) }],
      targetResource: {},
      provisioningState: "Succeeded",
    },
  };
}

const AZURE_SOA = {
  id: `${AZURE_ZONE}/SOA/@`,
  name: "@",
  type: "Microsoft.Network/dnszones/SOA",
  etag: hex(0),
  properties: {
    TTL: 3600,
    SOARecord: {
      host: "ns1-01.azure-dns.com.",
      email: "azuredns-hostmaster.microsoft.com",
      serialNumber: 1,
      refreshTime: 3600,
      retryTime: 300,
      expireTime: 2_419_200,
      minimumTTL: 300,
    },
  },
};

/** Each with a zone `example.org` of so many record sets. */
export async function startBigListings(sets: number): Promise<readonly BigListing[]> {
  const [cloudflare, azure] = [new BigCloudflare(sets), new BigAzure(sets)];
  const endpoint = await cloudflare.start();
  azure.origin = await azure.start();
  const { origin } = azure;
  return [
    {
      type: "cloudflare-dns",
      secret: CLOUDFLARE_SECRET,
      config: { endpoint },
      stop: () => cloudflare.stop(),
    },
    {
      type: "azure-dns",
      secret: AZURE_SECRET,
      config: { endpoint: origin, authorityHost: origin },
      stop: () => azure.stop(),
    },
  ];
}
