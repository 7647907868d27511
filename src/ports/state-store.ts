/** Small state that must survive a restart and has no place in a zone: fuse counters, approvals. */

/**
 * Reads and writes one text by key. Both reject with OperationError when the place is out of reach.
 */
export interface StateStore {
  /** Null = never written. */
  read(key: string): Promise<string | null>;
  /** Resolves when a restart will see it. */
  write(key: string, value: string): Promise<void>;
}
