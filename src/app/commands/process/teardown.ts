/**
 * How a process ends in good order: signals ask for a stop, and the list of what must be closed is
 * gone through in the reverse order of how it was opened. One failure does not keep the rest open.
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import type { Log } from "@zonekeeper/base/ports/log";

/** A stack of closers. */
export class Teardown {
  readonly #closers: { readonly name: string; readonly close: () => unknown }[] = [];

  /** `close` may return a promise. `name` is for the log. */
  add(name: string, close: () => unknown): void {
    this.#closers.push({ name, close });
  }

  /** Closes everything once, last opened first. Never rejects. */
  async run(log: Log): Promise<void> {
    for (let top = this.#closers.pop(); top !== undefined; top = this.#closers.pop()) {
      try {
        await top.close();
      } catch (error) {
        log.warn("could not be closed", { what: top.name, error: messageOf(error) });
      }
    }
  }
}

/** Exit code of a process that was ended by SIGINT (128 + 2), as shells expect. */
const INTERRUPTED = 130;

/** A stop that signals ask for: the first gracefully, the second ends the process at once. */
export interface StopRequest {
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Stops listening. */
  release(): void;
}

/** Listens from now on. `onFirst` may tell the user what happens. */
export function listenForStop(onFirst: () => void): StopRequest {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    onFirst();
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    signal: controller.signal,
    release: () => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
}
