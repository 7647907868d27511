/**
 * Records of messages to record sets, and change groups to the sections of an UPDATE. Pure; decides
 * nothing.
 */
import { distinctBy } from "@zonekeeper/base/grouped-by";
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import {
  addRecords,
  deleteRecords,
  requireExactSet,
  requireNameUnused,
  requireNoSet,
} from "@zonekeeper/dns/wire/message/update";
import type { TransferStep } from "@zonekeeper/dns/wire/transfer/transfer-reader";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup, Precondition } from "../../plan/changes.ts";
import type { MovedRecord } from "../provider.ts";
import { normalizePlain, type PlainValue, setsOfValues } from "../shared/plain-sets.ts";
import {
  NO_POLICY,
  toProblems,
  troublesIn,
  ttlRow,
  typeRow,
  valueTroubles,
} from "../shared/record-troubles.ts";
import { CAPABILITIES, SET_TEXT_BYTES_MAX, TTL_SECONDS_MAX, WRITABLE_TYPES } from "./limits.ts";

/**
 * Made by the server from other records when it signs (RFC 4034 §3, §4, RFC 5155 §3); no user's
 * data, and at nearly every name of a signed zone.
 */
const SERVER_MADE_TYPES: ReadonlySet<string> = new Set(["RRSIG", "NSEC", "NSEC3"]);

/**
 * Record sets of a zone, sorted by key. Without records outside the zone or class IN, and without
 * server-made records.
 */
export function toRecordSets(
  zone: DnsName,
  records: Iterable<ResourceRecord>,
): readonly RecordSet[] {
  return setsOfValues(dataOf(records, zone));
}

function dataOf(records: Iterable<ResourceRecord>, zone: DnsName): readonly PlainValue[] {
  const data: PlainValue[] = [];
  for (const { name, type, class: class_, ttlSeconds, data: value } of records)
    if (
      class_ === "IN" &&
      value !== null &&
      !SERVER_MADE_TYPES.has(type) &&
      isAtOrBelow(name, zone)
    )
      data.push({ name, type, ttlSeconds, value });
  return data;
}

/**
 * What became of each record that an incremental transfer names: its last step counts, and there
 * what is added, for a record is removed and added with another TTL (RFC 1995 §4).
 */
export function toMovedRecords(
  zone: DnsName,
  steps: readonly Pick<TransferStep, "removed" | "added">[],
): readonly MovedRecord[] {
  const moved = steps.flatMap(({ removed, added }) => [
    ...dataOf(removed, zone).map((record) => ({ ...record, isThere: false })),
    ...dataOf(added, zone).map((record) => ({ ...record, isThere: true })),
  ]);
  return distinctBy(moved, ({ name, type, value }) => `${name} ${type} ${value}`);
}

/** The set as the server will show it. */
export function normalizeSet(set: RecordSet): RecordSet {
  return normalizePlain(set, CAPABILITIES.ttl);
}

/** The two sections of one UPDATE. */
export interface UpdateSections {
  readonly prerequisites: readonly ResourceRecord[];
  readonly updates: readonly ResourceRecord[];
}

/**
 * All groups in one message. Deletions precede additions over all groups: BIND and Knot silently
 * drop a CNAME that is added while other data is still there (RFC 2136 §3.4.2.2). Only records that
 * were read are deleted, never a whole set, so that a record added meanwhile survives. A new TTL is
 * a deletion and an addition (Knot ignores a bare addition of equal data).
 */
export function toUpdate(groups: readonly ChangeGroup[]): UpdateSections {
  const changes = groups.flatMap((group) => group.changes);
  return {
    // A repeated value-dependent prerequisite must not look like two records (RFC 2136 §3.2.3).
    prerequisites: distinctBy(
      groups.flatMap(({ preconditions }) => preconditions.flatMap(toPrerequisites)),
      (one) => `${one.name} ${one.type} ${one.class} ${one.data}`,
    ),
    updates: [
      ...changes.flatMap((one) => (one.op === "create" ? [] : deleteRecords(one.previous))),
      ...changes.flatMap((one) => (one.op === "remove" ? [] : addRecords(one.next))),
    ],
  };
}

/** RFC 2136 §2.4.2, §2.4.3, §2.4.5. */
function toPrerequisites(condition: Precondition): readonly ResourceRecord[] {
  switch (condition.is) {
    case "absent":
      return [requireNoSet(condition.key)];
    case "exact":
      return requireExactSet(condition.set);
    case "name-unused":
      return [requireNameUnused(condition.name)];
  }
}

// What RFC 2136 servers cannot take about a record set, found before planning. Pure.

/** Empty = it can be written. */
export function auditSet(set: RecordSet): readonly Problem[] {
  const isMember = set.setIdentifier !== null || set.routingPolicy !== null;
  const [property] = Object.keys(set.properties);
  const noProperty = `plain DNS has no property ${property}; leave it out`;
  const bytes = set.values.reduce((sum, value) => sum + value.length + 12, 0);
  const isLarge = bytes > SET_TEXT_BYTES_MAX;
  return toProblems(
    set,
    [
      ...troublesIn([
        typeRow(set, WRITABLE_TYPES),
        [isMember, "UnsupportedRoutingPolicy", `plain DNS has no routing policies; ${NO_POLICY}`],
        [property !== undefined, "UnsupportedProperty", noProperty],
        ttlRow(set, TTL_SECONDS_MAX),
      ]),
      ...valueTroubles(set),
    ],
    [isLarge, "TooManyValues", "the values do not fit into one UPDATE; use fewer"],
  );
}
