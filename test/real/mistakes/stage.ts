/**
 * Where the mistakes are made: one BIND with a zone for each row that needs its own, one embedded
 * cluster, one `zonekeeper run`, and a second one whose clock is wrong.
 */
import { askExplain, askPlan } from "../../../src/app/commands/ask/ask-instance.ts";
import type { ClusterUser } from "../../support/clients/cluster-user.ts";
import { digValues } from "../../support/clients/dig.ts";
import { eventually } from "../../support/ports/eventually.ts";
import { RunInstance } from "../../support/programs/run-instance.ts";
import { RunSession } from "../../support/programs/run-session.ts";
import { startBind } from "../../support/real-servers/bind.ts";
import {
  type RealServer,
  type ServerKey,
  TEST_KEY,
} from "../../support/real-servers/real-server.ts";
import { entry, serverKeys } from "../../support/values/cluster-objects.ts";
import { RealZone } from "../../support/values/real-zone.ts";
import type { Mistake } from "./mistake.ts";

/** The zone that the rows share. */
export const ZONE = "example.net";
/** Class of the instance whose clock is wrong. */
export const CLOCK_CLASS = "clock";

const keyCalled = (name: string, lacks?: ServerKey["lacks"]): ServerKey => ({
  ...TEST_KEY,
  name,
  ...(lacks === undefined ? {} : { lacks }),
});

/** Keys with one right less. */
export const LESS_KEYS = {
  transfer: keyCalled("no-transfer", "transfer"),
  update: keyCalled("no-update", "update"),
} as const;

/** As on a terminal. */
const TEXT_LOG = ["--log-format", "text"];

/** What is seen of an object. */
interface SeenObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly status?: { readonly state?: string; readonly message?: string };
  readonly involvedObject?: { readonly kind: string; readonly name: string };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** What all places say of one row. */
export interface Seen {
  readonly kubectl: string;
  readonly status: string;
  readonly event: string;
  readonly log: string;
  readonly explain: string;
  readonly plan: string;
  /** Exit code of `explain`. */
  readonly exit: number;
}

const KINDS: Readonly<Record<string, string>> = {
  dnse: "DNSEntry",
  dnspr: "DNSProvider",
  svc: "Service",
  ing: "Ingress",
  secret: "Secret",
};

/** See the head of this file. */
export class Stage {
  readonly server: RealServer;
  readonly user: ClusterUser;
  readonly #session: RunSession;
  #instance: RunInstance;
  #clock: RunInstance | null = null;
  #objects: Promise<readonly SeenObject[]> | null = null;
  readonly #refusals = new Map<string, string>();

  private constructor(server: RealServer, session: RunSession, instance: RunInstance) {
    this.server = server;
    this.user = session.user;
    this.#session = session;
    this.#instance = instance;
  }

  /** Starts server, cluster and program. */
  static async open(zones: readonly string[]): Promise<Stage> {
    const moreKeys = Object.values(LESS_KEYS);
    const server = await startBind({ zone: ZONE, moreZones: zones, moreKeys });
    const session = await RunSession.open();
    return new Stage(server, session, await session.run("group-one", ...TEXT_LOG));
  }

  /** `host:port` of the name server. */
  get address(): string {
    return `${this.server.host}:${this.server.port}`;
  }

  get instance(): RunInstance {
    return this.#instance;
  }

  /** What a Secret for a zone of the server says. */
  keys(zone: string, key: ServerKey = this.server.key): Readonly<Record<string, string>> {
    return {
      ...serverKeys({ ...this.server, host: "127.0.0.1", port: this.server.port, zone, key }),
    };
  }

  /** A DNSEntry with one address. */
  entry(label: string, address: string, zone = ZONE): string {
    return entry(label, `${label}.${zone}`, { targets: [address], ttl: 60 });
  }

  /** Applies an object that the API refuses, and keeps what kubectl says for the row. */
  async refuses(id: string, text: string): Promise<void> {
    this.#refusals.set(id, await this.user.refused(text));
  }

