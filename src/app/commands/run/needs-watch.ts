/**
 * Reviews, for the life of the process, which definitions and rights the clusters of `run` lack,
 * and reports them in the log and in `/readyz`. It stops nothing: all that does not need a missing
 * part works.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { type Clock, sleep } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import { kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { HealthCheck } from "../../compose/instance.ts";
import { trouble } from "../../compose/zone-checks.ts";
import { type MissingNeed, missingNeeds, type Need, type SecretReview } from "./cluster-needs.ts";
import { type Reached, unreachableClusters } from "./cluster-reach.ts";
import type { LogicalCluster } from "./right-facts.ts";

/** The needs to watch, and everything that they are watched with. */
export interface NeedsWatchOptions {
  readonly needs: readonly Need[];
  /** Called before each review, until it answers true: installs definitions. */
  readonly install: () => Promise<boolean>;
  readonly connections: Reached;
  readonly reviewSecrets: SecretReview;
  /** Names of kinds that cannot be read now; a new one causes a review. */
  readonly unreadable: () => ReadonlySet<string>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Milliseconds between two reviews while something is missing, or a cluster does not answer. */
export const MISSING_RETRY_MS = 10_000;
/** Milliseconds between two reviews otherwise: rights can be taken away. */
const REVIEW_MS = 300_000;
/** Milliseconds until it is noticed that something cannot be read any more. */
const NOTICE_MS = 2_000;

/** There is one for the life of the process. */
export class NeedsWatch {
  readonly #options: NeedsWatchOptions;
  #missing: readonly MissingNeed[] = [];
  #unreachable: ReadonlyMap<LogicalCluster, string> = new Map();

  constructor(options: NeedsWatchOptions) {
    this.#options = options;
  }

  /** Reviews until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    let isInstalled = false;
    while (!signal.aborted) {
      isInstalled ||= await this.#options.install();
      const isKnown = (await this.#review()) && isInstalled;
      const waitMs = isKnown && this.#missing.length === 0 ? REVIEW_MS : MISSING_RETRY_MS;
      await this.#pause(waitMs, signal);
    }
  }

  /** Waits; ends early when a kind can no longer be read, so that its remedy is reported soon. */
  async #pause(waitMs: number, signal: AbortSignal): Promise<void> {
    const { clock, unreadable } = this.#options;
    let before = unreadable();
    for (let leftMs = waitMs; leftMs > 0 && !signal.aborted; leftMs -= NOTICE_MS) {
      await sleep(clock, Math.min(leftMs, NOTICE_MS), signal);
      const now = unreadable();
      if ([...now].some((what) => !before.has(what))) return;
      before = now;
    }
  }

  /** There is one check for each missing need and each unreachable cluster, sorted by name. */
  checks(): readonly HealthCheck[] {
    return [
      ...[...this.#unreachable].map(([cluster, why]) => trouble(`cluster ${cluster}`, why)),
      ...this.#missing.map(({ kind, message }) => trouble(`needs ${kindText(kind)}`, message)),
    ].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** False = a cluster did not answer; the needs of the others are known all the same. */
  async #review(): Promise<boolean> {
    const { needs, connections, reviewSecrets } = this.#options;
    try {
      const unreachable = await unreachableClusters(connections);
      const reached = needs.filter(({ cluster }) => !unreachable.has(cluster));
      const missing = await missingNeeds(reached, connections, reviewSecrets);
      const messages = (all: readonly MissingNeed[]) => all.map(({ message }) => message);
      this.#tell(["missing", "not missing any more"], messages(this.#missing), messages(missing));
      const before = [...this.#unreachable.values()];
      const now = [...unreachable.values()];
      this.#tell(["cluster cannot be used", "cluster can be used again"], before, now);
      this.#missing = missing;
      this.#unreachable = unreachable;
      return unreachable.size === 0;
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      return false;
    }
  }

  /** Logs what is new and what is over. */
  #tell(
    [begins, ends]: readonly [string, string],
    before: readonly string[],
    now: readonly string[],
  ): void {
    const { log } = this.#options;
    for (const what of new Set(now)) if (!before.includes(what)) log.warn(begins, { what });
    for (const what of new Set(before)) if (!now.includes(what)) log.info(ends, { what });
  }
}
