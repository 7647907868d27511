/** Label selectors as objects have them (Kubernetes, `LabelSelector`). */
import { fieldsOf, listOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";

type Labels = Readonly<Record<string, string>>;

/**
 * Whether all its requirements hold; an empty one always matches, an absent one and one with an
 * operator that is not known never do.
 */
export function matchesSelector(selector: unknown, labels: Labels): boolean {
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
