/**
 * What is generated of deploy/chart is up to date, and its values are those of the schema. What
 * helm makes of it: test/real/chart.test.ts.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { PLUG_INS } from "../../src/app/plugins/rows.ts";
import { fieldName } from "../../src/config/option.ts";
import { optionsOf } from "../../src/config/options-table.ts";
import { chartFiles } from "../../tools/chart/chart-files.ts";
import { configurationKeys } from "../../tools/chart/configuration-keys.ts";
import { type Known, knownValues } from "../../tools/chart/values-schema.ts";

const text = (path: string): string => readFileSync(path, "utf8");

test("its generated files are those of the option table", () => {
  for (const [path, wanted] of Object.entries(chartFiles(text("deploy/chart/Chart.yaml"))))
    expect(text(path), `${path}: run npm run generate`).toBe(wanted);
});

test("values.yaml has the keys of the schema, and no other", () => {
  const keys = (value: unknown, known: Known, path: string): readonly string[] =>
    known === true || typeof value !== "object" || value === null
      ? [path]
      : Object.entries(value).flatMap(([key, one]) =>
          keys(one, known[key] ?? true, path === "" ? key : `${path}.${key}`),
        );
  const wanted = (known: Known, path: string): readonly string[] =>
    known === true
      ? [path]
      : Object.entries(known).flatMap(([key, one]) =>
          wanted(one, path === "" ? key : `${path}.${key}`),
        );
  const values: unknown = parse(text("deploy/chart/values.yaml"));
  const found = keys(values, knownValues(), "");
  // A kubeconfig is empty by default; helm itself sets `global`.
  const all = wanted(knownValues(), "").filter((key) => !/^global$|^kubeconfigs\./.test(key));
  expect(found.filter((key) => !key.startsWith("kubeconfigs")).sort()).toEqual([...all].sort());
});

test("no spelling of configuration stands for two options", () => {
  const { options, aliases, gardener } = configurationKeys(PLUG_INS);
  const rows = optionsOf("run", PLUG_INS).filter(({ name }) => name !== "config");
  expect(Object.keys(options)).toEqual(rows.map(({ name }) => fieldName(name)));
  const spellings = [options, aliases, gardener].flatMap((one) => Object.keys(one));
  expect(spellings.filter((one, at) => spellings.indexOf(one) !== at)).toEqual([]);
});
