/** Flag over environment over file, before it is known which options there are. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/ports/temp-folder.ts";
import { OWN_ROWS } from "../plugins/rows.ts";
import { peekGiven } from "./given-options.ts";
import { givenRows } from "./given-plugins.ts";

const folder = makeTempFolder("given-plug-ins");
afterAll(() => folder.remove());
const file = join(folder.path, "run.yaml");
writeFileSync(file, "plugin: [./file.js, acme]\ndata: ./in-file\nacmeUrl: of a plug-in\n");
const other = join(folder.path, "other.yaml");
writeFileSync(other, "data: ./in-file\n");
const ENVIRONMENT = { ZONEKEEPER_PLUGIN: "./environment.js", ZONEKEEPER_DATA: "./environment" };

test.each([
  [["run", "--plugin", "./a.js", "--plugin=b,c"], ENVIRONMENT, ["./a.js", "b", "c"]],
  [["--acme-url", "x", "run", "--acme-on", "--plugin=b"], {}, ["b"]],
  [["run", "--config", file], ENVIRONMENT, ["./environment.js"]],
  [["run", `--config=${file}`], {}, ["./file.js", "acme"]],
  [["run"], { ZONEKEEPER_CONFIG: file }, ["./file.js", "acme"]],
  [["run", "--config", join(folder.path, "missing")], {}, null],
  [["run", "--plugin"], {}, null],
  [["run"], {}, null],
])("%j", (line, environment, expected) => {
  expect(peekGiven(line, environment)("plugin")).toEqual(expected);
});

test.each([
  [["run", "--data", "./a"], ENVIRONMENT, "./a"],
  [["run", "--config", file], ENVIRONMENT, "./environment"],
  [["run", `--config=${file}`], {}, "./in-file"],
  [["run"], {}, null],
])("data folder of %j", (line, environment, expected) => {
  expect(peekGiven(line, environment)("data")).toBe(expected);
});

test.each([
  [["run", "--plugin", "./none.mjs"], {}],
  [["check", "--plugin=./none.mjs"], {}],
  [["run", "--config", file], {}],
  [["dev"], { ZONEKEEPER_CONFIG: file }],
  [["shadow"], { ZONEKEEPER_PLUGIN: "./none.mjs" }],
])("a module that is not there, named by %j %j, is told", async (line, environment) => {
  await expect(givenRows(line, environment)).rejects.toThrow(/is not there: write the path/);
});

test.each([
  [["run", "--data", "."], {}],
  [["run", "--config", other], {}],
  [["plan", "--plugin", "./none.mjs"], ENVIRONMENT],
])("%j %j names none", async (line, environment) => {
  expect(await givenRows(line, environment)).toBe(OWN_ROWS);
});
