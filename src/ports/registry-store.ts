/**
 * Where a registry keeps its rows when they are not in the zone: small objects by name, each write
 * compared.
 */

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
