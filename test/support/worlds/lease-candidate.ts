/** A candidate of an election on a fake API server, with a clock and a way of its own. */

import { LeaseElection } from "@zonekeeper/kube/client/lease/lease-election";
import type { Preference } from "@zonekeeper/kube/client/lease/lease-sight";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { ApiClusterWriter } from "@zonekeeper/kube/client/write/cluster-writer";
import { LEASE } from "@zonekeeper/kube/objects/kinds";
import { HandlerClient } from "../clients/handler-client.ts";
import type { FakeApiServer } from "../ports/fake-api-server.ts";
import { MemoryLog, MemoryMetrics, SeededRandom } from "../ports/test-ports.ts";
import { VirtualClock } from "../ports/virtual-clock.ts";

/** Of the Lease. */
export const REF = { kind: LEASE, namespace: "kube-system", name: "zonekeeper" };

/** Runs until it is stopped; `diary` has its terms. */
export class Candidate {
  readonly clock = new VirtualClock();
  readonly http: HandlerClient;
  readonly writer: ApiClusterWriter;
  readonly election: LeaseElection;
  readonly diary: string[] = [];
  readonly log = new MemoryLog();
  readonly leaders: string[] = [];
  readonly #stopping = new AbortController();
  readonly finished: Promise<void>;
  /** How long `onStoppedLeading` takes. */
  stopMs = 0;

  readonly identity: string;

  constructor(
    server: FakeApiServer,
    identity: string,
    installation = "--owner one",
    preference?: Preference,
  ) {
    this.identity = identity;
    this.http = new HandlerClient(server.handler);
    const client = new ApiClient({ http: this.http, clock: this.clock });
    this.writer = new ApiClusterWriter({
      clusterId: "c1",
      client,
      clock: this.clock,
      rate: null,
    });
    this.election = new LeaseElection({
      writer: this.writer,
      clock: this.clock,
      random: new SeededRandom(identity.charCodeAt(0)),
      log: this.log,
      metrics: new MemoryMetrics(),
      ...REF,
      identity,
      installation,
      ...(preference === undefined ? {} : { preference }),
      onStandby: (leader, other) => {
        this.leaders.push(other === null ? leader : `${leader} of ${other}`);
      },
      onStartedLeading: (epoch, copyEpoch) =>
        void this.diary.push(
          `start ${epoch}${copyEpoch === null ? "" : `, a copy has ${copyEpoch}`}`,
        ),
      onStoppedLeading: async (reason) => {
        this.diary.push(`stop: ${reason}`);
        if (this.stopMs > 0) {
          await new Promise<void>((resolve) => this.clock.setTimer(this.stopMs, resolve));
        }
      },
    });
    this.finished = this.election.run(this.#stopping.signal);
  }

  /** The path to the server is cut: requests hang. */
  cut = (): void => {
    this.http.interceptors = [() => new Promise(() => {})];
  };

  heal = (): void => {
    this.http.interceptors = [];
  };

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.clock.advance(this.stopMs);
    await this.finished;
  }
}
