/** Which namespaces a Gateway or listener lets in (`from: Same, All, Selector, None`). */
import { NAMESPACE } from "@zonekeeper/kube/objects/kinds";
import {
  type Fields,
  fieldsOf,
  listOf,
  textOf,
  textsOf,
} from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";

/** Who asks to be let in where. */
export interface Entrance {
  /** Of what asks. */
  readonly namespace: string;
  /** Of what is asked. */
  readonly owner: string;
  /** What `from` is where nothing is said. */
  readonly otherwise: "Same" | "None";
  readonly view: ClusterView;
}

/** A namespace that is not known is not let in; the look-up tells whether it is there. */
export function letsIn(
  { from, selector }: Fields,
  { namespace, owner, otherwise, view }: Entrance,
): boolean {
  switch (from ?? otherwise) {
    case "All":
      return true;
    case "Same":
      return namespace === owner;
    case "Selector": {
      const found = view.get(NAMESPACE, "", namespace);
      if (found.state !== "value") return false;
      return matchesSelector(selector, found.value.metadata.labels ?? {});
    }
    default:
      return false;
  }
}

// Label selectors as objects have them (Kubernetes, `LabelSelector`).

type Labels = Readonly<Record<string, string>>;

/**
 * Whether all its requirements hold; an empty one always matches, an absent one and one with an
 * operator that is not known never do.
 */
function matchesSelector(selector: unknown, labels: Labels): boolean {
  if (selector === undefined || selector === null) return false;
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  const expressions = listOf(matchExpressions);
  if (expressions === null) return false;
  return (
    Object.entries(fieldsOf(matchLabels)).every(([key, value]) => labels[key] === value) &&
    expressions.every((expression) => holds(expression, labels))
  );
}

function holds(expression: unknown, labels: Labels): boolean {
  const { key, operator, values } = fieldsOf(expression);
  const label = labels[textOf(key) ?? ""];
  const listed = textsOf(values) ?? [];
  switch (operator) {
    case "In":
      return label !== undefined && listed.includes(label);
    case "NotIn":
      return label === undefined || !listed.includes(label);
    case "Exists":
      return label !== undefined;
    case "DoesNotExist":
      return label === undefined;
    default:
      return false;
  }
}
