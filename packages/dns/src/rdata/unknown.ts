/** Every type that is not listed in `index.ts`: rdata as `\# <bytes> <hex>`. RFC 3597 §5. */
import { hexText } from "@zonekeeper/base/byte-text";
import { fail, mapOk, ok, type Result } from "@zonekeeper/base/result";
import { hexBytes } from "./number-text.ts";
import { RDATA_BYTES_MAX } from "./rdata-format.ts";

/** Canonical text: `\# 2 abcd`; `\# 0` for no bytes. */
export function formatUnknown(bytes: Uint8Array): string {
  return bytes.length === 0 ? "\\# 0" : `\\# ${bytes.length} ${hexText(bytes)}`;
}

/** The bytes of `\# <bytes> <hex>`; the hex may be broken by spaces. */
export function unknownBytes(text: string): Result<Uint8Array> {
  const match = /^\\#[ \t]+(\d{1,5})((?:[ \t]+[0-9a-f]+)*)$/i.exec(text.trim());
  if (match === null) return fail("write the data as \\# <number of bytes> <hex digits>");
  const count = Number(match[1]);
  const hex = (match[2] ?? "").replaceAll(/[ \t]/g, "");
  if (hex.length !== 2 * count)
    return fail(`\\# ${count} needs ${2 * count} hex digits, but has ${hex.length}`);
  if (count > RDATA_BYTES_MAX) return fail(`at most ${RDATA_BYTES_MAX} bytes fit into a record`);
  return ok(hexBytes(hex) ?? new Uint8Array(0));
}

/** Canonical form of `\#` text. */
export function parseUnknown(text: string): Result<string> {
  return mapOk(unknownBytes(text), formatUnknown);
}
