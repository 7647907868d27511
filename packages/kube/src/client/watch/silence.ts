/**
 * Tells a quiet kind from a dead watch. Where etcd reports no progress, kube-apiserver sends no
 * bookmark for a kind without events: silence proves nothing.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import { Deadline } from "../requests/abort.ts";
import type { KindStore } from "./kind-store.ts";
import { type ListQuestion, listVersions } from "./list-pages.ts";

/** Milliseconds for the answer; with the silence before it less than two bookmark periods (L6). */
const ANSWER_MS = 30_000;

/** A watch ended in silence. */
export function isSilence(error: unknown): error is OperationError {
  return error instanceof OperationError && error.code === "WatchStalled";
}

/**
 * Asks the versions of all objects. A text = the kind was as it is in the store at this version of
 * the list; else what is wrong: `silence` where objects differ or nobody answers in time.
 */
export async function askAfterSilence(
  { clock, signal, ...question }: ListQuestion & { readonly clock: Clock },
  store: Pick<KindStore, "isEqualTo">,
  silence: OperationError,
): Promise<string | OperationError> {
  const deadline = new Deadline(clock, signal);
  deadline.extend(ANSWER_MS, () => silence);
  try {
    const versions = await listVersions({ ...question, signal: deadline.signal });
    // clause: silent-watch-has-every-version
    return store.isEqualTo(versions) ? versions.resourceVersion : silence;
  } catch (failure) {
    if (!(failure instanceof OperationError)) throw failure;
    return deadline.signal.aborted ? silence : failure;
  } finally {
    deadline.release();
  }
}
