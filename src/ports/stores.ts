/**
 * Where the program keeps what must survive a restart. Small state that has no place in a zone
 * (fuse counters, approvals) is one text by key; the rows of a registry outside of the zone are
 * whole objects. Interfaces, and what they are called in messages.
 */

/**
 * Reads and writes one text by key. Both reject with OperationError when the place is out of reach.
 */
export interface StateStore {
  /** Null = never written. */
  read(key: string): Promise<string | null>;
  /** Resolves when a restart will see it. */
  write(key: string, value: string): Promise<void>;
}

/** An object as it was read. */
export interface StoredObject {
  /** Texts by key. */
  readonly data: Readonly<Record<string, string>>;
  /** Opaque; another one after each write by anybody. */
  readonly version: string;
}

/**
 * Reads and writes whole objects. Both reject with OperationError; codes of `write`: `Conflict`,
 * `AlreadyExists` and `NotFound` when the object is not at that version, `UnknownOutcome` when the
 * answer was lost.
 */
export interface RegistryStore {
  /** Null = there is no such object. */
  read(name: string): Promise<StoredObject | null>;
  /**
   * `version` null = there must be none yet. Resolves with the new version when a restart will see
   * it.
   */
  write(
    name: string,
    data: Readonly<Record<string, string>>,
    version: string | null,
  ): Promise<string>;
  /** How people find the object: `the ConfigMap dns/me-registry-…`. Absent = by its name. */
  titleOf?(name: string): string;
}

/** The object in a message. */
export function titleIn(store: RegistryStore, name: string): string {
  return store.titleOf?.(name) ?? `${name} of the registry`;
}
