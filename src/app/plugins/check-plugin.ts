/**
 * Whether the export of a module is a plug-in that can be added to the parts there are. Says which
 * field is wrong and what to write. Pure.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { kindText } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, isFields, listOf } from "@zonekeeper/kube/objects/object-fields";
import { wrongOptions } from "../../config/plugin-option.ts";
import type { SourceRow } from "../../sources/source.ts";
import { PLUGIN_API, type PluginModule } from "./plugin-module.ts";
import type { Rows } from "./rows.ts";
import {
  COUNT,
  type FieldShape,
  FLAG,
  FULL_TEXT,
  FUNCTION,
  LIST,
  OBJECT,
  oneOf,
  orAbsent,
  type Shape,
  TEXT,
  wrongElement,
  wrongField,
} from "./shape.ts";

const NAME: FieldShape = [
  (value) => typeof value === "string" && /^[a-z][a-z0-9-]*$/.test(value),
  "must be a name of letters a to z, digits and dashes",
];
const ROWS = orAbsent(LIST);
const MODULE: Shape = {
  ...{ name: NAME, sources: ROWS, providers: ROWS, registries: ROWS, options: ROWS },
  callTimeoutMs: orAbsent(COUNT),
};
const KIND: Shape = {
  ...{ group: TEXT, version: FULL_TEXT, kind: FULL_TEXT, plural: FULL_TEXT, namespaced: FLAG },
};
const SOURCE: Shape = {
  ...{ name: NAME, primary: OBJECT, secondary: LIST, isDefault: FLAG, inDev: FLAG },
  ...{ publishes: oneOf("entries", "direct"), doc: FULL_TEXT, open: FUNCTION },
  ...{ keptFields: ROWS, nameFields: ROWS, types: ROWS },
};
const PROVIDER: Shape = { type: NAME, open: FUNCTION };
const OPTION: Shape = {
  ...{ name: FULL_TEXT, doc: FULL_TEXT, choices: ROWS, default: orAbsent(TEXT) },
  type: oneOf("text", "integer", "port", "duration", "flag", "choice", "list"),
  ...{ min: orAbsent(COUNT), max: orAbsent(COUNT) },
  ...{ secret: orAbsent(FLAG), required: orAbsent(FLAG) },
};
const REGISTRY: Shape = { name: NAME, doc: FULL_TEXT, open: FUNCTION };

/** Words of `--controllers`, `--provider-types` that are no names of rows. */
const RESERVED = ["all", "compound", "dnscontrollers", "dnssources"];

/** The export `plugin` as a module; a failure is a sentence about one of its fields. */
export function checkPlugin(given: unknown, rows: Rows): Result<PluginModule> {
  if (!isModule(given)) return fail(wrongModule(given) ?? "");
  const taken = takenName(given, rows);
  return taken === null ? ok(given) : fail(taken);
}

function isModule(given: unknown): given is PluginModule {
  return wrongModule(given) === null;
}

function wrongModule(given: unknown): string | null {
  if (!isFields(given)) return "exports no object `plugin`: write `export const plugin = {…}`";
  const { api, sources = [], providers = [], registries = [], options = [] } = given;
  if (api !== PLUGIN_API)
    return `has ${api === undefined ? "no api" : `the api ${JSON.stringify(api)}`}, and this zonekeeper knows ${PLUGIN_API} only: take a version of the plug-in with \`api: ${PLUGIN_API}\``;
  return (
    wrongField(given, MODULE, "") ??
    wrongElement(sources, SOURCE, "sources") ??
    (listOf(sources) ?? []).map(wrongKind).find((wrong) => wrong !== null) ??
    wrongElement(providers, PROVIDER, "providers") ??
    wrongElement(registries, REGISTRY, "registries") ??
    wrongElement(options, OPTION, "options")
  );
}

function wrongKind(row: unknown, index: number): string | null {
  const { primary, secondary } = fieldsOf(row);
  return (
    wrongField(primary, KIND, `sources[${index}].primary`) ??
    wrongElement(secondary, KIND, `sources[${index}].secondary`)
  );
}

/** Names that are chosen by options, and ways to publish a kind, are there once. */
function takenName(module: PluginModule, rows: Rows): string | null {
  const { name, sources = [], providers = [], registries = [], options = [] } = module;
  const taken =
    twice("a plug-in", [...rows.plugins, { name }].map(nameOf)) ??
    twice("a source", [...RESERVED, ...[...rows.sources, ...sources].map(nameOf)]) ??
    twice("a provider type", ["all", ...[...rows.providers, ...providers].map(typeOf)]) ??
    twice("a registry", [...rows.registries, ...registries].map(nameOf)) ??
    // Contributions and entries are known by object: a second source takes back the first one's.
    twice("a source that publishes", [...rows.sources, ...sources].flatMap(waysOf));
  return taken === null
    ? wrongOptions(name, options, rows.options)
    : `${taken}: change its row, or leave one of the two off`;
}

const nameOf = ({ name }: { readonly name: string }): string => name;
const typeOf = ({ type }: { readonly type: string }): string => type;

function waysOf({ primary, publishes, publishesEither }: SourceRow): readonly string[] {
  const ways = publishesEither === true ? ["entries", "direct"] : [publishes];
  return ways.map((way) => `${kindText(primary)} as ${way}`);
}

function twice(what: string, names: readonly string[]): string | null {
  const again = names.find((name, index) => names.indexOf(name) !== index);
  return again === undefined ? null : `has ${what} ${again}, which is there already`;
}
