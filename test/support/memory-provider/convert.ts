/** What a memory zone makes of a record set before it stores it, and what it cannot take. Pure. */
import { canonicalValues, parseRdata } from "@zonekeeper/dns/rdata/index";
import type { Problem } from "../../../src/model/problem.ts";
import { type RecordSet, recordSetKeyText } from "../../../src/model/record-set.ts";
import { capabilitiesOf, type MemoryBehaviour } from "./behaviour.ts";

/**
 * The set as a read shows it: TTL clamped, values canonical (names in lower case), sorted, without
 * duplicates.
 */
export function toStored(set: RecordSet, behaviour: MemoryBehaviour): RecordSet {
  const { minSeconds, maxSeconds } = behaviour.ttl;
  const values = set.values.map((value) => {
    const parsed = parseRdata(set.type, value);
    const text = parsed.ok ? parsed.value : value;
    return behaviour.trimsText && set.type === "TXT" ? withoutTrailingSpaces(text) : text;
  });
  return {
    ...set,
    ttlSeconds: Math.min(maxSeconds, Math.max(minSeconds, set.ttlSeconds)),
    values: canonicalValues(values),
  };
}

/** Unsupported types, routing policies, properties and impossible rdata; empty = fine. */
export function auditSet(set: RecordSet, behaviour: MemoryBehaviour): readonly Problem[] {
  const subject = recordSetKeyText(set);
  const { types } = capabilitiesOf(behaviour);
  if (!types.has(set.type))
    return [
      { code: "UnsupportedType", subject, message: `memory zones take ${[...types].join(", ")}` },
    ];
  if (set.routingPolicy !== null || set.setIdentifier !== null)
    return [
      {
        code: "UnsupportedRoutingPolicy",
        subject,
        message: "memory zones have no routing policies; remove the set identifier",
      },
    ];
  const [property] = Object.keys(set.properties);
  if (property !== undefined) {
    const message = `records of memory zones have no property ${property}; remove it`;
    return [{ code: "UnsupportedProperty", subject, message }];
  }
  return set.values.flatMap((value) => {
    const parsed = parseRdata(set.type, value);
    return parsed.ok ? [] : [{ code: "InvalidValue", subject, message: parsed.error }];
  });
}

/** String by string: `"a " "b"` → `"a" "b"`. */
function withoutTrailingSpaces(text: string): string {
  const strings = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [text];
  return strings.map((string) => string.replace(/ +"$/, '"')).join(" ");
}
