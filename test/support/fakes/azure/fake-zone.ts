/**
 * One zone of the fake, public or private: record sets with ETags, and what a PUT or DELETE does.
 * Limits, statuses and words are those of dns.json and privatedns.json (azure-rest-api-specs), of
 * the docs "DNS zones and records", and of answers that users of the API have published.
 */

/** `properties` of a record set, as the service keeps it. */
export type SetProperties = Readonly<Record<string, unknown>>;

/** A record set as the API shows it. */
export interface FakeRecordSet {
  readonly id: string;
  readonly name: string;
  /** `Microsoft.Network/dnszones/A`: capitals are the service's. */
  readonly type: string;
  readonly etag: string;
  readonly properties: SetProperties;
}

/** A refused call. */
export interface FakeRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** The conditions of a call; null = none. */
export interface Conditions {
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
}

/** "Records per record set 20". */
const RECORDS_MAX = 20;
/** A TXT record set has up to 4096 characters, over all records. */
const TEXT_MAX = 4096;
const TEXT_STRING_MAX = 255;

/** Field of each type, as public zones write it; private ones begin in lower case. */
const FIELDS: Readonly<Record<string, string>> = {
  A: "ARecords",
  AAAA: "AAAARecords",
  CAA: "caaRecords",
  CNAME: "CNAMERecord",
  MX: "MXRecords",
  NS: "NSRecords",
  PTR: "PTRRecords",
  SOA: "SOARecord",
  SRV: "SRVRecords",
  TXT: "TXTRecords",
};
const PRIVATE_TYPES = ["A", "AAAA", "CNAME", "MX", "PTR", "SOA", "SRV", "TXT"];

/** Each call changes one record set. */
export class FakeZone {
  /** `/subscriptions/…/dnsZones/example.org`. */
  readonly id: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly #sets = new Map<string, FakeRecordSet>();
  #etags = 0;

  constructor(id: string, name: string, isPrivate: boolean) {
    this.id = id;
    this.name = name;
    this.isPrivate = isPrivate;
    const soa = {
      host: isPrivate ? "azureprivatedns.net" : "ns1-01.azure-dns.com.",
      email: isPrivate ? "azureprivatedns-host.microsoft.com" : "azuredns-hostmaster.microsoft.com",
      serialNumber: 1,
      refreshTime: 3600,
      retryTime: 300,
      expireTime: 2419200,
      [isPrivate ? "minimumTtl" : "minimumTTL"]: 300,
    };
    this.#store("SOA", "@", { [this.#ttl]: 3600, [this.#field("SOA")]: soa });
    if (!isPrivate)
      this.#store("NS", "@", { TTL: 172800, NSRecords: [{ nsdname: "ns1-01.azure-dns.com." }] });
  }

  /** In the order of the listing. */
  get sets(): readonly FakeRecordSet[] {
    return [...this.#sets.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** RecordSets_ListByType where `path` is a type, else all. */
  listing(path: string): readonly FakeRecordSet[] {
    const ofType = `/${path}`.toLowerCase();
    if (FIELDS[path.toUpperCase()] === undefined) return this.sets;
    return this.sets.filter(({ type }) => type.toLowerCase().endsWith(ofType));
  }

  find(type: string, relative: string): FakeRecordSet | null {
    return this.#sets.get(keyOf(type, relative)) ?? null;
  }

  /** A record set that comes from the portal, whatever it is. */
  put(type: string, relative: string, properties: SetProperties): void {
    this.#store(type, relative, properties);
  }

  /** The stored record set and whether it is new, or why it is refused. */
  write(
    type: string,
    relative: string,
    { ifMatch, ifNoneMatch, properties }: Conditions & { readonly properties: SetProperties },
  ): { readonly set: FakeRecordSet; readonly isNew: boolean } | FakeRefusal {
    const present = this.find(type, relative);
    const conditions = { ifMatch, ifNoneMatch };
    const trouble =
      conditionTrouble(present, conditions) ??
      this.#dataTrouble(type, properties) ??
      this.#nameTrouble(type, relative);
    if (trouble !== null) return trouble;
    return { set: this.#store(type, relative, properties), isNew: present === null };
  }

  /** Null = done; false = there was nothing to delete. */
  remove(type: string, relative: string, conditions: Conditions): FakeRefusal | null | false {
    const present = this.find(type, relative);
    if (present === null) return false;
    const trouble = conditionTrouble(present, conditions);
    if (trouble !== null) return trouble;
    if (relative === "@" && ["NS", "SOA"].includes(type))
      return bad(`The record set of type '${type}' cannot be deleted at the zone apex.`);
    this.#sets.delete(keyOf(type, relative));
    return null;
  }

  get #ttl(): string {
    return this.isPrivate ? "ttl" : "TTL";
  }

  #field(type: string): string {
    const field = FIELDS[type] ?? "";
    return this.isPrivate ? field.replace(/^[A-Z]+(?=R)/, (one) => one.toLowerCase()) : field;
  }

  #store(type: string, relative: string, properties: SetProperties): FakeRecordSet {
    this.#etags += 1;
    const fqdn = relative === "@" ? `${this.name}.` : `${relative}.${this.name}.`;
    const set = {
      id: `${this.id}/${type}/${relative}`,
      name: relative,
      type: `Microsoft.Network/${this.isPrivate ? "privateDnsZones" : "dnszones"}/${type}`,
      etag: `00000000-0000-0000-0000-${String(this.#etags).padStart(12, "0")}`,
      // Public zones: 30 of 30 recorded answers have an empty target (2024-03).
      properties: {
        ...(this.isPrivate ? {} : { targetResource: {} }),
        ...{ ...properties, fqdn, provisioningState: "Succeeded" },
      },
    };
    this.#sets.set(keyOf(type, relative), set);
    return set;
  }