  /** What another client writes into the shared zone. */
  async writeForeign(line: string): Promise<void> {
    await new RealZone(this.server).foreignWriter(line);
  }

  /** Ends the program and starts it with another owner id and more flags. */
  async restartAs(owner: string, ...args: readonly string[]): Promise<void> {
    await this.#instance.stop();
    this.#instance = await this.#session.run(owner, ...TEXT_LOG, ...args);
    await eventually(
      "the new process leads or needs not to",
      () => this.#instance.get("/readyz"),
      (status) => status === 200,
    );
  }

  /** Starts an instance for the other class whose clock is 20 minutes ahead. */
  async startWrongClock(): Promise<void> {
    const ahead = "const now = Date.now; Date.now = () => now() + 1_200_000;";
    const preload = `data:text/javascript,${encodeURIComponent(ahead)}`;
    this.#clock = await RunInstance.launch({
      kubeconfig: this.#session.kubeconfig,
      owner: "group-clock",
      args: ["--dns-class", CLOCK_CLASS, "--lease-name", "zonekeeper-clock", ...TEXT_LOG],
      env: { NODE_OPTIONS: `--import=${preload}` },
    });
  }

  /** States of all objects of a kind. */
  async states(kind: string): Promise<readonly string[]> {
    const { items } = (await this.user.kubectl.json(["get", kind])) as ObjectList;
    return items.map(({ status }) => status?.state ?? "");
  }

  /** What each channel says of a row; objects may be as they were seen for an earlier row. */
  async seen(row: Mistake): Promise<Seen> {
    this.#objects ??= this.#list();
    return this.#seenIn(row, await this.#objects);
  }

  /** As `seen`, now. */
  seenNow(row: Mistake): Promise<Seen> {
    this.#objects = null;
    return this.seen(row);
  }

  async #list(): Promise<readonly SeenObject[]> {
    const list = await this.user.kubectl.json(["get", "dnse,dnspr,svc,ing,secret,events"]);
    return (list as ObjectList).items;
  }

  /** The instance whose clock is wrong answers for its own row. */
  async #seenIn(row: Mistake, objects: readonly SeenObject[]): Promise<Seen> {
    const instance = row.id === "clock" && this.#clock !== null ? this.#clock : this.#instance;
    const [kind = "dnse", name = row.id] = (row.object ?? `dnse/${row.id}`).split("/");
    const config = { data: instance.data, server: instance.http, apiTokenFile: null } as const;
    const asked = { ...config, output: "text", zone: null, name: null, limit: null } as const;
    const [explain, plan] = await Promise.all([
      askExplain(asked, nameOf(row)).catch(failure),
      askPlan(asked, { columns: null, color: false }).catch(failure),
    ]);
    const isIt = (one: { readonly kind: string; readonly name: string } | undefined): boolean =>
      one?.kind === KINDS[kind] && one?.name === name;
    const object = objects.find((one) => isIt({ kind: one.kind, name: one.metadata.name }));
    const events = objects.filter(({ involvedObject }) => isIt(involvedObject));
    return {
      kubectl: this.#refusals.get(row.id) ?? "",
      status: `${object?.status?.state ?? ""}: ${object?.status?.message ?? ""}`,
      event: events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`).join("\n"),
      log: instance.output(),
      explain: explain.text,
      plan: plan.text,
      exit: explain.exitCode,
    };
  }

  /** Addresses that the server answers, sorted. */
  answers(row: Mistake): Promise<readonly string[]> {
    const { port } = this.server;
    return digValues({ port, name: nameOf(row), type: "A", program: "dig" });
  }

  async close(): Promise<void> {
    await this.#clock?.remove();
    await this.#session.close();
    await this.server.stop();
  }
}

interface ObjectList {
  readonly items: readonly SeenObject[];
}

function nameOf(row: Mistake): string {
  return row.name ?? `${row.id}.${ZONE}`;
}

function failure(error: unknown): { readonly text: string; readonly exitCode: number } {
  return { text: `${String(error)}\n`, exitCode: 1 };
}
