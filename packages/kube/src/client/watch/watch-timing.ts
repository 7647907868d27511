/** Times of the watches of a cluster, and what they find out about its API server. */

/** Times of a reflector, all in milliseconds. */
export interface WatchTiming {
  /**
   * Silence after which the versions of all objects are asked, to tell a quiet kind from a dead
   * watch; with that answer less than two bookmark periods of kube-apiserver, a minute each (L6).
   */
  readonly inactivityMs: number;
  /** The server is asked to end a watch after a random time in this range. */
  readonly watchMs: readonly [least: number, most: number];
  readonly backOffFirstMs: number;
  readonly backOffMaxMs: number;
  /** A watch of this length was healthy: the next trouble resets the back-off. */
  readonly healthyMs: number;
  /** How often discovery is repeated for a kind that the server does not serve. */
  readonly absentMs: number;
  /** Greatest wait before a list that was forbidden is asked for again. */
  readonly forbiddenMs: number;
}

/** The defaults. */
export const WATCH_TIMING: WatchTiming = {
  inactivityMs: /* clause: watch-silence-limit */ 85_000,
  watchMs: [300_000, 600_000],
  backOffFirstMs: 800,
  backOffMaxMs: 30_000,
  healthyMs: 30_000,
  absentMs: 10_000,
  forbiddenMs: 8_000,
};

/** Observed behaviour of one API server; shared by the reflectors of a cluster. */
export interface ServerTraits {
  /** False after the server refused `sendInitialEvents`. */
  streamsLists: boolean;
  /** The server's name for this program's user; null = not asked yet, or not told. */
  user: string | null;
}
