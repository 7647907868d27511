/** What the watches of one cluster find out about its API server. Types only. */

/** Observed behaviour of one API server; shared by the reflectors of a cluster. */
export interface ServerTraits {
  /** False after the server refused `sendInitialEvents`. */
  streamsLists: boolean;
  /** The server's name for this program's user; null = not asked yet, or not told. */
  user: string | null;
}
