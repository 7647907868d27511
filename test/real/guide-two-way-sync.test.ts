/** The laptop of docs/guides/two-way-sync.md, its commands as they stand: two `dev`, a kubectl. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blocksOf } from "../support/programs/documented-commands.ts";
import { Laptop } from "../support/programs/laptop.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { istioDefinition } from "../support/real-servers/released-definitions.ts";

const GUIDE = readFileSync("docs/guides/two-way-sync.md", "utf8");
const LAPTOP = "On one laptop";

describeReal("two clusters on one laptop", ["kubectl-1.32", "released-definitions"], () => {
  const [share = "", apply = "", shown = ""] = blocksOf(GUIDE, LAPTOP, "bash");
  const [definitions = ""] = /https:\S+gen\.yaml/.exec(share) ?? [];
  const laptop = new Laptop("guide-two-way-sync", { [definitions]: "istio.yaml" });

  beforeAll(async () => {
    writeFileSync(join(laptop.folder, "istio.yaml"), istioDefinition("serviceentries"));
    const [shop = ""] = blocksOf(GUIDE, "", "yaml");
    writeFileSync(join(laptop.folder, "shop.yaml"), shop);
    await Promise.all(blocksOf(GUIDE, LAPTOP).map((command) => laptop.start(command)));
  });
  afterAll(() => laptop.close());

  test("what one publishes the other has, with its ports", async () => {
    expect(await laptop.run(share)).toMatchObject({ code: 0, stderr: "" });
    expect(await laptop.run(apply)).toMatchObject({ code: 0 });
    await laptop.shows(
      shown,
      /^example\.net -> namespace mesh-import: 1 host, 0 to write or remove/m,
    );
    await laptop.shows(
      shown,
      /^shop-example-net-\w+ +\["shop\.example\.net"\] +MESH_EXTERNAL +STATIC/m,
    );
  });
});
