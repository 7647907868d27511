/** The shape of the definitions that this program brings along, as deploy/crds has them. */

import type { Schema } from "../schema/schema.ts";
import type { PrinterColumn } from "./definition.ts";

/** A CustomResourceDefinition. */
export interface CustomResourceDefinition {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "CustomResourceDefinition";
  readonly metadata: {
    readonly name: string;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
    };
    readonly scope: "Namespaced" | "Cluster";
    readonly versions: readonly CustomVersion[];
  };
}

/** One version. */
interface CustomVersion {
  readonly name: string;
  readonly served: true;
  readonly storage: true;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly schema: { readonly openAPIV3Schema: Schema };
  readonly subresources: { readonly status: Record<string, never> };
}
