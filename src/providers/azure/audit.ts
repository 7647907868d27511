/** What Azure cannot take about a record set, found before planning. Pure. */
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { plainTroubles } from "../shared/plain-audit.ts";
import { type Trouble, toProblems } from "../shared/record-troubles.ts";
import { stringsOf } from "./convert.ts";
import { type Flavour, TEXT_BYTES_MAX, VALUES_MAX } from "./flavours.ts";

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone, flavour: Flavour): readonly Problem[] {
  const { vendor, capabilities } = flavour;
  const backEnd = { vendor, valuesMax: VALUES_MAX, ...capabilities };
  return toProblems(set, [...plainTroubles(set, zone, backEnd), ...textTroubles(set)]);
}

function textTroubles({ type, values }: RecordSet): readonly Trouble[] {
  if (type !== "TXT") return [];
  const texts = values.map(stringsOf);
  const code = "InvalidValue";
  if (texts.includes(null))
    return [{ code, message: "a text that is not UTF-8 cannot be written by this API" }];
  const bytes = new TextEncoder().encode(texts.flat().join("")).length;
  if (bytes <= TEXT_BYTES_MAX) return [];
  const message = `the texts of a record set have at most ${TEXT_BYTES_MAX} bytes; use fewer`;
  return [{ code, message }];
}
