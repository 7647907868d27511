/**
 * Zone transfers out: which records, in which order, in how many messages (RFC 5936 §2.2, RFC 1995 §4). From one
 * immutable state, lazily, so that a slow secondary costs no copy. Rights and signatures are the responder's.
 */

import { responseTo } from "../../../wire/message/compose.ts";
import type { Message, ResourceRecord } from "../../../wire/message/message.ts";
import type { ZoneState } from "../hosting/zone-store.ts";
import { isSerialAfter } from "../zone/serial.ts";
import { parseSoa } from "../zone/soa.ts";
import type { ZoneRecord } from "../zone/zone-version.ts";

/** Estimated bytes of records in one message: large enough to compress well, small enough never to stall. */
const MESSAGE_BYTES_AIM = 16_000;
/** More than header, compressed pointers and short binary rdata can add to a record's text. */
const RECORD_BYTES_EXTRA = 32;

/** The records of a full transfer: SOA, everything else, SOA (RFC 5936 §2.2). */
export function* fullTransfer({ version }: ZoneState): Generator<ZoneRecord> {
  yield version.soaRecord;
  yield* version.records();
  yield version.soaRecord;
}

/**
 * The records that answer IXFR from a secondary's serial: the SOA alone when it has the newest, the changes when the
 * journal reaches back, else a full transfer (RFC 1995 §4).
 */
export function incrementalTransfer(state: ZoneState, serial: number): Iterable<ZoneRecord> {
  const { version, journal } = state;
  if (!isSerialAfter(version.soa.serial, serial)) return [version.soaRecord];
  const deltas = journal.since(serial);
  if (deltas === null) return fullTransfer(state);
  const changes = deltas.flatMap((delta) => [
    delta.fromSoa,
    ...delta.removed,
    delta.toSoa,
    ...delta.added,
  ]);
  return [version.soaRecord, ...changes, version.soaRecord];
}

/** The serial that a secondary says it has (RFC 1995 §3); null = the request lacks it. */
export function serialHeld(request: Message): number | null {
  const soa = request.authority.find(
    (record) => record.type === "SOA" && record.name === request.question[0]?.name,
  );
  return parseSoa(soa?.data ?? "")?.serial ?? null;
}

/** Cuts records into responses; only the first repeats the question (RFC 5936 §2.2.1, §2.2.2). */
export function* transferMessages(
  request: Message,
  records: Iterable<ZoneRecord>,
): Generator<Message> {
  const first = responseTo(request, "NOERROR", true);
  const later: Message = { ...first, question: [] };
  let answer: ResourceRecord[] = [];
  let bytes = 0;
  let shape = first;
  for (const record of records) {
    const size = record.name.length + record.data.length + RECORD_BYTES_EXTRA;
    if (answer.length > 0 && bytes + size > MESSAGE_BYTES_AIM) {
      yield { ...shape, answer };
      [answer, bytes, shape] = [[], 0, later];
    }
    answer.push({ ...record, class: "IN" });
    bytes += size;
  }
  if (answer.length > 0) yield { ...shape, answer };
}
