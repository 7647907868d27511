/**
 * SRV: priority, weight, port and host of a service. RFC 2782; target `.` = the service is not
 * available.
 */
import { ok, type Result } from "@zonekeeper/base/result";
import { parseUnsigned, splitFields } from "./integer-text.ts";
import { parseRdataName } from "./name-text.ts";
import type { RdataFormat } from "./rdata-format.ts";

const NUMBERS = ["priority", "weight", "port"] as const;

function parse(text: string): Result<string> {
  const fields = splitFields(text, [...NUMBERS, "target"]);
  if (!fields.ok) return fields;
  const numbers: number[] = [];
  for (const [index, field] of NUMBERS.entries()) {
    const number = parseUnsigned(fields.value[index] ?? "", 65_535, `the ${field}`);
    if (!number.ok) return number;
    numbers.push(number.value);
  }
  const target = parseRdataName(fields.value[3] ?? "");
  return target.ok ? ok(`${numbers.join(" ")} ${target.value}`) : target;
}

/** Type 33. */
export const SRV: RdataFormat = { type: "SRV", parse };
