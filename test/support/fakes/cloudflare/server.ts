/**
 * A stateful fake of Cloudflare's API v4 over HTTP: List Zones, Zone Details, List DNS Records,
 * Batch DNS Records, and the calls of single records. Faults are set by tests.
 */
import { type FakeAnswer, FakeApi, type FakeCall } from "../fake-api.ts";
import { FakeDnsZone, type FakeRecord, FakeRefusal, type RecordInput } from "./dns-zone.ts";

const PATH = "/client/v4";
/** List Zones: per_page, at most 50. */
const ZONES_PER_PAGE_MAX = 50;
const CREATED_ON = "2026-11-23T00:00:00.000000Z";

/** The body of an answer without success. */
export function errorBody(code: number, message: string): string {
  return JSON.stringify(envelope(null, { errors: [{ code, message }] }));
}

function envelope(result: unknown, more: Readonly<Record<string, unknown>> = {}): unknown {
  return { success: more["errors"] === undefined, errors: [], messages: [], result, ...more };
}

/** A running fake. */
export class FakeCloudflare extends FakeApi {
  readonly zones = new Map<string, FakeDnsZone>();
  /** What `Authorization: Bearer` must have. */
  token = "";
  /** What `X-Auth-Email` and `X-Auth-Key` must have; null = no such user. */
  user: { readonly email: string; readonly key: string } | null = null;
  /** Zones that the token may read and not edit. */
  readonly readOnly = new Set<string>();
  /** Requests that are answered; after them 429. */
  requestsMax = Number.POSITIVE_INFINITY;
  /** Smaller pages than are asked for; null = as asked. */
  perPageMax: number | null = null;
  /** Called after each page of records, before its answer is sent. */
  afterPage: () => void = () => undefined;
  #requests = 0;

  addZone(id: string, name: string, plan = "free"): FakeDnsZone {
    const zone = new FakeDnsZone(id, name, plan);
    this.zones.set(id, zone);
    return zone;
  }

  protected answer(call: FakeCall): FakeAnswer {
    this.#requests += 1;
    if (this.#requests > this.requestsMax)
      return refusal(429, 971, "Please wait and consider throttling your request speed", {
        "retry-after": "300",
      });
    const unauthorized = this.#authTrouble(call);
    if (unauthorized !== null) return unauthorized;
    try {
      return this.#route(call);
    } catch (error) {
      if (!(error instanceof FakeRefusal)) throw error;
      const body = JSON.parse(errorBody(error.code, error.message));
      return { status: 400, body };
    }
  }

  #authTrouble({ headers }: FakeCall): FakeAnswer | null {
    const { authorization = "", "x-auth-email": email, "x-auth-key": key } = headers;
    if (key !== undefined || email !== undefined)
      return this.user?.email === email && this.user?.key === key
        ? null
        : refusal(403, 9103, "Unknown X-Auth-Key or X-Auth-Email");
    if (!/^Bearer [A-Za-z0-9_.-]{20,}$/.test(authorization))
      return {
        status: 400,
        body: envelope(null, {
          errors: [
            {
              code: 6003,
              message: "Invalid request headers",
              error_chain: [{ code: 6111, message: "Invalid format for Authorization header" }],
            },
          ],
        }),
      };
    if (authorization === `Bearer ${this.token}`) return null;
    return refusal(403, 9109, "Invalid access token");
  }

