/**
 * A stateful fake of the HTTP API of PowerDNS Authoritative Server for offline tests; the real
 * server is in test/real. Statuses and texts are those that 4.7.3 answered when it was tried.
 */
import { type FakeAnswer, FakeApi, type FakeCall } from "../fake-api.ts";

const PATH = "/api/v1/servers/localhost";

/** A record set as the API has it; names have trailing dots. */
export interface FakeRrset {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly records: readonly { readonly content: string; readonly disabled?: boolean }[];
}

type Input = Partial<FakeRrset> & { readonly changetype?: string };

/** One zone; a PATCH is one transaction. */
export class FakePowerDnsZone {
  /** With trailing dot. */
  readonly name: string;
  readonly kind: string;
  #sets: ReadonlyMap<string, FakeRrset>;

  constructor(name: string, kind: string) {
    this.name = `${name}.`;
    this.kind = kind;
    const soa = `ns1.${this.name} hostmaster.${this.name} 1 10800 3600 604800 3600`;
    const set = (type: string, content: string): FakeRrset => ({
      name: this.name,
      type,
      ttl: 3600,
      records: [{ content, disabled: false }],
    });
    this.#sets = new Map(
      [set("SOA", soa), set("NS", `ns1.${this.name}`)].map((one) => [keyOf(one), one]),
    );
  }

  get sets(): readonly FakeRrset[] {
    return [...this.#sets.values()];
  }

  /** Null = done; else the error, and nothing is changed. */
  patch(rrsets: readonly Input[]): string | null {
    const sets = new Map(this.#sets);
    for (const given of rrsets) {
      const { name = "", type = "", ttl = 0, records = [], changetype } = given;
      const title = `RRset ${name} IN ${type}`;
      if (name !== this.name && !name.endsWith(`.${this.name}`))
        return `${title}: Name is out of zone`;
      if (/[^.]\*|\*[^.]/.test(name)) return `Name '${name}' contains unsupported characters`;
      if (changetype !== "REPLACE" && changetype !== "DELETE") return "Changetype not understood";
      sets.delete(keyOf({ name, type }));
      if (changetype === "DELETE") continue;
      const others = [...sets.values()].filter((one) => one.name === name);
      if (others.some((one) => one.type === "CNAME" || type === "CNAME"))
        return `${title}: Conflicts with pre-existing RRset`;
      for (const { content } of records) {
        const trouble = contentTrouble(type, content);
        if (trouble !== null) return `Record ${name}/${type} '${content}': ${trouble}`;
      }
      sets.set(keyOf({ name, type }), { name, type, ttl, records });
    }
    this.#sets = sets;
    return null;
  }
}

function keyOf({ name, type }: Pick<FakeRrset, "name" | "type">): string {
  return `${name} ${type}`;
}

function contentTrouble(type: string, content: string): string | null {
  const bad = "Parsing record content (try 'pdnsutil check-zone'): ";
  if (
    type === "A" &&
    (!/^[\d.]+$/.test(content) || content.split(".").some((one) => Number(one) > 255))
  )
    return `${bad}unable to parse IP address`;
  if (type === "TXT" && !content.startsWith('"'))
    return `${bad}Data field in DNS should start with quote (") at position 0 of '${content}'`;
  if (["CNAME", "MX", "NS", "PTR", "SRV"].includes(type) && !content.endsWith("."))
    return "Not in expected format (parsed as relative)";
  return null;
}

/** A running fake. */
export class FakePowerDns extends FakeApi {
  apiKey: string;
  readonly zones = new Map<string, FakePowerDnsZone>();
  /** Back ends such as LMDB find nothing. */
  canSearch = true;

  constructor(apiKey: string) {
    super();
    this.apiKey = apiKey;
  }

  addZone(name: string, kind = "Native"): FakePowerDnsZone {
    const zone = new FakePowerDnsZone(name, kind);
    this.zones.set(zone.name, zone);
    return zone;
  }

  protected answer({ method, url, headers, body }: FakeCall): FakeAnswer {
    if (headers["x-api-key"] !== this.apiKey) return { status: 401, body: "Unauthorized" };
    const path = url.pathname.replace(PATH, "");
    if (path === "/zones") return { status: 200, body: [...this.zones.values()].map(zoneView) };
    if (path === "/search-data") return { status: 200, body: this.#found(url.searchParams) };
    const id = decodeURIComponent(/^\/zones\/([^/]+)$/.exec(path)?.[1] ?? "");
    const zone = this.zones.get(id);
    if (zone === undefined) return { status: 404, body: "Not Found" };
    if (method === "PATCH") {
      const error = zone.patch((JSON.parse(body) as { readonly rrsets: readonly Input[] }).rrsets);
      return error === null ? { status: 204 } : { status: 422, body: { error } };
    }
    const name = url.searchParams.get("rrset_name");
    const rrsets = name === null ? zone.sets : enabledSets(zone, name);
    return { status: 200, body: { ...zoneView(zone), rrsets } };
  }

  /** Without the dot at their ends; `*` and `?` stand for other signs. Contents count, too. */
  #found(query: URLSearchParams): readonly unknown[] {
    const signs: Readonly<Record<string, string>> = { "*": ".*", "?": ".", ".": "\\." };
    const text = (query.get("q") ?? "").replace(/[*?.]/g, (one) => signs[one] ?? one);
    const pattern = new RegExp(`^${text}$`, "i");
    const fits = (one: string): boolean => pattern.test(one.replace(/\.$/, ""));
    const all = [...this.zones.values()].flatMap((zone) =>
      zone.sets.flatMap(({ name, type, ttl, records }) =>
        records.map(({ content, disabled = false }) => {
          const shown = { content, disabled, name, type, ttl, object_type: "record" };
          return { ...shown, zone: zone.name, zone_id: zone.name };
        }),
      ),
    );
    const found = all.filter(({ name, content }) => fits(name) || fits(content));
    return this.canSearch ? found.slice(0, Number(query.get("max"))) : [];
  }
}

/** As 4.7.3 answers a question for a name: disabled records are in the whole zone alone. */
function enabledSets({ sets }: FakePowerDnsZone, name: string): readonly FakeRrset[] {
  return sets
    .filter((set) => set.name === name)
    .map((set) => ({ ...set, records: set.records.filter(({ disabled }) => disabled !== true) }))
    .filter(({ records }) => records.length > 0);
}

function zoneView({ name, kind }: FakePowerDnsZone): Readonly<Record<string, unknown>> {
  return { id: name, name, kind, serial: 1, edited_serial: 1, url: `${PATH}/zones/${name}` };
}
