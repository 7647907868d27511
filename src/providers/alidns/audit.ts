/** What Alibaba Cloud DNS cannot take about a record set, found before planning. Pure. */
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { plainTroubles } from "../shared/plain-audit.ts";
import { type Trouble, toProblems } from "../shared/record-troubles.ts";
import { textOfRdata } from "./convert.ts";
import { capabilitiesOf, MAIL_PREFERENCE_MAX, TEXT_CHARACTERS_MAX, VALUES_MAX } from "./limits.ts";

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone, ttlSecondsMin: number): readonly Problem[] {
  const { types, ttl } = capabilitiesOf(ttlSecondsMin);
  const backEnd = { vendor: "Alibaba Cloud DNS", types, ttl, valuesMax: VALUES_MAX };
  const messages = [
    ...nameTroubles(set),
    ...apexTroubles(set, zone),
    ...set.values.flatMap((value) => VALUE_TROUBLES[set.type]?.(value) ?? []),
  ];
  const own = messages.map((message): Trouble => ({ code: "InvalidValue", message }));
  return toProblems(set, [...plainTroubles(set, zone, backEnd), ...own]);
}

/** "Host record": letters, digits, `-`, `_`, `*` and `.`. */
function nameTroubles({ name }: RecordSet): readonly string[] {
  if (/^[a-z0-9_.*-]*$/.test(name)) return [];
  return ["a name may hold letters, digits, - and _ only; write another name"];
}

function apexTroubles({ name, type }: RecordSet, zone: Zone): readonly string[] {
  if (type !== "NS" || name !== zone.name) return [];
  return ["the NS records of the apex are the vendor's own; they cannot be written"];
}

/** By type; a value is canonical. */
const VALUE_TROUBLES: Readonly<Record<string, (value: string) => readonly string[]>> = {
  MX: mailTroubles,
  SRV: (value) =>
    value.endsWith(" .") ? ["this API takes no SRV record without a target; write a host"] : [],
  TXT: textTroubles,
};

function mailTroubles(value: string): readonly string[] {
  const [preference, exchange] = value.split(" ");
  const isRight = Number(preference) >= 1 && Number(preference) <= MAIL_PREFERENCE_MAX;
  return [
    ...(isRight ? [] : [`an MX preference must be from 1 to ${MAIL_PREFERENCE_MAX}`]),
    ...(exchange === "." ? ["this API takes no MX record without a host; write a host"] : []),
  ];
}

/** The API drops quotes, and changes backslashes (DNSControl, 2025-12-03). */
function textTroubles(value: string): readonly string[] {
  const text = textOfRdata(value);
  if (text === null) return [];
  if (text === "") return ["this API takes no empty text; write at least one character"];
  if (text.length > TEXT_CHARACTERS_MAX)
    return [`a text has at most ${TEXT_CHARACTERS_MAX} characters`];
  if (/^[\x20-\x7e]+$/.test(text) && !/["\\]/.test(text)) return [];
  return [
    "this API keeps texts of ASCII letters, digits and signs without quotes and backslashes; write another text",
  ];
}
