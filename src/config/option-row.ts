/** Makes rows of the option table; what a row does not say has the defaults of `option`. */
import type { CommandName, Option, OptionType } from "./option.ts";

type Row = Pick<Option, "name" | "type" | "doc" | "commands"> & Partial<Option>;
type More = Partial<Omit<Option, "name" | "type" | "doc">>;
type Body = Pick<Option, "type" | "doc"> & More;

/** The commands that start an instance. */
export const BOTH: readonly CommandName[] = ["dev", "run"];
/** That of clusters and zones that exist. */
export const RUN: readonly CommandName[] = ["run"];

/** The names that logrus, which external-dns and Gardener log with, has for levels of ours. */
export const LOGRUS_LEVELS: Readonly<Record<string, string>> = {
  ...{ trace: "debug", warning: "warn", fatal: "error", panic: "error" },
};

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

const bodyOf =
  (type: OptionType, own: More = {}) =>
  (doc: string, more: More = {}): Body => ({ type, doc, ...own, ...more });

export const text = bodyOf("text");
export const list = bodyOf("list");
export const integer = bodyOf("integer");
export const port = bodyOf("port");
export const duration = bodyOf("duration");
/** Not set unless its row says so. */
export const flag = bodyOf("flag", { default: "false" });
/** One of `choices`. */
export const choice = (choices: readonly string[], doc: string, more: More = {}): Body => ({
  ...{ type: "choice", choices, doc },
  ...more,
});

/** Rows by name, in the order of the help text; of `commands`, unless a row names its own. */
export function rows(
  commands: readonly CommandName[],
  named: Readonly<Record<string, Body>>,
): readonly Option[] {
  return Object.entries(named).map(([name, body]) => option({ name, commands, ...body }));
}
