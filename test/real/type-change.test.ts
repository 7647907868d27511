/**
 * S7 on real servers: a name that changes its type has an answer at every moment, because both go
 * in one UPDATE.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { watchAnswers } from "../support/clients/answer-watch.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { REAL_SERVERS, type RealServerEntry } from "../support/real-servers/index.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** Changes of type while the server is asked. */
const FLIPS = 6;
const ADDRESS = "192.0.2.1";
const ALIAS = "lb.example.com";

for (const kind of REAL_SERVERS)
  describeReal(`a change of type on ${kind.name}`, ["kubectl-1.32", "dig", kind.needs], () =>
    story(kind),
  );

function story(kind: RealServerEntry): void {
  let session: RunSession;
  let zone: RealZone;
  beforeAll(async () => {
    zone = new RealZone(await kind.start({ zone: "example.net" }));
    session = await RunSession.open();
    await session.user.apply(account("net", zone.server));
    await session.run("group-one");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  test("A becomes a CNAME and an A again, and nobody is ever told that there is nothing", async () => {
    const { user } = session;
    const publish = (target: string): Promise<string> =>
      user.apply(entry("www", zone.name("www"), { targets: [target] }));
    await publish(ADDRESS);
    await zone.becomes("www", "A", ADDRESS);
    const at = { port: zone.server.port, name: zone.name("www") };
    const seen = await watchAnswers(at, async () => {
      for (let flip = 0; flip < FLIPS; flip++) {
        const isAlias = flip % 2 === 0;
        await publish(isAlias ? ALIAS : ADDRESS);
        await zone.becomes("www", "CNAME", ...(isAlias ? [`${ALIAS}.`] : []));
      }
    });
    expect(seen.gaps).toEqual([]);
    expect(seen.answers).toEqual([`A ${ADDRESS}`, `CNAME ${ALIAS}`]);
    expect(seen.asked, "the watch has slept").toBeGreaterThan(FLIPS * 10);
  });

  test("a watch sees a gap where there is one", async () => {
    await zone.foreignWriter(`update add gap.${zone.server.zone}. 60 A ${ADDRESS}`);
    const at = { port: zone.server.port, name: zone.name("gap") };
    const seen = await watchAnswers(at, async () => {
      await zone.foreignWriter(`update delete gap.${zone.server.zone}. A`);
      await zone.foreignWriter(`update add gap.${zone.server.zone}. 60 CNAME ${ALIAS}.`);
    });
    expect(new Set(seen.gaps)).toEqual(new Set(["NXDOMAIN"]));
  });
}
