/** A call that a vendor's API answered and refused, and by the vendor's table what that means. */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { printable, shortened } from "../../model/printable.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { badCredentials, outcomesOfFailure, throttled } from "./failed-calls.ts";

const MESSAGE_CHARACTERS_MAX = 400;
const STATUS_CLIENT = 400;
const STATUS_SERVER = 500;

/** What the API answered. */
export interface Refusal {
  readonly status: number;
  /** What it says; empty, or a page for browsers = the status is shown. */
  readonly text: string;
  /** It cannot be a page, whatever signs it has; default false. */
  readonly isMessage?: true;
  /** Milliseconds; null = the answer does not say. */
  readonly retryAfterMs: number | null;
  /** Default empty. */
  readonly reason?: string;
  /** The call was made with what the surroundings of the program give; default false. */
  readonly isOwnIdentity?: boolean;
}

/** Nothing in a Secret is at fault. */
const OWN_REMEDY =
  "the identity is this program's own: give it the rights that the provider's page names";

/** The API answered, and refused. */
export class RefusedCall extends Error {
  override readonly name = "RefusedCall";
  readonly status: number;
  /** What the answer says, whole. */
  readonly text: string;
  /** Milliseconds; null = the answer does not say. */
  readonly retryAfterMs: number | null;
  /** The API's own word for it; empty = it gave none. */
  readonly reason: string;
  /** See `Refusal`. */
  readonly isOwnIdentity: boolean;

  constructor(refusal: Refusal) {
    const { text, isMessage, ...more } = refusal;
    const isPage = isMessage !== true && /[<>]/.test(text);
    // Each call has an id; a status that shows it would change with each try.
    const shown = isPage ? "" : printable(text.replace(CALL_ID, "").trim());
    const message = shown === "" ? `HTTP status ${more.status}` : shown;
    super(shortened(message, MESSAGE_CHARACTERS_MAX));
    this.text = message;
    this.status = more.status;
    this.retryAfterMs = more.retryAfterMs;
    this.reason = more.reason ?? "";
    this.isOwnIdentity = more.isOwnIdentity ?? false;
  }
}

/** `(Request-ID: req-6d2b…)`, `CorrelationId: '…'`, `[request_id=…]`: an id has a digit. */
const CALL_ID =
  /[\s,;.]*[(["']?\b(?:request|correlation|activity|tracking|trace|transaction|ray)[ _-]?id\b["']?\s*(?:is|[:=])?\s*["']?(?=[\w-]*\d)[\w-]{6,}["']?[)\]]?/gi;

/** What a refusal means, for the account or for what the call holds. */
export type RefusalMeaning =
  /** Too many calls: the account waits. */
  | "throttled"
  /** The key, its token or its rights are at fault. */
  | "key"
  /** Nothing is wrong with the call; a further try may succeed. */
  | "later"
  /** The zone is not as it was read. */
  | "changed"
  /** For what the call holds, whenever it is sent. */
  | "refused"
  /** The vendor does not know what became of it. */
  | "unsure";

/** Whatever is given must match. */
export interface RefusalRow {
  readonly status?: RegExp;
  readonly reason?: RegExp;
  readonly text?: RegExp;
  readonly is: RefusalMeaning;
  /** Of the outcome; default: `RefusalTable.codeOf` where it is refused, else none. */
  readonly code?: string;
  /** What a person does about it; continues the message. */
  readonly remedy?: string;
}

/** How one API says what all of them say. */
export interface RefusalTable {
  /** What a person does about a key that is refused. */
  readonly keyRemedy: string;
  /** In order: the first one that matches counts. Then status 429 is throttled, 401 and 403 key. */
  readonly rows?: readonly RefusalRow[];
  /** Of a rejected change: `Azure409`. Default: the API's own word. */
  readonly codeOf?: (call: RefusedCall) => string;
}

/** The word of our own refusals (`changedCall`). */
const CHANGED_REASON = "changed";
const OWN_ROWS: readonly RefusalRow[] = [{ reason: /^changed$/, is: "changed" }];
const LAST_ROWS: readonly RefusalRow[] = [
  { status: /^429$/, is: "throttled" },
  { status: /^(401|403)$/, is: "key" },
];
const ANY = /^/;

/** `meanings`: only rows of these count; absent = all. */
function rowOf(
  call: RefusedCall,
  { rows = [] }: Pick<RefusalTable, "rows">,
  meanings?: readonly RefusalMeaning[],
): RefusalRow | null {
  const matches = ({ is, status = ANY, reason = ANY, text = ANY }: RefusalRow): boolean =>
    meanings?.includes(is) !== false &&
    status.test(String(call.status)) &&
    reason.test(call.reason) &&
    text.test(call.text);
  return [...OWN_ROWS, ...rows, ...LAST_ROWS].find(matches) ?? null;
}

/** The answer; null = the API refused the call itself, and in this way. */
export async function unlessRefused<R>(
  call: () => Promise<R>,
  isSo: (refusal: RefusedCall) => boolean,
): Promise<R | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof RefusedCall && isSo(error)) return null;
    throw error;
  }
}

