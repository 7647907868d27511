/**
 * One managed zone of the fake: record sets, and what a change does with them. Limits, refusals and
 * their words are those of the Cloud DNS documents ("Error messages", "Quotas and limits") and of
 * answers that users of the API have published.
 */

/** A record set as the API has it; names have trailing dots. */
export interface FakeRrset {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rrdatas?: readonly string[];
  readonly routingPolicy?: FakePolicy;
}

/** RRSetRoutingPolicy of the discovery document, as far as it is written. */
export interface FakePolicy {
  readonly wrr?: { readonly items: readonly FakeItem[] };
  readonly geo?: { readonly items: readonly FakeItem[]; readonly enableFencing?: boolean };
  readonly primaryBackup?: unknown;
}

interface FakeItem {
  readonly weight?: number | string;
  readonly location?: string;
  readonly rrdatas?: readonly string[];
  readonly healthCheckedTargets?: unknown;
}

/** The body of changes.create. */
export interface FakeChange {
  readonly additions?: readonly FakeRrset[];
  readonly deletions?: readonly FakeRrset[];
}

/** A change that was made, as changes.get shows it but for its status. */
export interface MadeChange extends FakeChange {
  readonly kind: "dns#change";
  readonly id: string;
  /** RFC 3339. */
  readonly startTime: string;
  readonly isServing: boolean;
}

/** A refused change. */
export interface FakeRefusal {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

/** "Additions per change", "Deletions per change". */
const SETS_PER_CHANGE = 1000;
/** "Resource record data size per change 100,000 bytes". */
const DATA_BYTES_PER_CHANGE = 100_000;
/** "Records per RR set 100". */
const RECORDS_PER_SET = 100;

/** Changes are all or nothing. */
export class FakeManagedZone {
  readonly id: string;
  /** With trailing dot. */
  readonly dnsName: string;
  /** Further fields of the listing: `visibility`, `forwardingConfig` …. */
  readonly more: Readonly<Record<string, unknown>>;
  #sets: ReadonlyMap<string, FakeRrset>;
  /** Changes that were made, in order; the id of the first is 1. */
  readonly changes: MadeChange[] = [];

  constructor(id: string, name: string, more: Readonly<Record<string, unknown>> = {}) {
    this.id = id;
    this.dnsName = `${name}.`;
    this.more = more;
    const server = "ns-cloud-a1.googledomains.com.";
    const set = (type: string, value: string): FakeRrset => ({
      name: this.dnsName,
      type,
      ttl: 21600,
      rrdatas: [value],
    });
    const soa = `${server} cloud-dns-hostmaster.google.com. 1 21600 3600 259200 300`;
    const apex = [set("NS", server), set("SOA", soa)];
    this.#sets = new Map(apex.map((one) => [keyOf(one), one]));
  }

