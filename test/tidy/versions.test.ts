/**
 * One number names a version in every place. The image's label, `--version` and the metric are
 * compared in test/real/image.test.ts; script/release refuses numbers that differ.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { VERSION } from "../../src/app/ports/version.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const CHART = "deploy/chart/Chart.yaml";
const json = (path: string): Manifest => JSON.parse(readFileSync(path, "utf8"));

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

test("the packages have the program's version and ask for one another in it", () => {
  const { version } = json("package.json");
  const folders = readdirSync("packages").map((name) => `packages/${name}`);
  const manifests = [".", ...folders].map((folder) => json(`${folder}/package.json`));
  const asked = manifests.flatMap(({ dependencies = {} }) => Object.entries(dependencies));
  const named = [
    ...manifests.map((manifest) => [manifest.name, manifest.version] as const),
    ...asked.filter(([name]) => name.startsWith("@zonekeeper/")),
  ];
  expect(named.filter(([, one]) => one !== version)).toEqual([]);
});
