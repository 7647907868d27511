/**
 * Waits for a state of the world that comes by itself, and says what it saw last when it does not
 * come.
 */

/**
 * The limit of whatever a test waits for, in milliseconds: it ends what hangs, and claims nothing
 * about time. A change takes well under a second, on a crowded machine a hundred times that.
 */
export const PATIENCE_MS = 180_000;

/** A look may be a program that starts; the longer the wait, the fewer. */
const PAUSE_MS = { least: 50, most: 500, share: 0.2 };

/**
 * Polls until `isRight`, at first every 50 ms, later after a fifth of the time so far, at most
 * 500 ms; returns what it saw. Throws with the last sight after `timeoutMs`.
 */
export async function eventually<T>(
  what: string,
  poll: () => Promise<T>,
  isRight: (seen: T) => boolean | Promise<boolean>,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  const start = Date.now();
  for (;;) {
    const seen = await poll();
    if (await isRight(seen)) return seen;
    const elapsedMs = Date.now() - start;
    if (elapsedMs > timeoutMs)
      throw new Error(`${what}: not within ${timeoutMs} ms; last seen: ${JSON.stringify(seen)}`);
    const pauseMs = Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, PAUSE_MS.share * elapsedMs));
    await new Promise((wake) => setTimeout(wake, pauseMs));
  }
}