  #dataTrouble(type: string, properties: SetProperties): FakeRefusal | null {
    const field = this.#field(type);
    if (field === "" || (this.isPrivate && !PRIVATE_TYPES.includes(type)))
      return bad(`The record type '${type}' is not supported.`);
    const ttl = properties[this.#ttl];
    if (typeof ttl !== "number" || ttl < 1 || ttl > 2_147_483_647)
      return bad(`The value '${String(ttl)}' of the TTL is invalid.`);
    const records = [properties[field] ?? []].flat();
    if (records.length > RECORDS_MAX)
      return bad(`The number of records exceeds the maximum of ${RECORDS_MAX} for a record set.`);
    const texts = records.map((one) => JSON.stringify(one));
    if (new Set(texts).size < texts.length)
      return bad(`The list of record sets of type '${type}' may not contain multiple entries.`);
    return type === "TXT" ? textTrouble(records) : valueTrouble(type, records);
  }

  #nameTrouble(type: string, relative: string): FakeRefusal | null {
    const others = this.sets.filter(
      (one) => one.name === relative && !one.type.endsWith(`/${type}`),
    );
    if (type === "CNAME" && others.length > 0)
      return conflict("The CNAME record could not be created because another record with the same");
    if (others.some((one) => one.type.endsWith("/CNAME")))
      return conflict("The record could not be created because a CNAME record with the same");
    return null;
  }
}

function conditionTrouble(
  present: FakeRecordSet | null,
  { ifMatch, ifNoneMatch }: Conditions,
): FakeRefusal | null {
  const failed = (message: string): FakeRefusal => ({
    status: 412,
    code: "PreconditionFailed",
    message,
  });
  if (ifNoneMatch === "*" && present !== null)
    return failed("The condition '*' in the If-None-Match header was satisfied.");
  if (ifMatch !== null && present?.etag !== ifMatch)
    return failed(`The condition '${ifMatch}' in the If-Match header was not satisfied.`);
  return null;
}

function textTrouble(records: readonly unknown[]): FakeRefusal | null {
  const strings = records.flatMap((one) => (one as { readonly value: readonly string[] }).value);
  const sizes = strings.map((one) => Buffer.byteLength(one));
  if (sizes.some((size) => size > TEXT_STRING_MAX))
    return bad("A string of the TXT record is longer than 255 characters.");
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return total > TEXT_MAX ? bad("The TXT record set has more than 4096 characters.") : null;
}

function valueTrouble(type: string, records: readonly unknown[]): FakeRefusal | null {
  if (type !== "A") return null;
  const wrong = records
    .map((one) => (one as { readonly ipv4Address: string }).ipv4Address)
    .find(
      (one) => !/^(\d{1,3}\.){3}\d{1,3}$/.test(one) || one.split(".").some((part) => +part > 255),
    );
  return wrong === undefined ? null : bad(`The IP address '${wrong}' is invalid.`);
}

function bad(message: string): FakeRefusal {
  return { status: 400, code: "BadRequest", message };
}

function conflict(message: string): FakeRefusal {
  return { status: 409, code: "Conflict", message: `${message} name already exists in this zone.` };
}

function keyOf(type: string, relative: string): string {
  return `${type} ${relative.toLowerCase()}`;
}
