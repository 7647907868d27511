/**
 * Cuts a zone, or steps of its history, into the messages of a transfer (RFC 5936 §2.2, RFC 1995
 * §4). The reverse of transfer-reader. The caller signs and sends; nothing is held in memory beyond
 * one message.
 */
import { responseTo } from "../message/compose.ts";
import type { Message, ResourceRecord } from "../message/message.ts";
import type { TransferStep } from "./transfer-reader.ts";

/**
 * Bytes of records in one message: far below 65535, so that TSIG fits and a reader works on one
 * message while the next is under way.
 */
export const TRANSFER_MESSAGE_BYTES = 32_000;

/**
 * The record stream of a full answer: SOA, everything else, SOA again. SOA records in `records` are
 * skipped.
 */
export function* fullTransfer(
  soa: ResourceRecord,
  records: Iterable<ResourceRecord>,
): Iterable<ResourceRecord> {
  yield soa;
  for (const record of records) if (record.type !== "SOA") yield record;
  yield soa;
}

/** The record stream of an incremental answer; `steps` oldest first, the last one ends at `soa`. */
export function* incrementalTransfer(
  soa: ResourceRecord,
  steps: Iterable<TransferStep>,
): Iterable<ResourceRecord> {
  yield soa;
  for (const step of steps) {
    yield step.fromSoa;
    yield* step.removed;
    yield step.toSoa;
    yield* step.added;
  }
  yield soa;
}

/**
 * Messages that answer `request` with `records`, in order; each well below 64 KiB unless one record
 * alone is larger.
 */
export function* transferMessages(
  request: Message,
  records: Iterable<ResourceRecord>,
): Iterable<Message> {
  const frame = responseTo(request, "NOERROR", true);
  let answer: ResourceRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    // An upper bound of a record's bytes: text is never shorter than wire form, but for numbers and
    // addresses (32 bytes).
    const size = record.name.length + 2 + 10 + (record.data ?? "").length + 32;
    if (answer.length > 0 && bytes + size > TRANSFER_MESSAGE_BYTES) {
      yield { ...frame, answer };
      answer = [];
      bytes = 0;
    }
    answer.push(record);
    bytes += size;
  }
  if (answer.length > 0) yield { ...frame, answer };
}
