/** Schemas of references to other objects that several kinds have. */
import type { Schema } from "../schema/schema.ts";
import { schemaOf } from "../schema/schema-table.ts";

/** core/v1 ObjectReference. */
const OBJECT_REFERENCE: Schema = {
  ...schemaOf(
    "An object.",
    `
    apiVersion      | Its API version.
    kind            | Its kind.
    namespace       | Its namespace.
    name            | Its name.
    uid             | Its uid.
    resourceVersion | Which version of it.
    fieldPath       | Which part of it.
    `,
  ),
  "x-kubernetes-map-type": "atomic",
};

/** By the names that schema tables call them. */
export const REFERENCES = { ObjectReference: OBJECT_REFERENCE };
