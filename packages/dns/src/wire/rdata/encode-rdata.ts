/**
 * Canonical presentation rdata to bytes (RFC 1035 §3.3, RFC 3597 §5). Text that is not canonical
 * for its type is an error, never a guess.
 */
import { ok } from "@zonekeeper/base/result";
import { unknownBytes } from "../../rdata/index.ts";
import type { RecordType } from "../../rdata/rdata-format.ts";
import { splitTokens } from "../../rdata/tokens.ts";
import { isPlainText } from "../../rdata/txt.ts";
import type { WireWriter } from "../bytes/wire-writer.ts";
import { RDATA_FIELDS } from "./rdata-fields.ts";
import { RDATA_WIRE_FORMATS } from "./wire-format.ts";

const GENERIC = "\\# ";
const QUOTE = 0x22;

/**
 * Writes the rdata of `type` without its length. False = `text` is no rdata of that type; the
 * writer then holds a part of it and must be rolled back.
 */
export function encodeRdata(writer: WireWriter, type: RecordType, text: string): boolean {
  const format = RDATA_WIRE_FORMATS.get(type);
  if (format === undefined) return encodeUnknown(writer, text);
  if (format.whenWrong === "opaque" && text.startsWith(GENERIC)) return encodeUnknown(writer, text);
  if (format.fields[0] === "strings" && encodePlainString(writer, text)) return true;
  // Canonical text without quotes has one space between tokens, and no other.
  const tokens = text.includes('"') ? splitTokens(text) : ok(text.split(" "));
  if (!tokens.ok) return false;
  const { fields } = format;
  const last = fields.at(-1);
  const takesAll = last === "strings" || last === "parameters";
  if (!takesAll && tokens.value.length !== fields.length) return false;
  return fields.every((field, index) =>
    RDATA_FIELDS[field].write(writer, tokens.value[index] ?? "", tokens.value.slice(index)),
  );
}

/**
 * A single string in quotes without escapes, as markers are. False = it is something else; nothing
 * was written.
 */
function encodePlainString(writer: WireWriter, text: string): boolean {
  const end = text.length - 1;
  if (end < 1 || end > 256 || text.charCodeAt(0) !== QUOTE || text.charCodeAt(end) !== QUOTE)
    return false;
  if (!isPlainText(text.slice(1, end))) return false;
  writer.u8(end - 1);
  writer.latin1(text, 1, end);
  return true;
}

function encodeUnknown(writer: WireWriter, text: string): boolean {
  const bytes = unknownBytes(text);
  if (bytes.ok) writer.bytes(bytes.value);
  return bytes.ok;
}
