/**
 * Whole-zone reads: SOA, AXFR (RFC 5936) and changes since a serial (IXFR, RFC 1995). Complete or
 * thrown (Z-6).
 */
import { retryable } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { serialOf } from "@zonekeeper/dns/rdata/soa";
import { emptyMessage, queryMessage } from "@zonekeeper/dns/wire/message/compose";
import type { Message, Rcode, ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import { type Transfer, TransferReader } from "@zonekeeper/dns/wire/transfer/transfer-reader";
import type { ZoneDelta, ZoneSnapshot } from "../provider.ts";
import { toMovedRecords, toRecordSets } from "./convert.ts";
import type { DnsClient, TransferEnd } from "./dns-client.ts";
import { rcodeFailure, readFailure } from "./failures.ts";
import { TRANSFER_RECORDS_MAX } from "./limits.ts";

/** What reads need. */
export interface ReadContext {
  readonly client: DnsClient;
  /** For messages: `127.0.0.1:53`. */
  readonly endpoint: string;
  /** Unix seconds now. */
  readonly nowSeconds: () => number;
  readonly signal: AbortSignal;
}

/** The verified answer of the server to one query. Throws for other response codes. */
export async function askOne(
  context: ReadContext,
  [name, type]: readonly [name: DnsName, type: string],
  rcodes: readonly Rcode[],
): Promise<Message> {
  const { client, endpoint, signal } = context;
  const answer = await client.ask(queryMessage(client.nextId(), { name, type }), signal);
  const what = `${type} of ${name} at ${endpoint}`;
  if (answer.status !== "answer") throw readFailure(what, answer, context.nowSeconds());
  const { rcode } = answer.message;
  if (rcodes.includes(rcode)) return answer.message;
  throw rcodeFailure(what, rcode);
}

/**
 * The zone's SOA record, from the server's own authority. Throws when it does not serve the zone.
 */
export async function readSoa(context: ReadContext, zone: DnsName): Promise<ResourceRecord> {
  const message = await askOne(context, [zone, "SOA"], ["NOERROR"]);
  const soa = message.answer.find((record) => record.type === "SOA" && record.name === zone);
  if (soa !== undefined && message.authoritative) return soa;
  const trouble =
    soa === undefined
      ? "has no SOA at this name, so the name is no zone"
      : "is not authoritative for it";
  throw retryable(
    "ZoneNotServed",
    `SOA of ${zone} at ${context.endpoint}: the server answers NOERROR but ${trouble}; check the name of the zone and the server`,
  );
}

/** The serial of an SOA that the server sent. */
export function tokenOf(soa: ResourceRecord): string {
  const serial = serialOf(soa);
  if (serial !== null) return String(serial);
  throw retryable("BadAnswer", `the SOA of ${soa.name} cannot be read`);
}

/** AXFR. */
export async function readWholeZone(context: ReadContext, zone: DnsName): Promise<ZoneSnapshot> {
  const { client, signal } = context;
  const request = queryMessage(client.nextId(), { name: zone, type: "AXFR" });
  const reader = newReader(request, zone, null);
  const end = await client.transfer({ request, reader, isEnough: () => false }, signal);
  const what = `transfer of ${zone} from ${context.endpoint}`;
  const transfer = completed(context, what, end);
  if (transfer?.kind !== "full") throw retryable("BadAnswer", `${what}: it is not a whole zone`);
  const sets = toRecordSets(zone, [transfer.soa, ...transfer.records]);
  return { sets, token: tokenOf(transfer.soa) };
}

/**
 * IXFR: names that moved. Null names where the server sends the zone instead, or knows no such
 * history.
 */
export async function readDelta(
  context: ReadContext,
  zone: DnsName,
  token: string,
): Promise<ZoneDelta> {
  const serial = /^\d{1,10}$/.test(token) ? Number(token) : null;
  if (serial === null) return { token: tokenOf(await readSoa(context, zone)), names: null };
  const { client, signal } = context;
  // RFC 1995 §3: the SOA has the known serial; its other fields do not matter.
  const request: Message = {
    ...emptyMessage(client.nextId()),
    question: [{ name: zone, type: "IXFR", class: "IN" }],
    authority: [{ ...emptySoa(zone), data: `. . ${serial} 0 0 0 0` }],
  };
  const reader = newReader(request, zone, serial);
  const run = { request, reader, isEnough: () => reader.fullAnswerSoa !== null };
  const end = await client.transfer(run, signal);
  // RFC 1995 §4 lets a server not know IXFR at all.
  if (end.status === "failed" && (end.rcode === "NOTIMP" || end.rcode === "FORMERR"))
    return { token: tokenOf(await readSoa(context, zone)), names: null };
  const transfer = completed(context, `changes of ${zone} from ${context.endpoint}`, end);
  if (transfer === null)
    return { token: tokenOf(reader.fullAnswerSoa ?? emptySoa(zone)), names: null };
  return deltaOf(transfer, token);
}

function deltaOf(transfer: Transfer, token: string): ZoneDelta {
  const present = tokenOf(transfer.soa);
  // A server whose serial went backwards also answers "up to date": then the changes are unknown.
  if (transfer.kind === "up-to-date")
    return { token: present, names: present === token ? [] : null };
  if (transfer.kind === "full") return { token: present, names: null };
  const records = toMovedRecords(transfer.soa.name, transfer.steps);
  const names = [...new Set(records.map(({ name }) => name))].sort();
  return { token: present, names, records };
}

/** The zone's SOA was read with the same key right before. */
const TRANSFER_REFUSED =
  "; the key may not transfer the zone: name the key in the zone's allow-transfer";

/** The transfer; null = stopped on purpose. Throws with what went wrong. */
function completed(context: ReadContext, what: string, end: TransferEnd): Transfer | null {
  if (end.status === "done") return end.transfer;
  if (end.status === "stopped") return null;
  if (end.status === "trouble") throw readFailure(what, end.answer, context.nowSeconds());
  if (end.rcode !== "NOERROR") throw rcodeFailure(what, end.rcode, TRANSFER_REFUSED);
  throw retryable("BadAnswer", `${what}: ${end.message}`);
}

function newReader(request: Message, zone: DnsName, haveSerial: number | null): TransferReader {
  const recordsMax = TRANSFER_RECORDS_MAX;
  return new TransferReader({ id: request.id, zone, haveSerial, recordsMax });
}

function emptySoa(zone: DnsName): ResourceRecord {
  return { name: zone, type: "SOA", class: "IN", ttlSeconds: 0, data: null };
}
