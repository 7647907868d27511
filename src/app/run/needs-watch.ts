/**
 * Tells in the log and in `/readyz` what the clusters of `run` lack, and when it has come. It stops
 * nothing: what does not need the missing part works.
 */
import type { ApiClient } from "../../cluster/requests/api-client.ts";
import { kindText } from "../../model/kubernetes.ts";
import { OperationError } from "../../model/operation-error.ts";
import { type Clock, sleep } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { HealthCheck } from "../http/instance.ts";
import { type LogicalCluster, type MissingNeed, missingNeeds, type Need } from "./cluster-needs.ts";

/** What is watched. */
export interface NeedsWatchOptions {
  readonly needs: readonly Need[];
  /** Before each review, until it answers true. */
  readonly install: () => Promise<boolean>;
  readonly clients: Readonly<Record<LogicalCluster, ApiClient>>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Milliseconds between two reviews while something is missing, or a cluster does not answer. */
export const MISSING_RETRY_MS = 10_000;
/** Milliseconds between two reviews otherwise: rights can be taken away. */
const REVIEW_MS = 300_000;

/** One for the life of the process. */
export class NeedsWatch {
  readonly #options: NeedsWatchOptions;
  #missing: readonly MissingNeed[] = [];

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
      await sleep(this.#options.clock, waitMs, signal);
    }
  }

  /** What is missing, sorted by name. It makes nothing unready: waiting would not help. */
  checks(): readonly HealthCheck[] {
    const checks = this.#missing.map(({ kind, message }) => ({
      name: `needs ${kindText(kind)}`,
      ok: true,
      message,
    }));
    return checks.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** False = a cluster did not answer; its watches tell that. */
  async #review(): Promise<boolean> {
    const { needs, clients, log } = this.#options;
    try {
      const before = new Set(this.#missing.map(({ message }) => message));
      this.#missing = await missingNeeds(needs, clients);
      const now = new Set(this.#missing.map(({ message }) => message));
      for (const message of now) if (!before.has(message)) log.warn("missing", { what: message });
      for (const message of before)
        if (!now.has(message)) log.info("not missing any more", { what: message });
      return true;
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      return false;
    }
  }
}
