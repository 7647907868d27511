/**
 * UPDATE messages (RFC 2136): the prerequisites of §2.4 and the updates of §2.5 that a provider
 * sends, and the frame around them. Builders only; the name server evaluates them.
 */
import type { DnsName } from "../../names/dns-name.ts";
import type { RecordType } from "../../rdata/rdata-format.ts";
import { emptyMessage } from "./compose.ts";
import type { Message, ResourceRecord } from "./message.ts";

/** Name and type of a record set. */
export interface SetName {
  readonly name: DnsName;
  readonly type: RecordType;
}

/** A record set with values; `ttlSeconds` is sent as it is. */
export interface SetData extends SetName {
  readonly ttlSeconds: number;
  /** Canonical presentation rdata. */
  readonly values: readonly string[];
}

type SetValues = Omit<SetData, "ttlSeconds">;

function recordsOf(set: SetData, dnsClass: "IN" | "NONE"): readonly ResourceRecord[] {
  const { name, type, ttlSeconds, values } = set;
  return values.map((data) => ({ name, type, class: dnsClass, ttlSeconds, data }));
}

/** RFC 2136 §2.4.2: exactly these values exist; the TTL is not compared. Fails with NXRRSET. */
export function requireExactSet(set: SetValues): readonly ResourceRecord[] {
  return recordsOf({ ...set, ttlSeconds: 0 }, "IN");
}

/** RFC 2136 §2.4.3: no record set with this name and type exists. Fails with YXRRSET. */
export function requireNoSet(set: SetName): ResourceRecord {
  return { name: set.name, type: set.type, class: "NONE", ttlSeconds: 0, data: null };
}

/** RFC 2136 §2.4.5: the name owns no record of any type. Fails with YXDOMAIN. */
export function requireNameUnused(name: DnsName): ResourceRecord {
  return requireNoSet({ name, type: "ANY" });
}

/** RFC 2136 §2.5.1: add to a record set. */
export function addRecords(set: SetData): readonly ResourceRecord[] {
  return recordsOf(set, "IN");
}

/** RFC 2136 §2.5.4: delete these records and no others. */
export function deleteRecords(set: SetValues): readonly ResourceRecord[] {
  return recordsOf({ ...set, ttlSeconds: 0 }, "NONE");
}

/** The content of one UPDATE. */
export interface UpdateContent {
  /** 0 to 65535. */
  readonly id: number;
  /** Apex of the zone. */
  readonly zone: DnsName;
  readonly prerequisites: readonly ResourceRecord[];
  /** Carried out in this order (RFC 2136 §3.4.2). */
  readonly updates: readonly ResourceRecord[];
}

/** RFC 2136 §2.2, §2.3. */
export function updateMessage(content: UpdateContent): Message {
  return {
    ...emptyMessage(content.id),
    opcode: "UPDATE",
    question: [{ name: content.zone, type: "SOA", class: "IN" }],
    answer: content.prerequisites,
    authority: content.updates,
  };
}