  #route(call: FakeCall): FakeAnswer {
    const path = call.url.pathname.replace(PATH, "");
    if (path === "/zones" && call.method === "GET") return this.#zonesPage(call.url.searchParams);
    const [, id = "", rest = ""] = /^\/zones\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    const zone = this.zones.get(decodeURIComponent(id));
    if (zone === undefined)
      return refusal(
        404,
        7003,
        `Could not route to ${path}, perhaps your object identifier is invalid?`,
      );
    if (rest === "" && call.method === "GET")
      return { status: 200, body: envelope(zoneView(zone)) };
    if (call.method === "GET" && rest === "/dns_records")
      return this.#recordsPage(zone, call.url.searchParams);
    if (this.readOnly.has(zone.id)) return refusal(403, 10000, "Authentication error");
    return { status: 200, body: envelope(write(zone, rest, call)) };
  }

  #zonesPage(query: URLSearchParams): FakeAnswer {
    const perPage = Number(query.get("per_page") ?? "20");
    if (perPage > ZONES_PER_PAGE_MAX) throw new FakeRefusal(1105, "per_page is at most 50");
    return this.#page([...this.zones.values()].map(zoneView), query, perPage);
  }

  #recordsPage(zone: FakeDnsZone, query: URLSearchParams): FakeAnswer {
    const name = query.get("name.exact") ?? query.get("name");
    const end = query.get("name.endswith") ?? "";
    const type = query.get("type");
    const found = zone.records.filter(
      (one) =>
        (name === null || one.name === name.toLowerCase()) &&
        one.name.endsWith(end.toLowerCase()) &&
        (type === null || one.type === type),
    );
    const perPage = Number(query.get("per_page") ?? "100");
    const answer = this.#page(
      found.map((record) => recordView(record)),
      query,
      perPage,
    );
    this.afterPage();
    return answer;
  }

  #page(all: readonly unknown[], query: URLSearchParams, perPage: number): FakeAnswer {
    const size = Math.min(perPage, this.perPageMax ?? perPage);
    const page = Number(query.get("page") ?? "1");
    const result = all.slice((page - 1) * size, page * size);
    const info = {
      page,
      per_page: size,
      count: result.length,
      total_count: all.length,
      total_pages: Math.ceil(all.length / size),
    };
    return { status: 200, body: envelope(result, { result_info: info }) };
  }
}

/** Batch and single records; whoever calls the latter is a judge, not we. */
function write(zone: FakeDnsZone, rest: string, { method, body }: FakeCall): unknown {
  const input: RecordInput = body === "" ? {} : JSON.parse(body);
  if (method === "POST" && rest === "/dns_records/batch") {
    const lists = input as Readonly<Record<string, readonly RecordInput[]>>;
    const result = zone.apply(lists);
    return Object.fromEntries(
      Object.entries(result).map(([list, records]) => [list, records.map(recordView)]),
    );
  }
  if (method === "POST" && rest === "/dns_records") return recordView(zone.add(input));
  const id = rest.replace("/dns_records/", "");
  if (method === "DELETE") {
    zone.remove(id);
    return { id };
  }
  const list = method === "PUT" ? "puts" : "patches";
  const [record] = zone.apply({ [list]: [{ ...input, id }] })[list];
  return record === undefined ? null : recordView(record);
}

function zoneView(zone: FakeDnsZone): unknown {
  return {
    id: zone.id,
    name: zone.name,
    status: "active",
    paused: false,
    type: zone.type,
    name_servers: zone.nameServers,
    account: { id: "9a7806061c88ada191ed06f989cc3dac", name: "Example Account" },
    owner: { id: "9a7806061c88ada191ed06f989cc3dac", type: "organization", name: "Example" },
    created_on: CREATED_ON,
    modified_on: CREATED_ON,
    activated_on: null,
    development_mode: 0,
    meta: { page_rule_quota: 3, phishing_detected: false, step: 4 },
    plan: { id: "0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee", legacy_id: zone.plan },
  };
}

function recordView(record: FakeRecord): unknown {
  const { type } = record;
  return {
    ...record,
    proxiable: type === "A" || type === "AAAA" || type === "CNAME",
    settings: {},
    meta: {},
    created_on: CREATED_ON,
    modified_on: CREATED_ON,
  };
}

function refusal(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): FakeAnswer {
  return { status, body: JSON.parse(errorBody(code, message)), headers };
}
