/**
 * Each alert of deploy/alerts/rules.yaml: its cases of promtool, and a run in which its trouble is
 * made. What the program says at /metrics then is judged by promtool: with the very expressions,
 * and with nothing else firing. Hours pass in virtual time, in the whole program on a zone in
 * memory; the troubles of servers and processes are made once more with BIND and `run`.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ZoneGauges } from "../../src/app/compose/gauges.ts";
import { METRICS } from "../../src/app/ports/metrics-table.ts";
import { PrometheusMetrics } from "../../src/app/ports/prometheus-metrics.ts";
import { FUSE_LIMITS } from "../../src/model/fuse-limits.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../src/model/kinds.ts";
import { fenceName } from "../../src/sync/contract/fence-record.ts";
import type { WriterTerm } from "../../src/sync/contract/writer-term.ts";
import { promtool, RULES, Scrapes } from "../support/alerts/promtool.ts";
import { statusResponse } from "../support/clients/handler-client.ts";
import { type MemoryFaults, NO_FAULTS } from "../support/memory-provider/faults.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { account, entry, together } from "../support/values/cluster-objects.ts";
import { MapState, memoryFuse } from "../support/values/fuse.ts";
import { RealZone } from "../support/values/real-zone.ts";
import { ClusterWorld } from "../support/worlds/cluster-world.ts";
import { objectOf, programWorld } from "../support/worlds/program-world.ts";
import { SpineWorld } from "../support/worlds/spine-world.ts";

const API = "dns.gardener.cloud/v1alpha1";
const MINUTE_MS = 60_000;
/** A server counts as dead after three readings that failed. */
const TROUBLE_MS = 180_000;
const NAMES = Array.from({ length: 40 }, (_, index) => `n${index}`);
const build = (metrics: PrometheusMetrics): void =>
  metrics.gauge("zonekeeper_build_info", 1, { version: "0", node: "0" });

describeReal("the rules", ["promtool"], () => {
  test("are rules, and pass their cases: each alert fires in one, and not in another one", () => {
    expect(promtool("check", "rules", RULES)).toContain("12 rules found");
    expect(promtool("test", "rules", "deploy/alerts/rules.test.yaml")).toContain("SUCCESS");
  });
});

/** The whole program in virtual time, scraped each minute. */
function watchedProgram(
  options: Parameters<typeof programWorld>[0] = {},
  start: Parameters<ReturnType<typeof programWorld>["start"]>[1] = {},
) {
  const world = programWorld({ controllers: ["compound"], ...options });
  build(world.metrics);
  const running = world.start(undefined, start);
  const gauges = new ZoneGauges(world.metrics, world.clock);
  const scrapes = new Scrapes();
  const pass = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute++) {
      await world.clock.advance(MINUTE_MS);
      gauges.set(running.zones(), running.checks());
      scrapes.add((await world.metrics.scrape()).text);
    }
  };
  const put = (name: string, address = "192.0.2.1"): void => {
    const spec = { dnsName: `${name}.example.org`, targets: [address] };
    world.cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { spec }));
  };
  const breakWith = (faults: Partial<MemoryFaults>): void =>
    world.breakWith({ ...NO_FAULTS, ...faults });
  /** A call that waits in a budget waits for virtual time. */
  const end = async (): Promise<void> => {
    breakWith({});
    const stopped = running.stop();
    await world.clock.advance(2 * MINUTE_MS);
    await stopped;
  };
  return { ...world, running, scrapes, pass, put, breakWith, end };
}

