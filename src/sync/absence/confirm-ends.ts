/**
 * How the objects ended on which removals rest (Z-2, Z-16). An object that ended because the
 * definition of its kind is being deleted says nothing about its names: the removal becomes a hold.
 * Where all objects of a kind ended at once, and not with their namespace, the removal gets another
 * proof, so that the fuse lets a person approve it. API servers are asked before the guards, so
 * that the fuse counts only removals that may be made.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { AbsenceProof, Hold, KeyChange, NamePlan } from "../../plan/changes.ts";
import { holdChange } from "../../plan/hold-at.ts";
import type { DefinitionFacts } from "../../plan/removal/absence-facts.ts";
import { firstOf } from "../../plan/removal/row.ts";
import { ENDS } from "../../plan/removal/table.ts";
import type { KindDefinition, MarkedKind, ObjectObserver } from "../contract/object-observation.ts";
import type { AbsenceTracker } from "./absence-tracker.ts";
import { askAll, holdBack } from "./confirm-absences.ts";
import type { ConfirmingObject, ObjectEnd } from "./confirming-objects.ts";
import { GONE } from "./name-records.ts";

/** Proofs that rest on an object, by its end or by what it lists. */
const BY_OBJECT: ReadonlySet<AbsenceProof> = new Set([
  ...GONE,
  "object-dropped-name",
  "object-omits-name",
]);

/** The plans, with each removal that rests on the end of a definition as a hold. */
export interface PlansByEnds {
  /** A plan for each plan that was given, in order. */
  readonly plans: readonly NamePlan[];
  /** Names with such a hold: no event may follow, so they are tried again. */
  readonly held: ReadonlySet<DnsName>;
}

/** Who knows which objects ended, and how. */
export type EndedBy = Pick<AbsenceTracker, "observer" | "confirming">;

/** Asks once for each kind, and for each namespace that may have ended with its objects. */
export async function confirmEnds(
  plans: readonly NamePlan[],
  absences: EndedBy,
  clock: Clock,
): Promise<PlansByEnds> {
  const ends = endsOf(plans, absences);
  if (ends.size === 0) return { plans, held: new Set() };
  const { observer } = absences;
  const kinds = new Map([...ends.values()].flatMap(kindsOf).map((kind) => [kindKey(kind), kind]));
  const asked = await askAll(kinds, (kind) => observer.definitionNow(kind), clock);
  const definitionOf = (kind: MarkedKind) => asked.get(kindKey(kind));
  const standing = plans.map((plan) =>
    holdBack(plan, (change) => holdOf(change, ends.get(change), definitionOf)),
  );
  const held = standing.filter((plan, index) => plan !== plans[index]).map(({ name }) => name);
  const changes = standing.flatMap((plan) => plan.changes);
  const proofs = await otherProofs(changes, { ends, definitionOf, observer, clock });
  const proven = (change: KeyChange): KeyChange => {
    const proof = proofs.get(change);
    return proof === undefined ? change : { ...change, proof };
  };
  return {
    plans: standing.map((plan) => ({ ...plan, changes: plan.changes.map(proven) })),
    held: new Set(held),
  };
}

/** The objects whose end proves a change, by change. */
type Ends = ReadonlyMap<KeyChange, ObjectEnd>;

function endsOf(plans: readonly NamePlan[], absences: EndedBy): Ends {
  const ends = new Map<KeyChange, ObjectEnd>();
  for (const change of plans.flatMap(({ changes }) => changes)) {
    const { key, proof, current } = change;
    // Objects whose values leave a joined record set are all of one kind: one tells for all.
    const [leaver] = change.leavers ?? [];
    const marker = proof !== null && BY_OBJECT.has(proof) ? (current?.marker ?? null) : null;
    const ending = leaver ?? marker;
    if (ending !== null) ends.set(change, absences.confirming.endOf(key.name, ending));
  }
  return ends;
}

/** The kinds of both objects, each once. */
function kindsOf({ made, proving }: ObjectEnd): readonly MarkedKind[] {
  const kinds = [made, proving].flatMap((one) => (one === null ? [] : kindOf(one)));
  const [first] = kinds;
  return kinds.filter((kind) => kind === first || kind.markerKind !== first?.markerKind);
}

function kindOf({ cluster, resource }: ConfirmingObject): MarkedKind {
  const [markerKind = ""] = resource.split("/");
  return { cluster, markerKind };
}

/** Undefined = no answer in time. */
type DefinitionOf = (kind: MarkedKind) => KindDefinition | undefined;

/** The hold for a change that rests on an object whose definition ends, or may end; else null. */
function holdOf(
  change: KeyChange,
  end: ObjectEnd | undefined,
  definitionOf: DefinitionOf,
): Hold | null {
  for (const kind of end === undefined ? [] : kindsOf(end)) {
    const kept = firstOf(ENDS, definitionFacts(kind, definitionOf(kind)));
    if (kept !== null) return { ...holdChange(change, kept), proof: null };
  }
  return null;
}

interface EndsInput {
  readonly ends: Ends;
  readonly definitionOf: DefinitionOf;
  readonly observer: ObjectObserver;
  readonly clock: Clock;
}

/**
 * The proofs of removals whose object ended with a former definition, or with all others of its
 * kind and not with its namespace.
 */
async function otherProofs(
  changes: readonly KeyChange[],
  { ends, definitionOf, observer, clock }: EndsInput,
): Promise<ReadonlyMap<KeyChange, AbsenceProof>> {
  const proofs = new Map<KeyChange, AbsenceProof>();
  const whole = new Map<KeyChange, ConfirmingObject>();
  for (const change of changes) {
    const object = ends.get(change)?.proving ?? null;
    if (object === null || change.proof === null || !GONE.has(change.proof)) continue;
    const { cluster, resource } = object;
    if (isOlder(observer.createdMs(cluster, resource), definitionOf(kindOf(object))))
      proofs.set(change, "ended-with-definition");
    else if (change.proof === "deleted-object" && observer.endedWithAll(cluster, resource))
      whole.set(change, object);
  }
  const namespaces = new Map([...whole.values()].map((one) => [namespaceText(one), one]));
  const isEnding = ({ cluster, resource }: ConfirmingObject) =>
    observer.isNamespaceEnding(cluster, resource);
  const ending = await askAll(namespaces, isEnding, clock);
  for (const [change, object] of whole) {
    // clause: deleted-namespace-is-an-order
    if (ending.get(namespaceText(object)) === true) continue;
    proofs.set(change, "deleted-with-kind");
  }
  return proofs;
}

/** Milliseconds by which the clocks of a cluster's API servers may differ. */
const CLOCKS_APART_MS = 5_000;

/** True when the object that ended is older than the present definition of its kind. */
function isOlder(endedMs: number | null, definition: KindDefinition | undefined): boolean {
  if (definition?.state !== "stands" || definition.createdMs === null || endedMs === null)
    return false;
  // clause: older-than-its-definition
  return endedMs + CLOCKS_APART_MS < definition.createdMs;
}

function namespaceText({ cluster, resource }: ConfirmingObject): string {
  const [kind, namespace] = resource.split("/");
  return `${cluster ?? ""}|${kind}/${namespace}`;
}

function kindKey({ cluster, markerKind }: MarkedKind): string {
  return `${cluster ?? ""}|${markerKind}`;
}

function definitionFacts(
  { markerKind }: MarkedKind,
  definition: KindDefinition | undefined,
): DefinitionFacts {
  if (definition === undefined) return { markerKind, state: "unknown", message: "no answer yet" };
  if (definition.state === "stands") return { markerKind, state: "stands", message: "" };
  return { markerKind, ...definition };
}
