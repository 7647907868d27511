/** Flag over environment over file, before the table of options is read. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/ports/temp-folder.ts";
import { givenData, givenPlugins } from "./given-plugins.ts";

const folder = makeTempFolder("given-plug-ins");
afterAll(() => folder.remove());
const file = join(folder.path, "run.yaml");
writeFileSync(file, "plugin: [./file.js, acme]\ndata: ./in-file\n");
const ENVIRONMENT = { ZONEKEEPER_PLUGIN: "./environment.js" };

test.each([
  [["run", "--plugin", "./a.js", "--plugin=b,c"], ENVIRONMENT, ["./a.js", "b", "c"]],
  [["run", "--config", file], ENVIRONMENT, ["./environment.js"]],
  [["run", `--config=${file}`], {}, ["./file.js", "acme"]],
  [["run"], { ZONEKEEPER_CONFIG: file }, ["./file.js", "acme"]],
  [["run", "--config", join(folder.path, "missing")], {}, []],
  [["run"], {}, []],
])("%j", (line, environment, expected) => {
  expect(givenPlugins(line, environment)).toEqual(expected);
});

test.each([
  [["run", "--data", "./a", "--data=b"], { ZONEKEEPER_DATA: "./environment" }, "b"],
  [["run", "--config", file], { ZONEKEEPER_DATA: "./environment" }, "./environment"],
  [["run", `--config=${file}`], {}, "./in-file"],
  [["run"], {}, ""],
])("data folder of %j", (line, environment, expected) => {
  expect(givenData(line, environment)).toBe(expected);
});
