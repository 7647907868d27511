/** The configuration file's text as raw values by option name. Pure: app reads the file. */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { parseYamlFile } from "@zonekeeper/kube/yaml/yaml-file";
import { type Document, isMap, isScalar } from "yaml";
import type { Problem } from "../model/problem.ts";
import { fieldName, NOT_IN_FILE, type Option } from "./option.ts";
import { OPTIONS } from "./options-table.ts";
import type { RawValue } from "./parse-option-value.ts";

/** The one version there is. */
export const CONFIG_API_VERSION = "zonekeeper.dev/v1alpha1";
/** The kind of the file. */
export const CONFIG_KIND = "Configuration";

/** A value with the line it stands on (from 1). */
export interface FileValue {
  readonly raw: RawValue;
  readonly line: number;
}

/** A file that was handed in. `name` is for messages. */
export interface ConfigFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Option name → value. Unknown fields, wrong versions and YAML errors are problems that name file
 * and line. `further`: rows of plug-in modules.
 */
export function readConfigFile(
  file: ConfigFile,
  further: readonly Option[] = [],
): Result<ReadonlyMap<string, FileValue>, readonly Problem[]> {
  const { document, lines, faults } = parseYamlFile(file.text);
  const lineOf = (offset: number | undefined): number => lines.linePos(offset ?? 0).line;
  const problems = [...yamlProblems(file, faults)];
  problems.push(...aliasProblems(file, document));
  if (problems.length > 0) return fail(problems);
  if (!isMap(document.contents))
    return fail([fileProblem(file, 1, `is no map; begin with apiVersion: ${CONFIG_API_VERSION}`)]);
  problems.push(...checkVersion(file, document.get("apiVersion"), document.get("kind")));
  const plain = new Map<string, unknown>(Object.entries({ ...document.toJS() }));
  const values = new Map<string, FileValue>();
  for (const pair of document.contents.items) {
    const field = isScalar(pair.key) ? String(pair.key.value) : "";
    const line = lineOf(isScalar(pair.key) ? pair.key.range?.[0] : undefined);
    const found = readField(field, plain.get(field), [...OPTIONS, ...further]);
    if (found === "ignored") continue;
    if (typeof found === "string") problems.push(fileProblem(file, line, found));
    else values.set(found.name, { raw: found.raw, line });
  }
  return problems.length > 0 ? fail(problems) : ok(values);
}

/**
 * The parser throws for an alias without anchor, and for too many aliases, when the document
 * becomes values.
 */
function aliasProblems(file: ConfigFile, document: Pick<Document, "toJS">): readonly Problem[] {
  try {
    document.toJS();
    return [];
  } catch {
    return [fileProblem(file, 1, "has an alias (*name) that leads nowhere or too far")];
  }
}

function checkVersion(file: ConfigFile, apiVersion: unknown, kind: unknown): readonly Problem[] {
  if (apiVersion === CONFIG_API_VERSION && kind === CONFIG_KIND) return [];
  const wanted = `apiVersion: ${CONFIG_API_VERSION} and kind: ${CONFIG_KIND}`;
  const found = `${versionField("apiVersion", apiVersion)} and ${versionField("kind", kind)}`;
  return [fileProblem(file, 1, `has ${found}; it must say ${wanted}`)];
}

function versionField(field: string, value: unknown): string {
  return value === undefined ? `no ${field}` : `${field}: ${String(value)}`;
}

type Found = { readonly name: string; readonly raw: RawValue } | string;

/** The option and its raw value, `ignored`, or what is wrong. */
function readField(field: string, value: unknown, options: readonly Option[]): Found {
  if (field === "apiVersion" || field === "kind") return "ignored";
  const option = options.find((row) => fieldName(row.name) === field);
  if (option === undefined || NOT_IN_FILE.includes(option.name)) {
    const near = options
      .map((row) => fieldName(row.name))
      .find((name) => name.toLowerCase() === field.toLowerCase().replace(/[^a-z0-9]/g, ""));
    return `has no field ${JSON.stringify(field)}${near === undefined ? "; docs/reference/options.md lists them" : `; did you mean ${near}?`}`;
  }
  const raw = toRaw(value);
  if (raw !== null) return { name: option.name, raw };
  return value === null
    ? `${field} is empty; give a value or leave it out`
    : `${field} is a map; it takes a value`;
}

/** Null = it is neither a value nor a list. */
export function toRaw(value: unknown): RawValue | null {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  return Array.isArray(value) ? value : null;
}

/** A text that is no YAML. */
export function yamlProblems(
  file: ConfigFile,
  faults: ReturnType<typeof parseYamlFile>["faults"],
): readonly Problem[] {
  return faults.map(({ line, message }) =>
    fileProblem(file, line, message.split("\n", 1)[0] ?? "is not YAML"),
  );
}

/** What is wrong in a line of the file. */
export function fileProblem(file: ConfigFile, line: number, message: string): Problem {
  return { code: "InvalidConfigFile", subject: `${file.name}:${line}`, message };
}
