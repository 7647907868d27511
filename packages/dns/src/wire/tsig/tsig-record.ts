/**
 * The TSIG record (RFC 8945 §4.2) on the wire: found, cut off, appended. No hashing here.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { DnsName } from "../../names/dns-name.ts";
import { numberOfType } from "../../rdata/type-numbers.ts";
import { WireReader } from "../bytes/wire-reader.ts";
import { WireWriter } from "../bytes/wire-writer.ts";
import { readHeader, readQuestion, skipRecord } from "../message/decode-message.ts";

const TSIG = numberOfType("TSIG") ?? 250;
const CLASS_ANY = 255;
const ARCOUNT_OFFSET = 10;

/** The fields of a TSIG record. */
export interface TsigRecord {
  readonly keyName: DnsName;
  readonly algorithmName: DnsName;
  /** Unix seconds, 48 bits. */
  readonly timeSeconds: number;
  readonly fudgeSeconds: number;
  /** Empty = the message is not signed (BADKEY, BADSIG: RFC 8945 §5.3.2). */
  readonly mac: Uint8Array;
  readonly originalId: number;
  /** 0 = none; see `TSIG_ERRORS`. */
  readonly error: number;
  /** With BADTIME six bytes: the server's time (RFC 8945 §5.2.3). */
  readonly otherData: Uint8Array;
}

/**
 * A message without its TSIG, as it was when the MAC was made: ARCOUNT one less, original id put
 * back (§4.3.2, §5.2).
 */
export interface SplitMessage {
  readonly message: Uint8Array;
  /** Null = the message carries none. */
  readonly tsig: TsigRecord | null;
}

/**
 * Cuts the TSIG off. It must be the last record and the only one (RFC 8945 §5.1, §5.2); else the
 * message is malformed.
 */
export function splitTsig(bytes: Uint8Array): Result<SplitMessage> {
  const reader = new WireReader(bytes);
  const header = readHeader(reader);
  for (let left = header.questionCount; left > 0 && reader.trouble === null; left -= 1)
    readQuestion(reader);
  let tsig: TsigRecord | null = null;
  let start = 0;
  const recordCount = header.answerCount + header.authorityCount + header.additionalCount;
  for (let left = recordCount; left > 0 && reader.trouble === null; left -= 1) {
    start = reader.offset;
    if (reader.peekRecordType() !== TSIG) skipRecord(reader);
    else if (left === 1 && header.additionalCount > 0) tsig = readTsig(reader);
    else reader.fail("a TSIG record is not the last record");
  }
  if (reader.trouble !== null) return fail(reader.trouble);
  if (tsig === null) return ok({ message: bytes, tsig });
  if (reader.left > 0) return fail("bytes follow after the TSIG record");
  // A copy, also of a Node Buffer, whose `slice` would share memory with the rest of its
  // ArrayBuffer.
  const message = new Uint8Array(bytes.subarray(0, start));
  const view = new DataView(message.buffer);
  view.setUint16(0, tsig.originalId);
  view.setUint16(ARCOUNT_OFFSET, header.additionalCount - 1);
  return ok({ message, tsig });
}

function readTsig(reader: WireReader): TsigRecord {
  const keyName = reader.name();
  reader.u16();
  if (reader.u16() !== CLASS_ANY) reader.fail("the class of TSIG must be ANY");
  if (reader.u32() !== 0) reader.fail("the TTL of TSIG must be 0");
  const end = reader.u16() + reader.offset;
  const tsig: TsigRecord = {
    keyName,
    algorithmName: reader.name(),
    timeSeconds: reader.u48(),
    fudgeSeconds: reader.u16(),
    mac: new Uint8Array(reader.take(reader.u16())),
    originalId: reader.u16(),
    error: reader.u16(),
    otherData: new Uint8Array(reader.take(reader.u16())),
  };
  if (reader.trouble === null && reader.offset !== end) reader.fail("TSIG has a wrong length");
  return tsig;
}

/**
 * `message` with the record at its end and ARCOUNT one more. Names are written uncompressed (RFC
 * 8945 §4.2).
 */
export function appendTsig(message: Uint8Array, tsig: TsigRecord): Uint8Array {
  const writer = new WireWriter();
  writer.bytes(message);
  writer.name(tsig.keyName, false);
  writer.u16(TSIG);
  writer.u16(CLASS_ANY);
  writer.u32(0);
  const lengthAt = writer.length;
  writer.u16(0);
  writer.name(tsig.algorithmName, false);
  writer.u48(tsig.timeSeconds);
  writer.u16(tsig.fudgeSeconds);
  writer.u16(tsig.mac.length);
  writer.bytes(tsig.mac);
  writer.u16(tsig.originalId);
  writer.u16(tsig.error);
  writer.u16(tsig.otherData.length);
  writer.bytes(tsig.otherData);
  writer.patchU16(lengthAt, writer.length - lengthAt - 2);
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  writer.patchU16(ARCOUNT_OFFSET, view.getUint16(ARCOUNT_OFFSET) + 1);
  return writer.finish();
}
