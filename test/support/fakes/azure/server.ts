/**
 * A stateful fake of Azure's resource manager over HTTP (Zones_List, RecordSets_ListByDnsZone and
 * RecordSets_List, RecordSets_Get, _CreateOrUpdate, _Delete; private zones alike) and of the token
 * address of an application. Faults are set by tests.
 */
import { type FakeAnswer, FakeApi, type FakeCall, type TlsPair } from "../fake-api.ts";
import { type Conditions, type FakeRefusal, FakeZone, type SetProperties } from "./fake-zone.ts";

/** Of the fake. */
export const SUBSCRIPTION = "11111111-2222-3333-4444-555555555555";
export const TENANT = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee";
export const CLIENT = "99999999-8888-7777-6666-555555555555";

/** The body of a refused call; the services differ in the form. */
export function errorBody(code: string, message: string, isWrapped = true): string {
  return JSON.stringify(errorOf({ code, message }, isWrapped));
}

function errorOf({ code, message }: Omit<FakeRefusal, "status">, isWrapped: boolean): unknown {
  return isWrapped ? { error: { code, message } } : { code, message };
}

/** A running fake of one subscription. */
export class FakeAzure extends FakeApi {
  readonly zones: FakeZone[] = [];
  /** Of the application; empty = none counts. */
  clientSecret = "";
  /** A foreign token that counts. */
  assertion = "";
  /** The form of refusals: in `error`, or bare. */
  wrapsErrors = true;
  setsPerPage = 1000;
  /** Where the next page is; empty = here. */
  nextHost = "";
  /** Bodies of token calls, decoded. */
  readonly tokenCalls: URLSearchParams[] = [];
  #origin = "";
  #tokens = 0;
  readonly #given = new Set<string>();

  override async start(tls: TlsPair | null = null): Promise<string> {
    this.#origin = await super.start(tls);
    return this.#origin;
  }