describeReal("an alert in virtual time", ["promtool"], () => {
  test("none, for an hour with changes and three short failures", async () => {
    const { put, pass, breakWith, scrapes, end } = watchedProgram();
    for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
      for (const name of NAMES) put(name, address);
      await pass(3);
      breakWith({ apply: () => [{ kind: "down" }], read: () => [{ kind: "down" }] });
      put("n0", "192.0.2.9");
      await pass(1);
      breakWith({});
      await pass(17);
    }
    scrapes.firing();
    await end();
  });

  test("a dead server: ZonekeeperZoneNotWritable", async () => {
    const { put, pass, breakWith, scrapes, end } = watchedProgram();
    put("www");
    await pass(5);
    breakWith({ apply: () => [{ kind: "down" }], read: () => [{ kind: "down" }] });
    put("www", "192.0.2.2");
    await pass(15);
    scrapes.firing("ZonekeeperZoneNotWritable");
    breakWith({});
    await pass(3);
    scrapes.firing();
    await end();
  });

  test("a change that the server refuses: ZonekeeperChangeNotWritten", async () => {
    const { put, pass, breakWith, scrapes, end } = watchedProgram();
    put("www");
    await pass(5);
    const matches = (): boolean => true;
    breakWith({ apply: () => [{ kind: "rejects", code: "Refused", matches }] });
    put("www", "192.0.2.2");
    await pass(25);
    scrapes.firing("ZonekeeperChangeNotWritten");
    await end();
  });

  test("a provider that takes no calls: ZonekeeperProviderThrottled, and the change is late", async () => {
    const { put, pass, breakWith, scrapes, end } = watchedProgram();
    put("www");
    await pass(5);
    breakWith({ apply: () => [{ kind: "throttled", afterMs: null }] });
    put("www", "192.0.2.2");
    await pass(40);
    scrapes.firing("ZonekeeperChangeNotWritten", "ZonekeeperProviderThrottled");
    await end();
  });

  test("answers that take minutes: ZonekeeperSlowAnswers", async () => {
    const { put, pass, breakWith, scrapes, end } = watchedProgram();
    put("first");
    await pass(3);
    breakWith({ apply: () => [{ kind: "down" }] });
    for (const name of NAMES.slice(0, 20)) put(name);
    await pass(4);
    breakWith({});
    await pass(20);
    scrapes.firing("ZonekeeperSlowAnswers");
    await end();
  });

  test("a full fuse: ZonekeeperFuseHoldsChanges, until it is approved", async () => {
    const { put, pass, cluster, scrapes, running, end } = watchedProgram();
    for (const name of NAMES) put(name);
    await pass(5);
    for (const name of NAMES) cluster.delete(DNS_ENTRY, "default", name);
    await pass(15);
    scrapes.firing("ZonekeeperFuseHoldsChanges");
    const [set] = running.zones().flatMap(({ heldSets }) => heldSets);
    await running.approve(set?.hash ?? "");
    await pass(3);
    scrapes.firing();
    await end();
  });

  test("a foreign record in the way: ZonekeeperNamesHeld", async () => {
    const { put, pass, scrapes, end } = watchedProgram({ zone: "www 300 A 192.0.2.9" });
    put("www");
    await pass(65);
    scrapes.firing("ZonekeeperNamesHeld");
    await end();
  });

  test("a pause that is forgotten: ZonekeeperZonePaused", async () => {
    const { put, pass, scrapes, end } = watchedProgram({ paused: true });
    put("www");
    await pass(30);
    scrapes.firing();
    scrapes.goesOn(24 * 60);
    scrapes.firing("ZonekeeperZonePaused");
    await end();
  });

  test("a DNSProvider of a type that does not exist: ZonekeeperTrouble", async () => {
    const { pass, cluster, scrapes, end } = watchedProgram();
    const spec = { type: "no-such-type", secretRef: { name: "s" } };
    cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "q", { spec }));
    await pass(20);
    scrapes.firing("ZonekeeperTrouble");
    await end();
  });

  test("another owner's fence: ZonekeeperZoneFenced, and nothing else", async () => {
    const term: WriterTerm = {
      ...{ domain: "c1/default/one", epoch: 1, id: "one", copyEpoch: null, marginMs: 0 },
      ...{ remainingMs: () => Number.POSITIVE_INFINITY, outdated: () => {} },
    };
    const world = watchedProgram({}, { fence: { term, record: true } });
    world.put("www");
    await world.pass(5);
    const name = fenceName(trustedDnsName("example.org"), "me");
    if (name === null) throw new Error("no name for the fence");
    const [mine = ""] = world.textAt(name);
    world.writeText(name, mine.replace("c1/default/one", "c2/default/two"));
    await world.pass(10);
    world.scrapes.firing("ZonekeeperZoneFenced");
    await world.end();
  });

  test("counters that cannot be stored: ZonekeeperFuseBlind", async () => {
    const metrics = new PrometheusMetrics(METRICS, { process: false });
    build(metrics);
    const state = new MapState();
    const world: SpineWorld = new SpineWorld(["example.org"], {
      openGuard: ({ zone: { name } }) =>
        memoryFuse({
          key: name,
          zone: name,
          state,
          metrics,
          clock: world.clock,
          limits: FUSE_LIMITS,
        }),
    });
    const gauges = new ZoneGauges(metrics, world.clock);
    const scrapes = new Scrapes();
    world.start();
    world.provider();
    const put = (address: string): void =>
      void world.entry("a", { dnsName: "a.example.org", targets: [address] });
    put("192.0.2.1");
    await world.pass(MINUTE_MS);
    const refusal = { code: "Forbidden", message: "forbidden", retry: "backoff" } as const;
    state.write = () => Promise.reject(new OperationError(refusal));
    for (let minute = 0; minute < 30; minute++) {
      if (minute === 2) put("192.0.2.2");
      await world.pass(MINUTE_MS);
      gauges.set(world.zones(), []);
      scrapes.add((await metrics.scrape()).text);
    }
    scrapes.firing("ZonekeeperFuseBlind");
    await world.stop();
  });

  test("a right that is withdrawn: ZonekeeperWatchStale, until it is given back", async () => {
    const metrics = new PrometheusMetrics(METRICS, { process: false });
    build(metrics);
    const world = new ClusterWorld({ metrics });
    const scrapes = new Scrapes();
    const pass = async (minutes: number): Promise<void> => {
      for (let minute = 0; minute < minutes; minute++) {
        await world.clock.advance(MINUTE_MS);
        scrapes.add((await metrics.scrape()).text);
      }
    };
    await world.watch();
    await pass(30);
    scrapes.firing();
    let isWithdrawn = true;
    world.http.interceptors.push(({ path }) =>
      isWithdrawn && path.includes("/services")
        ? Promise.resolve(statusResponse(403, "Forbidden"))
        : undefined,
    );
    world.server.endWatches();
    await pass(15);
    scrapes.firing("ZonekeeperWatchStale");
    isWithdrawn = false;
    await pass(5);
    scrapes.firing();
    await world.cache.stop();
  });
});

