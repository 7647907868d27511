/** What Infoblox cannot take about a record set, found before planning. Pure. */
import { parseTxtStrings } from "@zonekeeper/dns/rdata/txt";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { plainTroubles } from "../shared/plain-audit.ts";
import { type Trouble, toProblems } from "../shared/record-troubles.ts";
import { CAPABILITIES, TEXT_BYTES_MAX, VALUES_MAX } from "./limits.ts";

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  const backEnd = { vendor: "Infoblox", valuesMax: VALUES_MAX, ...CAPABILITIES };
  return toProblems(set, [...plainTroubles(set, zone, backEnd), ...textTroubles(set)]);
}

function textTroubles({ type, values }: RecordSet): readonly Trouble[] {
  const sizes = type === "TXT" ? values.flatMap(sizeOf) : [];
  const messages = [
    ...(sizes.some((size) => size === 0) ? [EMPTY] : []),
    ...(sizes.some((size) => size > TEXT_BYTES_MAX) ? [LONG] : []),
  ];
  return messages.map((message): Trouble => ({ code: "InvalidValue", message }));
}

const EMPTY = "Infoblox takes no empty text; write at least one character";
const LONG = `a text of Infoblox has at most ${TEXT_BYTES_MAX} bytes`;

/** Bytes of all its strings together. */
function sizeOf(value: string): readonly number[] {
  const strings = parseTxtStrings(value);
  return strings.ok ? [strings.value.reduce((sum, { length }) => sum + length, 0)] : [];
}
