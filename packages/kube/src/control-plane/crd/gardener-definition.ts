/** What the definitions have in common. */
import {
  type Extra,
  integer,
  list,
  object,
  type Properties,
  text,
  time,
} from "../schema/schema.ts";
import type { PrinterColumn } from "./definition.ts";
import type { CustomResourceDefinition } from "./definition-document.ts";
import { DEFINITION_MARK } from "./definition-mark.ts";

/** Columns of this priority are shown with `-o wide` only. */
export const WIDE = 1;

/** The type follows from what the column shows. */
export const columnOf = (name: string, jsonPath: string, priority = 0): PrinterColumn => ({
  name,
  type: name === "AGE" ? "date" : name === "TTL" ? "integer" : "string",
  jsonPath,
  ...(priority === 0 ? {} : { priority }),
});

/** `status.conditions`, as the Kubernetes API conventions have them. */
export const conditions = list(
  "Ready, Progressing, Stalled and Live.",
  object(
    "One condition.",
    {
      type: text("Ready, Progressing, Stalled, Live, or one of another program."),
      status: text("True, False or Unknown.", { enum: ["True", "False", "Unknown"] }),
      reason: text("A code of docs/reference/errors.md."),
      message: text("The reason, for people."),
      observedGeneration: integer("The generation that this is about.", { format: "int64" }),
      lastTransitionTime: time("When the condition's status changed last."),
    },
    { required: ["type", "status", "reason", "lastTransitionTime"] },
  ),
  { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] },
);

/**
 * An object that no controller has seen has observed no generation: without this, kstatus takes it
 * for one that is done.
 */
export const UNSEEN: Extra = { default: { observedGeneration: -1 } };

/** What differs between the definitions. */
export interface DefinitionInput {
  readonly kind: string;
  readonly shortName: string;
  readonly description: string;
  readonly properties: Properties;
  readonly columns: readonly PrinterColumn[];
  /** Absent = Namespaced. */
  readonly scope?: "Cluster";
}

/** All definitions share group and version. */
export function definition(input: DefinitionInput): CustomResourceDefinition {
  const group = "dns.gardener.cloud";
  const singular = input.kind.toLowerCase();
  const plural = singular.endsWith("y") ? `${singular.slice(0, -1)}ies` : `${singular}s`;
  const properties: Properties = {
    apiVersion: text("API version of this object."),
    kind: text("Kind of this object."),
    metadata: { type: "object" },
    ...input.properties,
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, annotations: DEFINITION_MARK },
    spec: {
      group,
      names: {
        kind: input.kind,
        listKind: `${input.kind}List`,
        plural,
        singular,
        shortNames: [input.shortName],
      },
      scope: input.scope ?? "Namespaced",
      versions: [
        {
          name: "v1alpha1",
          served: true,
          storage: true,
          additionalPrinterColumns: input.columns,
          schema: {
            openAPIV3Schema: object(input.description, properties, { required: ["spec"] }),
          },
          subresources: { status: {} },
        },
      ],
    },
  };
}
