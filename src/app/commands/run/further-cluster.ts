/**
 * The connection to one further source cluster, one that an option, a file or a Secret names and
 * that others may own. Asked every few seconds whether it answers; its objects are in a cache that
 * outlives terms of leadership. A new kubeconfig is used once the cluster has answered through it.
 * A cluster that fails ends nothing, and nothing waits for it.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { sleep } from "@zonekeeper/base/ports/clock";
import type { HttpClient, HttpRequest, HttpResponse } from "@zonekeeper/base/ports/http";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { ClusterAccess as ApiAccess } from "@zonekeeper/kube/client/access/cluster-access";
import { readClusterId } from "@zonekeeper/kube/client/access/cluster-id";
import type { CredentialPorts } from "@zonekeeper/kube/client/access/credentials";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { ApiClusterWriter } from "@zonekeeper/kube/client/write/cluster-writer";
import { type KindRef, kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { SourceRow } from "../../../sources/source.ts";
import type { ClusterAccess } from "../../compose/controllers-options.ts";
import type { FurtherState, FurtherStatus } from "../../compose/instance.ts";
import { type OpenCluster, openCluster } from "../../compose/open-cluster.ts";
import type { ProgramPorts } from "../../ports/real-ports.ts";
import { ClusterHttpClient } from "./cluster-client.ts";
import { troubleText } from "./cluster-reach.ts";
import type { GivenCluster } from "./given-clusters.ts";
import type { Candidate } from "./joined-clusters.ts";

/** Everything that the connection to a cluster is made with. */
export interface FurtherPorts {
  readonly ports: ProgramPorts;
  readonly credentials: CredentialPorts;
  /** Adds the proxy of the environment. */
  readonly proxied: (access: ApiAccess) => ApiAccess;
  readonly sources: readonly SourceRow[];
  /** Kinds whose objects are read. */
  readonly kinds: readonly KindRef[];
  /** Null = all namespaces. */
  readonly namespace: string | null;
  readonly isPreview: boolean;
  /** Which cluster with another id has this UID, so that both are one cluster; null = none. */
  readonly takenBy: (uid: string, id: string) => string | null;
  /** Resolves when the UIDs of the program's own clusters are known, as far as they will be. */
  readonly ownKnown: Promise<unknown>;
  /** Called when its state may have changed. */
  readonly onChange: () => void;
}

/** Milliseconds between two questions, and for an answer. */
const PROBE_MS = 5_000;
const ANSWER_MS = 5_000;

interface Connected {
  /** UID of its kube-system namespace; null = it may not be read. */
  readonly uid: string | null;
  readonly http: ExchangeableHttp;
  readonly client: ApiClient;
  readonly opened: OpenCluster;
  readonly server: string;
}

/** Runs until closed. */
export class FurtherCluster implements Candidate {
  readonly id: string;
  readonly #ports: FurtherPorts;
  readonly #ended = new AbortController();
  #given: GivenCluster;
  /** True = the cluster has not answered through the present kubeconfig yet. */
  #isNew = true;
  #connected: Connected | null = null;
  /** Why the present kubeconfig cannot be used; empty = it can. */
  #refusal = "";
  /** Why the last question was not answered; empty = it was. */
  #silence = "";
  #answeredAtMs: number | null = null;
  #wasAsked = false;
  #wake: (() => void) | null = null;

  constructor(given: GivenCluster, ports: FurtherPorts) {
    this.id = given.id;
    this.#given = given;
    this.#ports = ports;
    void this.#run();
  }

  get given(): GivenCluster {
    return this.#given;
  }

  get mode(): GivenCluster["mode"] {
    return this.#given.mode;
  }

  /** UID of its kube-system; null = not known. */
  get uid(): string | null {
    return this.#connected?.uid ?? null;
  }

  /** Null = it has not answered yet. A cluster with another UID gets another one. */
  get access(): ClusterAccess | null {
    return this.#connected?.opened.access ?? null;
  }

  get isAnswering(): boolean {
    return this.#connected !== null && this.#silence === "";
  }

  /**
   * True = every kind was listed and may be read, so that removals of other clusters need not wait
   * for it (Z-3).
   */
  get isReadable(): boolean {
    return this.access !== null && this.#unreadable().length === 0;
  }

  /** True = its state will not change within moments. */
  get isSettled(): boolean {
    const state = this.#state();
    return state !== "Syncing" && (state !== "Connecting" || this.#wasAsked);
  }

  /**
   * Replaces how it is named. Another kubeconfig is tried at once, while the former one is in use.
   */
  give(given: GivenCluster): void {
    const isOther = given.print !== this.#given.print;
    this.#given = given;
    if (!isOther) return;
    this.#isNew = true;
    this.#wake?.();
  }

  status(): FurtherStatus {
    const { id, mode, origin } = this.#given;
    const { server = "", opened } = this.#connected ?? {};
    const lists = this.#ports.kinds.map((kind) => opened?.access.view.list(kind));
    const counts = lists.map((one) => (one?.state === "value" ? one.value.length : 0));
    const objects = counts.reduce((sum, count) => sum + count, 0);
    const common = { id, mode, origin, server, objects, answeredAtMs: this.#answeredAtMs };
    return { ...common, state: this.#state(), message: this.message };
  }

  /** The faults of the cluster; empty = none. Cheap however many objects it has. */
  get message(): string {
    return [this.#given.remark, this.#refusal, this.#silence, ...this.#troubles()]
      .filter(Boolean)
      .join("; ");
  }

  async close(): Promise<void> {
    this.#ended.abort();
    this.#wake?.();
    await this.#disconnect();
  }

  #state(): FurtherState {
    const view = this.access?.view;
    if (view === undefined) return this.#refusal === "" ? "Connecting" : "Refused";
    const states = new Set(this.#ports.kinds.map((kind) => view.state(kind)));
    if (states.has("syncing")) return this.#silence === "" ? "Syncing" : "Connecting";
    if (!this.isReadable) return "Unreadable";
    return this.#silence !== "" || states.has("stale") ? "Stale" : "Live";
  }

  /** Kinds whose objects are not known. */
  #unreadable(): readonly KindRef[] {
    const view = this.access?.view;
    return this.#ports.kinds.filter((kind) => view?.list(kind, NO_NAMESPACE).state !== "value");
  }

  /**
   * There is one text for each kind that cannot be read; a kind that is being listed is no trouble.
   */
  #troubles(): readonly string[] {
    const view = this.access?.view;
    return this.#unreadable().flatMap((kind) => {
      const state = view?.state(kind) ?? "syncing";
      const why = view?.trouble(kind) ?? state;
      if (state === "syncing" && why === state) return [];
      const remedy =
        state === "forbidden"
          ? "; let its user get, list and watch them, or leave their source out of --controllers"
          : "";
      return `${kindText(kind)}: ${why}${remedy}`;
    });
  }

