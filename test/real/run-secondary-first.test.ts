/**
 * The DNSProvider of a secondary came before that of its primary: the one that can be written gets
 * the zone, and the entries with it, also after a restart (Z-18).
 */
import { test } from "vitest";
import { claimPort } from "../support/ports/free-port.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { SECONDARIES } from "../support/real-servers/secondaries.ts";
import { account, entry } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** Knot answers NOTAUTH, which a primary says of a key that it does not accept: no refusal. */
const REFUSING = SECONDARIES.filter(({ name }) => name !== "Knot");

for (const { name, needs, start } of REFUSING)
  describeReal(`run with a ${name} secondary first`, ["kubectl-1.32", "dig", "bind", needs], () => {
    test("the primary that comes later gets the zone", async () => {
      const zone = new RealZone(await startBind({ zone: "example.net" }));
      const { key, port: primaryPort } = zone.server;
      const port = await claimPort();
      const secondary = await start({ zone: "example.net", key, primaryPort, port: port.port });
      const session = await RunSession.open();
      const { user } = session;
      try {
        const instance = await session.run("team");
        await user.apply(account("secondary", secondary));
        await user.becomes("dnspr", "secondary", "Ready");
        await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.1"] }));
        await user.becomes("dnse", "www", "Error");
        await user.apply(account("real", zone.server));
        await zone.becomes("www", "A", "192.0.2.1");
        await user.becomes("dnspr", "secondary", "Error", /may be zone .* of DNSProvider/);
        await user.becomes("dnse", "www", "Ready");
        await instance.restart();
        await user.apply(entry("www", zone.name("www"), { targets: ["192.0.2.2"] }));
        await zone.becomes("www", "A", "192.0.2.2");
        await user.becomes("dnse", "www", "Ready");
      } finally {
        await session.close();
        await secondary.stop();
        port.release();
        await zone.server.stop();
      }
    });
  });
