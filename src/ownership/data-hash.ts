/**
 * Hashes of the data that ownership was given for (Z-10, Z-14): short texts that markers, and rows
 * of the ConfigMap registry, can carry. Pure.
 */
import { canonicalValues, parseRdata } from "@zonekeeper/dns/rdata/index";
import { fingerprint64 } from "../model/fingerprint.ts";
import type { RecordSet } from "../model/record-set.ts";

/**
 * Equal for equal data (without TTL) of one key, however a provider spells it; 16 hexadecimal
 * digits. Made against accidents: somebody who could forge data for a hash could write markers,
 * too.
 */
export function dataHash(set: Omit<RecordSet, "ttlSeconds">): string {
  const { name, type, setIdentifier, values, properties, routingPolicy } = set;
  const canonical = values.map((value) => {
    const parsed = parseRdata(type, value);
    return parsed.ok ? parsed.value : value;
  });
  const policy =
    routingPolicy === null ? null : [routingPolicy.type, sorted(routingPolicy.parameters)];
  return fingerprint64(
    JSON.stringify([
      [name, type, setIdentifier],
      canonicalValues(canonical),
      sorted(properties),
      policy,
    ]),
  );
}

/** Hexadecimal digits of the hash of one value; it tells apart the few values of one record set. */
const VALUE_DIGITS = 8;

/** Hashes of the values of a record set, as a marker carries them: joined by dots, in order. */
export function valueHashes({ type, values }: Pick<RecordSet, "type" | "values">): string {
  return [...new Set(values.map((value) => valueHash(type, value)))].sort().join(".");
}

/** The values of the record set that are not among these hashes. */
export function valuesBeyond(
  { type, values }: Pick<RecordSet, "type" | "values">,
  hashes: string,
): readonly string[] {
  const known = new Set(hashes.split("."));
  return values.filter((value) => !known.has(valueHash(type, value)));
}

function valueHash(type: string, value: string): string {
  const parsed = parseRdata(type, value);
  return fingerprint64(parsed.ok ? parsed.value : value).slice(0, VALUE_DIGITS);
}

function sorted(map: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
}
