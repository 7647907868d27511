/**
 * Host names as targets, with two BINDs: one has the zone, the other one is asked for the hosts and
 * goes away (Z-31).
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

/** Seconds; the least that there is. */
const INTERVAL = 30;
/** Milliseconds in which each host is asked at least once. */
const ROUND_MS = 1_000 * (INTERVAL + 3);

describeOnBoth("Z-31 host names that are looked up", ["bind", "dig"], (server) => {
  let session: RunSession;
  let zone: RealZone;
  let hosts: RealZone;
  let instance: RunInstance;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    hosts = new RealZone(await startBind({ zone: "lb.example.org" }));
    session = await server.open();
  });
  afterAll(async () => {
    await session?.close();
    await zone?.server.stop();
    await hosts?.server.stop();
  });

  /** Has each host looked up at once; the annotation goes when that is done. */
  const asks = async (): Promise<void> => {
    const { user } = session;
    await user.kubectl.ok(["annotate", "dnse", "www", "gardener.cloud/operation=reconcile"]);
    await eventually(
      "it was looked at anew",
      async () => (await user.get("dnse", "www")).metadata.annotations ?? {},
      (annotations) => annotations["gardener.cloud/operation"] === undefined,
    );
  };
  /** Each host is looked up once more: in its time, or because a person asks for it. */
  const nextRound = (): Promise<void> =>
    server.name === "embedded" ? new Promise((done) => setTimeout(done, ROUND_MS)) : asks();

  const targets = (): readonly string[] => [hosts.name("a"), hosts.name("b")];

  test("two host names in, their addresses out; one changes at its server, and dig follows", async () => {
    await hosts.foreignWriter(
      `update add ${hosts.name("a")}. 60 A 192.0.2.1`,
      `update add ${hosts.name("b")}. 60 A 192.0.2.2`,
      `update add ${hosts.name("b")}. 60 AAAA 2001:db8::2`,
    );
    instance = await session.run("shop", "--lookup-servers", `127.0.0.1:${hosts.server.port}`);
    const spec = { targets: targets(), cnameLookupInterval: INTERVAL };
    await session.user.apply(
      together(account("net", zone.server), entry("www", zone.name("www"), spec)),
    );
    await zone.becomes("www", "A", "192.0.2.1", "192.0.2.2");
    await zone.becomes("www", "AAAA", "2001:db8::2");
    await session.user.kubectl.ok(["wait", "--for=condition=Ready", "--timeout=60s", "dnse/www"]);
    await hosts.foreignWriter(
      `update delete ${hosts.name("a")}. A`,
      `update add ${hosts.name("a")}. 60 A 192.0.2.9`,
    );
    await nextRound();
    await zone.becomes("www", "A", "192.0.2.2", "192.0.2.9");
  });

  test("the resolver is killed, and dig stays, also when the program begins anew", async () => {
    await hosts.server.stop();
    const before = await zone.content();
    await nextRound();
    await session.user.becomes("dnse", "www", "Ready", /cannot be looked up/);
    expect(await zone.content()).toEqual(before);
    await instance.restart();
    await instance.ready();
    await asks();
    await eventually(
      "both record sets are held",
      async () => (await instance.cli("plan")).stdout,
      (plan) => /Plan: 0 changes, 2 held/.test(plan) && plan.includes("Unresolved"),
    );
    expect(await zone.answers("www")).toEqual(["192.0.2.2", "192.0.2.9"]);
    expect(await zone.answers("www", "AAAA")).toEqual(["2001:db8::2"]);
    expect(await zone.content()).toEqual(before);
  });
});
