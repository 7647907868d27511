/**
 * URI: where a service is reached. RFC 7553 §4.1-§4.4 (fields), §4.5 (wire), §4.6 (text; the target
 * is always quoted).
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { parseNumbers, uint16Field } from "./numbers.ts";
import type { RdataFormat } from "./rdata-format.ts";
import { formatText, parseText, splitTokensFor } from "./tokens.ts";

function parse(text: string): Result<string> {
  const tokens = splitTokensFor(text, ["priority", "weight", '"target"']);
  if (!tokens.ok) return tokens;
  const numbers = parseNumbers(tokens.value, [
    uint16Field("the priority"),
    uint16Field("the weight"),
  ]);
  if (!numbers.ok) return numbers;
  const target = parseText(tokens.value[2] ?? "", "the target");
  if (!target.ok) return target;
  if (target.value.length === 0)
    return fail('the target is empty; write a URI such as "https://www.example.org/"');
  return ok(`${numbers.value.join(" ")} ${formatText(target.value)}`);
}

/** Type 256. */
export const URI: RdataFormat = { type: "URI", parse };
