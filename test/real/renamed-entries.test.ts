/**
 * Objects that are renamed within a zone (Z-32): `spec.dnsName` of a DNSEntry and the names of a
 * Service go to another name, and one of the two answers at any moment. Where the new name cannot
 * be had the former one stays, also over a restart, until it can; entries swap names.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { watchAnswers, withoutGap } from "../support/clients/answer-watch.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, service, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** The tests are one session in order. */
describeOnBoth("renamed objects", ["bind", "dig"], (server) => {
  let zone: RealZone;
  let session: RunSession;
  let instance: RunInstance;
  const target = (name: string, label: string, address: string): string =>
    entry(name, zone.name(label), { targets: [address] });
  const rename = (name: string, label: string): Promise<string> =>
    session.user.kubectl.ok([
      ...["patch", "dnse", name, "--type=merge", "-p"],
      JSON.stringify({ spec: { dnsName: zone.name(label) } }),
    ]);
  /** The former name or else the new one answers all the time, with these addresses. */
  const either = async (
    [former, next]: readonly [string, string],
    addresses: readonly string[],
    work: () => Promise<void>,
  ): Promise<void> => {
    const at = { port: zone.server.port, name: zone.name(former), orElse: zone.name(next) };
    const { gaps, answers } = await watchAnswers(at, work);
    expect({ former, gaps: [...new Set(gaps)], answers }).toEqual({
      ...{ former, gaps: [] },
      answers: addresses.map((address) => `A ${address}`),
    });
  };
  const moved = async (former: string, next: string, address: string): Promise<void> => {
    await zone.becomes(next, "A", address);
    await zone.becomes(former, "A");
  };
  const stays = (label: string, address: string, work: () => Promise<void>): Promise<void> =>
    withoutGap(zone.server.port, { [zone.name(label)]: [address] }, work);

  beforeAll(async () => {
    zone = new RealZone(
      await startBind({ zone: "example.net", records: ["theirs 60 A 192.0.2.99"] }),
    );
    session = await server.open();
    const { user } = session;
    await user.apply(
      together(
        account("net", zone.server),
        target("www", "www", "192.0.2.1"),
        target("left", "left", "192.0.2.2"),
        target("right", "right", "192.0.2.3"),
        target("other", "other", "192.0.2.4"),
        service("web", zone.name("web")),
      ),
    );
    instance = await session.run("me");
    await user.balance("svc", "web", "192.0.2.5");
    for (const [index, label] of ["www", "left", "right", "other", "web"].entries())
      await zone.becomes(label, "A", `192.0.2.${index + 1}`);
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
  });

  test("a DNSEntry goes to a free name, also with another target and while the program is down", async () => {
    await either(["www", "shop"], ["192.0.2.1"], async () => {
      await rename("www", "shop");
      await moved("www", "shop", "192.0.2.1");
    });
    await either(["shop", "store"], ["192.0.2.1", "192.0.2.11"], async () => {
      await session.user.apply(target("www", "store", "192.0.2.11"));
      await moved("shop", "store", "192.0.2.11");
    });
    await either(["store", "www"], ["192.0.2.11"], async () => {
      await instance.stop();
      await rename("www", "www");
      await instance.restart();
      await moved("store", "www", "192.0.2.11");
    });
    await session.user.becomes("dnse", "www", "Ready");
  });

  test("so does a Service", async () => {
    await either(["web", "web2"], ["192.0.2.5"], async () => {
      await session.user.apply(service("web", zone.name("web2")));
      await moved("web", "web2", "192.0.2.5");
    });
  });

  test("a name of somebody else: the former one stays until that one is freed", async () => {
    await stays("www", "192.0.2.11", async () => {
      await rename("www", "theirs");
      await session.user.becomes("dnse", "www", "Error", /exists and has no owner; delete it/);
      const { stdout } = await instance.cli("explain", zone.name("www"));
      expect(stdout).toMatch(/RenamedUnpublished: .*theirs\.example\.net instead/);
      await session.user.rests("dnse", "events");
      await instance.restart();
      await session.user.rests("dnse", "events");
      expect(await zone.answers("theirs")).toEqual(["192.0.2.99"]);
    });
    await either(["www", "theirs"], ["192.0.2.11"], async () => {
      await zone.foreignWriter(`update delete ${zone.name("theirs")}. A`);
      await moved("www", "theirs", "192.0.2.11");
    });
    await session.user.becomes("dnse", "www", "Ready");
  });

  test("a name of another entry: the former one stays until that entry goes", async () => {
    await stays("theirs", "192.0.2.11", async () => {
      await rename("www", "other");
      await session.user.becomes("dnse", "www", "Error", /default\/other has the name with A/);
      await session.user.rests("dnse", "events");
      expect(await zone.answers("other")).toEqual(["192.0.2.4"]);
    });
    const seen = { [zone.name("other")]: ["192.0.2.4", "192.0.2.11"] };
    await withoutGap(zone.server.port, seen, async () => {
      await either(["theirs", "other"], ["192.0.2.11"], async () => {
        await session.user.delete("dnse", "other");
        await moved("theirs", "other", "192.0.2.11");
      });
    });
  });

  test("a rename that is taken back leaves all as it was", async () => {
    await stays("other", "192.0.2.11", async () => {
      await rename("www", "left");
      await session.user.becomes("dnse", "www", "Error", /default\/left has the name with A/);
      await rename("www", "other");
      await session.user.becomes("dnse", "www", "Ready");
    });
    expect(await zone.answers("left")).toEqual(["192.0.2.2"]);
  });

  test("two entries swap their names, and both names answer all the time", async () => {
    const swapped = { [zone.name("left")]: ["192.0.2.2", "192.0.2.3"] };
    const back = { [zone.name("right")]: ["192.0.2.3", "192.0.2.2"] };
    await withoutGap(zone.server.port, { ...swapped, ...back }, async () => {
      await session.user.apply(
        together(target("left", "right", "192.0.2.2"), target("right", "left", "192.0.2.3")),
      );
      await zone.becomes("left", "A", "192.0.2.3");
      await zone.becomes("right", "A", "192.0.2.2");
      for (const name of ["left", "right"]) await session.user.becomes("dnse", name, "Ready");
    });
    await instance.hasNothingToDo();
  });
});
