/**
 * The README's first command: `npm start` prints how to go on and a ready line, and Ctrl-C ends it
 * with 0.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { query } from "../support/clients/dns-query.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { Child, waitUntilReady } from "../support/programs/child.ts";
import { DevInstance } from "../support/programs/dev-instance.ts";

test("npm start, an answer from DNS, Ctrl-C", async () => {
  const folder = makeTempFolder("npm-start");
  const logFile = join(folder.path, "log");
  const data = join(folder.path, "data");
  const child = await Child.start({
    command: "npm",
    args: ["start", "--", "--data", data],
    logFile,
  });
  try {
    const output = (): string => readFileSync(logFile, "utf8");
    await waitUntilReady(child, async () => /^ready \{.*\}$/m.test(output()));
    const ready = JSON.parse(/^ready (\{.*\})$/m.exec(output())?.[1] ?? "");
    expect(output()).toContain(`export KUBECONFIG=${ready.kubeconfig}`);
    const port = Number(ready.dns.split(":")[1]);
    const answers = await eventually(
      "www.example.org answers",
      () => query(port, "www.example.org", "A"),
      (seen) => seen.length > 0,
    );
    expect(answers.map(({ rdata }) => rdata)).toEqual(["192.0.2.10"]);
    // npm hands the signal on; `exec` in the script sees to it that it reaches the program and not
    // a shell.
    await child.stop("SIGINT");
    await expect(query(port, "www.example.org", "A")).rejects.toThrow();
    expect(output()).not.toMatch(/"level":"(error|fatal)"/);
  } finally {
    await child.stop();
    folder.remove();
  }
});

test("dev starts on its data with another zone and class", async () => {
  const dev = await DevInstance.start("--no-examples");
  try {
    expect(await dev.interrupt()).toBe(0);
    await dev.restart("--zone", "lab.example.net", "--dns-class", "mine");
    expect(dev.output()).not.toContain("zone is not loaded");
    expect(await query(dev.dnsPort, "lab.example.net", "NS")).toHaveLength(1);
    expect(await query(dev.dnsPort, "example.org", "NS")).toHaveLength(1);
  } finally {
    await dev.remove();
  }
});

test("dev does not begin anew beside half of its data, and says what to do", async () => {
  const dev = await DevInstance.start("--no-examples");
  const file = (name: string): string => join(dev.data, name);
  try {
    expect(await dev.interrupt()).toBe(0);
    const [store, identity] = [
      readFileSync(file("store.mdb")),
      readFileSync(file("identity.json")),
    ];
    const refused = async (): Promise<string> => {
      await expect(dev.restart()).rejects.toThrow();
      expect(dev.output()).not.toMatch(/^\s+at /m);
      return dev.output();
    };
    writeFileSync(file("store.mdb"), "");
    expect(await refused()).toMatch(/store\.mdb is missing or empty beside .* Restore it, or/);
    rmSync(file("store.mdb"));
    expect(await refused()).toMatch(/store\.mdb is missing or empty beside .* Restore it, or/);
    rmSync(file("identity.json"));
    writeFileSync(file("store.mdb"), store);
    expect(await refused()).toMatch(/identity\.json is missing beside .* Restore it, or/);
    writeFileSync(file("identity.json"), identity);
    const flipped = store.toString("latin1").replaceAll('"metadata"', '"letadata"');
    writeFileSync(file("store.mdb"), flipped, "latin1");
    expect(await refused()).toMatch(/the value of ".+" is not what was written/);
    writeFileSync(file("store.mdb"), store);
    await dev.restart();
  } finally {
    await dev.remove();
  }
});
