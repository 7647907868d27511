/**
 * A plug-in module in a real `run` with BIND: it publishes its own kind, and however it breaks,
 * its names keep their records, the status names it, and the other names go on. One that loops
 * ends the process, and the next start leaves it off.
 */
import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FOLDER_FILES } from "../../src/app/commands/process/data-folder.ts";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { BROKEN_PLUGIN, LOOP, WEBSITES, website } from "../support/programs/broken-plugin.ts";
import { BROKEN_REGISTRY } from "../support/programs/broken-registry.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, provider, secret, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const FAILED = "the plug-in acme \\(.*acme.mjs\\)";
const NEXT = Array.from({ length: 9 }, (_, index) => `192.0.2.${11 + index}`);

/** One session in order. */
describeReal("run with a plug-in", ["kubectl-1.32", "dig", "bind"], () => {
  const folder = makeTempFolder("plug-in");
  const file = join(folder.path, "acme.mjs");
  let session: RunSession;
  let user: ClusterUser;
  let zone: RealZone;
  let instance: RunInstance;
  let left = [...NEXT];
  /** A name of a source of ours is answered and changes. */
  const othersGoOn = async (): Promise<void> => {
    const [address = ""] = left;
    left = left.slice(1);
    await user.apply(entry("other", zone.name("other"), { targets: [address] }));
    await zone.becomes("other", "A", address);
  };
  const readiness = async (): Promise<string> => {
    const { status = {} } = await user.get("website", "www");
    return JSON.stringify(status["conditions"] ?? []);
  };
  const websiteIs = (message: RegExp): Promise<string> =>
    eventually("the condition of the Website", readiness, (text) => message.test(text));
  beforeAll(async () => {
    writeFileSync(file, BROKEN_PLUGIN);
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open();
    user = session.user;
    await user.apply(WEBSITES);
    instance = await session.run("team", "--plugin", file, "--acme-also", "192.0.2.9");
    await user.apply(account("bind", zone.server));
    await user.becomes("dnspr", "bind", "Ready");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
    folder.remove();
  });

  test("its kind is published, and changes", async () => {
    await user.apply(website("www", zone.name("www"), "192.0.2.1"));
    await zone.becomes("www", "A", "192.0.2.1");
    await user.apply(website("www", zone.name("www"), "192.0.2.2"));
    await zone.becomes("www", "A", "192.0.2.2");
    await websiteIs(/"Published"/);
    expect((await instance.cli("explain", zone.name("www"))).stdout).toContain(
      "website/default/www",
    );
    await othersGoOn();
  });

  test("it has the value of its option", async () => {
    await user.apply(website("www", zone.name("www"), "192.0.2.2", "also"));
    await zone.becomes("www", "A", "192.0.2.2", "192.0.2.9");
    await user.apply(website("www", zone.name("www"), "192.0.2.2"));
    await zone.becomes("www", "A", "192.0.2.2");
  });

  test.each([
    ["throws", "threw: no luck"],
    ["garbage", "answered garbage: items\\[0\\].name must be a DNS name"],
    ["promises", "answered garbage: items is missing"],
  ])(
    "a source that %s keeps its records, and its object says so",
    async (how, message) => {
      await user.apply(website("www", zone.name("www"), "192.0.2.3", how));
      await websiteIs(new RegExp(`${FAILED} ${message}`));
      await othersGoOn();
      expect(await zone.answers("www")).toEqual(["192.0.2.2"]);
      await user.apply(website("www", zone.name("www"), "192.0.2.2"));
      await websiteIs(/"Published"/);
    },
    120_000,
  );

  test.each([
    ["opens", "threw in open: no luck"],
    ["empty", "answered garbage to open: session.capabilities is missing"],
    ["throws", "threw in zones: no luck"],
    ["garbage", "answered garbage to zones: zones\\[0\\].id must be a text"],
    ["never", "did not answer to zones within 1 s"],
  ])(
    "a provider that %s is an Error of its DNSProvider",
    async (how, message) => {
      const spec = { type: "acme-dns", providerConfig: { how } };
      await user.apply(together(secret("acme", { any: "value" }), provider("acme", spec)));
      await user.becomes("dnspr", "acme", "Error", new RegExp(`${FAILED} ${message}`));
      await user.delete("dnspr", "acme");
      await zone.becomes("other", "A", NEXT[3] ?? "");
    },
    120_000,
  );

  test("a source that loops ends the process, and the next start leaves it off", async () => {
    const notes = join(instance.data, FOLDER_FILES.leftOff);
    await user.apply(website("www", zone.name("www"), "192.0.2.3", "loops"));
    const isUp = async (): Promise<boolean> => instance.running;
    await eventually("the process ends", isUp, (is) => !is);
    const line = instance
      .output()
      .split("\n")
      .findLast((one) => one.includes("does not come"));
    expect(JSON.parse(line ?? "{}")).toMatchObject({
      ...{ level: "error", code: "PluginFailed", plugin: file, call: "endpoints" },
      next: `the next start leaves it off. Mend it, or remove ${notes} to try it again`,
    });
    expect(statSync(notes).mode & 0o777).toBe(0o600);
    await instance.restart();
    const { text } = await instance.fetch("/readyz?verbose");
    expect(text).toMatch(new RegExp(`plug-in acme.*${FAILED} is left off: it did not come back`));
    expect(instance.output()).toContain('"a plug-in is left off"');
    await websiteIs(new RegExp(`${FAILED} is left off: it did not come back from endpoints`));
    await othersGoOn();
    expect(await zone.answers("www")).toEqual(["192.0.2.2"]);
  });

  test("a mended module is tried again by the next start", async () => {
    writeFileSync(file, BROKEN_PLUGIN.replace("for (;;);", "return answers.works(...arguments);"));
    await instance.restart();
    await user.apply(website("www", zone.name("www"), "192.0.2.4"));
    await zone.becomes("www", "A", "192.0.2.4");
    expect((await instance.fetch("/readyz?verbose")).text).not.toContain("left off");
    await othersGoOn();
  });

  test("a provider that loops ends it likewise, and its DNSProvider says so", async () => {
    const spec = { type: "acme-dns", providerConfig: { how: "loops" } };
    await user.apply(together(secret("acme", { any: "value" }), provider("acme", spec)));
    const isUp = async (): Promise<boolean> => instance.running;
    await eventually("the process ends", isUp, (is) => !is);
    expect(instance.output()).toMatch(/"call":"zones".*"next":"the next start leaves it off/);
    await instance.restart();
    const message = new RegExp(`${FAILED} is left off: it did not come back from zones`);
    await user.becomes("dnspr", "acme", "Error", message);
    await othersGoOn();
    expect(await zone.answers("www")).toEqual(["192.0.2.4"]);
    await user.delete("dnspr", "acme");
    rmSync(join(instance.data, FOLDER_FILES.leftOff));
    await instance.restart();
    await websiteIs(/"Published"/);
  });

  test("its kind goes, and is deleted as any", async () => {
    await othersGoOn();
    await user.delete("website", "www");
    await zone.becomes("www", "A");
    await instance.hasNothingToDo();
  });
});

test.each([
  ["of another api", "api: 1", "api: 9", "has the api 9, and this zonekeeper knows 1 only"],
  ["without a name", 'name: "acme",', "", "name is missing: it must be a name of letters"],
  ["without rows' fields", 'doc: "the host of each Website",', "", "sources[0].doc is missing"],
  ["with our name", '"website-dns"', '"service-dns"', "has a source service-dns, which is there"],
  ["with our type", '"acme-dns"', '"rfc2136"', "has a provider type rfc2136, which is there"],
  [
    "whose provider lacks a field",
    'type: "acme-dns",',
    "",
    "providers[0].type is missing: it must",
  ],
  [
    "whose registry lacks a field",
    'doc: "nowhere: all is ours", ',
    "",
    "registries[0].doc is missing",
  ],
  ["with our registry", 'name: "acme-all"', 'name: "txt"', "has a registry txt, which is there"],
  ["with an option of ours", "acme-wait", "lease-name", "options[1].name must be acme- and then"],
  ["with an option twice", "acme-wait", "acme-also", "has an option --acme-also, which is there"],
  ["whose option has no doc", 'doc: "How long it waits.",', "", "options[1].doc is missing"],
  ["with a wrong default", '"5s"', '"soon"', 'options[1].default "soon" is not a duration'],
  ["that cannot be read", "export const", "export cons", "cannot be loaded: Unexpected"],
  ["without the export", "export const plugin", "const plugin", "exports no object `plugin`"],
])("a module %s is refused at the start", async (_, text, other, message) => {
  const folder = makeTempFolder("refused-plug-in");
  const whole = [BROKEN_PLUGIN, BROKEN_REGISTRY].find((one) => one.includes(text)) ?? "";
  writeFileSync(join(folder.path, "acme.mjs"), whole.replace(text, other));
  const args = [PROGRAM, "run", "--owner", "me", "--plugin", "./acme.mjs"];
  const { code, stderr } = await run(process.execPath, args, { cwd: folder.path });
  folder.remove();
  expect(code).toBe(1);
  expect(stderr).toContain(`zonekeeper: --plugin: the plug-in ./acme.mjs ${message}`);
});

test("its options are in the help, and are refused as ours are", async () => {
  const folder = makeTempFolder("plug-in-options");
  writeFileSync(join(folder.path, "acme.mjs"), BROKEN_PLUGIN);
  writeFileSync(
    join(folder.path, "run.yaml"),
    "apiVersion: zonekeeper.dev/v1alpha1\nkind: Configuration\nplugin: ./acme.mjs\nacmeWait: soon\n",
  );
  const start = (...args: readonly string[]) =>
    run(process.execPath, [PROGRAM, "run", "--config", "run.yaml", ...args], { cwd: folder.path });
  const [help, refused] = await Promise.all([start("--help"), start("--owner", "me")]);
  folder.remove();
  expect(help.stdout).toMatch(/--acme-wait <duration> +How long it waits\. Default: 5s\./);
  expect(help.stdout).toContain("[ZONEKEEPER_ACME_WAIT]");
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'zonekeeper: --acme-wait: run.yaml:4 acmeWait "soon" is not a duration; write 300ms, 15s, 2m or 1h\n',
  ]);
});

