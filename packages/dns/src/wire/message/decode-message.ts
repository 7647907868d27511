/**
 * Bytes to a Message (RFC 1035 §4.1, RFC 2136 §2, RFC 6891 §6.1). Hostile bytes give an error,
 * never an exception. TSIG records are not decoded: verify and strip them first with tsig/.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { numberOfType, typeOfNumber } from "../../rdata/type-numbers.ts";
import { WireReader } from "../bytes/wire-reader.ts";
import { decodeRdata } from "../rdata/decode-rdata.ts";
import { RDATA_WIRE_FORMATS } from "../rdata/wire-format.ts";
import {
  CLASSES,
  type Edns,
  type Message,
  OPCODES,
  type Question,
  RCODES,
  type ResourceRecord,
} from "./message.ts";

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
  const { records: additional, opt } = readAdditional(reader, header.additionalCount);
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
    rcode: RCODES.of(((opt?.extendedRcode ?? 0) << 4) | (flags & 0xf)),
    question,
    answer,
    authority,
    additional,
    edns: opt?.edns ?? null,
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
  // RFC 2181 §8: a TTL with the top bit set counts as zero.
  const ttlSeconds = ttl > TTL_MAX ? 0 : ttl;
  const byteCount = reader.u16();
  // RFC 2136 §2.4, §2.5: prerequisites and deletions carry no rdata; in a plain class emptiness is
  // a fault.
  const isBare = byteCount === 0 && (dnsClass === "ANY" || dnsClass === "NONE");
  if (byteCount === 0 && !isBare && RDATA_WIRE_FORMATS.has(type))
    reader.fail(`a record of type ${type} has no data`);
  const data = isBare ? null : decodeRdata(reader, type, byteCount);
  return { name, type, class: dnsClass, ttlSeconds, data };
}

interface Opt {
  readonly edns: Edns;
  /** The upper eight bits of the response code (RFC 6891 §6.1.3). */
  readonly extendedRcode: number;
}

interface Additional {
  readonly records: readonly ResourceRecord[];
  readonly opt: Opt | null;
}

function readAdditional(reader: WireReader, count: number): Additional {
  const records: ResourceRecord[] = [];
  let opt: Opt | null = null;
  for (let index = 0; index < count && reader.trouble === null; index += 1) {
    const type = reader.peekRecordType();
    if (type === TSIG) skipRecord(reader);
    else if (type === OPT) {
      // RFC 6891 §6.1.1: more than one OPT is a format error.
      if (opt !== null) reader.fail("the message holds two OPT records");
      opt = readOpt(reader);
    } else records.push(readRecord(reader));
  }
  return { records, opt };
}

/** Moves over one record of any type. */
export function skipRecord(reader: WireReader): void {
  reader.skipName();
  reader.take(8);
  reader.take(reader.u16());
}

function readOpt(reader: WireReader): Opt {
  if (reader.name() !== "") reader.fail("the owner of OPT must be the root");
  reader.u16();
  const udpPayloadBytes = reader.u16();
  const extendedRcode = reader.u8();
  const version = reader.u8();
  const dnssecOk = (reader.u16() & 0x8000) !== 0;
  // RFC 6891 §6.1.2: options are pairs of a code and a value, which fill the rdata. This decoder
  // understands none and accepts all.
  const end = reader.u16() + reader.offset;
  while (reader.trouble === null && reader.offset < end) {
    reader.u16();
    reader.take(reader.u16());
  }
  if (reader.offset !== end) reader.fail("the options of OPT do not fill its rdata");
  return { edns: { udpPayloadBytes, dnssecOk, version }, extendedRcode };
}