/** What a failed call means for the account. Keeps an OperationError. */
export function explainCall(error: unknown, what: string, table: RefusalTable): OperationError {
  if (error instanceof OperationError) return error;
  const message = `${what}: ${messageOf(error)}`;
  if (!(error instanceof RefusedCall))
    return new OperationError({ ...UNAVAILABLE, message, cause: error });
  const row = rowOf(error, table, ["throttled", "key"]);
  if (row?.is === "throttled") return throttled(message, error.retryAfterMs, error);
  // An answer with a client's fault is one before anything was done.
  const nothingSent = error.status >= STATUS_CLIENT && error.status < STATUS_SERVER;
  if (row === null)
    return new OperationError({ ...UNAVAILABLE, message, nothingSent, cause: error });
  const remedy = row.remedy ?? (error.isOwnIdentity ? OWN_REMEDY : table.keyRemedy);
  const refused = badCredentials(`${message}; ${remedy}`, error);
  if (error.status < STATUS_SERVER) return refused;
  // Whoever is between may have made the answer, after the call was passed on.
  const { code, retry } = refused;
  return new OperationError({ code, retry, message: refused.message, cause: error });
}

const UNAVAILABLE = { code: "ProviderUnavailable", retry: "backoff" } as const;

/** A call with changes that failed. */
interface FailedCall {
  /** For messages: `the changes were not made`. */
  readonly what: string;
  readonly refusals: RefusalTable;
}

const CONTENT_MEANINGS: readonly RefusalMeaning[] = ["changed", "refused", "unsure"];

/**
 * The same outcome for each group, whichever is at fault: whoever made the call reads the names
 * again, or halves it. Throws where the account is to wait.
 */
export function outcomesOfCall(
  error: unknown,
  groups: readonly ChangeGroup[],
  { what, refusals }: FailedCall,
): readonly Outcome[] {
  const row = error instanceof RefusedCall ? rowOf(error, refusals) : null;
  if (!(error instanceof RefusedCall) || row === null || !CONTENT_MEANINGS.includes(row.is))
    return outcomesOfFailure(explainCall(error, what, refusals), groups);
  return groups.map(({ name }) => outcomeBy(row, error, { name, refusals }));
}

function outcomeBy(
  { is, remedy, code }: RefusalRow,
  call: RefusedCall,
  { name, refusals }: { readonly name: DnsName; readonly refusals: RefusalTable },
): Outcome {
  const message = remedy === undefined ? call.message : `${call.message}; ${remedy}`;
  if (is === "unsure") return { name, status: "unknown", message };
  if (is === "changed")
    return { name, status: "precondition-failed", message, ...(code !== undefined && { code }) };
  return {
    name,
    status: "rejected",
    code: code ?? refusals.codeOf?.(call) ?? call.reason,
    message,
  };
}

/** Of our own, before anything was sent: the zone is not as it was read. */
export function changedCall(text: string): RefusedCall {
  return new RefusedCall({ status: 412, text, reason: CHANGED_REASON, retryAfterMs: null });
}
