/**
 * A stateful fake of OpenStack Designate (DNS API v2) and its Keystone for offline tests; the real
 * ones are in test/real. Forms and texts are those that Designate 15.0.2 answered when it was
 * tried.
 */
import { type FakeAnswer, FakeApi, type FakeCall, type TlsPair } from "../fake-api.ts";
import { type FakeRefusal, type FakeSet, FakeZone, type Input } from "./fake-zone.ts";
import { FakeKeystone } from "./keystone.ts";

/** A running fake of one project. */
export class FakeDesignate extends FakeApi {
  readonly keystone = new FakeKeystone();
  readonly zones: FakeZone[] = [];
  /** `max_limit_v2`. */
  itemsPerPage = 1000;
  #origin = "";

  override async start(tls: TlsPair | null = null): Promise<string> {
    this.#origin = await super.start(tls);
    return this.#origin;
  }

  addZone(name: string): FakeZone {
    const zone = new FakeZone(name);
    this.zones.push(zone);
    return zone;
  }

  protected answer(call: FakeCall): FakeAnswer {
    const { method, url, headers, body } = call;
    if (method === "POST" && url.pathname === "/v3/auth/tokens")
      return this.keystone.answer(body, this.#origin);
    if (!this.keystone.isGiven(String(headers["x-auth-token"])))
      return { status: 401, text: "Authentication required" };
    const [zoneId, kind, setId] = url.pathname.replace("/dns/v2/zones", "").split("/").slice(1);
    if (zoneId === undefined) return this.#page("zones", this.zones.map(zoneView), url);
    const zone = this.zones.find(({ id }) => id === zoneId);
    if (zone === undefined || kind !== "recordsets")
      return refusal({ status: 404, type: "zone_not_found", message: "Could not find Zone" });
    return setId === undefined ? this.#answerSets(zone, call) : answerSet(zone, setId, call);
  }

  #answerSets(zone: FakeZone, { method, url, body }: FakeCall): FakeAnswer {
    if (method === "POST") return written(zone.create(JSON.parse(body) as Input), zone);
    const name = url.searchParams.get("name");
    const fits = name === null ? null : likePattern(name);
    const sets = zone.sets.filter((set) => fits?.test(set.name) ?? true);
    return this.#page(
      "recordsets",
      sets.map((set) => setView(set, zone)),
      url,
    );
  }

  /** The marker is the id of the last thing of the page before. */
  #page(items: string, all: readonly { readonly id: string }[], url: URL): FakeAnswer {
    const marker = url.searchParams.get("marker");
    const start = marker === null ? 0 : all.findIndex(({ id }) => id === marker) + 1;
    const limit = Math.min(Number(url.searchParams.get("limit") ?? 20), this.itemsPerPage);
    const page = all.slice(start, start + limit);
    const next = new URL(`${url.pathname}${url.search}`, "https://inside.example");
    next.searchParams.set("marker", page.at(-1)?.id ?? "");
    const links = {
      self: `https://inside.example${url.pathname}`,
      ...(start + limit < all.length ? { next: next.toString() } : {}),
    };
    return { status: 200, body: { [items]: page, links, metadata: { total_count: all.length } } };
  }
}

function answerSet(zone: FakeZone, id: string, { method, body }: FakeCall): FakeAnswer {
  if (method === "PUT") return written(zone.update(id, JSON.parse(body) as Input), zone);
  if (method === "DELETE") return written(zone.remove(id), zone);
  const set = zone.byId(id);
  if (set !== null) return { status: 200, body: setView(set, zone) };
  return refusal({ status: 404, type: "recordset_not_found", message: "Could not find RecordSet" });
}

function written(result: FakeSet | FakeRefusal, zone: FakeZone): FakeAnswer {
  return "id" in result ? { status: 202, body: setView(result, zone) } : refusal(result);
}

/** Objects that do not fit have a tree of errors in place of a message. */
function refusal({ status, type, message }: FakeRefusal): FakeAnswer {
  const request_id = "req-00000000-0000-0000-0000-000000000000";
  const errors = { errors: [{ path: ["records", 0], message, validator: "format" }] };
  const shown = type === "invalid_object" ? { errors } : { message };
  return { status, body: { code: status, type, request_id, ...shown } };
}

/** `*` stands for any text in a question (`sqlalchemy/base.py`: `LIKE`). */
function likePattern(name: string): RegExp {
  const escaped = name.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll("*", ".*")}$`);
}

function zoneView({ id, name, type, action, ttl }: FakeZone): { readonly id: string } {
  const rest = { status: "ACTIVE", pool_id: "794ccc2c-d751-44fe-b57f-8894c9f5c842", serial: 1 };
  return { ...{ name, type, action, ttl, email: "h@example.test", masters: [] }, ...rest, id };
}

function setView(set: FakeSet, zone: FakeZone): FakeSet {
  const rest = { zone_id: zone.id, zone_name: zone.name, description: null, updated_at: null };
  return { ...rest, ...set };
}
