/**
 * One zone of the fake: which records it accepts and how it refuses, a batch as one transaction.
 * Codes and texts of refusals are those that issues of external-dns, octoDNS, terraform and
 * cisagov/manage.get.gov quote; limits are those of Cloudflare's documents.
 */
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";

/** A record, as Create DNS Record takes it and List DNS Records shows it. */
export interface FakeRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl: number;
  readonly proxied: boolean;
  readonly priority?: number;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly comment: string | null;
  readonly tags: readonly string[];
}

/** What a request says of a record; anything may be missing. */
export type RecordInput = Readonly<Record<string, unknown>>;

/** A refusal: code and text of the first error, and the operation that it is about. */
export class FakeRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** What a batch did, in the order of its lists. */
export interface BatchResult {
  readonly deletes: readonly FakeRecord[];
  readonly patches: readonly FakeRecord[];
  readonly puts: readonly FakeRecord[];
  readonly posts: readonly FakeRecord[];
}

/** Docs "Batch record changes"; docs "DNS records quota" (zones since 2024-09-01). */
const OPERATIONS_MAX: Readonly<Record<string, number>> = { free: 200 };
const OPERATIONS_MAX_PAID = 3500;
const RECORDS_MAX: Readonly<Record<string, number>> = { free: 200 };
const RECORDS_MAX_PAID = 3500;
const PROXIABLE = new Set(["A", "AAAA", "CNAME"]);
const TYPES = new Set(
  "A AAAA CAA CERT CNAME DNSKEY DS HTTPS LOC MX NAPTR NS OPENPGPKEY PTR SMIMEA SRV SSHFP SVCB TLSA TXT URI".split(
    " ",
  ),
);
const CONTENT_TYPES = new Set("A AAAA CNAME MX NS OPENPGPKEY PTR TXT".split(" "));

let lastId = 0;

/** Names without trailing dots. */
export class FakeDnsZone {
  readonly id: string;
  readonly name: string;
  plan: string;
  type = "full";
  /** Absent = by the plan. */
  recordsMax: number | undefined;
  nameServers: readonly string[] = ["alice.ns.cloudflare.com", "tom.ns.cloudflare.com"];
  #records = new Map<string, FakeRecord>();
  /** Ids by name. */
  readonly #named = new Map<string, Set<string>>();

  constructor(id: string, name: string, plan: string) {
    this.id = id;
    this.name = name;
    this.plan = plan;
  }

