/**
 * A Message to bytes (RFC 1035 §4.1, RFC 2136 §2, RFC 6891 §6.1). Responses that are too large lose
 * whole record sets and carry TC (RFC 2181 §9); a request is never cut. TSIG is appended afterwards
 * by tsig/.
 */
import { invariant } from "@zonekeeper/base/invariant";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { numberOfType } from "../../rdata/type-numbers.ts";
import { WireWriter } from "../bytes/wire-writer.ts";
import { encodeRdata } from "../rdata/encode-rdata.ts";
import {
  CLASSES,
  MESSAGE_BYTES_MAX,
  type Message,
  OPCODES,
  type Question,
  RCODES,
  type ResourceRecord,
} from "./message.ts";

const OPT_BYTES = 11;
const TC = 0x0200;
/** RFC 1035 §4.1.1: QR, AA, TC, RD, RA. */
const FLAG_BITS = [
  ["response", 0x8000],
  ["authoritative", 0x0400],
  ["truncated", TC],
  ["recursionDesired", 0x0100],
  ["recursionAvailable", 0x0080],
] as const;

/** How large the result may be. */
export interface EncodeOptions {
  /** Bytes, 512 to 65535; leave room for TSIG if it follows. Default 65535. */
  readonly bytesMax?: number;
}

/**
 * As `tryEncodeMessage`, for messages that are known to be good (decoded, or made from canonical
 * rdata); a bug if not.
 */
export function encodeMessage(message: Message, options: EncodeOptions = {}): Uint8Array {
  const result = tryEncodeMessage(message, options);
  invariant(result.ok, `a message must be encodable: ${result.ok ? "" : result.error}`);
  return result.value;
}

/**
 * The bytes, or which record cannot be written. Only responses are truncated; a request that is too
 * large is an error.
 */
export function tryEncodeMessage(
  message: Message,
  { bytesMax = MESSAGE_BYTES_MAX }: EncodeOptions = {},
): Result<Uint8Array> {
  const flags = flagsOf(message);
  if (flags === null) return fail("opcode or response code cannot be written");
  const writer = new WireWriter();
  for (const field of [message.id, flags, 0, 0, 0, 0]) writer.u16(field);
  const room = bytesMax - (message.edns === null ? 0 : OPT_BYTES);
  const state: Encoding = { writer, room, cut: null, trouble: null, counts: [0, 0, 0, 0] };
  writeQuestions(state, message.question);
  writeSection(state, 1, message.answer);
  writeSection(state, 2, message.authority);
  writeSection(state, 3, message.additional);
  writeOpt(state, message);
  const { cut, trouble } = state;
  if (trouble !== null) return fail(trouble);
  if (cut !== null && !message.response)
    return fail(
      `the request has more than ${room} bytes and cannot be truncated; send several requests`,
    );
  // RFC 2181 §9: TC only where required data is missing; additional data may be omitted without it.
  if (cut === 1 || cut === 2) writer.patchU16(2, flags | TC);
  for (const [index, count] of state.counts.entries()) writer.patchU16(4 + 2 * index, count);
  return ok(writer.finish());
}

/** Index of a section among the counts: answer, authority, additional. */
type Section = 1 | 2 | 3;

interface Encoding {
  readonly writer: WireWriter;
  readonly room: number;
  /** The section that ran out of room; nothing is written after it. */
  cut: Section | null;
  trouble: string | null;
  /** Question, answer, authority, additional. */
  readonly counts: [number, number, number, number];
}

/** The flags field of the header; null = a code that has no number or does not fit. */
function flagsOf(message: Message): number | null {
  const opcode = OPCODES.numberOf(message.opcode);
  const rcode = RCODES.numberOf(message.rcode);
  if (opcode === null || opcode > 15 || rcode === null || rcode > 4095) return null;
  if (rcode > 15 && message.edns === null) return null;
  const bits = FLAG_BITS.reduce((sum, [field, bit]) => (message[field] ? sum | bit : sum), 0);
  return bits | (opcode << 11) | (rcode & 0xf);
}

function writeQuestions(state: Encoding, questions: readonly Question[]): void {
  for (const question of questions) {
    const type = numberOfType(question.type);
    const dnsClass = CLASSES.numberOf(question.class);
    if (type === null || dnsClass === null || !state.writer.name(question.name, true)) {
      state.trouble ??= `the question ${question.name} ${question.type} cannot be written`;
      return;
    }
    state.writer.u16(type);
    state.writer.u16(dnsClass);
    state.counts[0] += 1;
  }
}

/** Writes whole record sets as long as they fit; the first that does not ends the message. */
function writeSection(state: Encoding, section: Section, records: readonly ResourceRecord[]): void {
  let start = 0;
  while (start < records.length && state.trouble === null && state.cut === null) {
    let end = start + 1;
    while (end < records.length && isSameSet(records[start], records[end])) end += 1;
    const length = state.writer.length;
    for (const record of records.slice(start, end)) writeRecord(state, record);
    if (state.writer.length > state.room) {
      state.writer.rollBack(length);
      state.cut = section;
    } else state.counts[section] += end - start;
    start = end;
  }
}

function isSameSet(a: ResourceRecord | undefined, b: ResourceRecord | undefined): boolean {
  return a?.name === b?.name && a?.type === b?.type && a?.class === b?.class;
}

function writeRecord(state: Encoding, record: ResourceRecord): void {
  const { writer } = state;
  const type = numberOfType(record.type);
  const dnsClass = CLASSES.numberOf(record.class);
  if (type === null || dnsClass === null || !writer.name(record.name, true)) {
    state.trouble ??= `the record ${record.name} ${record.type} ${record.class} cannot be written`;
    return;
  }
  writer.u16(type);
  writer.u16(dnsClass);
  writer.u32(record.ttlSeconds);
  const lengthAt = writer.length;
  writer.u16(0);
  const good = record.data === null || encodeRdata(writer, record.type, record.data);
  const byteCount = writer.length - lengthAt - 2;
  if (!good || byteCount > 0xffff)
    state.trouble ??= `the data of ${record.name} ${record.type} cannot be written: ${record.data}`;
  writer.patchU16(lengthAt, byteCount & 0xffff);
}

/** RFC 6891 §6.1.2. Room for it was kept free. */
function writeOpt(state: Encoding, message: Message): void {
  const { edns } = message;
  if (edns === null) return;
  const { writer } = state;
  writer.u8(0);
  writer.u16(numberOfType("OPT") ?? 0);
  writer.u16(edns.udpPayloadBytes);
  writer.u8((RCODES.numberOf(message.rcode) ?? 0) >> 4);
  writer.u8(edns.version);
  writer.u16(edns.dnssecOk ? 0x8000 : 0);
  writer.u16(0);
  state.counts[3] += 1;
}
