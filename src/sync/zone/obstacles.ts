/**
 * What keeps desired record sets of a name from being written, whichever object wins the name: the
 * provider cannot publish them, a marker (the record that states an owner) needs the same name, or
 * names around are of other tenants (namespaces of clusters). Pure reading.
 */
import type { MarkerFormat } from "../../model/marker-ids.ts";
import {
  asPlain,
  type DesiredRecordSet,
  isPart,
  isSameKey,
  recordSetKeyText,
} from "../../model/record-set.ts";
import type { Ownership } from "../../ownership/ownership.ts";
import { privateBlocker } from "../../plan/blockers.ts";
import type { OwnedRecordSet } from "../../plan/changes.ts";
import { isNewcomer } from "../../plan/newcomer.ts";
import type { Blocker, PlanRules } from "../../plan/rules.ts";
import type { DesiredIndex } from "../cache/desired-index.ts";
import type { ZoneState } from "../cache/zone-state.ts";
import type { OpenZoneInput, ZoneTenancy } from "../contract/zone.ts";
import { blockerBelowAlias, blockerOfCut } from "./cut-blocker.ts";
import { blockerAround } from "./neighbour-blocker.ts";

/** The desired and the current record sets of a name. */
export interface NameSides {
  readonly desired: readonly DesiredRecordSet[];
  readonly current: readonly OwnedRecordSet[];
}

/** What is read besides the name; a part of PlanInput. */
interface ObstacleInput {
  readonly zoneInput: OpenZoneInput;
  readonly identity: Pick<PlanRules, "owners" | "mainOwner">;
  readonly index: DesiredIndex;
  readonly state: ZoneState;
  readonly tenancy: ZoneTenancy;
}

/** What people ordered at the name. */
type Ordered = Required<Pick<PlanRules, "orders">>;

/**
 * Record sets that are refused do not compete for the name, and keys that are blocked cannot be
 * created. Refused: what a provider cannot publish; and what other names block (Z-11, Z-26, Z-28)
 * where another object wants the same key unblocked, or the existing record would change its
 * tenant.
 */
export function obstaclesOf(
  { desired, current, orders }: NameSides & Ordered,
  input: ObstacleInput,
): Pick<PlanRules, "blockers" | "refused"> {
  const { owners, mainOwner } = input.identity;
  const rules = { owners, mainOwner, adoption: input.zoneInput.adoption, orders };
  const refused = new Map<DesiredRecordSet, Blocker>();
  const blocked = new Map<DesiredRecordSet, Blocker>();
  for (const one of desired) {
    const there = current.find((set) => set.data !== null && isSameKey(set, one));
    const isJudged =
      there === undefined ||
      /* clause: newcomer-is-judged-as-creator */ isNewcomer(one, there, {
        contenders: desired,
        rules,
      });
    const others = isJudged ? blockerOfOthers(one, input) : null;
    const refusal = refusalOf(one, there, input) ?? (there === undefined ? null : others);
    if (refusal !== null) refused.set(one, refusal);
    const blocker = there === undefined ? (blockerOfMarkers(one, input) ?? others) : null;
    if (blocker !== null) blocked.set(one, blocker);
  }
  return withoutFree(desired, blocked, refused);
}

/** A key that some object wants unblocked is free: the record sets blocked there are refused. */
function withoutFree(
  desired: readonly DesiredRecordSet[],
  blocked: ReadonlyMap<DesiredRecordSet, Blocker>,
  refused: Map<DesiredRecordSet, Blocker>,
): Pick<PlanRules, "blockers" | "refused"> {
  const isFree = (one: DesiredRecordSet): boolean => !refused.has(one) && !blocked.has(one);
  const blockers = new Map<string, Blocker>();
  for (const [one, blocker] of blocked) {
    const isFreeForOther = desired.some((other) => isSameKey(other, one) && isFree(other));
    if (!isFreeForOther) blockers.set(recordSetKeyText(one), blocker);
    else if (!refused.has(one)) refused.set(one, blocker);
  }
  return {
    ...(blockers.size === 0 ? {} : { blockers }),
    ...(refused.size === 0 ? {} : { refused }),
  };
}

/** Markers of other names that cannot move out of the way. */
function blockerOfMarkers(
  desired: DesiredRecordSet,
  { zoneInput: { ownership, defaultTtlSeconds }, state }: ObstacleInput,
): Blocker | null {
  const set = { ...desired, ttlSeconds: desired.ttlSeconds ?? defaultTtlSeconds };
  return ownership.zoneMarkers?.blockerOf(set, state.table) ?? null;
}

/** Names of other tenants that it would take or concern. */
function blockerOfOthers(
  desired: DesiredRecordSet,
  { zoneInput, index, state, tenancy, identity: { mainOwner } }: ObstacleInput,
): Blocker | null {
  const { ownership, zone } = zoneInput;
  const around = { apex: zone.name, index, state, ownership, tenancy, mainOwner };
  return blockerOfCut(desired, around) ?? blockerAround(desired, around);
}

/** Why the record sets of several clusters cannot be merged here; null = they can. */
function mergeTrouble(
  { setIdentifier, provenance, properties }: DesiredRecordSet,
  { merges, format }: Pick<Ownership, "merges" | "format">,
): Blocker | null {
  // clause: part-is-of-its-own-cluster
  if (setIdentifier !== provenance.cluster)
    return { code: "NotSupported", message: "a part is of the cluster of its object" };
  const [property] = Object.keys(properties);
  if (property !== undefined)
    return {
      code: "NotSupported",
      message: `a record with the property ${property} is merged with none; remove the property, or the annotation zonekeeper.dev/merge`,
    };
  // clause: merging-needs-comparison
  if (merges === true) return null;
  const why =
    format === "txt"
      ? "the provider cannot compare a record with its last known data while it writes all records of a name in one call"
      : `the registry ${format} keeps one marker for each record`;
  const message = `records of several clusters cannot be merged here: ${why}; remove the annotation zonekeeper.dev/merge`;
  return { code: "NotSupported", message };
}

/** Registries whose markers are TXT records. */
const IN_ZONE: ReadonlySet<string> = new Set<MarkerFormat>(["txt", "gardener", "mesh"]);
const NO_TEXTS =
  "the provider has no TXT records, which would say whose the record is; start with --registry configmap, or with noop and --noop-owns";

/**
 * Why the record set is refused: the provider cannot publish it, a DNAME hides it, it is a text in
 * the form of a marker, or a private address in a public zone. Null = it is not.
 */
function refusalOf(
  desired: DesiredRecordSet,
  there: OwnedRecordSet | undefined,
  { zoneInput, state }: ObstacleInput,
): Blocker | null {
  const { session, zone, ownership, defaultTtlSeconds, allowsPrivateTargets = false } = zoneInput;
  const set = { ...desired, ttlSeconds: desired.ttlSeconds ?? defaultTtlSeconds };
  const unmerged = isPart(desired) ? mergeTrouble(desired, ownership) : null;
  if (unmerged !== null) return unmerged;
  const problems = session.audit(asPlain(set), zone);
  if (problems.length > 0) {
    const message = problems.map((problem) => problem.message).join("; ");
    return { code: "NotSupported", message };
  }
  if (IN_ZONE.has(ownership.format) && !session.capabilities.types.has("TXT"))
    return { code: "NoMarkerPossible", message: NO_TEXTS };
  const text = desired.type === "TXT" ? ownership.zoneMarkers?.refuses(set) : null;
  const inside = allowsPrivateTargets ? null : privateBlocker(desired, there, zone);
  return blockerBelowAlias(desired, state.table) ?? text ?? inside;
}
