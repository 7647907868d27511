/**
 * The first session of README.md, run as it stands: each command that begins with `$`, in one
 * shell.
 */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DevInstance } from "../support/programs/dev-instance.ts";
import { commandsOf } from "../support/programs/documented-commands.ts";
import { run } from "../support/programs/run.ts";
import { describeReal } from "../support/real-servers/availability.ts";

/** The port that README names. */
const PORT = "5300";

describeReal("README", ["kubectl-1.32", "dig"], () => {
  let dev: DevInstance;
  beforeAll(async () => {
    dev = await DevInstance.start();
  });
  afterAll(() => dev?.remove());

  test("its first session goes as it says", async () => {
    const commands = commandsOf(readFileSync("README.md", "utf8"), "A first session");
    expect(commands.length).toBeGreaterThan(5);
    const folder = join(dev.folder.path, "clone");
    mkdirSync(folder);
    symlinkSync(resolve("dist"), join(folder, "dist"));
    symlinkSync(dev.data, join(folder, ".zonekeeper"));
    const script = commands.join("\n").replaceAll(`-p ${PORT}`, `-p ${dev.dnsPort}`);
    const { code, stdout, stderr } = await run(
      "bash",
      ["--norc", "-euo", "pipefail", "-c", script],
      {
        cwd: folder,
      },
    );
    expect([code, stderr]).toEqual([0, ""]);
    for (const fragment of [
      /dnsprovider\S*\/embedded +rfc2136 +Ready/,
      /service\/hello created/,
      /^hello\.example\.org\.\s+300\s+IN\s+A\s+192\.0\.2\.\d+$/m,
      /^a-hello\.example\.org\.\s+300\s+IN\s+TXT\s+"heritage=external-dns/m,
      /ours for service\/default\/hello/,
      /service "hello" deleted/,
      /status: NXDOMAIN/,
    ])
      expect(stdout).toMatch(fragment);
  });

  test("another port is taken where the documented one is not free", async () => {
    const second = await DevInstance.start("--no-examples");
    try {
      expect(second.dnsPort).not.toBe(dev.dnsPort);
    } finally {
      await second.remove();
    }
  });
});