  get sets(): readonly FakeRrset[] {
    return [...this.#sets.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  /** A record set that comes from the console, whatever it is. */
  put(set: FakeRrset): void {
    this.#sets = new Map([...this.#sets, [keyOf(set), set]]);
  }

  /** The change, or why it is refused. */
  apply(change: FakeChange): MadeChange | FakeRefusal {
    const { additions = [], deletions = [] } = change;
    const tooLarge = sizeTrouble(additions, deletions);
    if (tooLarge !== null) return tooLarge;
    const sets = new Map(this.#sets);
    for (const [index, set] of deletions.entries()) {
      const trouble = this.#deletionTrouble(set, index, sets);
      if (trouble !== null) return trouble;
      sets.delete(keyOf(set));
    }
    for (const [index, set] of additions.entries()) {
      const trouble = this.#additionTrouble(set, index, sets);
      if (trouble !== null) return trouble;
      sets.set(keyOf(set), set);
    }
    for (const type of ["NS", "SOA"])
      if (!sets.has(`${this.dnsName} ${type}`))
        return {
          status: 400,
          reason: "invalidZoneApex",
          message: `The resource record set '${this.dnsName}' is invalid because a zone must contain exactly one resource record set of type '${type}' at the apex.`,
        };
    this.#sets = sets;
    const made: MadeChange = {
      ...change,
      kind: "dns#change",
      id: String(this.changes.length + 1),
      startTime: new Date().toISOString(),
      isServing: true,
    };
    this.changes.push(made);
    return made;
  }

  #deletionTrouble(
    set: FakeRrset,
    index: number,
    sets: ReadonlyMap<string, FakeRrset>,
  ): FakeRefusal | null {
    const present = sets.get(keyOf(set));
    const path = this.#path("deletions", index);
    // kubernetes-sigs/external-dns, issue 5129: the API's words for a policy that is left out.
    if (set.rrdatas === undefined && set.routingPolicy === undefined)
      return {
        status: 400,
        reason: "invalid",
        message: `Invalid value for '${path}.rrdata': '<empty>'`,
      };
    if (present === undefined)
      return {
        status: 404,
        reason: "notFound",
        message: `The '${path}' resource named '${set.name} (${set.type})' does not exist.`,
      };
    if (contentOf(present) === contentOf(set)) return null;
    const message = `Precondition not met for '${path}'`;
    return { status: 412, reason: "conditionNotMet", message };
  }

  #additionTrouble(
    set: FakeRrset,
    index: number,
    sets: ReadonlyMap<string, FakeRrset>,
  ): FakeRefusal | null {
    const path = this.#path("additions", index);
    const invalid = (field: string, value: string): FakeRefusal => ({
      status: 400,
      reason: "invalid",
      message: `Invalid value for '${path}.${field}': '${value}'`,
    });
    const { name, type } = set;
    if (sets.has(keyOf(set)))
      return {
        status: 409,
        reason: "alreadyExists",
        message: `The resource '${path}' named '${name} (${type})' already exists`,
      };
    if (name !== this.dnsName && !name.endsWith(`.${this.dnsName}`)) return invalid("name", name);
    // Docs "Error messages", invalidValue: "a non-negative integer".
    if (!Number.isInteger(set.ttl) || set.ttl < 0) return invalid("ttl", String(set.ttl));
    const { rrdatas = [], routingPolicy } = set;
    const wrong = routingPolicy === undefined ? null : policyTrouble(routingPolicy, set);
    if (wrong !== null) return invalid(wrong.field, wrong.value);
    if (rrdatas.length > RECORDS_PER_SET)
      return quota("The number of records per resource record set is exceeded.");
    for (const [at, value] of rrdatas.entries())
      if (!isData(type, value)) return invalid(`rrdata[${at}]`, value);
    if (routingPolicy === undefined && rrdatas.length === 0) return invalid("rrdata", "<empty>");
    if (type === "CNAME" && routingPolicy === undefined && rrdatas.length !== 1)
      return {
        status: 400,
        reason: "invalidRecordCount",
        message: `The resource record set '${path}' is only permitted to have one record because it is of type 'CNAME'.`,
      };
    const isInTheWay =
      type === "CNAME"
        ? [...sets.values()].some((one) => one.name === name)
        : sets.has(keyOf({ name, type: "CNAME" }));
    if (!isInTheWay) return null;
    return {
      status: 400,
      reason: "cnameResourceRecordSetConflict",
      message: `The resource record set '${path}' is invalid because the DNS name '${name}' may have either one CNAME resource record set or resource record sets of other types, but not both.`,
    };
  }

  #path(list: "additions" | "deletions", index: number): string {
    return `entity.change.${list}[${index}]`;
  }
}

function quota(message: string): FakeRefusal {
  return { status: 403, reason: "quotaExceeded", message };
}

function sizeTrouble(
  additions: readonly FakeRrset[],
  deletions: readonly FakeRrset[],
): FakeRefusal | null {
  if (additions.length > SETS_PER_CHANGE || deletions.length > SETS_PER_CHANGE)
    return quota("The number of additions or deletions per change is exceeded.");
  const values = [...additions, ...deletions].flatMap(dataOf);
  const size = values.reduce((sum, value) => sum + value.length, 0);
  if (size > DATA_BYTES_PER_CHANGE)
    return quota("The total size of resource record data per change is exceeded.");
  if (additions.length + deletions.length > 0) return null;
  const message = "The 'entity.change' parameter is required but was missing.";
  return { status: 400, reason: "required", message };
}

function isData(type: string, value: string): boolean {
  if (type === "A")
    return /^(\d{1,3}\.){3}\d{1,3}$/.test(value) && value.split(".").every((one) => +one < 256);
  if (["CNAME", "MX", "NS", "PTR", "SRV"].includes(type)) return value.endsWith(".");
  if (type !== "TXT") return true;
  const strings = value.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  const isQuoted = strings.join(" ") === value && strings.length > 0;
  return isQuoted && strings.every((one) => one.replace(/\\(\d{3}|.)/g, "x").length <= 257);
}

function keyOf({ name, type }: Pick<FakeRrset, "name" | "type">): string {
  return `${name.toLowerCase()} ${type}`;
}

/** "Must match existing data exactly": order of values and the constants `kind` apart. */
function contentOf({ ttl, rrdatas = [], routingPolicy }: FakeRrset): string {
  const withoutKinds = (key: string, value: unknown): unknown =>
    key === "kind" ? undefined : value;
  return JSON.stringify([ttl, [...rrdatas].sort(), routingPolicy ?? null], withoutKinds);
}

function dataOf({ rrdatas = [], routingPolicy }: FakeRrset): readonly string[] {
  const items = [...(routingPolicy?.wrr?.items ?? []), ...(routingPolicy?.geo?.items ?? [])];
  return [...rrdatas, ...items.flatMap((item) => item.rrdatas ?? [])];
}

/** A region that the vendor has; the form is that of all. */
const REGION = /^(africa|asia|australia|europe|me|northamerica|southamerica|us)-[a-z]+\d+$/;
/** Console, "Weight": "a nonnegative number from 0.0 to 1000.0". */
const WEIGHT_MAX = 1000;

/**
 * "A valid ResourceRecordSet contains only rrdata or a routing_policy"; "If there are multiple
 * items with the same location, an error is returned instead"; "This weight must be non-negative"
 * (discovery document); "Combining WRR and geolocation routing policies is not supported" (docs).
 */
function policyTrouble(
  { wrr, geo, primaryBackup }: FakePolicy,
  { type, rrdatas = [] }: FakeRrset,
): { readonly field: string; readonly value: string } | null {
  const kinds = [wrr, geo, primaryBackup].filter((one) => one !== undefined);
  if (rrdatas.length > 0 || kinds.length !== 1)
    return { field: "routingPolicy", value: "<invalid>" };
  const [kind, items] = geo === undefined ? ["wrr", wrr?.items ?? []] : ["geo", geo.items];
  if (items.length === 0) return { field: `routingPolicy.${kind}.items`, value: "<empty>" };
  for (const [index, item] of items.entries()) {
    const field = `routingPolicy.${kind}.items[${index}]`;
    const data = (item.rrdatas ?? []).find((one) => !isData(type, one));
    if (data !== undefined) return { field: `${field}.rrdata`, value: data };
    if ((item.rrdatas ?? []).length === 0) return { field: `${field}.rrdata`, value: "<empty>" };
    const weight = Number(item.weight);
    if (kind === "wrr" && !(weight >= 0 && weight <= WEIGHT_MAX))
      return { field: `${field}.weight`, value: String(item.weight) };
    const { location = "" } = item;
    const isTwice = items.findIndex((one) => one.location === location) < index;
    if (kind === "geo" && (isTwice || !REGION.test(location)))
      return { field: `${field}.location`, value: location };
  }
  return null;
}
