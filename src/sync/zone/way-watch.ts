/**
 * A way is an account that leads into a zone; one of several is used for reads. This asks the
 * others whether they still answer, so that their objects report it when they do not, and changes
 * are sent when they do again.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { SyncSettings } from "../contract/settings.ts";
import type { Way } from "./way.ts";
import type { Ways } from "./ways.ts";

/** What a watch works with. */
export interface WayWatchOptions {
  readonly ways: Ways;
  readonly clock: Clock;
  readonly settings: Pick<SyncSettings, "tokenPollMs">;
  readonly signal: AbortSignal;
  /** Called when a way begins or ceases to answer. */
  readonly onChange: (way: Way) => void;
}

/** The watch of one zone. */
export class WayWatch {
  readonly #options: WayWatchOptions;
  readonly #asked = new Set<Way>();
  #timer: Timer | null = null;

  constructor(options: WayWatchOptions) {
    this.#options = options;
    options.signal.addEventListener("abort", () => this.#timer?.cancel(), { once: true });
  }

  /** Begins, if the zone has several ways; again when it gets one. */
  start(): void {
    const { ways, clock, settings, signal } = this.#options;
    this.#timer?.cancel();
    if (ways.size < 2 || signal.aborted) return;
    this.#timer = clock.setTimer(settings.tokenPollMs, () => {
      for (const way of ways.all()) if (way !== ways.readWay) void this.#ask(way);
      this.start();
    });
  }

  async #ask(way: Way): Promise<void> {
    if (this.#asked.has(way)) return;
    this.#asked.add(way);
    try {
      await way.budget.read();
      if (this.#options.ways.get(way.id) === way) await this.#call(way);
    } finally {
      this.#asked.delete(way);
    }
  }

  async #call(way: Way): Promise<void> {
    const { session, zone } = way;
    const { signal, onChange } = this.#options;
    try {
      if (session.changeToken === undefined) await session.records(zone, [zone.name], signal);
      else await session.changeToken(zone, signal);
      if (way.answered()) onChange(way);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      if (!signal.aborted && way.failed(error)) onChange(way);
    }
  }
}
