/** Makes rows of the option table; what a row does not say has these defaults. */
import type { Option } from "./option.ts";

type Row = Pick<Option, "name" | "type" | "doc" | "commands"> & Partial<Option>;

/** A whole row. */
export const option = (row: Row): Option => ({
  aliases: [],
  default: null,
  defaultFor: {},
  unit: "",
  min: null,
  max: null,
  choices: [],
  choicesFor: {},
  docFor: {},
  furtherChoices: "",
  plugIns: null,
  registry: null,
  secret: false,
  requiredBy: [],
  ...row,
});
