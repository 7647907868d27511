/**
 * The commands of docs/guides/coming-from-gardener.md, run as they stand, with an id in place of
 * `<your id>` and a file of the manager's options.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { inlineCommandsIn } from "../support/programs/documented-commands.ts";
import { type GuideReader, GuideShell } from "../support/programs/guide-shell.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const GUIDE = readFileSync("docs/guides/coming-from-gardener.md", "utf8");
const BLOCKS = [...GUIDE.matchAll(/^```\n(.*?)^```/gms)].map(([, text = ""]) => text);

/** Options of the manager's chart. */
const FILE = `cat > options.yaml <<'EOF'
identifier: my-id
controllers: all
dns-class: gardendns
compound.providers.pool.size: 2
ttl: 120
EOF
`;

describeOnBoth("the guide for people who come from Gardener", ["bind", "dig"], (server) => {
  let zone: RealZone;
  let reader: GuideReader;
  const shell = new GuideShell(server.kubectl);
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    const session = await server.open();
    await session.user.apply(account("my-dns-server", zone.server));
    await session.user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
    reader = { session, instance: await session.run("another", "--dns-class", "another") };
  });
  afterAll(async () => {
    shell.close();
    await reader?.session.close();
    await zone?.server.stop();
  });

  test("its commands do what it says", async () => {
    const [options = "", file = "", dry = "", ...more] = BLOCKS;
    expect(more).toEqual([]);
    const checked = await shell.run(reader, options.replace("<your id>", "my-id"));
    expect(checked.stderr).not.toMatch(/unknown option/);
    expect(checked.stdout).toMatch(/my-dns-server/);
    const read = await shell.run(reader, `${FILE}${file}`);
    expect(`${read.stdout}${read.stderr}`).toMatch(/compound\.providers\.pool\.size/);
    expect(read.stdout).toMatch(/my-dns-server/);

    const planned = await shell.run(reader, `set -m\n${dry}`);
    expect(planned.stdout).toMatch(/\+ www\.example\.net A 120 192\.0\.2\.1/);
    expect(await zone.answers("www")).toEqual([]);

    const [list = "", ...others] = inlineCommandsIn(GUIDE);
    expect(others).toEqual([]);
    expect((await shell.run(reader, list)).stdout).toMatch(/^www +www\.example\.net/m);
  });
});