  /** In the order of their creation. */
  get records(): readonly FakeRecord[] {
    return [...this.#records.values()];
  }

  /** A stranger's write by the dashboard. */
  add(input: RecordInput): FakeRecord {
    const [record] = this.apply({ posts: [input] }).posts;
    if (record === undefined) throw new Error("nothing was created");
    return record;
  }

  /** A stranger edits in place: the id stays. */
  edit(id: string, input: RecordInput): void {
    this.apply({ patches: [{ ...input, id }] });
  }

  remove(id: string): void {
    this.apply({ deletes: [{ id }] });
  }

  /** All or nothing: deletes, patches, puts, posts. Throws the first refusal. */
  apply(lists: Readonly<Record<string, readonly RecordInput[]>>): BatchResult {
    const { deletes = [], patches = [], puts = [], posts = [] } = lists;
    const size = deletes.length + patches.length + puts.length + posts.length;
    const most = OPERATIONS_MAX[this.plan] ?? OPERATIONS_MAX_PAID;
    if (size > most) throw new FakeRefusal(9207, `A batch may hold at most ${most} operations.`);
    const before = new Map(this.#records);
    try {
      const result = {
        deletes: deletes.map((one) => this.#delete(one)),
        patches: patches.map((one) => this.#patch(one)),
        puts: puts.map((one) => this.#put(one)),
        posts: posts.map((one) => this.#post(one)),
      };
      const recordsMax = this.recordsMax ?? RECORDS_MAX[this.plan] ?? RECORDS_MAX_PAID;
      if (this.#records.size > Math.max(recordsMax, before.size))
        throw new FakeRefusal(81045, "Record quota exceeded.");
      return result;
    } catch (error) {
      this.#records = before;
      this.#named.clear();
      for (const record of before.values()) this.#index(record);
      throw error;
    }
  }

  #delete({ id }: RecordInput): FakeRecord {
    const record = this.#find(id);
    this.#records.delete(record.id);
    this.#named.get(record.name)?.delete(record.id);
    return record;
  }

  #index({ id, name }: FakeRecord): void {
    const ids = this.#named.get(name) ?? new Set();
    this.#named.set(name, ids.add(id));
  }

  #patch(input: RecordInput): FakeRecord {
    const before = this.#find(input["id"]);
    return this.#store(before.id, { ...before, ...input });
  }

  #put(input: RecordInput): FakeRecord {
    return this.#store(this.#find(input["id"]).id, input);
  }

  #post(input: RecordInput): FakeRecord {
    const { tags } = input;
    if (this.plan === "free" && Array.isArray(tags) && tags.length > 0)
      throw new FakeRefusal(9300, `DNS record has ${tags.length} tags, exceeding the quota of 0.`);
    lastId += 1;
    return this.#store(lastId.toString(16).padStart(32, "0"), input);
  }

  #find(id: unknown): FakeRecord {
    const record = typeof id === "string" ? this.#records.get(id) : undefined;
    if (record === undefined) throw new FakeRefusal(81044, "Record does not exist.");
    return record;
  }

  #store(id: string, input: RecordInput): FakeRecord {
    const record = this.#read(id, input);
    const ids = [...(this.#named.get(record.name) ?? [])].filter((one) => one !== id);
    const others = ids.map((one) => this.#find(one));
    refuseConflict(record, others, this.name);
    this.#named.get(this.#records.get(id)?.name ?? "")?.delete(id);
    this.#records.set(id, record);
    this.#index(record);
    return record;
  }

  #read(id: string, input: RecordInput): FakeRecord {
    const type = String(input["type"] ?? "").toUpperCase();
    if (!TYPES.has(type)) throw new FakeRefusal(9000, `DNS record type ${type} is invalid.`);
    const proxied = input["proxied"] === true;
    if (proxied && !PROXIABLE.has(type))
      throw new FakeRefusal(9004, "This record type cannot be proxied.");
    const { content, priority, data } = contentOf(type, input);
    return {
      id,
      name: this.#fullName(String(input["name"] ?? "")),
      type,
      content,
      ttl: proxied ? 1 : ttlOf(input["ttl"], this.plan),
      proxied,
      ...(priority === undefined ? {} : { priority }),
      ...(data === undefined ? {} : { data }),
      comment: typeof input["comment"] === "string" ? input["comment"] : null,
      tags: Array.isArray(input["tags"]) ? input["tags"].map(String) : [],
    };
  }

  /** `@` is the apex; a name outside of the zone gets the zone's name behind it. */
  #fullName(name: string): string {
    const plain = name.toLowerCase().replace(/\.$/, "");
    if (plain === "@") return this.name;
    const isInside = plain === this.name || plain.endsWith(`.${this.name}`);
    const full = isInside ? plain : `${plain}.${this.name}`;
    if (plain === "" || full.length > 253 || full.split(".").some((label) => !isLabel(label)))
      throw new FakeRefusal(9000, "DNS name is invalid.");
    return full;
  }
}

function isLabel(label: string): boolean {
  return /^(\*|[a-z0-9_/]([a-z0-9_/-]*[a-z0-9_/])?)$/.test(label) && label.length <= 63;
}

/** "Setting to 1 means automatic. Value must be between 60 and 86400", 30 for Enterprise. */
function ttlOf(value: unknown, plan: string): number {
  const ttl = Number(value ?? 1);
  const least = plan === "enterprise" ? 30 : 60;
  if (ttl === 1 || (ttl >= least && ttl <= 86_400)) return ttl;
  throw new FakeRefusal(
    9021,
    `Invalid TTL. Must be between ${least} and 86400 seconds, or 1 for Automatic.`,
  );
}

interface Content {
  readonly content: string;
  readonly priority?: number;
  readonly data?: Readonly<Record<string, unknown>>;
}

function contentOf(type: string, input: RecordInput): Content {
  if (!CONTENT_TYPES.has(type)) return contentOfData(type, input);
  const content = String(input["content"] ?? "");
  if (content === "") throw new FakeRefusal(9007, "Content for this record is required.");
  if (content.length > 4096)
    throw new FakeRefusal(
      9015,
      "Record content exceeds the allowed length of 4096 wire format bytes.",
    );
  if (type === "A" && !isAddress(content))
    throw new FakeRefusal(9005, "Content for A record must be a valid IPv4 address.");
  if (type === "AAAA" && !content.includes(":"))
    throw new FakeRefusal(9006, "Content for AAAA record must be a valid IPv6 address.");
  if (type === "TXT") return { content: textOf(content) };
  if (type !== "MX") return { content: content.toLowerCase().replace(/(?<=.)\.$/, "") };
  if (typeof input["priority"] !== "number")
    throw new FakeRefusal(9100, "priority is a required field.");
  return { content: content.replace(/(?<=.)\.$/, ""), priority: input["priority"] };
}

/** The order of fields in the content that the API shows, whatever the order they came in. */
const DATA_FIELDS: Readonly<Record<string, readonly string[]>> = {
  CAA: ["flags", "tag", "value"],
  DS: ["key_tag", "algorithm", "digest_type", "digest"],
  HTTPS: ["priority", "target", "value"],
  NAPTR: ["order", "preference", "flags", "service", "regex", "replacement"],
  SRV: ["priority", "weight", "port", "target"],
  SSHFP: ["algorithm", "type", "fingerprint"],
  SVCB: ["priority", "target", "value"],
  TLSA: ["usage", "selector", "matching_type", "certificate"],
  URI: ["weight", "target"],
};

/** Types whose content is only a rendering of their fields. */
function contentOfData(type: string, input: RecordInput): Content {
  const data = input["data"];
  if (typeof data !== "object" || data === null)
    throw new FakeRefusal(9101, `data is a required field of a ${type} record.`);
  const priority = input["priority"];
  return {
    content: (DATA_FIELDS[type] ?? Object.keys(data))
      .map((field) => String(fieldsOf(data)[field] ?? ""))
      .join(" "),
    data: { ...data },
    ...(typeof priority === "number" ? { priority } : {}),
  };
}

function isAddress(text: string): boolean {
  return /^(\d{1,3}\.){3}\d{1,3}$/.test(text) && text.split(".").every((one) => Number(one) <= 255);
}

/** "Quoted character strings (RFC 1035)"; what has no quotes is left as it is. */
function textOf(content: string): string {
  if (!content.includes('"')) return content;
  const strings = /^"([^"\\]|\\.)*"( +"([^"\\]|\\.)*")*$/s;
  if (!strings.test(content))
    throw new FakeRefusal(9016, "Content for TXT record has invalid quotation marks.");
  if (/^"" *("" *)*$/.test(content))
    throw new FakeRefusal(9007, "Content for TXT record is required.");
  return content;
}

