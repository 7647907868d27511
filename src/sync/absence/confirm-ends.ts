/**
 * How objects ended (Z-2, Z-16). Whoever deletes a definition says nothing of the names of its
 * objects: a removal that rests on such an end becomes a hold. Where all objects of a kind ended at
 * once, and not with their namespace, the fuse is told. Asked before the guards, so that the fuse
 * counts only what may go.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { AbsenceProof, Hold, KeyChange, NamePlan } from "../../plan/changes.ts";
import { holdChange } from "../../plan/held-change.ts";
import type { DefinitionFacts } from "../../plan/removal/answer-facts.ts";
import { firstOf } from "../../plan/removal/row.ts";
import { ENDS } from "../../plan/removal/table.ts";
import type { KindDefinition, MarkedKind } from "../contract/object-observation.ts";
import { holdBack, inTime } from "./confirm-absences.ts";
import type { ConfirmingObject } from "./confirming-object.ts";
import type { ObjectEnds } from "./object-ends.ts";

/** Proofs that an object gives. One that is being deleted with its definition wants no name. */
const BY_END: ReadonlySet<AbsenceProof> = new Set([
  "deleted-object",
  "found-deleting",
  "missing-from-list",
]);
const BY_OBJECT: ReadonlySet<AbsenceProof> = new Set([
  ...BY_END,
  "object-dropped-name",
  "object-omits-name",
]);

/** Plans without the removals that prove nothing. */
export interface PlansByEnds {
  /** One for each plan, in order. */
  readonly plans: readonly NamePlan[];
  /** Names with such a removal: they are tried again. */
  readonly held: ReadonlySet<DnsName>;
}

/** Asks once for each kind, and for each namespace that may have ended with its objects. */
export async function confirmEnds(
  plans: readonly NamePlan[],
  ends: ObjectEnds,
  clock: Clock,
): Promise<PlansByEnds> {
  const rests = plans.flatMap(({ changes }) => changes).filter(restsOnObject);
  if (rests.length === 0) return { plans, held: new Set() };
  const definitions = await definitionsOf(rests, { ends, clock });
  const standing = plans.map((plan) =>
    holdBack(plan, (change) => holdOf(change, { ends, definitions })),
  );
  const held = standing.filter((plan, index) => plan !== plans[index]).map(({ name }) => name);
  const former = (change: KeyChange) => markedFormer(change, { ends, definitions });
  const marked = standing.map((plan) => ({ ...plan, changes: plan.changes.map(former) }));
  return { plans: await markedWhole(marked, { ends, clock }), held: new Set(held) };
}

interface Asked {
  readonly ends: ObjectEnds;
  readonly clock: Clock;
}

function restsOnObject({ proof, current }: KeyChange): boolean {
  return proof !== null && BY_OBJECT.has(proof) && (current?.marker ?? null) !== null;
}

/** The definitions of the kinds that these changes rest on. */
async function definitionsOf(
  rests: readonly KeyChange[],
  { ends, clock }: Asked,
): Promise<Definitions> {
  const kinds = rests.flatMap((change) => kindsOf(change, ends));
  const byText = new Map(kinds.map((kind) => [textOf(kind), kind]));
  const answered = await answers(byText, (kind) => ends.definitionNow(kind), clock);
  return (kind) => answered.get(textOf(kind));
}

function kindsOf(change: KeyChange, ends: ObjectEnds): readonly MarkedKind[] {
  const { key, current } = change;
  const marker = current?.marker ?? null;
  return marker !== null && restsOnObject(change) ? ends.kindsOf(key.name, marker) : [];
}

/** Undefined = no answer in time. */
type Definitions = (kind: MarkedKind) => KindDefinition | undefined;

interface Answered {
  readonly ends: ObjectEnds;
  readonly definitions: Definitions;
}

/** Holds what rests on an object whose definition ends, or may. */
function holdOf(change: KeyChange, { ends, definitions }: Answered): Hold | null {
  for (const kind of kindsOf(change, ends)) {
    const kept = firstOf(ENDS, definitionFacts(kind, definitions(kind)));
    if (kept !== null) return { ...holdChange(change, kept), proof: null };
  }
  return null;
}

/** Gives a removal its proof where the object ended with a former definition. */
function markedFormer(change: KeyChange, { ends, definitions }: Answered): KeyChange {
  const { proof, key, current } = change;
  const marker = current?.marker ?? null;
  if (marker === null || proof === null || !BY_END.has(proof)) return change;
  const isFormer = ends.endedWithDefinition(key.name, marker, definitions);
  return isFormer ? { ...change, proof: "ended-with-definition" } : change;
}

/** Gives removals their proof where all objects of a kind ended at once. */
async function markedWhole(
  plans: readonly NamePlan[],
  { ends, clock }: Asked,
): Promise<readonly NamePlan[]> {
  const whole = new Map<KeyChange, ConfirmingObject>();
  for (const change of plans.flatMap(({ changes }) => changes)) {
    const marker = change.current?.marker ?? null;
    if (marker === null || change.proof !== "deleted-object") continue;
    const object = ends.endedWithAll(change.key.name, marker);
    if (object !== null) whole.set(change, object);
  }
  if (whole.size === 0) return plans;
  const namespaces = new Map([...whole.values()].map((one) => [namespaceText(one), one]));
  const isEnding = (object: ConfirmingObject) => ends.isNamespaceEnding(object);
  const ending = await answers(namespaces, isEnding, clock);
  const marked = (change: KeyChange): KeyChange => {
    const object = whole.get(change);
    if (
      object === undefined ||
      /* clause: deleted-namespace-is-an-order */ ending.get(namespaceText(object)) === true
    )
      return change;
    return { ...change, proof: "deleted-with-kind" };
  };
  return plans.map((plan) => ({ ...plan, changes: plan.changes.map(marked) }));
}

/** What was answered in time. */
async function answers<Q, A>(
  questions: ReadonlyMap<string, Q>,
  ask: (question: Q) => Promise<A>,
  clock: Clock,
): Promise<ReadonlyMap<string, A>> {
  const given = new Map<string, A>();
  const all = [...questions].map(async ([text, question]) => {
    given.set(text, await ask(question));
  });
  await inTime(Promise.all(all), clock);
  // A copy: an answer that comes too late changes nothing any more.
  return new Map(given);
}

function namespaceText({ cluster, resource }: ConfirmingObject): string {
  const [kind, namespace] = resource.split("/");
  return `${cluster ?? ""}|${kind}/${namespace}`;
}

function textOf({ cluster, markerKind }: MarkedKind): string {
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
