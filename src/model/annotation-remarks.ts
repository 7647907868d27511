/** What is to be said about the annotations of an object, by the table of annotations. Pure. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import {
  type AnnotationRow,
  annotationRow,
  insteadOf,
  NAMES_ANNOTATION,
  STATUS_ANNOTATION,
  WATCHED_PREFIXES,
} from "./annotation-keys.ts";
import { slipOf } from "./annotation-slips.ts";
import { HOSTNAME_ANNOTATIONS } from "./other-dialects.ts";

/** What is to be said about one annotation. */
export interface AnnotationRemark {
  readonly key: string;
  /** True = the object's records stay as they are because of it. */
  readonly holds: boolean;
  readonly message: string;
}

/**
 * What is to be said about the annotations of an object, in their order. `mayHold` = the object has
 * records.
 */
export function remarksOn(
  { kind, metadata: { annotations = {} } }: Pick<KubeObject, "kind" | "metadata">,
  mayHold = true,
): readonly AnnotationRemark[] {
  const mixedUp = namesMixedUp({ kind, annotations });
  const others = Object.entries(annotations).flatMap(([key, value]) => {
    const slip = slipOf(key);
    if (slip !== null) return { key, holds: false, message: slip.message };
    const known = annotationRow(key);
    return known === null ? [] : (remarkOn(known, { value: value.trim(), kind, mayHold }) ?? []);
  });
  return mixedUp === null ? others : [...others, mixedUp];
}

/**
 * An object that is annotated for us and named for external-dns alone. One without annotations of
 * ours is for external-dns, which may run beside us: `plan` counts it, and no Event says more.
 */
function namesMixedUp({ kind, annotations }: AnnotatedKind): AnnotationRemark | null {
  if (insteadOf(kind, NAMES_ANNOTATION) !== null) return null;
  const isSet = (key: string): boolean => (annotations[key] ?? "").trim() !== "";
  const key = HOSTNAME_ANNOTATIONS.find(isSet);
  const isAnnotated = Object.keys(annotations).some((one) => isSet(one) && isForUs(one));
  if (key === undefined || isSet(NAMES_ANNOTATION) || !isAnnotated) return null;
  const message = `names for external-dns are not read here: write ${NAMES_ANNOTATION}`;
  return { key, holds: false, message };
}

interface AnnotatedKind {
  readonly kind: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Not what we write ourselves. */
function isForUs(key: string): boolean {
  const isWatched = WATCHED_PREFIXES.some((prefix) => key.startsWith(prefix));
  return isWatched && annotationRow(key)?.effect === "works" && key !== STATUS_ANNOTATION;
}

interface RemarkContext {
  readonly value: string;
  readonly kind: string;
  readonly mayHold: boolean;
}

function remarkOn(row: AnnotationRow, context: RemarkContext): AnnotationRemark | null {
  const { key, harmless, kinds } = row;
  const { value, kind } = context;
  if (value === "" || harmless?.includes(value) === true) return null;
  // On other kinds it belongs to other programs.
  if (kinds?.includes(kind) === false) return null;
  const instead = insteadOf(kind, key);
  if (instead === null) return effectRemark(row, context);
  return { key, holds: false, message: `has no effect on a ${kind}: ${instead}` };
}

function effectRemark(
  { key, effect, only, doc }: AnnotationRow,
  { value, mayHold }: RemarkContext,
): AnnotationRemark | null {
  if (only !== undefined && value !== only)
    return { key, holds: false, message: `no operation is called so: write ${only}, or remove it` };
  if (effect === "holds" && mayHold)
    return { key, holds: true, message: `keeps the object's records as they are: ${doc}` };
  if (effect === "warns" || effect === "holds")
    return { key, holds: false, message: `has no effect: ${doc}` };
  return null;
}