test.each([
  [
    "with a data folder",
    ["--data", "."],
    /"next":"the next start refuses to begin/,
    "did not come back",
  ],
  ["without", [], /"next":"nothing is noted without run and its --data/, null],
])(
  "a module that loops while it is loaded, %s",
  async (_, data, next, then) => {
    const folder = makeTempFolder("looping-plug-in");
    writeFileSync(join(folder.path, "acme.mjs"), `${BROKEN_PLUGIN}\n${LOOP}`);
    const args = [PROGRAM, "run", "--owner", "me", "--plugin", "./acme.mjs", ...data];
    const start = () => run(process.execPath, args, { cwd: folder.path });
    const { code, stderr } = await start();
    expect(code).not.toBe(0);
    expect(stderr).toMatch(next);
    expect(stderr).toContain('"plugin":"./acme.mjs"');
    if (then !== null)
      expect((await start()).stderr).toContain(`./acme.mjs is left off: it ${then}`);
    folder.remove();
  },
  60_000,
);

test("two modules of one name, and one that is not there, are reported together", async () => {
  const folder = makeTempFolder("two-plug-ins");
  for (const name of ["a.mjs", "b.mjs"]) writeFileSync(join(folder.path, name), BROKEN_PLUGIN);
  const args = [PROGRAM, "run", "--plugin", "./a.mjs,./b.mjs,./c.mjs"];
  const { code, stderr } = await run(process.execPath, args, { cwd: folder.path });
  folder.remove();
  expect(code).toBe(1);
  expect(stderr).toMatch(/the plug-in \.\/b\.mjs has a plug-in acme, which is there already/);
  expect(stderr).toMatch(/the plug-in \.\/c\.mjs is not there: write the path of a file from/);
});
