/**
 * CAA: which authorities may issue certificates. RFC 8659 §4.1 (fields), §4.1.1 (text). The case of
 * the tag is kept.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { parseUnsigned } from "./integer-text.ts";
import type { RdataFormat } from "./rdata-format.ts";
import { formatText, parseText, splitTokensFor } from "./tokens.ts";

/** RFC 8659 §4.1: letters and digits, at least one; the length is one byte. */
const TAG = /^[A-Za-z0-9]{1,255}$/;

function parse(text: string): Result<string> {
  const tokens = splitTokensFor(text, ["flags", "tag", '"value"']);
  if (!tokens.ok) return tokens;
  const [flagsText = "", tag = "", valueText = ""] = tokens.value;
  const flags = parseUnsigned(flagsText, 255, "the flags");
  if (!flags.ok) return flags;
  if (!TAG.test(tag))
    return fail("the tag must hold letters and digits only, such as issue, issuewild or iodef");
  const value = parseText(valueText, "the value");
  return value.ok ? ok(`${flags.value} ${tag} ${formatText(value.value)}`) : value;
}

/** Type 257. */
export const CAA: RdataFormat = { type: "CAA", parse };
