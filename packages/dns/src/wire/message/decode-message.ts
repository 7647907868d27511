/**
 * Bytes to a Message (RFC 1035 §4.1, RFC 2136 §2, RFC 6891 §6.1). Hostile bytes give an error,
 * never an exception. TSIG records are not decoded: verify and strip them first with tsig/.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { RecordType } from "../../rdata/record-type.ts";
import { numberOfType, typeOfNumber } from "../../rdata/type-numbers.ts";
import { WireReader } from "../bytes/wire-reader.ts";
import { decodeRdata } from "../rdata/decode-rdata.ts";
import { RDATA_WIRE_FORMATS } from "../rdata/wire-format.ts";
import { CLASSES, OPCODES, RCODES } from "./codes.ts";
import type { DnsClass, Edns, Message, Question, ResourceRecord } from "./message.ts";

const OPT = numberOfType("OPT");
const TSIG = numberOfType("TSIG");
const TTL_MAX = 0x7fff_ffff;

/** The fixed header, RFC 1035 §4.1.1. */
export interface Header {
  readonly id: number;
  readonly flags: number;
  readonly questionCount: number;
  readonly answerCount: number;
  readonly authorityCount: number;
  readonly additionalCount: number;
}

/** Reads a whole message; bytes after it are an error. */
export function decodeMessage(bytes: Uint8Array): Result<Message> {
  const reader = new WireReader(bytes);
  const header = readHeader(reader);
  const question = readMany(reader, header.questionCount, readQuestion);
  const answer = readMany(reader, header.answerCount, readRecord);
  const authority = readMany(reader, header.authorityCount, readRecord);
  const tail = readAdditional(reader, header.additionalCount);
  if (reader.trouble === null && reader.left > 0) reader.fail("bytes follow after the message");
  if (reader.trouble !== null) return fail(reader.trouble);
  const { flags } = header;
  return ok({
    id: header.id,
    response: (flags & 0x8000) !== 0,
    opcode: OPCODES.of((flags >> 11) & 0xf),
    authoritative: (flags & 0x0400) !== 0,
    truncated: (flags & 0x0200) !== 0,
    recursionDesired: (flags & 0x0100) !== 0,
    recursionAvailable: (flags & 0x0080) !== 0,
    rcode: RCODES.of((tail.extendedRcode << 4) | (flags & 0xf)),
    question,
    answer,
    authority,
    additional: tail.records,
    edns: tail.edns,
  });
}

/** Reads twelve bytes. */
export function readHeader(reader: WireReader): Header {
  return {
    id: reader.u16(),
    flags: reader.u16(),
    questionCount: reader.u16(),
    answerCount: reader.u16(),
    authorityCount: reader.u16(),
    additionalCount: reader.u16(),
  };
}

/** A claimed count of 65535 costs nothing: reading stops at the first trouble. */
function readMany<T>(
  reader: WireReader,
  count: number,
  read: (reader: WireReader) => T,
): readonly T[] {
  const items: T[] = [];
  for (let index = 0; index < count && reader.trouble === null; index += 1)
    items.push(read(reader));
  return items;
}

/** One entry of the question or zone section. */
export function readQuestion(reader: WireReader): Question {
  return {
    name: reader.name(),
    type: typeOfNumber(reader.u16()),
    class: CLASSES.of(reader.u16()),
  };
}

function readRecord(reader: WireReader): ResourceRecord {
  const name = reader.name();
  const type = typeOfNumber(reader.u16());
  // RFC 6891 §6.1.1: OPT stands in the additional section.
  if (type === "OPT") reader.fail("an OPT record stands outside of the additional section");
  const dnsClass = CLASSES.of(reader.u16());
  const ttl = reader.u32();
  const byteCount = reader.u16();
  return {
    name,
    type,
    class: dnsClass,
    // RFC 2181 §8: a TTL with the top bit set counts as zero.
    ttlSeconds: ttl > TTL_MAX ? 0 : ttl,
    data: readData(reader, { type, dnsClass, byteCount }),
  };
}

interface DataShape {
  readonly type: RecordType;
  readonly dnsClass: DnsClass;
  readonly byteCount: number;
}

function readData(reader: WireReader, { type, dnsClass, byteCount }: DataShape): string | null {
  if (byteCount > 0) return decodeRdata(reader, type, byteCount);
  // RFC 2136 §2.4, §2.5: prerequisites and deletions carry no rdata; in a plain class emptiness is
  // a fault.
  const bare = dnsClass === "ANY" || dnsClass === "NONE";
  if (bare) return null;
  if (RDATA_WIRE_FORMATS.has(type)) reader.fail(`a record of type ${type} has no data`);
  return decodeRdata(reader, type, 0);
}

interface Tail {
  readonly records: readonly ResourceRecord[];
  readonly edns: Edns | null;
  /** The upper eight bits of the response code (RFC 6891 §6.1.3). */
  readonly extendedRcode: number;
}

function readAdditional(reader: WireReader, count: number): Tail {
  const records: ResourceRecord[] = [];
  let edns: Edns | null = null;
  let extendedRcode = 0;
  for (let index = 0; index < count && reader.trouble === null; index += 1) {
    const type = reader.peekRecordType();
    if (type === TSIG) skipRecord(reader);
    else if (type === OPT) {
      // RFC 6891 §6.1.1: more than one OPT is a format error.
      if (edns !== null) reader.fail("the message holds two OPT records");
      const opt = readOpt(reader);
      edns = opt.edns;
      extendedRcode = opt.extendedRcode;
    } else records.push(readRecord(reader));
  }
  return { records, edns, extendedRcode };
}

/** Moves over one record of any type. */
export function skipRecord(reader: WireReader): void {
  reader.skipName();
  reader.take(8);
  reader.take(reader.u16());
}

function readOpt(reader: WireReader): { readonly edns: Edns; readonly extendedRcode: number } {
  if (reader.name() !== "") reader.fail("the owner of OPT must be the root");
  reader.u16();
  const udpPayloadBytes = reader.u16();
  const extendedRcode = reader.u8();
  const version = reader.u8();
  const dnssecOk = (reader.u16() & 0x8000) !== 0;
  skipOptions(reader, reader.u16());
  return { edns: { udpPayloadBytes, dnssecOk, version }, extendedRcode };
}

/**
 * RFC 6891 §6.1.2: pairs of a code and a value, which fill the rdata. This decoder understands none
 * and accepts all.
 */
function skipOptions(reader: WireReader, bytes: number): void {
  const end = reader.offset + bytes;
  while (reader.trouble === null && reader.offset < end) {
    reader.u16();
    reader.take(reader.u16());
  }
  if (reader.offset !== end) reader.fail("the options of OPT do not fill its rdata");
}
