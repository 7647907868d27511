/**
 * Runs an instance with a Lease: while the election lets it lead, a writing term runs; else a
 * standby term that only plans.
 */
import { hostname } from "node:os";
import { LeaseElection } from "@zonekeeper/kube/client/lease/lease-election";
import type { LeaseConfig } from "../../../config/safety-options.ts";
import type { Composition } from "../../compose/compose.ts";
import { leaseTerm } from "../../compose/lease-epochs.ts";
import type { FurtherClusters } from "./further-clusters.ts";
import { installationText, leaseNamespace, openState } from "./open-state.ts";
import { PreviewState } from "./preview.ts";
import type { RunContext } from "./run-context.ts";
import type { RunningInstance } from "./running-instance.ts";
import { startTerm, type TermClusters, type TermStart } from "./start-term.ts";

/** The instance, and the clusters that it reads. */
export interface Serving extends TermClusters {
  readonly instance: RunningInstance;
}

/** Resolves after the stop, when the term has ended. */
export async function withLease(
  context: RunContext,
  serving: Serving,
  lease: LeaseConfig,
): Promise<void> {
  const { config, ports, stop } = context;
  const { instance, clusters, further } = serving;
  const rank = (): number | null => {
    instance.rank = lease.rank ?? further.rankIn(lease.region);
    return instance.rank;
  };
  let running: RunningTerm | null = null;
  const end = async (): Promise<void> => {
    const ended = running;
    running = null;
    await ended?.end();
  };
  const state = openState(context, clusters.lease);
  const namespace = leaseNamespace(lease, clusters.lease);
  const leaseAddress = { ...lease, cluster: clusters.lease.uid, namespace };
  const election: LeaseElection = new LeaseElection({
    ...ports,
    writer: clusters.lease.writer,
    namespace,
    name: lease.name,
    identity: `${hostname()}_${ports.random.uuid()}`,
    installation: installationText(config),
    timing: lease,
    replacedPauseMs: lease.election === null ? 0 : lease.durationMs,
    preference: {
      rank,
      trouble: () => {
        instance.lastTrouble = instance.leadTrouble();
        return instance.lastTrouble;
      },
      afterMs: lease.handBackAfterMs,
    },
    onStartedLeading: (epoch, copyEpoch) => {
      const term = leaseTerm(election, leaseAddress, { ...lease, ...ports, epoch, copyEpoch });
      // Not awaited: the standby term writes nothing.
      void end();
      running = beginTerm(context, serving, { state, term });
    },
    onStandby: (leader, other) => {
      instance.standBy(leader, other);
      running ??= beginTerm(context, serving, { state: new PreviewState(state), term: null });
    },
    onStoppedLeading: end,
  });
  await election.run(stop);
  await end();
}

/** Begins a term. The caches of clusters outlive it. */
export function beginTerm(context: RunContext, serving: Serving, start: TermStart): RunningTerm {
  const { instance, further } = serving;
  instance.isWriting = start.term !== null;
  const running = new RunningTerm(instance, further, () => startTerm(context, serving, start));
  if (instance.isWriting) further.tellAgain();
  return running;
}

// The compositions of one term, one after the other: a new one begins when the set of further
// clusters that are read changes. Caches of clusters and stored state outlive them, so that no more
// is forgotten than at a restart.

/** Runs until it is ended. */
class RunningTerm {
  readonly #instance: Pick<RunningInstance, "begin" | "end">;
  readonly #make: () => Composition;
  readonly #stopListening: () => void;
  #last: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(
    instance: Pick<RunningInstance, "begin" | "end">,
    further: Pick<FurtherClusters, "onJoined">,
    make: () => Composition,
  ) {
    this.#instance = instance;
    this.#make = make;
    instance.begin(make());
    this.#stopListening = further.onJoined(() => this.#renew());
  }

  /** Resolves when nothing is written any more. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#stopListening();
    await Promise.all([this.#last, this.#instance.end()]);
  }

  /** Replaces the composition; the former one has ended before, since two must never write. */
  #renew(): void {
    this.#last = this.#last.then(async () => {
      if (this.#isOver) return;
      await this.#instance.end();
      if (!this.#isOver) this.#instance.begin(this.#make());
    });
  }
}
