/**
 * What became of a name, told and taken back by another process than the one that wrote it: two
 * replicas without a data folder, a BIND that somebody else edits, and the leader killed.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HistoryDocument } from "../../src/app/api/documents.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { PROGRAM } from "../support/programs/dev-instance.ts";
import { run } from "../support/programs/run.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** Changes gather for five seconds before a ConfigMap is written. */
const GATHER_MS = 6_000;

describeReal("the history of a zone", ["kubectl-1.32", "bind"], () => {
  let zone: RealZone;
  let session: RunSession;
  const folder = makeTempFolder("history");
  const tokenFile = join(folder.path, "token");
  const replicas: RunInstance[] = [];
  beforeAll(async () => {
    writeFileSync(tokenFile, "a-token-of-this-test");
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await RunSession.open();
    await session.user.apply(account("net", zone.server));
    const { kubeconfig } = session;
    const args = ["--api-token-file", tokenFile, "--lease-duration", "4s"];
    const more = ["--lease-renew-deadline", "3s", "--lease-retry-period", "500ms"];
    for (let index = 0; index < 2; index++)
      replicas.push(
        await RunInstance.start({
          kubeconfig,
          owner: "me",
          dataless: true,
          args: [...args, ...more],
        }),
      );
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.remove();
    await session?.close();
    await zone?.server.stop();
    folder.remove();
  });

  const ask = (command: string, { http }: RunInstance, ...args: readonly string[]) =>
    run(process.execPath, [
      ...[PROGRAM, command, "--server", http, "--api-token-file", tokenFile, ...args],
    ]);
  const history = (instance: RunInstance, ...args: readonly string[]) =>
    ask("history", instance, ...args);
  /** Shown, and done. */
  const undo = async (...args: readonly string[]) => {
    const [, leader] = replicas as [RunInstance, RunInstance];
    const shown = await ask("undo", leader, ...args);
    return { shown, done: await ask("undo", leader, ...args, "--yes") };
  };

  test("its successor tells what the killed leader wrote", async () => {
    const [leader, other] = replicas as [RunInstance, RunInstance];
    const { user } = session;
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
    await zone.becomes("www", "A", "192.0.2.1");
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.2"] }));
    await zone.becomes("www", "A", "192.0.2.2");
    expect((await history(leader, zone.name("www"))).stdout).toMatch(
      /changed www\.example\.net A: 192\.0\.2\.1 -> 192\.0\.2\.2 ttl 300\n {4}ValueChanged for dnsentry\/default\/www generation 2, edited by kubectl\S*, .* answered after \d+ ms\n/,
    );
    await sleep(GATHER_MS);
    await leader.kill9();
    await user.delete("dnse", "www");
    await zone.becomes("www", "A");
    const { stdout } = await eventually(
      "the successor's history",
      () => history(other, zone.name("www"), "--output", "json"),
      ({ code, stdout: text }) => code === 0 && text.includes('"removed"'),
    );
    const { changes }: HistoryDocument = JSON.parse(stdout);
    expect(changes.map(({ is, why, generation = null }) => [is, why, generation])).toEqual([
      // The object had gone before the successor saw it alive.
      ["removed", "found-deleting", null],
      ["changed", "ValueChanged", 2],
      ["created", "Wanted", 1],
    ]);
    expect((await history(other, "--since", "1s", zone.name("nothing"))).stdout).toBe(
      "No change is known of nothing.example.net.\n",
    );
  });

  test("the successor takes changes back, one after the other, and the deleted record too", async () => {
    const www = zone.name("www");
    const first = await undo(www);
    expect([first.shown.code, first.shown.stdout]).toEqual([
      2,
      expect.stringContaining(
        `would be undone: ${www} A in example.net: no record -> 192.0.2.2 ttl 300\n    once the pause ends, the record is removed again, since its object was found while it was being deleted (dnsentry/default/www)`,
      ),
    ]);
    expect([first.done.code, first.done.stdout]).toEqual([
      0,
      expect.stringContaining(`\nundone: ${www}`.trim()),
    ]);
    await zone.becomes("www", "A", "192.0.2.2");
    const second = await undo(www);
    expect(second.done.code, second.done.stdout).toBe(0);
    await zone.becomes("www", "A", "192.0.2.1");
    const [, leader] = replicas as [RunInstance, RunInstance];
    expect((await history(leader, www, "--limit", "1")).stdout).toContain(
      "changed www.example.net A: 192.0.2.2 -> 192.0.2.1 ttl 300\n    undone by a person, Undone",
    );
    const explained = await ask("explain", leader, www);
    expect(explained.stdout).toMatch(/last changes:\n.*changed www\.example\.net A/);
    // Its object is back, and waits for the end of the pause.
    await session.user.apply(entry("www", www, { targets: ["192.0.2.7"] }));
    await sleep(2_000);
    expect(await zone.answers("www")).toEqual(["192.0.2.1"]);
    await ask("resume", leader, "--name", www);
    await zone.becomes("www", "A", "192.0.2.7");
  });

  test("what a stranger wrote between is named and stays", async () => {
    const [, leader] = replicas as [RunInstance, RunInstance];
    const { user } = session;
    for (const target of ["192.0.2.5", "192.0.2.6"]) {
      for (const label of ["api", "web"])
        await user.apply(entry(label, zone.name(label), { targets: [target] }));
      for (const label of ["api", "web"]) await zone.becomes(label, "A", target);
    }
    await ask("pause", leader, "--name", zone.name("api"));
    await zone.foreignWriter(
      `update delete ${zone.name("api")}. A`,
      `update add ${zone.name("api")}. 60 A 192.0.2.99`,
    );
    await eventually(
      "the change is seen",
      () => ask("undo", leader, zone.name("api")),
      ({ code, stdout }) => code === 1 && stdout.includes("it is not touched"),
    );
    const { done } = await undo("--since", "10m");
    expect([done.code, done.stdout]).toEqual([
      1,
      expect.stringContaining("somebody changed it since: 192.0.2.99 ttl 60 is there"),
    ]);
    expect(await zone.answers("api")).toEqual(["192.0.2.99"]);
    // Its object wants it, and does not write it again: the name is paused.
    await zone.becomes("web", "A");
    await sleep(2_000);
    expect(await zone.answers("web")).toEqual([]);
  });
});
