/** Makes a served kind from a CustomResourceDefinition (apiextensions.k8s.io/v1) of one version. */
import { ageOf } from "../age.ts";
import { cellAt } from "../json-path.ts";
import type { Schema } from "../schema.ts";
import { type Column, PLAIN_KIND, type ServedKind } from "../served-kind.ts";
import { NAME_COLUMN } from "./columns.ts";

/** One printer column as a CRD has it. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: Column["type"];
  readonly jsonPath: string;
  readonly description?: string;
  readonly priority?: number;
}

/** The part of a CRD that is served. */
export interface CustomResourceDefinition {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "CustomResourceDefinition";
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames: readonly string[];
    };
    readonly scope: "Namespaced" | "Cluster";
    readonly versions: readonly CustomVersion[];
  };
}

/** One version of a CRD. */
export interface CustomVersion {
  readonly name: string;
  readonly served: true;
  readonly storage: true;
  readonly additionalPrinterColumns: readonly PrinterColumn[];
  readonly schema: { readonly openAPIV3Schema: Schema };
  readonly subresources: { readonly status: Record<string, never> };
}

/** The kinds of a CRD, one for each version. */
export function customKinds(definition: CustomResourceDefinition): readonly ServedKind[] {
  const { group, names, scope, versions } = definition.spec;
  return versions.map((version) => ({
    ...PLAIN_KIND,
    ref: {
      group,
      version: version.name,
      kind: names.kind,
      plural: names.plural,
      namespaced: scope === "Namespaced",
    },
    singular: names.singular,
    shortNames: names.shortNames,
    hasStatus: true,
    unconditionalUpdate: false,
    custom: true,
    generation: "counted",
    schema: version.schema.openAPIV3Schema,
    columns: [NAME_COLUMN, ...version.additionalPrinterColumns.map(printerColumn)],
  }));
}

/** Dates are shown as ages, as kube-apiserver does. */
function printerColumn(column: PrinterColumn): Column {
  const { jsonPath, type } = column;
  return {
    name: column.name,
    type,
    description: column.description ?? `Value of ${jsonPath}`,
    priority: column.priority ?? 0,
    cell: (object, nowMs) => {
      const value = cellAt(object, jsonPath);
      if (type === "date") return value === null ? null : ageOf(value, nowMs);
      return value;
    },
  };
}
