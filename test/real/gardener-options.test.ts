/**
 * The options that the README of Gardener's DNS controller manager lists, given to the program in a
 * shell: all are taken, some dozens at a time, and those without effect are named.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTempFolder, type TempFolder } from "../support/ports/temp-folder.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";

const SAMPLES: Readonly<Record<string, string>> = {
  int: "1",
  duration: "2m0s",
  string: "a",
  stringArray: "a.example.org",
  "zone-id": "Z1",
};
/** They end the program, name files or clusters, or must fit another option. */
const APART =
  /^(help|version|config|controllers|name|log-level|lease-.*|.*kubeconfig.*|target|providers|.*migration-ids|.*identifier)$/;
const BATCH = 40;

interface Option {
  readonly name: string;
  readonly value: string | null;
}

const OPTIONS = readFileSync("test/golden/options/gardener.txt", "utf8")
  .trim()
  .split("\n")
  .flatMap((line): readonly Option[] => {
    const [, name = "", kind] = /--(\S+)(?: ([\w-]+))?$/.exec(line) ?? [];
    if (APART.test(name)) return [];
    return [{ name, value: kind === undefined ? null : (SAMPLES[kind] ?? "") }];
  });
const BATCHES = Array.from({ length: Math.ceil(OPTIONS.length / BATCH) }, (_, index) =>
  OPTIONS.slice(index * BATCH, (index + 1) * BATCH),
);

let folder: TempFolder;
beforeAll(() => {
  folder = makeTempFolder("gardener-options");
});
afterAll(() => folder?.remove());

test("nearly all options are among them", () => {
  expect(OPTIONS.length).toBeGreaterThan(240);
});

test.each(BATCHES.map((batch, index) => [index, batch] as const))(
  "run takes batch %i, and stops at the cluster that is not there",
  async (_, batch) => {
    const flags = batch.flatMap(({ name, value }) => [
      `--${name}`,
      ...(value === null ? [] : [value]),
    ]);
    const cluster = join(folder.path, "none.yaml");
    const args = [
      "run",
      "--dialect",
      "gardener",
      "--owner",
      "me",
      "--kubeconfig",
      cluster,
      ...flags,
    ];
    const { code, stderr } = await run(process.execPath, [PROGRAM, ...args], {
      cwd: folder.path,
      env: { KUBECONFIG: "", HOME: folder.path },
    });
    expect(code).toBe(1);
    const lines = stderr.trim().split("\n");
    const isRemark = (line: string): boolean =>
      /--\S+ has no effect: |holds for the whole process/.test(line);
    expect(lines.filter((line) => !isRemark(line))).toEqual([
      expect.stringContaining("none.yaml cannot be read"),
    ]);
    const named = batch.filter(({ name }) => stderr.includes(`--${name} `));
    expect(named.length).toBeGreaterThan(0);
  },
);
