/** What CoreDNS cannot answer from etcd, found before planning. Pure. */
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { cutText } from "../shared/cut-text.ts";
import { plainTroubles } from "../shared/plain-audit.ts";
import { type Trouble, toProblems } from "../shared/record-troubles.ts";
import { isReverse } from "./convert.ts";
import { isReserved } from "./keys.ts";
import { CAPABILITIES, TEXT_CHARACTERS_MAX, VALUES_MAX } from "./limits.ts";

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  const backEnd = { vendor: "CoreDNS", valuesMax: VALUES_MAX, ...CAPABILITIES };
  const troubles = [...plainTroubles(set, zone, backEnd), ...nameTroubles(set, zone)];
  return toProblems(set, [...troubles, ...typeTroubles(set), ...textTroubles(set)]);
}

function nameTroubles({ name }: RecordSet, zone: Zone): readonly Trouble[] {
  const code = "InvalidName";
  const labels = name.split(".");
  if (labels.some((label) => label === "*" || label === "any"))
    return [{ code, message: "CoreDNS has no wildcards in etcd; write each name" }];
  if (/[/\\]/.test(name))
    return [{ code, message: "a name with a slash or an escape is no key of CoreDNS" }];
  if (isReserved(name, zone.name))
    return [{ code, message: `CoreDNS keeps dns.${zone.name} for itself; use another name` }];
  return [];
}

/** The plug-in infers the type of a host from its form and its name. */
function typeTroubles({ name, type, values }: RecordSet): readonly Trouble[] {
  const code = "InvalidValue";
  if (type === "CNAME" && isReverse(name))
    return [{ code, message: "CoreDNS answers hosts below arpa as PTR; write a PTR record" }];
  if (type !== "PTR") return [];
  if (!isReverse(name))
    return [{ code, message: "CoreDNS answers PTR below in-addr.arpa and ip6.arpa only" }];
  return values.length > 1 ? [{ code, message: "a PTR has exactly one target here" }] : [];
}

/** CoreDNS cuts a text every 255 characters, escapes or not. */
function textTroubles({ type, values }: RecordSet): readonly Trouble[] {
  if (type !== "TXT") return [];
  const pieces = values.map((value) => cutText(value, TEXT_CHARACTERS_MAX) ?? []);
  const code = "InvalidValue";
  if (pieces.some((one) => one.join("") === ""))
    return [{ code, message: "an empty text is no record of CoreDNS" }];
  const isTorn = pieces.some((one) =>
    one.slice(0, -1).some(({ length }) => length !== TEXT_CHARACTERS_MAX),
  );
  const message = "CoreDNS would cut an escape of this text in two; use a shorter one";
  return isTorn ? [{ code, message }] : [];
}
