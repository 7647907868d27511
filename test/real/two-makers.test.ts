/**
 * Two processes make the DNSEntries of one Service with different options: the owner id of its
 * record goes to and fro a few times. The name answers all the time, an Event says what to do, and
 * writing ends; with the same options both rest.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { withoutGap } from "../support/clients/answer-watch.ts";
import { eventually } from "../support/ports/eventually.ts";
import { TRIES_MAX, writesOf } from "../support/programs/count-writes.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, object, service, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const MAKES = ["--controllers", "service-dns", "--lease-name", "two"];

describeOnBoth("two makers with different options", ["bind", "dig"], (server) => {
  let session: RunSession;
  let zone: RealZone;
  let one: RunInstance;
  let two: RunInstance;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    session = await server.open();
    const owner = { metadata: { namespace: undefined }, spec: { ownerId: "shop" } };
    await session.user.apply(
      together(account("net", zone.server), object("DNSOwner", "shop", owner)),
    );
    one = await session.run("me", "--lease-name", "one");
    await session.user.apply(service("web", zone.name("web")));
    await session.user.balance("svc", "web", "192.0.2.1");
    await zone.becomes("web", "A", "192.0.2.1");
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  test("each tells it, the record stays, and writing ends", async () => {
    await withoutGap(zone.server.port, { [zone.name("web")]: ["192.0.2.1"] }, async () => {
      two = await session.run("me", ...MAKES, "--target-owner-id", "shop");
      await session.user.reported("Service", "web", /changed back by another program each time/);
      await session.user.rests("dnse", "svc");
      for (const count of await writesOf(one, two)) expect(count).toBeLessThanOrEqual(TRIES_MAX);
    });
  });

  test("with the same options both rest", async () => {
    await withoutGap(
      zone.server.port,
      { [zone.name("web")]: ["192.0.2.1", "192.0.2.2"] },
      async () => {
        await two.stop();
        two = await session.run("me", ...MAKES);
        await one.hasNothingToDo();
        await session.user.rests("dnse", "svc");
        // An Event of the time before may be sent later.
        await eventually(
          "nobody writes",
          () => writesOf(one, two),
          (counts) => counts.every((count) => count === 0),
        );
        await session.user.balance("svc", "web", "192.0.2.2");
        await zone.becomes("web", "A", "192.0.2.2");
      },
    );
  });
});
