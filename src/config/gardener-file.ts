/**
 * The file of Gardener's DNS controller manager: a YAML map of its options, by name. Pure; the
 * values are raw ones of ours.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { parseYamlFile } from "@zonekeeper/kube/yaml/yaml-file";
import { isMap, isScalar, isSeq } from "yaml";
import type { Problem } from "../model/problem.ts";
import { fromGardener, gardenerFlags } from "./gardener-dialect.ts";
import { NOT_IN_FILE, type PlugIns } from "./option.ts";
import { OPTIONS } from "./options-table.ts";
import type { RawValue } from "./parse-option-value.ts";
import {
  type ConfigFile,
  type FileValue,
  fileProblem,
  toRaw,
  yamlProblems,
} from "./read-config-file.ts";

/** See the head of this file. */
export interface GardenerFile {
  /** By option name of ours. */
  readonly values: ReadonlyMap<string, FileValue>;
  /** See `Translated`. */
  readonly remarks: readonly string[];
}

/** As it is written → the option that it is. */
const knownNames = (plugIns: PlugIns): ReadonlyMap<string, string> =>
  new Map([
    ...gardenerFlags(plugIns).map(({ name }) => [name, name] as const),
    ...[...OPTIONS, ...plugIns.options]
      .filter(({ name }) => !NOT_IN_FILE.includes(name))
      .flatMap(({ name, aliases }) => [name, ...aliases].map((one) => [one, name] as const)),
  ]);

/** Each thing that is wrong is a problem with its line. */
export function readGardenerFile(
  file: ConfigFile,
  plugIns: PlugIns,
): Result<GardenerFile, readonly Problem[]> {
  const { document, lines, faults } = parseYamlFile(file.text);
  const wrong = (line: number, message: string) => fileProblem(file, line, message);
  if (faults.length > 0) return fail(yamlProblems(file, faults));
  const { contents } = document;
  if (contents !== null && !isMap(contents))
    return fail([wrong(1, "is no map; write one option: value in a line")]);
  const known = knownNames(plugIns);
  const fields = (contents?.items ?? []).map(({ key, value }) => {
    const [name, at] = isScalar(key) ? [String(key.value), key.range?.[0] ?? 0] : ["", 0];
    return { name, raw: rawOf(value), line: lines.linePos(at).line };
  });
  const problems = fields.flatMap(({ name, raw, line }) => {
    if (!known.has(name)) return wrong(line, `has no option ${JSON.stringify(name)}`);
    return raw === null ? wrong(line, `${name} takes a value, or a list of values`) : [];
  });
  const given = Object.fromEntries(fields.map(({ name, raw }) => [name, raw ?? ""]));
  const lineOf = (name: string): number => fields.find((one) => one.name === name)?.line ?? 1;
  if (problems.length > 0) return fail(problems);
  const { remarks, ...translated } = fromGardener(given, {
    isGardener: true,
    plugIns,
    command: "run",
  });
  if (translated.problems.length > 0)
    return fail(
      translated.problems.map(({ subject, message }) =>
        wrong(lineOf(subject.replace(/^--/, "")), `${subject}: ${message}`),
      ),
    );
  const values = Object.entries(translated.values).map(
    ([name, raw]) => [known.get(name) ?? name, { raw, line: lineOf(name) }] as const,
  );
  return ok({ values: new Map(values), remarks });
}

function rawOf(node: unknown): RawValue | null {
  if (isSeq(node)) return node.items.map((item) => (isScalar(item) ? item.value : item));
  return toRaw(isScalar(node) ? node.value : null);
}
