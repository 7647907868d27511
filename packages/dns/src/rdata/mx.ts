/** MX: preference and mail host. RFC 1035 §3.3.9; `0 .` = takes no mail, RFC 7505 §3. */
import { ok, type Result } from "@zonekeeper/base/result";
import { parseUnsigned, splitFields } from "./integer-text.ts";
import { parseRdataName } from "./name-text.ts";
import type { RdataFormat } from "./rdata-format.ts";

function parse(text: string): Result<string> {
  const fields = splitFields(text, ["preference", "exchange"]);
  if (!fields.ok) return fields;
  const [preferenceText = "", exchangeText = ""] = fields.value;
  const preference = parseUnsigned(preferenceText, 65_535, "the preference");
  if (!preference.ok) return preference;
  const exchange = parseRdataName(exchangeText);
  return exchange.ok ? ok(`${preference.value} ${exchange.value}`) : exchange;
}

/** Type 15. */
export const MX: RdataFormat = { type: "MX", parse };