/** The tests are one session in order. Minutes go on as the last scrape was. */
describeReal("an alert of run, with BIND", ["promtool", "bind", "kubectl-1.32"], () => {
  let zone: RealZone;
  const sessions: RunSession[] = [];
  let instance: RunInstance;
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.net" }));
    [, instance] = await open();
    const names = NAMES.map((name) => entry(name, zone.name(name), { targets: ["192.0.2.1"] }));
    await first().user.apply(together(...names));
    for (const name of NAMES) await zone.becomes(name, "A", "192.0.2.1");
  });
  afterAll(async () => {
    await Promise.all(sessions.map((session) => session.close()));
    await zone?.server.stop();
  });
  const first = (): RunSession => {
    const [session] = sessions;
    if (session === undefined) throw new Error("not started");
    return session;
  };
  const open = async (): Promise<readonly [RunSession, RunInstance]> => {
    const session = await RunSession.open();
    sessions.push(session);
    await session.user.apply(account("net", zone.server));
    return [session, await session.run("one-group", "--fuse-strong", "10")];
  };
  /** Once /metrics has the line, and half an hour later. */
  const inTrouble = async (one: RunInstance, line: RegExp): Promise<Scrapes> => {
    const scrapes = new Scrapes();
    const { text } = await eventually(
      `/metrics has ${line}`,
      () => one.fetch("/metrics"),
      (answer) => line.test(answer.text),
      TROUBLE_MS,
    );
    scrapes.add(text);
    scrapes.goesOn(30);
    return scrapes;
  };

  test("none while all is well, and the time to answer is observed", async () => {
    const isObserved = /^zonekeeper_answer_seconds_count\{zone="example.net"\} 40$/m;
    const scrapes = await inTrouble(instance, isObserved);
    scrapes.firing();
    const { text } = await instance.fetch("/metrics");
    expect(text).toMatch(/^zonekeeper_zone_ready\{zone="example.net"\} 1$/m);
  });

  test("another installation with the owner id: ZonekeeperZoneFenced", async () => {
    const [session, second] = await open();
    await session.user.apply(entry("mine", zone.name("mine"), { targets: ["192.0.2.9"] }));
    const scrapes = await inTrouble(second, /^zonekeeper_zone_fence\{.*mode="stopped".*\} 1$/m);
    scrapes.firing("ZonekeeperZoneFenced");
  });

  test("a full fuse: ZonekeeperFuseHoldsChanges", async () => {
    await first().user.kubectl.ok(["delete", "dnse", ...NAMES.slice(0, 30), "--wait=false"]);
    const scrapes = await inTrouble(instance, /^zonekeeper_zone_fuse_held\{.*set="removals"\} \d/m);
    scrapes.firing("ZonekeeperFuseHoldsChanges");
  });

  test("a dead server: ZonekeeperZoneNotWritable besides", {
    timeout: 2 * TROUBLE_MS,
  }, async () => {
    await zone.server.kill9();
    const scrapes = await inTrouble(instance, /^zonekeeper_zone_ready\{zone="example.net"\} 0$/m);
    scrapes.firing("ZonekeeperFuseHoldsChanges", "ZonekeeperZoneNotWritable");
  });

  test("a dead program: ZonekeeperNoLeader", async () => {
    const scrapes = new Scrapes();
    scrapes.add((await instance.fetch("/metrics")).text);
    await instance.kill9();
    scrapes.add(
      await instance.fetch("/metrics").then(
        ({ text }) => text,
        () => null,
      ),
    );
    scrapes.goesOn(10);
    scrapes.firing("ZonekeeperNoLeader");
  });
});
