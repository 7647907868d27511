/**
 * One zone of the fake: which records it accepts and how it refuses. Codes and texts are those of
 * the error tables of "AddDomainRecord", "UpdateDomainRecord" and "DeleteDomainRecord"; texts
 * become what DNSControl's audit of 2025-12-03 found.
 */

/** A record, as the listings show it. */
export interface FakeRecord {
  readonly RecordId: string;
  readonly RR: string;
  readonly Type: string;
  readonly Value: string;
  readonly TTL: number;
  readonly Line: string;
  readonly Priority?: number;
  /** `DISABLE` = no name server answers with it; absent = `ENABLE` ("SetDomainRecordStatus"). */
  readonly Status?: string;
  /** No call changes it ("DescribeDomainRecords": `Locked`); absent = false. */
  readonly Locked?: boolean;
}

/** What a request says; anything may be missing. */
export type Input = Readonly<Record<string, string>>;

/** A refusal of the API. */
export class FakeRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** "Record types"; redirects are a product of their own. */
const TYPES = new Set("A AAAA CAA CNAME MX NS SRV TXT REDIRECT_URL FORWARD_URL".split(" "));
/** QuotaExceeded.Record. */
const RECORDS_MAX = 90;
const LINES = new Set(["default", "telecom", "unicom", "mobile", "oversea", "edu"]);

let lastId = 9_999_984;

/** Names without trailing dots. */
export class FakeDomain {
  readonly id: string;
  readonly name: string;
  /** `DescribeDomainInfo`. */
  minTtl = 600;
  versionCode = "mianfei";
  nameServers: readonly string[] = ["dns7.hichina.com", "dns8.hichina.com"];
  records: readonly FakeRecord[] = [];

  constructor(id: string, name: string) {
    this.id = id;
    this.name = name;
  }

  add(input: Input): FakeRecord {
    lastId += 1;
    return this.#store(String(lastId), input);
  }

  /** What the vendor does to a record, or its owner in the console. */
  lock(id: string): void {
    this.records = this.records.map((one) =>
      one.RecordId === id ? { ...one, Locked: true } : one,
    );
  }

  update(id: string, input: Input): FakeRecord {
    const before = this.#unlocked(id);
    const after = this.#read(id, input);
    // An update that changes nothing is refused like a second record.
    if (isSame(before, after) && before.TTL === after.TTL) throw duplicate();
    return this.#store(id, input);
  }

  remove(id: string): FakeRecord {
    const record = this.#unlocked(id);
    this.records = this.records.filter((one) => one !== record);
    return record;
  }

  find(id: string): FakeRecord {
    const record = this.records.find(({ RecordId }) => RecordId === id);
    if (record !== undefined) return record;
    throw new FakeRefusal(
      "DomainRecordNotBelongToUser",
      "The domain record does not belong to this user.",
    );
  }

  #unlocked(id: string): FakeRecord {
    const record = this.find(id);
    if (record.Locked !== true) return record;
    throw new FakeRefusal("DomainRecordLocked", "The domain record has been locked.");
  }

  /** Records of one host; `@` is the apex. */
  at(host: string): readonly FakeRecord[] {
    return this.records.filter(({ RR }) => RR === host.toLowerCase());
  }

  #store(id: string, input: Input): FakeRecord {
    const record = this.#read(id, input);
    refuseConflict(
      record,
      this.at(record.RR).filter(({ RecordId }) => RecordId !== id),
    );
    const isNew = !this.records.some(({ RecordId }) => RecordId === id);
    this.records = isNew
      ? [...this.records, record]
      : this.records.map((one) => (one.RecordId === id ? record : one));
    return record;
  }

  #read(id: string, input: Input): FakeRecord {
    const Type = (input["Type"] ?? "").toUpperCase();
    const RR = (input["RR"] ?? "").toLowerCase();
    const Line = input["Line"] ?? "default";
    if (!/^(@|(\*\.|)[\w.*-]+|\*)$/.test(RR) || RR.split(".").some((label) => label.length > 63))
      throw new FakeRefusal("InvalidRR.Format", "The format of RR is invalid.");
    if (!TYPES.has(Type)) throw new FakeRefusal("InvalidType", "The type is invalid.");
    if (!LINES.has(Line)) throw new FakeRefusal("InvalidLine", "The line is invalid.");
    return {
      RecordId: id,
      RR,
      Type,
      Value: contentOf(Type, input["Value"] ?? ""),
      TTL: this.#ttl(input["TTL"]),
      Line,
      ...(Type === "MX" ? { Priority: priorityOf(input["Priority"]) } : {}),
      ...(input["Status"] === undefined ? {} : { Status: input["Status"] }),
    };
  }

  /** "TTL": by edition; 600 where none is given. */
  #ttl(text = "600"): number {
    const ttl = Number(text);
    if (Number.isInteger(ttl) && ttl >= this.minTtl && ttl <= 86_400) return ttl;
    throw new FakeRefusal("InvalidTTL", "The TTL is invalid.");
  }
}

/** "Priority": 1 to 50, required for MX. */
function priorityOf(text = ""): number {
  const priority = Number(text);
  if (text !== "" && priority >= 1 && priority <= 50) return priority;
  throw new FakeRefusal("InvalidPriority", "The priority is invalid.");
}

function contentOf(type: string, value: string): string {
  if (type === "TXT") return textOf(value);
  const plain = value.trim().replace(/(?<=.)\.$/, "");
  const forms: Readonly<Record<string, RegExp>> = {
    A: /^(\d{1,3}\.){3}\d{1,3}$/,
    AAAA: /^[0-9a-f:.]*:[0-9a-f:.]*$/i,
    CAA: /^\d+ \w+ ".*"$/,
    SRV: /^\d+ \d+ \d+ [\w.-]*[\w-]$/,
  };
  if ((forms[type] ?? /^[\w.:/-]+$/).test(plain)) return plain;
  throw new FakeRefusal(`InvalidValue.${type}`, "The value is not right for this type.");
}

/** Quotes go, and blanks at the end; what is not ASCII or Chinese is refused. */
function textOf(value: string): string {
  const text = value.replaceAll('"', "").trimEnd();
  if (text === "" || text.length > 512 || !/^[\x20-\x7e\u3400-\u9fff]*$/.test(text))
    throw new FakeRefusal("InvalidValue.TXT", "The value is not right for this type.");
  return text;
}

function refuseConflict(record: FakeRecord, others: readonly FakeRecord[]): void {
  const beside = others.filter(({ Line }) => Line === record.Line);
  if (beside.some((one) => isSame(one, record))) throw duplicate();
  const isCname = record.Type === "CNAME";
  if (beside.some(({ Type }) => (Type === "CNAME") !== isCname))
    throw new FakeRefusal(
      "DomainRecordConflict",
      "The domain record is conflict with other records.",
    );
  if (beside.filter(({ Type }) => Type === record.Type).length >= RECORDS_MAX)
    throw new FakeRefusal(
      "QuotaExceeded.Record",
      `You can't add this domain record because the {"Type RR Line"} record has been out of MAX count (${RECORDS_MAX}).`,
    );
}

function duplicate(): FakeRefusal {
  return new FakeRefusal("DomainRecordDuplicate", "The DNS record already exists.");
}

function isSame(one: FakeRecord, other: FakeRecord): boolean {
  return (
    one.Type === other.Type &&
    one.Value === other.Value &&
    one.Line === other.Line &&
    one.Priority === other.Priority
  );
}
