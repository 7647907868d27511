/**
 * A zone of the fake of Designate. Refusals, statuses and texts are those that Designate 15.0.2
 * answered when it was tried (`central/service.py`, `objects/rrdata_txt.py`).
 */
import { randomUUID } from "node:crypto";

/** A record set as the API has it. */
export interface FakeSet {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly ttl: number | null;
  readonly records: readonly string[];
  readonly status: "ACTIVE" | "PENDING" | "ERROR";
  readonly action: "NONE" | "CREATE" | "UPDATE" | "DELETE";
  readonly version: number;
}

/** A call that is refused. */
export interface FakeRefusal {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

/** Fields of a body. */
export type Input = Partial<Pick<FakeSet, "name" | "type" | "ttl" | "records">>;

/** One zone; what is written is PENDING until `propagate`. */
export class FakeZone {
  readonly id = randomUUID();
  /** With trailing dot. */
  readonly name: string;
  type = "PRIMARY";
  action = "NONE";
  ttl: number | null = 3600;
  /** `quota_zone_recordsets` and `quota_recordset_records`. */
  setsMax = 100_000;
  recordsMax = 1000;
  readonly #sets = new Map<string, FakeSet>();
  readonly #isGone = new Set<string>();

  constructor(name: string) {
    this.name = `${name}.`;
    const soa = `ns1.example.test. hostmaster.${this.name} 1 3600 600 86400 3600`;
    for (const [type, record] of [
      ["SOA", soa],
      ["NS", "ns1.example.test."],
    ] as const)
      this.#put({ ...EMPTY, id: randomUUID(), name: this.name, type, records: [record] });
  }

  /** Those that are listed; deleted ones are not. */
  get sets(): readonly FakeSet[] {
    return [...this.#sets.values()].filter(({ id }) => !this.#isGone.has(id));
  }

  /** Deleted ones too, until all servers have the deletion. */
  byId(id: string): FakeSet | null {
    return this.#sets.get(id) ?? null;
  }

  /** All servers have every change. */
  propagate(): void {
    for (const id of this.#isGone) this.#sets.delete(id);
    this.#isGone.clear();
    for (const set of this.sets) this.#put({ ...set, status: "ACTIVE", action: "NONE" });
  }

  /** The servers refuse the last change. */
  fail(name: string): void {
    for (const set of this.sets)
      if (set.name === `${name}.`) this.#put({ ...set, status: "ERROR" });
  }

  create(input: Input): FakeSet | FakeRefusal {
    const { name = "", type = "" } = input;
    const trouble = this.#troubleOf(name, type, input.records ?? []);
    if (trouble !== null) return trouble;
    if (this.sets.some((set) => set.name === name && set.type === type))
      return { status: 409, type: "duplicate_recordset", message: "Duplicate RecordSet" };
    if (this.sets.length >= this.setsMax)
      return {
        status: 413,
        type: "over_quota",
        message: `Quota exceeded for zone_recordsets.`,
      };
    const { ttl = null, records = [] } = input;
    return this.#put({
      id: randomUUID(),
      name,
      type,
      ttl,
      records,
      status: "PENDING",
      action: "CREATE",
      version: 1,
    });
  }

  update(id: string, input: Input): FakeSet | FakeRefusal {
    const before = this.sets.find((set) => set.id === id);
    if (before === undefined) return NOT_FOUND;
    if (input.name !== undefined || input.type !== undefined)
      return invalid("'name' is an immutable field");
    const managed = managedTrouble(before, this.name);
    if (managed !== null) return managed;
    const { ttl = before.ttl, records = before.records } = input;
    const trouble = this.#troubleOf(before.name, before.type, records, id);
    if (trouble !== null) return trouble;
    const version = before.version + 1;
    return this.#put({ ...before, ttl, records, version, status: "PENDING", action: "UPDATE" });
  }

  remove(id: string): FakeSet | FakeRefusal {
    const before = this.sets.find((set) => set.id === id);
    if (before === undefined) return NOT_FOUND;
    const managed = managedTrouble(before, this.name);
    if (managed !== null) return managed;
    this.#isGone.add(id);
    return this.#put({ ...before, status: "PENDING", action: "DELETE" });
  }

  #put(set: FakeSet): FakeSet {
    this.#sets.set(set.id, set);
    return set;
  }

  #troubleOf(name: string, type: string, records: readonly string[], id = ""): FakeRefusal | null {
    if (this.action === "DELETE") return bad("Can not update a deleting zone");
    if (!name.endsWith(".")) return invalid(`'${name}' is not a 'hostname'`);
    if (name !== this.name && !name.endsWith(`.${this.name}`))
      return location("RecordSet is not contained within it's parent zone");
    if (type === "SOA") return bad("Creating a SOA recordset is not allowed");
    if (type === "CNAME" && name === this.name)
      return location("CNAME recordsets may not be created at the zone apex");
    const others = this.sets.filter((set) => set.name === name && set.id !== id);
    if (others.some((set) => set.type !== type && (set.type === "CNAME" || type === "CNAME")))
      return location("CNAME recordsets may not share a name with any other records");
    if (records.length > this.recordsMax)
      return { status: 413, type: "over_quota", message: "Quota exceeded for recordset_records." };
    return records.map((one) => recordTrouble(type, one)).find((one) => one !== null) ?? null;
  }
}

const EMPTY = { ttl: null, status: "ACTIVE", action: "NONE", version: 1 } as const;
const NOT_FOUND: FakeRefusal = {
  status: 404,
  type: "recordset_not_found",
  message: "Could not find RecordSet",
};

function managedTrouble({ name, type }: FakeSet, apex: string): FakeRefusal | null {
  if (type === "SOA" || (type === "NS" && name === apex))
    return bad("Managed records may not be updated");
  return null;
}

function recordTrouble(type: string, record: string): FakeRefusal | null {
  if (type === "TXT")
    return textTrouble(record) ? invalid(`'${record}' is not a 'TXT' Record`) : null;
  if (type === "A" && !/^(\d{1,3}\.){3}\d{1,3}$/.test(record))
    return invalid(`'${record}' is not a 'ipv4'`);
  if (type === "A" && record.split(".").some((one) => Number(one) > 255))
    return invalid(`'${record}' is not a 'ipv4'`);
  if (["CNAME", "MX", "NS", "PTR", "SRV"].includes(type) && !record.endsWith("."))
    return invalid(`'${record}' is not a 'domainname'`);
  if (type === "CAA" && record.includes('"')) return invalid(`'${record}' is not a 'CAA' Record`);
  return null;
}

/** Several strings in a text of at most 255 characters are refused, and long strings. */
function textTrouble(record: string): boolean {
  const inner = record.replace(/^"+|"+$/g, "");
  if (record.length <= 255) return !/^".*"$/s.test(record) || /(^|[^\\])"/.test(inner);
  return inner.split('" "').some((one) => one.length + 2 > 255);
}

function bad(message: string): FakeRefusal {
  return { status: 400, type: "bad_request", message };
}

function invalid(message: string): FakeRefusal {
  return { status: 400, type: "invalid_object", message };
}

function location(message: string): FakeRefusal {
  return { status: 400, type: "invalid_recordset_location", message };
}
