/**
 * The objects of a fake Infoblox Grid: stateful, with the refusals of NIOS. Texts are those of
 * recorded answers of WAPI 2.5 to 2.12 in public repositories (`IBDataConflictError`,
 * `AdmConDataNotFoundError`, `AdmConProtoError`) and of the WAPI documentation.
 */

export type ObjectFields = Readonly<Record<string, unknown>>;

/** One object. */
export interface GridObject {
  readonly _ref: string;
  /** `record:a`. */
  readonly object: string;
  readonly fields: ObjectFields;
}

/** A refusal as WAPI says it. */
export class GridError extends Error {
  readonly status: number;
  readonly body: ObjectFields;

  constructor(status: number, code: string, error: string, text: string) {
    super(text);
    this.status = status;
    this.body = { Error: error, code: `Client.Ibap.${code}`, text };
  }
}

const conflict = (text: string): GridError =>
  new GridError(
    400,
    "Data.Conflict",
    `AdmConDataError: None (IBDataConflictError: IB.Data.Conflict:${text})`,
    text,
  );
const notFound = (text: string): GridError =>
  new GridError(404, "Data.NotFound", `AdmConDataNotFoundError: ${text}`, text);
const proto = (text: string): GridError =>
  new GridError(400, "Proto", `AdmConProtoError: ${text}`, text);
const invalid = (text: string): GridError =>
  new GridError(400, "Data", `AdmConDataError: None (IBDataError: IB.Data:${text})`, text);

/** What each kind has beside `name`, `ttl`, `use_ttl`, `disable`, `comment`, `extattrs`, `view`. */
const OWN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  "record:a": ["ipv4addr"],
  "record:aaaa": ["ipv6addr"],
  "record:alias": ["target_name", "target_type"],
  "record:caa": ["ca_flag", "ca_tag", "ca_value"],
  "record:cname": ["canonical"],
  "record:dname": ["target"],
  "record:host": ["configure_for_dns", "ipv4addrs", "ipv6addrs", "aliases"],
  "record:mx": ["preference", "mail_exchanger"],
  "record:naptr": ["order", "preference", "flags", "services", "regexp", "replacement"],
  "record:ns": ["nameserver", "addresses"],
  "record:ptr": ["ptrdname", "ipv4addr", "ipv6addr"],
  "record:srv": ["priority", "weight", "port", "target"],
  "record:tlsa": ["certificate_usage", "selector", "matched_type", "certificate_data"],
  "record:txt": ["text"],
};
const COMMON = ["name", "ttl", "use_ttl", "disable", "comment", "extattrs", "view", "zone"];
const ZONE_FIELDS = "fqdn,view,zone_format,disable,primary_type,soa_default_ttl,comment".split(",");
/** What is shown where nothing is asked for, beside the reference (recorded answers). */
const BASE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  zone_auth: ["fqdn", "view"],
  "record:txt": ["name", "text", "view"],
};
const TEXT_BYTES_MAX = 512;

function fieldsOfKind(object: string): readonly string[] {
  if (object === "zone_auth") return ZONE_FIELDS;
  const own = OWN_FIELDS[object];
  if (own === undefined) throw proto(`Unknown object type (${object})`);
  return object === "record:ns" ? ["name", "view", "zone", ...own] : [...COMMON, ...own];
}

/** All objects of a Grid. */
export class FakeGrid {
  #objects = new Map<string, GridObject>();

  get objects(): readonly GridObject[] {
    return [...this.#objects.values()];
  }

  /** `fields` override those of an ordinary zone of the view `default`. */
  addZone(fqdn: string, fields: ObjectFields = {}): string {
    const view = String(fields["view"] ?? "default");
    const _ref = refOf("zone_auth", `${view}.${fqdn}`, `${fqdn}/${view}`);
    const usual = { view, zone_format: "FORWARD", disable: false, primary_type: "Grid" };
    const whole = { fqdn, ...usual, soa_default_ttl: 28_800, ...fields };
    this.#put({ _ref, object: "zone_auth", fields: whole });
    const nameserver = `ns1.${fqdn}`;
    this.#put(this.#whole("record:ns", { name: fqdn, nameserver, view }));
    return _ref;
  }

  /** Runs `steps`; what one of them throws takes back all. */
  transaction<T>(steps: () => T): T {
    const before = this.#objects;
    this.#objects = new Map(before);
    try {
      return steps();
    } catch (error) {
      this.#objects = before;
      throw error;
    }
  }

  find(object: string, query: ObjectFields, returned: string | null): readonly ObjectFields[] {
    const known = fieldsOfKind(object);
    const wanted = returned?.split(",") ?? BASE_FIELDS[object] ?? ["name", "view"];
    for (const field of [...Object.keys(query), ...(returned === null ? [] : wanted)])
      if (!known.includes(field)) throw proto(`Unknown argument/field: '${field}'`);
    const found = this.objects.filter(
      (one) =>
        one.object === object &&
        Object.entries(query).every(([field, value]) => one.fields[field] === value),
    );
    return found.map((one) => shown(one, wanted));
  }

  /** One object by its reference. */
  read(ref: string, returned: string): ObjectFields {
    return shown(this.#at(ref), returned.split(","));
  }

  /** The reference of the new object. */
  create(object: string, given: ObjectFields): string {
    const added = this.#whole(object, given);
    this.#refuse(added, null);
    this.#put(added);
    return added._ref;
  }

  change(ref: string, given: ObjectFields): string {
    const { object, fields } = this.#at(ref);
    const changed = this.#whole(object, { ...fields, ...given });
    this.#refuse(changed, ref);
    this.#remove(ref);
    this.#put(changed);
    return changed._ref;
  }

  remove(ref: string): string {
    this.#at(ref);
    this.#remove(ref);
    return ref;
  }

  #put(object: GridObject): void {
    this.#objects.set(object._ref, object);
  }

  #remove(ref: string): void {
    this.#objects.delete(ref);
  }

