/** Record sets to what the API takes, and back. Pure; decides nothing. */
import { type Fields, fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { dottedRdata, readRdata, withDot, withoutDot } from "../shared/dotted-rdata.ts";
import { countOf } from "../shared/pages.ts";
import { normalizePlain, plainSet } from "../shared/plain-sets.ts";
import { plainTroubles, toProblems } from "../shared/record-troubles.ts";
import { CAPABILITIES, NAME_SERVERS_MAX, VALUES_MAX } from "./limits.ts";
import { fromMembers, policyTrouble, toMembers } from "./policies.ts";

/** What a record set shows whose answers Google chooses in a way that has no members. */
const POLICY_PROPERTY = "routingPolicy";

/** A record set, or the members of its routing policy; empty = it cannot be read as one. */
export function toRecordSets(value: unknown): readonly RecordSet[] {
  const fields = fieldsOf(value);
  const [name, type] = [textOf(fields["name"]), textOf(fields["type"])];
  if (name === null || type === null) return [];
  const policy = fieldsOf(fields["routingPolicy"]);
  const plain = plainSet({
    // Without capitals: Cloud DNS stores names in lower case (octodns/octodns#322).
    name: withoutDot(name),
    type,
    ttlSeconds: countOf(fields["ttl"]) ?? 0,
    values: (listOf(fields["rrdatas"]) ?? []).map((one) => readRdata(type, textOf(one) ?? "")),
  });
  if (Object.keys(policy).length === 0) return plain.values.length === 0 ? [] : [plain];
  const members = toMembers(policy, plain);
  if (members.length > 0) return members;
  return [{ ...plain, properties: { [POLICY_PROPERTY]: Object.keys(policy).sort().join(" ") } }];
}

/** What members of a routing policy are written with. */
interface MemberRules {
  /** Of all members. */
  readonly ttlSeconds: number;
  /** See `fromMembers`. */
  readonly present: Fields;
  readonly written: ReadonlySet<string>;
}

/**
 * A plain record set, or the one that has all these members, as it is written and deleted; null =
 * there are none.
 */
export function fromRecordSets(
  sets: readonly RecordSet[],
  members: MemberRules | null = null,
): Fields | null {
  const [first] = sets;
  if (first === undefined) return null;
  const { name, type, values, ttlSeconds, setIdentifier } = first;
  return {
    kind: "dns#resourceRecordSet",
    name: withDot(name),
    type,
    ttl: members?.ttlSeconds ?? ttlSeconds,
    ...(setIdentifier === null
      ? { rrdatas: values.map((value) => dottedRdata(type, value)) }
      : { routingPolicy: fromMembers(sets, members?.present, members?.written) }),
  };
}

/** The set as the API will show it. */
export function normalizeSet(set: RecordSet): RecordSet {
  return normalizePlain(set, CAPABILITIES.ttl);
}

// What Cloud DNS cannot take about a record set, found before planning. Pure.

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  const isDelegation = set.type === "NS";
  const valuesMax = isDelegation ? NAME_SERVERS_MAX : VALUES_MAX;
  const backEnd = { vendor: "Cloud DNS", valuesMax, ...CAPABILITIES, hasPolicies: true };
  // Docs "Error messages", wildcardNotAllowed.
  const isWild = isDelegation && set.name.startsWith("*.");
  const policy = policyTrouble(set);
  return toProblems(
    set,
    plainTroubles(set, zone, backEnd),
    [policy !== null, "UnsupportedRoutingPolicy", policy ?? ""],
    [isWild, "InvalidName", "Cloud DNS has no NS records at a wildcard; name them"],
  );
}
