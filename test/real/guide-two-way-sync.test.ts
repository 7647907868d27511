/** The laptop of docs/guides/two-way-sync.md, its commands as they stand: two `dev`, a kubectl. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kubectlPath } from "../support/clients/kubectl.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { Child } from "../support/programs/child.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { blocksOf } from "../support/programs/documented-commands.ts";
import { run } from "../support/programs/run.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { istioDefinition } from "../support/real-servers/released-definitions.ts";

const GUIDE = readFileSync("docs/guides/two-way-sync.md", "utf8");
const LAPTOP = "On one laptop";
const PATIENCE_MS = 60_000;

describeReal("two clusters on one laptop", ["kubectl-1.32", "released-definitions"], () => {
  const folder = makeTempFolder("guide-two-way-sync");
  const devs: Child[] = [];
  const [share = "", apply = "", shown = ""] = blocksOf(GUIDE, LAPTOP, "bash");
  const withProgram = (script: string): string =>
    script
      .replaceAll(/\bzonekeeper (?=dev|imports)/g, `"${process.execPath}" "${resolve(PROGRAM)}" `)
      .replaceAll(/\bkubectl /g, `"${kubectlPath("1.32")}" `)
      .replaceAll(/https:\S+gen\.yaml/g, "istio.yaml");
  const shell = (script: string) =>
    run("bash", ["--norc", "-euo", "pipefail", "-c", withProgram(script)], {
      cwd: folder.path,
      timeoutMs: PATIENCE_MS,
    });
  const shows = (line: RegExp): Promise<unknown> =>
    eventually(
      `the second cluster shows ${line}`,
      async () => (await shell(shown)).stdout,
      (text) => line.test(text),
      PATIENCE_MS,
    );

  beforeAll(async () => {
    writeFileSync(join(folder.path, "istio.yaml"), istioDefinition("serviceentries"));
    const [shop = ""] = blocksOf(GUIDE, "", "yaml");
    writeFileSync(join(folder.path, "shop.yaml"), shop);
    for (const command of blocksOf(GUIDE, LAPTOP))
      devs.push(
        await Child.start({
          command: "bash",
          args: ["--norc", "-uc", `exec ${withProgram(command)}`],
          cwd: folder.path,
          logFile: join(folder.path, `dev-${devs.length}.log`),
        }),
      );
    const log = (index: number) => readFileSync(join(folder.path, `dev-${index}.log`), "utf8");
    await eventually(
      "both are ready",
      async () => log(0) + log(1),
      (text) => text.match(/^ready /gm)?.length === 2,
      PATIENCE_MS,
    );
  });
  afterAll(async () => {
    await Promise.all(devs.map((dev) => dev.stop()));
    folder.remove();
  });

  test("what one publishes the other has, with its ports", async () => {
    expect(await shell(share)).toMatchObject({ code: 0 });
    expect(await shell(apply)).toMatchObject({ code: 0 });
    await shows(/^example\.net -> namespace mesh-import: 1 host, 0 to write or remove/m);
    await shows(/^shop-example-net-\w+ +\["shop\.example\.net"\] +MESH_EXTERNAL +STATIC/m);
  });
});
