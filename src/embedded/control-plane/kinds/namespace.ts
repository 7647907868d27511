/** core/v1 Namespace. Its deletion is carried out by `namespace-sweeper.ts`. */
import { NAMESPACE } from "../../../model/kinds.ts";
import { objectAt, textAt } from "../json/json.ts";
import { AGE_COLUMN, column, NAME_COLUMN } from "../objects/columns.ts";
import { PLAIN_KIND, type ServedKind, type StoredObject } from "../objects/served-kind.ts";
import { list, object, text, time } from "../schema/schema.ts";

const condition = object("What was found while the namespace was emptied.", {
  type: text("Kind of the condition."),
  status: text("True, False or Unknown."),
  reason: text("Machine readable cause."),
  message: text("For people."),
  lastTransitionTime: time("When the status changed last."),
});

/** Every object of a namespaced kind lives in one. */
export const NAMESPACE_KIND: ServedKind = {
  ...PLAIN_KIND,
  ref: NAMESPACE,
  singular: "namespace",
  shortNames: ["ns"],
  hasStatus: true,
  nameRule: "label",
  schema: object("A namespace holds objects; it is empty when it goes.", {
    spec: object("What is wanted.", {
      finalizers: list("Who has to finish before the namespace goes.", text("A finalizer.")),
    }),
    status: object("What is.", {
      phase: text("Active or Terminating."),
      conditions: list("Conditions.", condition, {
        "x-kubernetes-patch-strategy": "merge",
        "x-kubernetes-patch-merge-key": "type",
      }),
    }),
  }),
  columns: [NAME_COLUMN, column("Status", (ns) => textAt(ns, "status", "phase")), AGE_COLUMN],
  selectable: { "status.phase": (namespace) => textAt(namespace, "status", "phase") },
  admit: admitNamespace,
};

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
