/** core/v1 ConfigMap: settings as text. */
import { CONFIG_MAP } from "../../../model/kinds.ts";
import { objectAt } from "../json.ts";
import { map, object, text } from "../schema.ts";
import { PLAIN_KIND, type ServedKind } from "../served-kind.ts";
import { AGE_COLUMN, column, NAME_COLUMN } from "./columns.ts";

/** Settings. */
export const CONFIG_MAP_KIND: ServedKind = {
  ...PLAIN_KIND,
  ref: CONFIG_MAP,
  singular: "configmap",
  schema: object("Settings that are no secret.", {
    data: map("Values as text.", text("A value.")),
  }),
  columns: [
    NAME_COLUMN,
    column("Data", (found) => Object.keys(objectAt(found, "data")).length, { type: "integer" }),
    AGE_COLUMN,
  ],
};
