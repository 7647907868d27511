/**
 * Judges an error of a list or watch: the state of the kind, the wait, and whether to list again.
 * Tells a quiet kind from a dead watch: where etcd reports no progress, kube-apiserver sends no
 * bookmark for a kind without events, and silence proves nothing.
 */
import { messageOf, OperationError, retryable } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import { type KindRef, kindText } from "../../objects/kubernetes.ts";
import { Deadline } from "../requests/abort.ts";
import type { ApiClient } from "../requests/api-client.ts";
import { discoverKind } from "./discovery.ts";
import type { KindStore } from "./kind-store.ts";
import { type ListQuestion, listVersions } from "./list-pages.ts";

/** The judgement. */
export interface WatchTrouble {
  /** `broken` = stale, or still syncing when nothing was ever listed. */
  readonly state: "broken" | "forbidden" | "absent";
  /** For metrics: an error code; `Unavailable` for an error without a code. */
  readonly reason: string;
  /** For people. */
  readonly message: string;
  /** The present version cannot be used any more. */
  readonly relist: boolean;
  /** Least milliseconds to wait; 0 = the back-off decides. */
  readonly waitMs: number;
  /** The first such trouble after a healthy time is answered at once. */
  readonly prompt: boolean;
}

/** Errors after which events cannot be trusted to follow on. */
const RELIST_CODES = new Set(["Expired", "WatchDisorder", "OlderList", "WatchStalled"]);

/** The error for a list that is older than what was seen. */
export function olderList(kind: KindRef): OperationError {
  return retryable(
    "OlderList",
    `the list of ${kindText(kind)} is older than the known version and is not used; ` +
      "if the cluster was restored from a backup, restart this program",
  );
}

/** The error for a watch that contradicts itself. */
export function disorder(kind: KindRef): OperationError {
  return retryable("WatchDisorder", `the watch of ${kindText(kind)} sent events out of order`);
}

/**
 * Judges an error. After a 404 it asks discovery, so that `absent` is proven; an error of discovery
 * is judged instead.
 */
export async function judgeTrouble(
  error: unknown,
  question: { readonly client: ApiClient; readonly kind: KindRef; readonly signal: AbortSignal },
): Promise<WatchTrouble> {
  if (!(error instanceof OperationError) || error.code !== "NotFound") return judge(error);
  try {
    const served = await discoverKind(question.client, question.kind, question.signal);
    return served === "absent"
      ? { ...judge(error), state: "absent", reason: "Absent", relist: true }
      : judge(error);
  } catch (failure) {
    return judge(failure);
  }
}

function judge(error: unknown): WatchTrouble {
  const code = error instanceof OperationError ? error.code : "Unavailable";
  return {
    state: code === "Forbidden" ? "forbidden" : "broken",
    reason: code,
    message: messageOf(error),
    relist: RELIST_CODES.has(code),
    waitMs: (error instanceof OperationError ? error.retryAfterMs : null) ?? 0,
    prompt: code === "Expired",
  };
}

/** Milliseconds for the answer; with the silence before it less than two bookmark periods. */
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
