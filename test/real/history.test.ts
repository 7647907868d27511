/**
 * What became of a name, told by another process than the one that wrote it: two replicas without a
 * data folder, a BIND that somebody else edits, and the leader killed.
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

  const history = ({ http }: RunInstance, ...args: readonly string[]) =>
    run(process.execPath, [
      ...[PROGRAM, "history", "--server", http, "--api-token-file", tokenFile, ...args],
    ]);

  test("its successor tells what the killed leader wrote", async () => {
    const [leader, other] = replicas as [RunInstance, RunInstance];
    const { user } = session;
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
    await zone.becomes("www", "A", "192.0.2.1");
    await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.2"] }));
    await zone.becomes("www", "A", "192.0.2.2");
    expect((await history(leader, zone.name("www"))).stdout).toMatch(
      /changed www\.example\.net A: 192\.0\.2\.1 -> 192\.0\.2\.2 ttl 300\n {4}ValueChanged for dnsentry\/default\/www generation 2, .* answered after \d+ ms\n/,
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
});
