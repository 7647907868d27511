/**
 * One number names a version in every place. The image's label, `--version` and the metric are
 * compared in test/real/image.test.ts; script/release refuses numbers that differ.
 */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { VERSION } from "../../src/app/ports/version.ts";

const CHART = "deploy/chart/Chart.yaml";
const json = (path: string): { readonly version: string } => JSON.parse(readFileSync(path, "utf8"));

test("package.json, its lock, the program and the chart have one version", () => {
  const { version } = json("package.json");
  expect({ lock: json("package-lock.json").version, program: VERSION }).toEqual({
    lock: version,
    program: version,
  });
  if (!existsSync(CHART)) return;
  const chart = parse(readFileSync(CHART, "utf8"));
  expect([chart.version, chart.appVersion]).toEqual([version, version]);
});
