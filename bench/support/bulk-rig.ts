/**
 * What the bulk benches share: a BIND that counts messages, the embedded API in a process of its
 * own, and one publisher at a time. Measures what the publisher costs machine, API and BIND.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { claimPort } from "../../test/support/ports/free-port.ts";
import { makeTempFolder } from "../../test/support/ports/temp-folder.ts";
import { isOnPath } from "../../test/support/programs/program-path.ts";
import { startBind } from "../../test/support/real-servers/bind.ts";
import type { RealServer, ServerOptions } from "../../test/support/real-servers/real-server.ts";
import { type ApiAddress, type ApiCall, ApiCalls, createProvider } from "./api-calls.ts";
import { DnsClient } from "./dns-client.ts";
import { PROGRAM, Program } from "./program.ts";

export const pause = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));

/** Questions under way at once. */
const ASKED_AT_ONCE = 50;
const ASK_AGAIN_MS = 10;
/** Longer than Events wait for the next ones to go out. */
const EVENTS_MS = 11_000;
/** CPU of a second below which a process rests, and for how long. */
const CALM_CPU_MS = 50;
const CALM_SECONDS = 3;

/** Lines of /metrics. */
const RECONCILES = /^controller_runtime_reconcile_total\{.*controller="([^"]*)".*\} (\d+)$/gm;

/** What a publisher has used until a moment. */
export interface Cost {
  /** `performance.now()`. */
  readonly atMs: number;
  readonly cpuMs: number;
  /** Requests that the API has answered, without those of this bench. */
  readonly requests: number;
  /** Those of them that write, without Leases. */
  readonly writes: number;
  /** These by resource: `services`, `dnsentries/status`. */
  readonly writesOf: Readonly<Record<string, number>>;
  /** UPDATE messages that BIND has received. */
  readonly updates: number;
  /** Queries that BIND has received, transfers included, without those of this bench. */
  readonly queries: number;
}

/** One name server with the zone example.org, and one API. */
export class BulkRig {
  readonly bind: RealServer;
  readonly api: ApiCalls;
  readonly address: ApiAddress;
  readonly #apiProcess: Program;
  readonly #dns: DnsClient;
  readonly #statisticsPort: number;
  /** Of the last `run`. */
  #data = "";

  private constructor(bind: RealServer, apiProcess: Program, pieces: Pieces) {
    this.bind = bind;
    this.address = pieces.address;
    this.api = new ApiCalls(pieces.address);
    this.#apiProcess = apiProcess;
    this.#dns = new DnsClient(bind.port);
    this.#statisticsPort = pieces.statisticsPort;
  }

  /** Ends the bench where named is missing. */
  static exitWithout(bench: string): void {
    if (isOnPath("named")) return;
    process.stdout.write(`${bench}: not run, named is not installed\n`);
    process.exit(0);
  }

  /**
   * The zones are empty; the API has a DNSProvider for them, that many Services without an address,
   * and what the calls create.
   */
  static async filled(
    calls: readonly (readonly ApiCall[])[],
    { services = 0, moreZones = [], ...zone }: RigOptions = {},
  ): Promise<BulkRig> {
    const { port } = await claimPort();
    const bind = await startBind({ ...zone, zone: "example.org", moreZones, statisticsPort: port });
    const env = { BENCH_SERVICES: String(services) };
    const apiProcess = new Program("script/run.mjs", ["bench/support/api-process.ts"], env);
    const address: ApiAddress = JSON.parse(await apiProcess.line("ready "));
    const rig = new BulkRig(bind, apiProcess, { address, statisticsPort: port });
    const most = Math.max(0, ...calls.map(({ length }) => length));
    for (let step = 0; step < most; step++)
      await rig.api.all(calls.flatMap((some) => some[step] ?? []));
    await rig.api.all(createProvider(bind, moreZones));
    return rig;
  }

  /** Starts `run` on a data folder that is empty at first. `script`: another build of ours. */
  run(args: readonly string[] = [], script = PROGRAM): () => Program {
    this.#data = join(makeTempFolder("bench-run").path, "data");
    const site = [
      "--kubeconfig",
      this.address.kubeconfig,
      "--http-port",
      "0",
      "--data",
      this.#data,
    ];
    const trusted = ["--provider-trusted-namespaces", "*"];
    return () => new Program(script, ["run", "--owner", "bench", ...site, ...trusted, ...args]);
  }

  /** Resolves when each of the names has this address. */
  async answered(names: readonly string[], address: string): Promise<void> {
    const waiting = [...names].reverse();
    const ask = async (): Promise<void> => {
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
        while (!(await this.#dns.ask(name)).includes(address)) await pause(ASK_AGAIN_MS);
    };
    await Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask));
  }

