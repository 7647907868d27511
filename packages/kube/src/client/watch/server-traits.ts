/** What the watches of one cluster find out about its API server. Types only. */

/** Observed behaviour of one API server; shared by the reflectors of a cluster. */
export interface ServerTraits {
  /** False after the server refused `sendInitialEvents`. */
  streamsLists: boolean;
  /** As the server knows this program; null = nobody asked yet, or it does not say. */
  user: string | null;
}
