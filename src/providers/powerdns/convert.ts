/**
 * Record sets of the API to ours and back, and change groups to one PATCH. Pure; decides nothing.
 */
import { type Fields, fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet, RecordSetKey } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { dottedRdata, readRdata, withDot, withoutDot } from "../shared/dotted-rdata.ts";
import { countOf } from "../shared/pages.ts";
import { normalizePlain, plainSet } from "../shared/plain-sets.ts";
import { plainTroubles, toProblems } from "../shared/record-troubles.ts";
import { CAPABILITIES } from "./limits.ts";

/** A record set as the server has it. */
export interface KnownSet {
  /** Without its disabled records, which may be all. */
  readonly set: RecordSet;
  /** It has records that no name server answers with; whoever writes the set loses them. */
  readonly hasDisabled: boolean;
}

/** Null = it is no record set, or has no records. */
export function toKnownSet(value: unknown): KnownSet | null {
  const fields = fieldsOf(value);
  const [name, type] = [textOf(fields["name"]), textOf(fields["type"])];
  if (name === null || type === null) return null;
  const records = (listOf(fields["records"]) ?? []).map(fieldsOf);
  if (records.length === 0) return null;
  const enabled = records.filter(({ disabled }) => disabled !== true);
  const values = enabled.map(({ content }) => readRdata(type, textOf(content) ?? ""));
  const ttlSeconds = countOf(fields["ttl"]) ?? 0;
  return {
    set: plainSet({ name: withoutDot(name), type, ttlSeconds, values }),
    hasDisabled: enabled.length < records.length,
  };
}

/** The whole record set as it is to be. */
export function replaceSet(set: RecordSet): Fields {
  return {
    name: withDot(set.name),
    type: set.type,
    ttl: set.ttlSeconds,
    changetype: "REPLACE",
    records: set.values.map((value) => ({
      content: dottedRdata(set.type, value),
      disabled: false,
    })),
  };
}

/** The record set is to go. */
export function deleteSet({ name, type }: RecordSetKey): Fields {
  return { name: withDot(name), type, changetype: "DELETE" };
}

/** The set as the API will show it. */
export function normalizeSet(set: RecordSet): RecordSet {
  return normalizePlain(set, CAPABILITIES.ttl);
}

// What PowerDNS cannot take about a record set, found before planning. Pure.

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  return toProblems(set, plainTroubles(set, zone, { vendor: "PowerDNS", ...CAPABILITIES }));
}
