/** Schemas of references to other objects that several kinds have. */
import { object, text } from "../schema/schema.ts";

/** core/v1 ObjectReference. */
export const OBJECT_REFERENCE = object(
  "An object.",
  {
    apiVersion: text("Its API version."),
    kind: text("Its kind."),
    namespace: text("Its namespace."),
    name: text("Its name."),
    uid: text("Its uid."),
    resourceVersion: text("Which version of it."),
    fieldPath: text("Which part of it."),
  },
  { "x-kubernetes-map-type": "atomic" },
);
