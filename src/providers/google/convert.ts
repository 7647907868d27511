/** Record sets and change groups to what the API takes, and back. Pure; decides nothing. */
import { type Fields, fieldsOf, listOf, numberOf, textOf } from "../../model/object-fields.ts";
import { type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import { dottedRdata, readRdata, withDot, withoutDot } from "../shared/dotted-rdata.ts";
import { normalizePlain, plainSet } from "../shared/plain-sets.ts";
import { CAPABILITIES } from "./limits.ts";

/** What a record set shows whose answers Google chooses in a way that has no members. */
const POLICY_PROPERTY = "routingPolicy";

/** A record set, or the members of its routing policy; empty = it cannot be read as one. */
export function toRecordSets(value: unknown): readonly RecordSet[] {
  const fields = fieldsOf(value);
  const [name, type] = [textOf(fields["name"]), textOf(fields["type"])];
  if (name === null || type === null) return [];
  const policy = fieldsOf(fields["routingPolicy"]);
  const plain = plainSet({
    name: withoutDot(name),
    type,
    ttlSeconds: numberOf(fields["ttl"]) ?? Number(textOf(fields["ttl"]) ?? 0),
    values: valuesOf(fields, type),
  });
  if (Object.keys(policy).length === 0) return plain.values.length === 0 ? [] : [plain];
  const members = membersOf(policy, plain);
  if (members.length > 0) return members;
  return [{ ...plain, properties: { [POLICY_PROPERTY]: Object.keys(policy).sort().join(" ") } }];
}

function valuesOf(fields: Fields, type: string): readonly string[] {
  const texts = (listOf(fields["rrdatas"]) ?? []).map((one) => textOf(one) ?? "");
  return texts.map((text) => readRdata(type, text));
}

/** Members by position (weighted) or by location, as Gardener names them. */
function membersOf(policy: Fields, plain: RecordSet): readonly RecordSet[] {
  const weighted = listOf(fieldsOf(policy["wrr"])["items"]) ?? [];
  const located = listOf(fieldsOf(policy["geo"])["items"]) ?? [];
  const member = (item: Fields, setIdentifier: string, policyOf: RecordSet["routingPolicy"]) => ({
    ...plain,
    setIdentifier,
    values: plainSet({ ...plain, values: valuesOf(item, plain.type) }).values,
    routingPolicy: policyOf,
  });
  return [
    ...weighted.map(fieldsOf).map((item, index) => {
      const weight = String(numberOf(item["weight"]) ?? textOf(item["weight"]) ?? 0);
      return member(item, String(index), { type: "weighted", parameters: { weight } });
    }),
    ...located.map(fieldsOf).map((item) => {
      const location = textOf(item["location"]) ?? "";
      return member(item, location, { type: "geolocation", parameters: { location } });
    }),
  ];
}

/** As it is written and deleted. */
export function fromRecordSet(set: RecordSet): Fields {
  return {
    kind: "dns#resourceRecordSet",
    name: withDot(set.name),
    type: set.type,
    ttl: set.ttlSeconds,
    rrdatas: set.values.map((value) => dottedRdata(set.type, value)),
  };
}

/** What one call deletes and adds; the order is that of its elements. */
export interface SentChange {
  readonly deletions: readonly RecordSet[];
  readonly additions: readonly RecordSet[];
}

/**
 * All groups in one change. A record set that has to be as it was read, and is not written, is
 * deleted and added: that fails when it is another. No record set is deleted twice.
 */
export function toChange(groups: readonly ChangeGroup[]): SentChange {
  const deletions = new Map<string, RecordSet>();
  const additions = new Map<string, RecordSet>();
  for (const { changes } of groups)
    for (const change of changes) {
      if (change.op !== "create") deletions.set(recordSetKeyText(change.previous), change.previous);
      if (change.op !== "remove") additions.set(recordSetKeyText(change.next), change.next);
    }
  for (const { preconditions } of groups)
    for (const one of preconditions) {
      if (one.is !== "exact") continue;
      const key = recordSetKeyText(one.set);
      if (deletions.has(key) || additions.has(key)) continue;
      deletions.set(key, one.set);
      additions.set(key, one.set);
    }
  return { deletions: [...deletions.values()], additions: [...additions.values()] };
}

/** The set as the API will show it. */
export function normalizeSet(set: RecordSet): RecordSet {
  return normalizePlain(set, CAPABILITIES.ttl);
}
