/**
 * Runs several writes of which a failure stops no other one, and throws one error for all: it names
 * the entries that the cluster refused to change.
 */
import { isRefusal, OperationError } from "@zonekeeper/base/operation-error";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName } from "@zonekeeper/kube/objects/object-fields";

/** The cluster refused to change or delete these entries. */
export class RefusedEntries extends OperationError {
  /** `namespace/name`. */
  readonly entries: readonly string[];

  constructor({ code, message }: OperationError, entries: readonly string[]) {
    super({ code, message, retry: "backoff" });
    this.entries = entries;
  }
}

/** Wraps an act that changes or deletes this entry: a refusal becomes a `RefusedEntries` error. */
export function changing(entry: KubeObject, act: () => Promise<void>): () => Promise<void> {
  return () =>
    act().catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      throw new RefusedEntries(error, [namespacedName(entry)]);
    });
}

/** Runs all acts, even if one fails; then throws the failures as one. */
export async function each(acts: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const act of acts) await act().catch((error: unknown) => void failures.push(error));
  if (failures.length > 0) throw asOne(failures);
}

/** The first failure; a bug goes before all others, and refusals become one error. */
function asOne(failures: readonly unknown[]): unknown {
  const refused = failures.filter((error) => error instanceof RefusedEntries);
  const [first] = refused;
  const bug = failures.find((error) => !(error instanceof OperationError));
  if (first === undefined || bug !== undefined) return bug ?? failures[0];
  const entries = refused.flatMap((error) => error.entries);
  return new RefusedEntries(first, entries);
}
