/** Deletion of all objects of a kind or namespace, one by one, as clients would delete them. */
import { ApiError } from "../errors/api-error.ts";
import type { ServedKind, StoredObject } from "../objects/served-kind.ts";
import type { ObjectWriter } from "./object-writer.ts";

/** Deletes the objects that are not being deleted yet. Rejects with the first failure. */
export async function removeObjects(
  writer: ObjectWriter,
  kind: ServedKind,
  objects: readonly StoredObject[],
): Promise<void> {
  const removals = objects
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) =>
      writer.remove(
        { kind, namespace: metadata.namespace ?? "", name: metadata.name, dryRun: false },
        { uid: metadata.uid ?? null, resourceVersion: null, propagation: "Background" },
      ),
    );
  throwFirst(await Promise.allSettled(removals), [404, 409]);
}

/** Throws the first rejection, except ApiErrors with one of the `ignored` codes. */
export function throwFirst(
  outcomes: readonly PromiseSettledResult<unknown>[],
  ignored: readonly number[],
): void {
  for (const outcome of outcomes) {
    if (outcome.status === "fulfilled") continue;
    const error: unknown = outcome.reason;
    if (error instanceof ApiError && ignored.includes(error.code)) continue;
    throw error instanceof Error ? error : new Error(String(error));
  }
}
