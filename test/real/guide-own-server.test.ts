/**
 * The commands of docs/guides/own-server.md, run as they stand, in their order, against a cluster
 * and a BIND. Replaced are folders, and what the guide says to replace.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { blocksOf } from "../support/programs/documented-commands.ts";
import { run } from "../support/programs/run.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GUIDE = readFileSync("docs/guides/own-server.md", "utf8");

describeReal("the guide to a server of one's own", ["kubectl-1.32", "bind"], () => {
  let session: RunSession;
  let zone: RealZone;
  const folder = makeTempFolder("guide");
  const clone = join(folder.path, "clone");
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open();
    mkdirSync(join(clone, "examples"), { recursive: true });
    for (const one of ["dist", "deploy"]) symlinkSync(resolve(one), join(clone, one));
    cpSync("examples/by-hand", join(clone, "examples/by-hand"), { recursive: true });
    const { host, port, key, zone: name } = zone.server;
    for (const file of ["10-secret.yaml", "20-provider.yaml"]) {
      const path = join(clone, "examples/by-hand", file);
      const text = readFileSync(path, "utf8")
        .replaceAll("ZONE_NAME", name)
        .replaceAll("SERVER_ADDRESS:53", `${host}:${port}`)
        .replaceAll("BASE64_OF_THE_KEY", key.secretBase64)
        .replaceAll("TSIGKeyName: zonekeeper.", `TSIGKeyName: ${key.name}.`);
      writeFileSync(path, text);
    }
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
    folder.remove();
  });
  /** In an interactive shell's way: `%1` is the last job. */
  const shell = (script: string) =>
    run("bash", ["--norc", "-emuo", "pipefail", "-c", withFolders(script)], {
      cwd: clone,
      env: { KUBECONFIG: session.kubeconfig },
      timeoutMs: 120_000,
    });
  const withFolders = (script: string): string =>
    script
      .replaceAll("/tmp/look", join(folder.path, "look"))
      .replaceAll("/var/lib/zonekeeper", join(folder.path, "data"));

  test("its lines for BIND are a configuration that BIND takes, with the key that it makes", async () => {
    const [make = "", lines = ""] = blocksOf(GUIDE, "1. A zone").map((text) =>
      text.replaceAll("/etc/bind", folder.path).replaceAll("/var/lib/bind", folder.path),
    );
    const records = "@ 60 SOA ns hostmaster 1 60 60 600 60\n@ 60 NS ns\nns 60 A 127.0.0.1\n";
    writeFileSync(join(folder.path, "example.org.zone"), records);
    writeFileSync(join(folder.path, "named.conf"), lines);
    const taken = await shell(`${make}named-checkconf -z ${join(folder.path, "named.conf")}`);
    expect(taken.stdout).toMatch(/zone example\.org\/IN: loaded serial 1/);
  });

  test("its commands lead from nothing to a record", async () => {
    const resources = blocksOf(GUIDE, "2. The resources").join("");
    expect(resources).toContain("kubectl apply -f deploy/crds/");
    expect((await shell(resources)).code).toBe(0);
    await session.user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));

    const [preview = "", writing = ""] = blocksOf(GUIDE, "3. An owner id");
    const looked = await shell(preview);
    expect(looked.stdout).toContain("All is well.");
    expect(looked.stdout).toMatch(/^Dry run: this instance writes nothing/m);
    expect(looked.stdout).toContain(zone.name("www"));
    expect(await zone.answers("www")).toEqual([]);

    expect(writing).toContain("kubectl wait --for=condition=Ready dnspr");
    const published = "kubectl wait --for=condition=Ready dnse --all --timeout=30s\n";
    const port = writing.replace("run --owner", "run --http-port 0 --owner");
    const wrote = await shell(`${port}${published}kill %1`);
    expect(wrote.stdout).toMatch(/my-dns-server/);
    expect(await zone.answers("www")).toEqual(["192.0.2.1"]);
  });
});
