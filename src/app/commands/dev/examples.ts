/**
 * Applies the example manifests to the empty cluster of `dev`, once in its life, so that an example
 * that a user deletes does not come back. A start that was killed in between is completed by the
 * next one.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf, type OperationError, permanent } from "@zonekeeper/base/operation-error";
import type { Store } from "@zonekeeper/base/ports/store";
import { parseAllDocuments } from "yaml";

/** A cluster that can take objects; the embedded control plane. */
export interface ExampleTarget {
  isEmpty(): boolean;
  /** Rejects when the object is there already, or wrong. */
  applyManifest(manifest: unknown): Promise<unknown>;
}

/** In the store: absent, `applying` or `done`. */
const STATE_KEY = "dev/examples";

/** The folder `examples` of the project or package that this code is in; null = there is none. */
export function findExamples(): string | null {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const candidate = join(folder, "examples");
    if (existsSync(candidate) && existsSync(join(folder, "package.json"))) return candidate;
    const above = dirname(folder);
    if (above === folder) return null;
    folder = above;
  }
}

/**
 * Number of objects that were applied. `wanted` false marks the examples as applied, so that they
 * never are.
 */
export async function applyExamples(
  folder: string | null,
  { target, store, wanted }: { target: ExampleTarget; store: Store; wanted: boolean },
): Promise<number> {
  const state = store.get(STATE_KEY);
  if (state === "done" || (state === null && !target.isEmpty())) return 0;
  const manifests = wanted && folder !== null ? readManifests(folder) : [];
  await store.write([{ put: STATE_KEY, value: "applying" }]);
  for (const { file, manifest } of manifests) await applyOnce(target, file, manifest);
  await store.write([{ put: STATE_KEY, value: "done" }]);
  return manifests.length;
}

interface Manifest {
  readonly file: string;
  readonly manifest: unknown;
}

/** All documents of all YAML files, sorted by file name; within a file in their order. */
function readManifests(folder: string): readonly Manifest[] {
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .flatMap((name) => {
      const file = join(folder, name);
      const documents = parseAllDocuments(readFileSync(file, "utf8"));
      return [...documents].map((document) => {
        const [error] = document.errors;
        if (error !== undefined) throw broken(file, error);
        const manifest: unknown = document.toJS();
        return { file, manifest };
      });
    })
    .filter(({ manifest }) => manifest !== null);
}

async function applyOnce(target: ExampleTarget, file: string, manifest: unknown): Promise<void> {
  try {
    await target.applyManifest(manifest);
  } catch (error) {
    if (!isAlreadyThere(error)) throw broken(file, error);
  }
}

function isAlreadyThere(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "reason" in error &&
    error.reason === "AlreadyExists"
  );
}

function broken(file: string, error: unknown): OperationError {
  return permanent(
    "ExampleRefused",
    `the example ${file} cannot be applied: ${messageOf(error)}. Repair it, or start with --no-examples`,
    error,
  );
}