  addZone(name: string, isPrivate = false, group = "my-group"): FakeZone {
    const resource = isPrivate ? "privateDnsZones" : "dnszones";
    const id = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${group}/providers/Microsoft.Network/${resource}/${name}`;
    const zone = new FakeZone(id, name, isPrivate);
    this.zones.push(zone);
    return zone;
  }

  /** No token that was given counts any more. */
  revokeTokens(): void {
    this.#given.clear();
  }

  /** Called when a record set was read by its name, before the answer is sent. */
  afterGet: () => void = () => undefined;

  /** A new token that counts. */
  grant(): string {
    this.#tokens += 1;
    const token = `ey.invented-token-${this.#tokens}`;
    this.#given.add(token);
    return token;
  }

  protected answer(call: FakeCall): FakeAnswer {
    const { pathname, searchParams } = call.url;
    if (!pathname.startsWith("/subscriptions/")) return this.#answerToken(call);
    const token = (call.headers.authorization ?? "").replace("Bearer ", "");
    if (!this.#given.has(token))
      return this.#refusal({
        status: 401,
        code: "InvalidAuthenticationToken",
        message: "The access token is invalid.",
      });
    if (!searchParams.has("api-version"))
      return this.#refusal({
        status: 400,
        code: "MissingApiVersionParameter",
        message: "The api-version query parameter (?api-version=) is required for all requests.",
      });
    return this.#route(call);
  }

  #route(call: FakeCall): FakeAnswer {
    const { pathname } = call.url;
    const prefix = `/subscriptions/${SUBSCRIPTION}`;
    if (!pathname.startsWith(prefix))
      return this.#refusal({
        status: 403,
        code: "AuthorizationFailed",
        message: "The client does not have authorization to perform action.",
      });
    const isPrivate = /privateDnsZones/i.test(pathname);
    const listing =
      /^(\/resourceGroups\/(?<group>[^/]+))?\/providers\/Microsoft\.Network\/(private)?dnsZones$/i;
    const listed = listing.exec(pathname.slice(prefix.length));
    if (listed !== null) return this.#zonesOf(listed.groups?.["group"], isPrivate, call.url);
    const zone = this.zones.find(({ id }) =>
      pathname.toLowerCase().startsWith(`${id.toLowerCase()}/`),
    );
    if (zone === undefined)
      return this.#refusal({
        status: 404,
        code: "ResourceNotFound",
        message: "The Resource was not found.",
      });
    const rest = pathname
      .slice(zone.id.length + 1)
      .split("/")
      .map(decodeURIComponent);
    if (rest.length === 1) return this.#page(zone.listing(rest[0] ?? ""), call.url);
    return this.#answerSet(zone, rest, call);
  }

  /** Of a resource group, in any letter case; absent = of the subscription. */
  #zonesOf(group: string | undefined, isPrivate: boolean, url: URL): FakeAnswer {
    const within = `/resourcegroups/${group ?? ""}${group === undefined ? "" : "/"}`.toLowerCase();
    const zones = this.zones.filter(
      (zone) => zone.isPrivate === isPrivate && zone.id.toLowerCase().includes(within),
    );
    return this.#page(zones.map(zoneView), url);
  }

  /**
   * An ETag counts with quotes and without: azure-mgmt-privatedns 2.0 sends them (`quote_etag`),
   * azure-mgmt-dns 9.0 sends none.
   */
  #answerSet(
    zone: FakeZone,
    [type = "", relative = ""]: readonly string[],
    { method, headers, body }: FakeCall,
  ): FakeAnswer {
    const conditions: Conditions = {
      ifMatch: headers["if-match"]?.replace(/^"(.*)"$/, "$1") ?? null,
      ifNoneMatch: headers["if-none-match"] ?? null,
    };
    if (method === "DELETE") {
      const result = zone.remove(type, relative, conditions);
      if (result === null) return { status: 200 };
      return result === false ? { status: 204 } : this.#refusal(result);
    }
    if (method === "GET") {
      const set = zone.find(type, relative);
      this.afterGet();
      const message = `The resource record '${relative}' does not exist in resource group.`;
      return set === null
        ? this.#refusal({ status: 404, code: "NotFound", message })
        : { status: 200, body: set };
    }
    const { properties } = JSON.parse(body) as { readonly properties: SetProperties };
    const result = zone.write(type, relative, { ...conditions, properties });
    if (!("set" in result)) return this.#refusal(result);
    return { status: result.isNew ? 201 : 200, body: result.set };
  }

  #refusal(refusal: FakeRefusal): FakeAnswer {
    return { status: refusal.status, body: errorOf(refusal, this.wrapsErrors) };
  }

  #page(items: readonly unknown[], url: URL): FakeAnswer {
    const start = Number(url.searchParams.get("$skiptoken") ?? 0);
    const end = start + Math.min(Number(url.searchParams.get("$top") ?? 100), this.setsPerPage);
    if (end >= items.length) return { status: 200, body: { value: items.slice(start, end) } };
    const next = new URL(`${url.pathname}${url.search}`, this.nextHost || this.#origin);
    next.searchParams.set("$skiptoken", String(end));
    return { status: 200, body: { value: items.slice(start, end), nextLink: next.toString() } };
  }

  #answerToken({ url, body }: FakeCall): FakeAnswer {
    const host = this.#origin.replace("http:", "https:");
    if (url.pathname.endsWith("/.well-known/openid-configuration"))
      return {
        status: 200,
        body: {
          issuer: `${host}/${TENANT}/v2.0`,
          authorization_endpoint: `${host}/${TENANT}/oauth2/v2.0/authorize`,
          token_endpoint: `${host}/${TENANT}/oauth2/v2.0/token`,
          jwks_uri: `${host}/${TENANT}/discovery/v2.0/keys`,
        },
      };
    const form = new URLSearchParams(body);
    this.tokenCalls.push(form);
    if (form.get("client_id") === CLIENT && this.#isProven(form)) {
      const lives = { expires_in: 3599, ext_expires_in: 3599 };
      return { status: 200, body: { token_type: "Bearer", ...lives, access_token: this.grant() } };
    }
    const trace = "Trace ID: 0f5b2c1e-0000-0000-0000-000000000000";
    return {
      status: 401,
      body: {
        error: "invalid_client",
        error_description: `AADSTS7000215: Invalid client secret provided. ${trace} Correlation ID: 0f5b2c1e-0000-0000-0000-000000000001 Timestamp: 2026-11-23 16:00:00Z`,
        error_codes: [7000215],
      },
    };
  }

  #isProven(form: URLSearchParams): boolean {
    const assertion = form.get("client_assertion");
    if (assertion === null)
      return this.clientSecret !== "" && form.get("client_secret") === this.clientSecret;
    return assertion === this.assertion;
  }
}

function zoneView(zone: FakeZone): unknown {
  return {
    id: zone.id,
    name: zone.name,
    type: `Microsoft.Network/${zone.isPrivate ? "privateDnsZones" : "dnszones"}`,
    etag: "00000002-0000-0000-0000-000000000000",
    location: "global",
    tags: {},
    properties: zone.isPrivate
      ? { maxNumberOfRecordSets: 25_000, provisioningState: "Succeeded" }
      : { maxNumberOfRecordSets: 10_000, zoneType: "Public", nameServers: [] },
  };
}