  #at(ref: string): GridObject {
    const found = this.#objects.get(ref);
    if (found === undefined) throw notFound(`Reference ${ref} not found`);
    return found;
  }

  #whole(object: string, given: ObjectFields): GridObject {
    const known = fieldsOfKind(object);
    const unknown = Object.keys(given).find((field) => !known.includes(field));
    if (unknown !== undefined) throw proto(`Unknown argument/field: '${unknown}'`);
    const { name, view = "default" } = given;
    const zone = this.#zoneOf(String(name), String(view));
    const fields = { use_ttl: false, disable: false, ...given, view, zone };
    const values = (OWN_FIELDS[object] ?? []).map((field) => JSON.stringify(given[field]));
    // The handle of a CNAME does not hold its target: there is one for each name.
    const identity = object === "record:cname" ? "" : values.join(",");
    return {
      _ref: refOf(object, `${view}.${name},${identity}`, `${name}/${view}`),
      object,
      fields,
    };
  }

  #zoneOf(name: string, view: string): string {
    const zones = this.objects.filter((one) => one.object === "zone_auth");
    if (!zones.some(({ fields }) => fields["view"] === view))
      throw notFound(`View ${view} not found`);
    const fitting = zones
      .filter(({ fields }) => fields["view"] === view)
      .map(({ fields }) => String(fields["fqdn"]))
      .filter((fqdn) => name === fqdn || name.endsWith(`.${fqdn}`))
      .sort((a, b) => b.length - a.length);
    const [zone] = fitting;
    if (zone === undefined) throw conflict("The action is not allowed. A parent was not found.");
    return zone;
  }

  #refuse({ object, fields, _ref }: GridObject, before: string | null): void {
    refuseValue(object, fields);
    const { name, view } = fields;
    const others = this.objects.filter(
      (one) => one.fields["name"] === name && one.fields["view"] === view && one._ref !== before,
    );
    const isConflict = (one: GridObject): boolean =>
      one._ref === _ref || one.object === "record:cname" || object === "record:cname";
    if (others.some(isConflict)) throw conflict(`The record '${name}' already exists.`);
  }
}

function refuseValue(object: string, { ipv4addr, text, ttl }: ObjectFields): void {
  const isAddress = /^\d{1,3}(\.\d{1,3}){3}$/.test(String(ipv4addr));
  if (
    object === "record:a" &&
    (!isAddress ||
      String(ipv4addr)
        .split(".")
        .some((one) => +one > 255))
  )
    throw proto("Invalid value for field ipv4addr");
  if (object === "record:txt" && (typeof text !== "string" || /^("")?$/.test(text)))
    throw invalid("The text of a TXT record must not be empty.");
  if (object === "record:txt" && bytesOf(String(text)) > TEXT_BYTES_MAX)
    throw invalid("The text of a TXT record must not be longer than 512 bytes.");
  if (ttl !== undefined && !(Number(ttl) >= 0 && Number(ttl) <= 4_294_967_295))
    throw proto("Invalid value for field ttl");
}

/** Of all strings, without quotes and with each escape as one. */
function bytesOf(text: string): number {
  const strings = text.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
  return strings.reduce(
    (sum, one) => sum + one.replace(/^"|"$/g, "").replace(/\\\d{3}|\\./g, "x").length,
    0,
  );
}

/** Quotes are shown around strings with blanks only (terraform-provider-infoblox issue 344). */
function shownText(text: string): string {
  return text.replace(/"((?:[^"\\]|\\.)*)"/g, (quoted, inside: string) =>
    /^[A-Za-z0-9=,/_.:-]+$/.test(inside) ? inside : quoted,
  );
}

function shown({ _ref, fields }: GridObject, wanted: readonly string[]): ObjectFields {
  const entries = wanted.flatMap((field) => {
    const value = fields[field];
    if (value === undefined || (field === "ttl" && fields["use_ttl"] !== true)) return [];
    return [[field, field === "text" ? shownText(String(value)) : value]];
  });
  return { _ref, ...Object.fromEntries(entries) };
}

/** `record:a/ZG5z…:www.example.org/default`. */
function refOf(object: string, identity: string, title: string): string {
  return `${object}/${Buffer.from(`dns.${object}$._${identity}`).toString("base64")}:${title}`;
}
