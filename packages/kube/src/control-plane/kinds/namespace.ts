/** core/v1 Namespace. Its deletion is carried out by `namespace-sweeper.ts`. */
import { NAMESPACE } from "../../objects/kinds.ts";
import { objectAt } from "../json/json.ts";
import { AGE_COLUMN, columnAt, NAME_COLUMN } from "../objects/columns.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { builtInKind, selectableAt } from "./built-in-kind.ts";

/** Every object of a namespaced kind lives in one. */
export const NAMESPACE_KIND = builtInKind(NAMESPACE, {
  shortNames: ["ns"],
  hasStatus: true,
  nameRule: "label",
  columns: [NAME_COLUMN, columnAt("Status", ".status.phase"), AGE_COLUMN],
  selectable: selectableAt("status.phase"),
  defaults: withNameLabel,
  admit: admitNamespace,
});

/**
 * The name as a label: from the writer, who owns it, wherever the name is known by then
 * (pkg/apis/core/v1/defaults.go SetDefaults_Namespace).
 */
function withNameLabel(namespace: StoredObject): StoredObject {
  const { metadata } = namespace;
  if (metadata.name === "") return namespace;
  const labels = { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name };
  return { ...namespace, metadata: { ...metadata, labels } };
}

/**
 * The label also of a generated name, the finalizer of the sweeper, and a phase that follows from
 * the deletion.
 */
function admitNamespace(namespace: StoredObject, previous: StoredObject | null): StoredObject {
  const labelled = withNameLabel(namespace);
  const { metadata } = labelled;
  const spec = previous === null ? { finalizers: ["kubernetes"] } : objectAt(previous, "spec");
  const phase = metadata.deletionTimestamp === undefined ? "Active" : "Terminating";
  const status = { ...objectAt(namespace, "status"), phase };
  return { ...labelled, spec, status };
}