  /** Resolves when that many DNSEntries are Ready. */
  async entriesReady(count: number): Promise<void> {
    const path = "/apis/dns.gardener.cloud/v1alpha1/dnsentries";
    // A list of many costs the API a while.
    for (let ready = 0; ready < count; ) {
      await pause(200 + count / 10);
      const { items } = (await this.api.call({ method: "GET", path })) as EntryList;
      ready = items.filter(({ status }) => status?.state === "Ready").length;
    }
  }

  /** Resolves when the last Events, which go out at a pace of their own, are written. */
  async writesRest(): Promise<void> {
    for (let before = -1, now = 0; now > before; await pause(EVENTS_MS)) {
      before = now;
      now = (await this.cost(null)).writes;
    }
  }

  /** Resolves when the program has written nothing for a while, Events included, and rests. */
  async quiet(program: Program): Promise<void> {
    for (let before = -1, now = 0; now > before; now = (await this.cost(null)).writes) {
      before = now;
      await rested(program);
    }
  }

  /** Where the last `run` is reached. */
  ready(): { readonly http: string; readonly token: string } {
    return JSON.parse(readFileSync(join(this.#data, "ready.json"), "utf8"));
  }

  /** Resolves when the last `run` has read all objects and planned every name once. */
  async planned(): Promise<void> {
    const isPlanned = async (): Promise<boolean> =>
      (await (await fetch(`${this.ready().http}/readyz`)).text()).includes(
        "[+] objects of the first lists\n",
      );
    while (!(await isPlanned().catch(() => false))) await pause(100);
  }

  /** How often each controller of the last `run` has reconciled an object, by name. */
  async reconciles(): Promise<readonly (readonly [string, number])[]> {
    const text = await (await fetch(`${this.ready().http}/metrics`)).text();
    const counts = new Map<string, number>();
    for (const [, controller = "", count] of text.matchAll(RECONCILES))
      counts.set(controller, (counts.get(controller) ?? 0) + Number(count));
    return [...counts].sort();
  }

  /** `program`: null = it has not started. */
  async cost(program: Program | null): Promise<Cost> {
    const now = { atMs: performance.now(), cpuMs: program?.cpuMs() ?? 0 };
    const answered: Answered = JSON.parse(await this.#apiProcess.asked("SIGUSR2", "requests "));
    const response = await fetch(`http://127.0.0.1:${this.#statisticsPort}/json/v1/server`);
    const { opcodes } = (await response.json()) as Statistics;
    const { UPDATE: updates = 0, QUERY: queries = 0 } = opcodes;
    const requests = answered.requests - this.api.calls;
    const writes = answered.writes - this.api.writes;
    const { writesOf } = answered;
    return { ...now, requests, writes, writesOf, updates, queries: queries - this.#dns.asked };
  }

  async stop(): Promise<void> {
    this.#dns.close();
    this.api.close();
    await this.#apiProcess.stop();
    await this.bind.stop();
  }
}

/** How many records BIND has added by updates, markers included, by its own log. */
export function recordsAdded(server: RealServer): number {
  return (
    readFileSync(join(server.folder, "server.log"), "utf8").split("adding an RR at").length - 1
  );
}

interface RigOptions extends Pick<ServerOptions, "records" | "notifyPort"> {
  readonly services?: number;
  /** Besides example.org. */
  readonly moreZones?: readonly string[];
}

/** Of api-process.ts. */
interface Answered {
  readonly requests: number;
  readonly writes: number;
  readonly writesOf: Readonly<Record<string, number>>;
}

interface Pieces {
  readonly address: ApiAddress;
  readonly statisticsPort: number;
}

interface EntryList {
  readonly items: readonly { readonly status?: { readonly state?: string } }[];
}

/** Of BIND's statistics channel, `/json/v1/server`. */
interface Statistics {
  readonly opcodes: Readonly<Record<string, number>>;
}

/** Resolves when the process has done nothing for a while; the time at which that began. */
export async function rested(program: Program): Promise<number> {
  let sinceMs = performance.now();
  for (let calm = 0; calm < CALM_SECONDS; ) {
    const before = program.cpuMs();
    await pause(1_000);
    calm = program.cpuMs() - before < CALM_CPU_MS ? calm + 1 : 0;
    if (calm === 0) sinceMs = performance.now();
  }
  return sinceMs;
}

/** What was used between two moments. */
export function between(from: Cost, to: Cost): Cost {
  return {
    atMs: to.atMs - from.atMs,
    cpuMs: to.cpuMs - from.cpuMs,
    requests: to.requests - from.requests,
    writes: to.writes - from.writes,
    writesOf: Object.fromEntries(
      Object.entries(to.writesOf).map(([kind, count]) => [
        kind,
        count - (from.writesOf[kind] ?? 0),
      ]),
    ),
    updates: to.updates - from.updates,
    queries: to.queries - from.queries,
  };
}