const SAME_NAME =
  "For more details, refer to <https://developers.cloudflare.com/dns/manage-dns-records/troubleshooting/records-with-same-name/>.";

/** Docs "Records with the same name", "NS records already exist"; TXT may stand beside a CNAME. */
function refuseConflict(record: FakeRecord, others: readonly FakeRecord[], apex: string): void {
  const identical = others.some(
    (one) =>
      one.type === record.type &&
      one.content === record.content &&
      one.priority === record.priority &&
      JSON.stringify(one.data) === JSON.stringify(record.data),
  );
  if (identical) throw new FakeRefusal(81058, "An identical record already exists.");
  const types = others.map(({ type }) => type);
  if (record.type === "CNAME" && types.some((type) => PROXIABLE.has(type)))
    throw new FakeRefusal(
      81053,
      `An A, AAAA, or CNAME record with that host already exists. ${SAME_NAME}`,
    );
  if ((record.type === "A" || record.type === "AAAA") && types.includes("CNAME"))
    throw new FakeRefusal(81054, `A CNAME record with that host already exists. ${SAME_NAME}`);
  const isDelegated = types.includes("NS") && record.name !== apex;
  if (isDelegated && PROXIABLE.has(record.type))
    throw new FakeRefusal(81056, "NS records with that host already exist.");
  const texts = [record, ...others].filter(({ type }) => type === "TXT");
  if (record.type === "TXT" && texts.reduce((sum, one) => sum + one.content.length, 0) > 8192)
    throw new FakeRefusal(
      83011,
      "Combined content length of records with this name exceeds the limit of 8192 characters.",
    );
}
