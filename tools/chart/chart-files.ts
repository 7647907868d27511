/** The generated files of deploy/chart. Pure. */
import { PLUG_INS } from "../../src/app/plugins/rows.ts";
import { VERSION } from "../../src/app/ports/version.ts";
import { configurationKeys } from "./configuration-keys.ts";
import { knownValues, valuesSchema } from "./values-schema.ts";

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Text by path; `chart` is the Chart.yaml that is there, whose versions are set. */
export function chartFiles(chart: string): Readonly<Record<string, string>> {
  return {
    "deploy/chart/Chart.yaml": chart.replace(/^(version|appVersion): .*$/gm, `$1: ${VERSION}`),
    "deploy/chart/values.schema.json": json(valuesSchema(PLUG_INS, false)),
    "deploy/chart/values.editor.schema.json": json(valuesSchema(PLUG_INS, true)),
    "deploy/chart/files/known-values.json": json({
      values: knownValues(),
      configuration: configurationKeys(PLUG_INS),
    }),
  };
}
