/**
 * A stateful fake of Cloud DNS API v1 over HTTP (managedZones.list, resourceRecordSets.list,
 * changes.create and get; discovery document dns:v1) and of the addresses that give tokens:
 * assertions, exchange, impersonation. Faults are set by tests.
 */
import { createPublicKey, verify } from "node:crypto";
import { type FakeAnswer, FakeApi, type FakeCall } from "../fake-api.ts";
import { type FakeChange, FakeManagedZone, type FakeRrset } from "./managed-zone.ts";

/** The body of a refused call; the second form has no `errors` and no `reason`. */
export function errorBody(code: number, reason: string, message: string): string {
  return JSON.stringify(errorOf(code, reason, message));
}

function errorOf(code: number, reason: string, message: string): unknown {
  return { error: { code, message, errors: [{ message, domain: "global", reason }] } };
}

const NOT_FOUND: FakeAnswer = {
  status: 404,
  body: errorOf(404, "notFound", "The 'parameters.managedZone' resource does not exist."),
};

const NO_CHANGE: FakeAnswer = {
  status: 404,
  body: errorOf(404, "notFound", "The 'parameters.changeId' resource does not exist."),
};

/** A running fake of one project. */
export class FakeGoogle extends FakeApi {
  readonly project: string;
  readonly zones = new Map<string, FakeManagedZone>();
  /** PEM; the private key of the service account that may ask for tokens. */
  privateKey = "";
  /** The foreign token that may be exchanged. */
  subjectToken = "";
  setsPerPage = 1000;
  zonesPerPage = 1000;
  /** Answers without anything have no list, as a proto3 message without elements. */
  leavesOutEmptyLists = false;
  /** Bodies of token calls, decoded. */
  readonly tokenCalls: URLSearchParams[] = [];
  #tokens = 0;
  readonly #asked = new Set<string>();
  readonly #given = new Set<string>();

  constructor(project: string) {
    super();
    this.project = project;
  }

  addZone(id: string, name: string, more: Readonly<Record<string, unknown>> = {}): FakeManagedZone {
    const zone = new FakeManagedZone(id, name, more);
    this.zones.set(id, zone);
    return zone;
  }

  /** No token that was given counts any more. */
  revokeTokens(): void {
    this.#given.clear();
  }

  protected answer(call: FakeCall): FakeAnswer {
    const { pathname } = call.url;
    if (!pathname.startsWith("/dns/v1/")) return this.#answerToken(call);
    const token = /^Bearer (.+)$/.exec(call.headers.authorization ?? "")?.[1] ?? "";
    if (!this.#given.has(token))
      return {
        status: 401,
        body: errorOf(401, "authError", "Request had invalid authentication credentials."),
      };
    const prefix = `/dns/v1/projects/${this.project}/managedZones`;
    if (!pathname.startsWith(prefix))
      return { status: 403, body: errorOf(403, "forbidden", "Forbidden") };
    const [id = "", collection, change] = pathname.slice(prefix.length + 1).split("/");
    if (id === "") return this.#listZones(call.url);
    const zone = this.zones.get(decodeURIComponent(id));
    if (zone === undefined) return NOT_FOUND;
    if (collection !== "changes") return this.#listSets(zone, call.url);
    return call.method === "POST"
      ? applied(zone, JSON.parse(call.body) as FakeChange)
      : this.#changeOf(zone, change ?? "");
  }

  #listZones({ searchParams }: URL): FakeAnswer {
    const items = [...this.zones.values()].map(({ id, dnsName, more }) => ({
      kind: "dns#managedZone",
      id: "1234567890123456789",
      name: id,
      dnsName,
      visibility: "public",
      ...more,
    }));
    const page = { searchParams, perPage: this.zonesPerPage };
    return this.#page(items, page, "managedZones", "dns#managedZonesListResponse");
  }

  /** Discovery document, changes.get: `pending`, and `done` when it was asked for once. */
  #changeOf(zone: FakeManagedZone, id: string): FakeAnswer {
    const change = zone.changes[Number(id) - 1];
    if (change === undefined) return NO_CHANGE;
    const key = `${zone.id} ${id}`;
    const status = this.#asked.has(key) ? "done" : "pending";
    this.#asked.add(key);
    return { status: 200, body: { ...change, status } };
  }

  #listSets(zone: FakeManagedZone, { searchParams }: URL): FakeAnswer {
    const [name, type] = [searchParams.get("name"), searchParams.get("type")];
    const sets = zone.sets.filter(
      (set) => (name ?? set.name) === set.name && (type ?? set.type) === set.type,
    );
    const items = sets.map((set: FakeRrset) => ({ kind: "dns#resourceRecordSet", ...set }));
    const page = { searchParams, perPage: this.setsPerPage };
    return this.#page(items, page, "rrsets", "dns#resourceRecordSetsListResponse");
  }

  #page(
    items: readonly unknown[],
    { searchParams, perPage }: { readonly searchParams: URLSearchParams; readonly perPage: number },
    field: string,
    kind: string,
  ): FakeAnswer {
    const start = Number(searchParams.get("pageToken") ?? 0);
    const end = start + Math.min(Number(searchParams.get("maxResults") ?? 100), perPage);
    const list = items.slice(start, end);
    const hasNone = list.length === 0 && this.leavesOutEmptyLists;
    const next = end < items.length ? { nextPageToken: String(end) } : {};
    return { status: 200, body: { kind, ...(hasNone ? {} : { [field]: list }), ...next } };
  }

  #answerToken({ url, body, headers }: FakeCall): FakeAnswer {
    if (url.pathname.endsWith(":generateAccessToken")) return this.#impersonated(headers);
    const form = new URLSearchParams(body);
    this.tokenCalls.push(form);
    const isGood =
      url.pathname === "/v1/token"
        ? form.get("subject_token") === this.subjectToken
        : this.#isSigned(form.get("assertion") ?? "");
    if (isGood)
      return {
        status: 200,
        body: { access_token: this.grant(), expires_in: 3599, token_type: "Bearer" },
      };
    return {
      status: 400,
      body: { error: "invalid_grant", error_description: "Invalid JWT Signature." },
    };
  }

  #impersonated({ authorization = "" }: FakeCall["headers"]): FakeAnswer {
    if (!this.#given.has(authorization.replace("Bearer ", "")))
      return { status: 403, body: errorOf(403, "forbidden", "Permission denied") };
    const expireTime = new Date(Date.now() + 3_600_000).toISOString();
    return { status: 200, body: { accessToken: this.grant(), expireTime } };
  }

  /** A new token that counts. */
  grant(): string {
    this.#tokens += 1;
    const token = `ya29.token-${this.#tokens}`;
    this.#given.add(token);
    return token;
  }

  /** RS256 (RFC 7518 §3.3). */
  #isSigned(assertion: string): boolean {
    const [head = "", claims = "", signature = ""] = assertion.split(".");
    if (this.privateKey === "" || signature === "") return false;
    const key = createPublicKey(this.privateKey);
    const bytes = Buffer.from(signature, "base64url");
    return verify("sha256", Buffer.from(`${head}.${claims}`), key, bytes);
  }
}

function applied(zone: FakeManagedZone, change: FakeChange): FakeAnswer {
  const result = zone.apply(change);
  if ("id" in result) return { status: 200, body: { ...result, status: "pending" } };
  const { status, reason, message } = result;
  return { status, body: errorOf(status, reason, message) };
}
