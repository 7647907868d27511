/**
 * Whether the definitions that a cluster serves have the fields that this version reads and writes.
 * Read from OpenAPI, which every user may read. Pure.
 */
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";

type Schema = Readonly<Record<string, unknown>>;

/** Paths of fields of `wanted` that the served schema of the kind lacks: `spec.ttl`. Sorted. */
export function missingFields(wanted: unknown, served: unknown): readonly string[] {
  return lacking(fieldsOf(wanted), fieldsOf(served), "").sort();
}

function lacking(wanted: Schema, served: Schema, path: string): string[] {
  const known = fieldsOf(served["properties"]);
  // The server keeps all fields there, so that none of ours is lost.
  if (served["x-kubernetes-preserve-unknown-fields"] === true) return [];
  return Object.entries(fieldsOf(wanted["properties"])).flatMap(([name, schema]) => {
    const at = path === "" ? name : `${path}.${name}`;
    if (known[name] === undefined) return [at];
    return lacking(inner(schema), inner(known[name]), at);
  });
}

/** For a list or map, the schema of its items. */
function inner(schema: unknown): Schema {
  const fields = fieldsOf(schema);
  const [wrapped] = Array.isArray(fields["allOf"]) ? fields["allOf"] : [];
  const next = fields["items"] ?? wrapped;
  return next === undefined ? fields : inner(next);
}

/** The schema of a kind in an OpenAPI document of its group version; null = it has none. */
export function servedSchema(document: unknown, group: string, kind: string): Schema | null {
  const schemas = fieldsOf(fieldsOf(fieldsOf(document)["components"])["schemas"]);
  for (const schema of Object.values(schemas)) {
    const marks = fieldsOf(schema)["x-kubernetes-group-version-kind"];
    const isKind = (mark: unknown): boolean =>
      fieldsOf(mark)["group"] === group && fieldsOf(mark)["kind"] === kind;
    if (Array.isArray(marks) && marks.some(isKind)) return fieldsOf(schema);
  }
  return null;
}