  async #run(): Promise<void> {
    const { clock } = this.#ports.ports;
    while (!this.#ended.signal.aborted) {
      if (this.#isNew) await this.#connect();
      if (this.#connected !== null) {
        const answer = await this.#uidBy(this.#connected.client, this.#connected.server);
        this.#silence = answer.ok ? "" : answer.error;
        if (answer.ok) this.#answeredAtMs = clock.nowMs();
      }
      this.#wasAsked = true;
      this.#ports.onChange();
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      await sleep(clock, PROBE_MS, AbortSignal.any([woken.signal, this.#ended.signal]));
    }
  }

  /**
   * Connects with the present kubeconfig. The former connection stays in use until the new one has
   * answered.
   */
  async #connect(): Promise<void> {
    const { access, origin, print, mayDial } = this.#given;
    this.#refusal = "";
    if (!access.ok) {
      this.#refusal = access.error;
      this.#isNew = false;
      return;
    }
    const { proxied, credentials, takenBy, ownKnown, ports } = this.#ports;
    const { clock, log } = ports;
    const limits = mayDial === undefined ? {} : { mayDial };
    const http = new ClusterHttpClient(proxied(access.value), credentials, limits);
    const client = this.#clientOf(http);
    const [uid] = await Promise.all([this.#uidBy(client, access.value.server), ownKnown]);
    const taken = uid.ok && uid.value !== null ? takenBy(uid.value, this.id) : null;
    const isLate = this.#ended.signal.aborted || print !== this.#given.print;
    if (isLate || !uid.ok || taken !== null) {
      http.close();
      if (!uid.ok && this.#connected === null) this.#silence = uid.error;
      else if (!uid.ok) this.#refusal = `${uid.error}; the kubeconfig of before is in use`;
      if (taken !== null) {
        this.#isNew = false;
        this.#refusal = `${origin}: it is the cluster that ${taken} names; one cluster has one id: remove one of them`;
      }
      return;
    }
    this.#isNew = false;
    this.#silence = "";
    this.#answeredAtMs = clock.nowMs();
    const present = this.#connected;
    if (present !== null && present.uid === uid.value) {
      present.http.exchange(http);
      log.info("a further cluster has another kubeconfig", { cluster: this.id, origin });
      return;
    }
    await this.#disconnect();
    this.#connected = this.#open(http, uid.value, access.value.server);
    log.info("further cluster opened", { cluster: this.id, origin });
  }

  #open(http: HttpClient, uid: string | null, server: string): Connected {
    const { ports, sources, kinds, namespace, isPreview, onChange } = this.#ports;
    const exchangeable = new ExchangeableHttp(http);
    const common = { http: exchangeable, clusterId: this.id, namespace, sources, ports, isPreview };
    const opened = openCluster({ ...common, writeRate: null });
    const listener = { onChange: () => undefined, onState: onChange };
    for (const kind of kinds) opened.access.view.subscribe(kind, listener);
    return { uid, http: exchangeable, client: this.#clientOf(exchangeable), opened, server };
  }

  #clientOf(http: HttpClient): ApiClient {
    const { clock, metrics } = this.#ports.ports;
    return new ApiClient({ http, clock, metrics, host: this.id, requestTimeoutMs: ANSWER_MS });
  }

  /** The UID of the cluster; null = it answers, but the UID may not be read. */
  async #uidBy(client: ApiClient, server: string): Promise<Result<string | null>> {
    const { clock } = this.#ports.ports;
    try {
      const writer = new ApiClusterWriter({ clusterId: this.id, client, clock, rate: null });
      return ok(await readClusterId(writer));
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      if (error.code === "Forbidden" || error.code === "NoClusterId") return ok(null);
      return fail(troubleText({ option: this.#given.origin, origin: server }, error));
    }
  }

  async #disconnect(): Promise<void> {
    const present = this.#connected;
    this.#connected = null;
    await present?.opened.close();
    present?.http.close();
  }
}

/** A namespace that cannot exist: its list is empty as soon as the kind can be listed at all. */
const NO_NAMESPACE = "~";

/** An HTTP client whose inner client can be replaced. */
class ExchangeableHttp implements HttpClient {
  #current: HttpClient;

  constructor(first: HttpClient) {
    this.#current = first;
  }

  request(request: HttpRequest): Promise<HttpResponse> {
    return this.#current.request(request);
  }

  /** Closes the former client: its watches break, and begin again with the new one. */
  exchange(next: HttpClient): void {
    this.#current.close();
    this.#current = next;
  }

  close(): void {
    this.#current.close();
  }
}
