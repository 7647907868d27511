/**
 * Zone transfers out: which records answer AXFR and IXFR (RFC 5936 §2.2, RFC 1995 §4). From one
 * immutable state, lazily, so that a slow secondary costs no copy. wire/ cuts them into messages;
 * the responder checks the rights.
 */
import { isSerialNewer, serialOf } from "../../rdata/soa.ts";
import type { Message, ResourceRecord } from "../../wire/message/message.ts";
import { fullTransfer, incrementalTransfer } from "../../wire/transfer/transfer-writer.ts";
import type { ZoneState } from "../hosting/zone-store.ts";

/** The records of a full transfer. */
export function allRecords({ version }: ZoneState): Iterable<ResourceRecord> {
  return fullTransfer(version.soaRecord, version.records());
}

/**
 * The records that answer IXFR from a secondary's serial: the SOA alone when it has the newest, the
 * changes when the journal reaches back, else a full transfer (RFC 1995 §4).
 */
export function recordsSince(state: ZoneState, serial: number): Iterable<ResourceRecord> {
  const { version, journal } = state;
  if (!isSerialNewer(version.soa.serial, serial)) return [version.soaRecord];
  const deltas = journal.since(serial);
  return deltas === null ? allRecords(state) : incrementalTransfer(version.soaRecord, deltas);
}

/** The serial that a secondary has, by its request (RFC 1995 §3); null = the request lacks it. */
export function serialHeld(request: Message): number | null {
  const apex = request.question[0]?.name;
  const soa = request.authority.find(({ type, name }) => type === "SOA" && name === apex);
  return soa === undefined ? null : serialOf(soa);
}
