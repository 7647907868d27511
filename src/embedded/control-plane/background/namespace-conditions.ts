/**
 * The conditions of a namespace that cannot go yet: what is left in it, and which finalizers hold
 * that. Pure. Kubernetes pkg/controller/namespace/deletion/status_condition_utils.go.
 */
import { equalJson, isObject, listAt, objectAt, textAt } from "../json/json.ts";
import type { ServedKind, StoredObject } from "../objects/served-kind.ts";

/** Objects of one kind that are left. */
export interface Remaining {
  readonly kind: ServedKind;
  readonly objects: readonly StoredObject[];
}

interface Finding {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/**
 * The namespace with its conditions; the same object when they are as they were. `time` is RFC
 * 3339.
 */
export function withConditions(
  namespace: StoredObject,
  remaining: readonly Remaining[],
  time: string,
): StoredObject {
  const before = listAt(namespace, "status", "conditions");
  const findings = [...FINE, contentFinding(remaining), finalizerFinding(remaining)];
  const known = (type: string): unknown => before.find((each) => textAt(each, "type") === type);
  const conditions = findings.map((finding) => conditionOf(finding, known(finding.type), time));
  const types = new Set(findings.map(({ type }) => type));
  const others = before.filter((each) => !types.has(textAt(each, "type")));
  const after = [...others, ...conditions];
  if (equalJson(before, after)) return namespace;
  return { ...namespace, status: { ...objectAt(namespace, "status"), conditions: after } };
}

/** The time changes with the status only. */
function conditionOf(finding: Finding, known: unknown, time: string): object {
  const isSame = isObject(known) && known["status"] === finding.status;
  const lastTransitionTime = isSame ? textAt(known, "lastTransitionTime") : time;
  return { ...finding, lastTransitionTime };
}

/** What cannot fail here: kinds are known, and objects are deleted in one step. */
const FINE: readonly Finding[] = [
  {
    type: "NamespaceDeletionDiscoveryFailure",
    status: "False",
    reason: "ResourcesDiscovered",
    message: "All resources successfully discovered",
  },
  {
    type: "NamespaceDeletionGroupVersionParsingFailure",
    status: "False",
    reason: "ParsedGroupVersions",
    message: "All legacy kube types successfully parsed",
  },
  {
    type: "NamespaceDeletionContentFailure",
    status: "False",
    reason: "ContentDeleted",
    message: "All content successfully deleted, may be waiting on finalization",
  },
];

const REMOVED = { status: "False", reason: "ContentRemoved" } as const;
const NOTHING_LEFT = "All content successfully removed";

function contentFinding(remaining: readonly Remaining[]): Finding {
  const type = "NamespaceContentRemaining";
  const counts = remaining
    .filter(({ objects }) => objects.length > 0)
    .map(({ kind, objects }) => {
      const { plural, group } = kind.ref;
      return `${plural}.${group} has ${objects.length} resource instances`;
    })
    .sort();
  if (counts.length === 0) return { type, ...REMOVED, message: NOTHING_LEFT };
  const message = `Some resources are remaining: ${counts.join(", ")}`;
  return { type, status: "True", reason: "SomeResourcesRemain", message };
}

function finalizerFinding(remaining: readonly Remaining[]): Finding {
  const type = "NamespaceFinalizersRemaining";
  const counts = new Map<string, number>();
  for (const { objects } of remaining)
    for (const { metadata } of objects)
      for (const finalizer of metadata.finalizers ?? [])
        counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
  if (counts.size === 0) return { type, ...REMOVED, message: NOTHING_LEFT };
  const texts = [...counts].map(([name, count]) => `${name} in ${count} resource instances`).sort();
  const message = `Some content in the namespace has finalizers remaining: ${texts.join(", ")}`;
  return { type, status: "True", reason: "SomeFinalizersRemain", message };
}
