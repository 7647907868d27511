/**
 * CustomResourceDefinitions of a made-up kind, Widget of example.org, for tests of the embedded
 * control plane.
 */
import type { JsonObject } from "@zonekeeper/kube/control-plane/json/json";

/** Where definitions are created. */
export const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/** Where Widgets of the namespace default are. */
export const WIDGETS = "/apis/example.org/v1/namespaces/default/widgets";

/** One version with the schema of `spec`. */
export function widgetVersion(
  specSchema: JsonObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  more: JsonObject = {},
): JsonObject {
  const properties = { spec: specSchema, status: OPEN };
  return {
    name: "v1",
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: "object", properties } },
    ...more,
  };
}

const OPEN = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** A definition with the versions. */
export function widgetDefinition(
  versions: readonly JsonObject[] = [widgetVersion()],
  more: JsonObject = {},
): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.org" },
    spec: {
      group: "example.org",
      names: { kind: "Widget", plural: "widgets", shortNames: ["wi"] },
      scope: "Namespaced",
      versions,
      ...more,
    },
  };
}

/** A Widget. */
export function widget(name: string, spec: unknown, more: JsonObject = {}): JsonObject {
  return { apiVersion: "example.org/v1", kind: "Widget", metadata: { name }, spec, ...more };
}
