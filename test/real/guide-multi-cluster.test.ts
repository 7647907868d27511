/**
 * The commands of docs/guides/multi-cluster.md, as they stand: two `dev` on one laptop, then two
 * control planes and a BIND.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { kubectlPath } from "../support/clients/kubectl.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { Child } from "../support/programs/child.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { blocksOf } from "../support/programs/documented-commands.ts";
import { Laptop } from "../support/programs/laptop.ts";
import { run } from "../support/programs/run.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, service } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GUIDE = readFileSync("docs/guides/multi-cluster.md", "utf8");
const LAPTOP = "On one laptop";

describeReal("two clusters on one laptop share a zone", ["kubectl-1.32", "dig"], () => {
  const laptop = new Laptop("guide-multi-cluster-laptop");
  const [one = "", two = "", both = ""] = blocksOf(GUIDE, LAPTOP);
  const [account = "", shops = "", asked = "", edited = "", gone = ""] = blocksOf(
    GUIDE,
    LAPTOP,
    "bash",
  );
  const [define = ""] = /^shop\(\).*?^\}\n/ms.exec(shops) ?? [];
  const [dig = ""] = /^dig .*\n/m.exec(asked) ?? [];
  const [clusters = ""] = /^zonekeeper clusters .*\n/m.exec(asked) ?? [];
  afterAll(() => laptop.close());

  test("both have their part of a name, also while one is away", async () => {
    await laptop.start(one);
    const second = await laptop.start(two);
    expect(await laptop.run(account)).toMatchObject({ code: 0 });
    await laptop.start(both);
    expect(await laptop.run(shops)).toMatchObject({ code: 0 });
    await laptop.shows(dig, /^192\.0\.2\.1\n192\.0\.2\.2\n$/);
    const { stdout } = await laptop.run(asked);
    expect(stdout).toMatch(/A \[one\] 300 192\.0\.2\.1 .*\n.*A \[two\] 300 192\.0\.2\.2 /);
    expect(stdout).toMatch(/^two +active +Live /m);

    await second.kill9();
    await laptop.shows(clusters, /^two +active +Stale /m);
    expect((await laptop.run(edited, define)).stdout).toMatch(/^two +active +Stale /m);
    await laptop.shows(dig, /^192\.0\.2\.2\n192\.0\.2\.3\n$/);

    await laptop.start(two);
    expect(await laptop.run(gone)).toMatchObject({ code: 0 });
    await laptop.shows(dig, /^192\.0\.2\.3\n$/);
    await laptop.shows(clusters, /^two +active +Live /m);
  });
});

const BLOCKS = [
  ...blocksOf(GUIDE, "With clusters of your own"),
  ...blocksOf(GUIDE, "One name from several clusters"),
];

describeOnBoth("the guide to clusters of others", ["bind", "dig"], (api) => {
  const folder = makeTempFolder("guide-multi-cluster");
  const env = { ZONEKEEPER_HTTP_PORT: "0", ZONEKEEPER_PROVIDER_TRUSTED_NAMESPACES: "*" };
  let zone: RealZone;
  let home: RunSession;
  let eu: RunSession;
  let running: Child | null = null;

  const withProgram = (script: string): string =>
    script
      .replaceAll(/^zonekeeper/gm, `"${process.execPath}" "${resolve(PROGRAM)}"`)
      .replaceAll(/^kubectl/gm, `"${kubectlPath(api.kubectl)}"`);
  const shell = (script: string) =>
    run("bash", ["--norc", "-uc", withProgram(script)], { cwd: folder.path, env });

  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    [home, eu] = await Promise.all([api.open(), api.open()]);
    const text = readFileSync(eu.kubeconfig, "utf8");
    const ca = readFileSync(eu.server.caFile).toString("base64");
    const inText = text.replace(
      /"certificate-authority":"[^"]*"/,
      `"certificate-authority-data":"${ca}"`,
    );
    writeFileSync(join(folder.path, "eu.yaml"), inText);
    writeFileSync(join(folder.path, "home.yaml"), readFileSync(home.kubeconfig, "utf8"));
    await home.user.apply(account("net", zone.server));
    await eu.user.apply(service("web", zone.name("web")));
    await eu.user.balance("svc", "web", "192.0.2.1");
  });
  afterAll(async () => {
    await running?.stop();
    await Promise.all([home, eu].map((each) => each?.close()));
    await zone?.server.stop();
    folder.remove();
  });

  test("from nothing to a record", async () => {
    const [secret = "", start = "", provider = "", clusters = "", plan = "", active = "", ...more] =
      BLOCKS;
    expect(more).toHaveLength(2);
    expect(await shell(secret)).toMatchObject({ code: 0 });
    running = await Child.start({
      command: "bash",
      args: ["--norc", "-uc", `exec ${withProgram(start)}`],
      cwd: folder.path,
      logFile: join(folder.path, "run.log"),
      env,
    });
    expect(await shell(provider)).toMatchObject({ code: 0 });
    const shows = (script: string, line: RegExp) =>
      eventually(
        `${script.trim()} shows ${line}`,
        async () => (await shell(script)).stdout,
        (text) => line.test(text),
      );
    await shows(clusters, /^eu +observe +Live /m);
    await shows(
      plan,
      /^observed cluster eu: web\.example\.net A 192\.0\.2\.1 .*would be created$/m,
    );
    expect(await zone.answers("web")).toEqual([]);
    expect(await shell(active)).toMatchObject({ code: 0 });
    await zone.becomes("web", "A", "192.0.2.1");
  });

  test("one name from both", async () => {
    const [merge = "", explain = ""] = BLOCKS.slice(-2);
    const addresses = [
      [eu, "192.0.2.7"],
      [home, "192.0.2.8"],
    ] as const;
    for (const [where, address] of addresses) {
      await where.user.apply(service("shop", zone.name("shop")));
      await where.user.balance("svc", "shop", address);
    }
    expect(await shell(merge)).toMatchObject({ code: 0 });
    await zone.becomes("shop", "A", "192.0.2.7", "192.0.2.8");
    const { stdout } = await shell(explain);
    expect(stdout).toMatch(/A \[eu\] 300 192\.0\.2\.7/);
  });
});
