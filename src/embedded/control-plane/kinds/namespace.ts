/** core/v1 Namespace. Its deletion is carried out by `namespace-sweeper.ts`. */
import { NAMESPACE } from "../../../model/kinds.ts";
import { objectAt } from "../json/json.ts";
import { AGE_COLUMN, columnAt, NAME_COLUMN } from "../objects/columns.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { schemaOf } from "../schema/schema-table.ts";
import { builtInKind, selectableAt } from "./built-in-kind.ts";

const SCHEMA = schemaOf(
  "A namespace holds objects; it is empty when it goes.",
  `
  spec                         | What is wanted.
    finalizers []              | Who has to finish before the namespace goes.
  status                       | What is.
    phase                      | Active or Terminating.
    conditions [] key=type     | Conditions.
      type                     | Kind of the condition.
      status                   | True, False or Unknown.
      reason                   | Machine readable cause.
      message                  | For people.
      lastTransitionTime time  | When the status changed last.
  `,
);

/** Every object of a namespaced kind lives in one. */
export const NAMESPACE_KIND = builtInKind(NAMESPACE, {
  shortNames: ["ns"],
  hasStatus: true,
  nameRule: "label",
  schema: SCHEMA,
  columns: [NAME_COLUMN, columnAt("Status", ".status.phase"), AGE_COLUMN],
  selectable: selectableAt("status.phase"),
  admit: admitNamespace,
});

/**
 * The name as a label, the finalizer of the sweeper, and a phase that follows from the deletion.
 */
function admitNamespace(namespace: StoredObject, previous: StoredObject | null): StoredObject {
  const { metadata } = namespace;
  const labels = { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name };
  const spec = previous === null ? { finalizers: ["kubernetes"] } : objectAt(previous, "spec");
  const phase = metadata.deletionTimestamp === undefined ? "Active" : "Terminating";
  const status = { ...objectAt(namespace, "status"), phase };
  return { ...namespace, metadata: { ...metadata, labels }, spec, status };
}
