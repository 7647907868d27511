/**
 * The commands of docs/guides/accounts-and-owners.md, run as they stand, and what the page says of
 * them: an owner id of a DNSOwner publishes, and off leaves the record.
 */
import { readFileSync } from "node:fs";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fenceName } from "../../src/sync/contract/fence-record.ts";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { eventually } from "../support/ports/eventually.ts";
import { inlineCommandsIn } from "../support/programs/documented-commands.ts";
import { type GuideReader, GuideShell } from "../support/programs/guide-shell.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GUIDE = readFileSync("docs/guides/accounts-and-owners.md", "utf8");
const BLOCKS = [...GUIDE.matchAll(/^```\n(.*?)^```/gms)].map(([, text = ""]) => text);

const APEX = trustedDnsName("example.org");
/** Of an installation of the same id that is gone. */
const ORPHAN = [
  "orphan 300 IN A 192.0.2.7",
  'a-orphan 300 IN TXT "heritage=external-dns,external-dns/cluster=else,external-dns/owner=team-a,external-dns/resource=dnsentry/default/orphan"',
];
/** Another installation. */
const AWAY = "uid-9/kube-system/zonekeeper";

/** Commands within sentences, and what they say while another installation has the id `shop`. */
const SHOWN: ReadonlyMap<string, RegExp> = new Map([
  ["kubectl get dnso", /^shop +shop +true/m],
  ["zonekeeper ownership orphans", /orphan\.example\.org/],
  ["zonekeeper plan", /shop.*uid-9/],
  ["zonekeeper ownership list", /shop.*uid-9/],
  ["zonekeeper explain www.example.org", /shop.*uid-9/],
]);
const TAKE = "zonekeeper owner take --from DOMAIN";

describeOnBoth("the guide to accounts and owners", ["bind", "dig"], (server) => {
  let zone: RealZone;
  let reader: GuideReader;
  const shell = new GuideShell(server.kubectl);
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.org", records: ORPHAN }));
    const session = await server.open();
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
    expect((await shell.run(reader, off)).code).toBe(0);
    await user.becomes("dnse", "www", "Stale");
    expect(await zone.answers("www")).toEqual(["192.0.2.1"]);
  });

  test("so do the commands within its sentences", async () => {
    expect(inlineCommandsIn(GUIDE)).toEqual([...SHOWN.keys(), TAKE]);
    await zone.foreignWriter(
      `update add ${fenceName(APEX, "shop")}. 300 TXT "v=1;domain=${AWAY};epoch=1;term=t1"`,
    );
    await shell.run(reader, BLOCKS[1] ?? "");
    await reader.session.user.becomes("dnse", "www", "Pending", /has the owner id in this zone/);
    for (const [command, says] of SHOWN)
      await eventually(
        `${command} says ${says}`,
        () => shell.run(reader, command),
        ({ stdout }) => says.test(stdout),
      );
    const taken = await shell.run(reader, `${TAKE.replace("DOMAIN", AWAY)} --yes`);
    expect(taken.stderr).toBe("");
    await reader.session.user.becomes("dnse", "www", "Ready");
  });
});
