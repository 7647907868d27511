/** Ordered key-value storage that survives `kill -9`. */

/** One change of a batch. */
export type StoreOperation =
  | { readonly put: string; readonly value: string }
  | { readonly remove: string };

/** Keys are compared by code unit. Values are text (JSON). */
export interface Store {
  get(key: string): string | null;
  /** All pairs whose key begins with `prefix`, in key order, as of the call. */
  range(prefix: string): Iterable<readonly [key: string, value: string]>;
  /**
   * All or nothing; resolves when a crash of the process can no longer lose it. Calls are applied
   * in order.
   */
  write(operations: readonly StoreOperation[]): Promise<void>;
  close(): Promise<void>;
}
