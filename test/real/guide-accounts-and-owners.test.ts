/**
 * The commands of docs/guides/accounts-and-owners.md, run as they stand, and what the page says of
 * them: an owner id of a DNSOwner publishes, and off leaves the record.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GuideReader, GuideShell } from "../support/programs/guide-shell.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GUIDE = readFileSync("docs/guides/accounts-and-owners.md", "utf8");
const BLOCKS = [...GUIDE.matchAll(/^```\n(.*?)^```/gms)].map(([, text = ""]) => text);

describeReal("the guide to accounts and owners", ["kubectl-1.32", "bind", "dig"], () => {
  let zone: RealZone;
  let reader: GuideReader;
  const shell = new GuideShell();
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    const session = await RunSession.open();
    await session.user.apply(account("my-dns-server", zone.server));
    reader = { session, instance: await session.run("team-a") };
  });
  afterAll(async () => {
    shell.close();
    await reader?.session.close();
    await zone?.server.stop();
  });

  test("its commands do what it says", async () => {
    const [accounts = "", owner = "", off = "", ...more] = BLOCKS;
    expect(more).toEqual([]);
    const { user } = reader.session;
    await user.becomes("dnspr", "my-dns-server", "Ready");
    const shown = await shell.run(reader, accounts);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(/my-dns-server/);

    const spec = { targets: ["192.0.2.1"], ownerId: "shop" };
    await user.apply(entry("www", zone.name("www"), spec));
    expect((await shell.run(reader, owner)).code).toBe(0);
    await zone.becomes("www", "A", "192.0.2.1");
    expect(await zone.answers("a-www", "TXT")).toEqual([expect.stringContaining("owner=shop")]);
    const columns = await shell.run(reader, "kubectl get dnso");
    expect(columns.stdout).toMatch(/^shop +shop +true/m);

    expect((await shell.run(reader, off)).code).toBe(0);
    await user.becomes("dnse", "www", "Stale");
    expect(await zone.answers("www")).toEqual(["192.0.2.1"]);
  });
});
