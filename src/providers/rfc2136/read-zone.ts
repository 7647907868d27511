/**
 * Whole-zone reads: SOA, AXFR (RFC 5936) and changes since a serial (IXFR, RFC 1995). Complete or
 * thrown (Z-6).
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { serialOf } from "@zonekeeper/dns/rdata/soa";
import { emptyMessage, queryMessage } from "@zonekeeper/dns/wire/message/compose";
import type { Message, ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import { type Transfer, TransferReader } from "@zonekeeper/dns/wire/transfer/transfer-reader";
import type { ZoneDelta, ZoneSnapshot } from "../provider.ts";
import { toMovedRecords, toRecordSets } from "./convert.ts";
import type { DnsClient, TransferEnd } from "./dns-client.ts";
import { rcodeFailure, readFailure } from "./explain-failure.ts";
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

/**
 * The zone's SOA record, from the server's own authority. Throws when it does not serve the zone.
 */
export async function readSoa(context: ReadContext, zone: DnsName): Promise<ResourceRecord> {
  const { client, signal } = context;
  const what = `SOA of ${zone} at ${context.endpoint}`;
  const answer = await client.ask(
    queryMessage(client.nextId(), { name: zone, type: "SOA" }),
    signal,
  );
  if (answer.status !== "answer") throw readFailure(what, answer, context.nowSeconds());
  const { message } = answer;
  if (message.rcode !== "NOERROR") throw rcodeFailure(what, message.rcode);
  const soa = message.answer.find((record) => record.type === "SOA" && record.name === zone);
  if (soa !== undefined && message.authoritative) return soa;
  throw new OperationError({
    code: "ZoneNotServed",
    message: `${what}: the server answers NOERROR but ${
      soa === undefined
        ? "has no SOA at this name, so the name is no zone"
        : "is not authoritative for it"
    }; check the name of the zone and the server`,
    retry: "backoff",
  });
}

/** The serial of an SOA that the server sent. */
export function tokenOf(soa: ResourceRecord): string {
  const serial = serialOf(soa);
  if (serial !== null) return String(serial);
  throw new OperationError({
    code: "BadAnswer",
    message: `the SOA of ${soa.name} cannot be read`,
    retry: "backoff",
  });
}

/** AXFR. */
export async function readWholeZone(context: ReadContext, zone: DnsName): Promise<ZoneSnapshot> {
  const { client, signal } = context;
  const request = queryMessage(client.nextId(), { name: zone, type: "AXFR" });
  const reader = newReader(request, zone, null);
  const end = await client.transfer({ request, reader, isEnough: () => false }, signal);
  const transfer = completed(context, `transfer of ${zone} from ${context.endpoint}`, end);
  if (transfer?.kind !== "full")
    throw new OperationError({
      code: "BadAnswer",
      message: `transfer of ${zone} from ${context.endpoint}: it is not a whole zone`,
      retry: "backoff",
    });
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
  const request = ixfrMessage(client.nextId(), zone, serial);
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
  throw new OperationError({
    code: "BadAnswer",
    message: `${what}: ${end.message}`,
    retry: "backoff",
  });
}

function newReader(request: Message, zone: DnsName, haveSerial: number | null): TransferReader {
  return new TransferReader({
    id: request.id,
    zone,
    haveSerial,
    recordsMax: TRANSFER_RECORDS_MAX,
  });
}

/**
 * RFC 1995 §3: an SOA in the authority section has the known serial; its other fields do not
 * matter.
 */
function ixfrMessage(id: number, zone: DnsName, serial: number): Message {
  return {
    ...emptyMessage(id),
    question: [{ name: zone, type: "IXFR", class: "IN" }],
    authority: [{ ...emptySoa(zone), data: `. . ${serial} 0 0 0 0` }],
  };
}

function emptySoa(zone: DnsName): ResourceRecord {
  return { name: zone, type: "SOA", class: "IN", ttlSeconds: 0, data: null };
}
