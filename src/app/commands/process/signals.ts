/** Ctrl-C: the first asks for a graceful stop, the second ends the process at once. */

/** Exit code of a process that was ended by SIGINT (128 + 2), as shells expect. */
const INTERRUPTED = 130;

/** A stop that signals ask for. */
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
