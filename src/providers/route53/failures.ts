/** What Route 53 refuses, as the SDK tells it, and what that means. */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { printable, shortened } from "../../model/printable.ts";
import { badCredentials, retryAfterMs } from "../shared/failed-calls.ts";
import { type RefusalTable, RefusedCall } from "../shared/refused-call.ts";

/** The fields of an error of the SDK that are read; each may be absent. */
interface ApiError {
  readonly name?: string;
  readonly message?: string;
  /** Of InvalidChangeBatch, as the SDK types it. */
  readonly messages?: unknown;
  /** The same in an answer whose root is InvalidChangeBatch, which the SDK does not recognise. */
  readonly Messages?: { readonly Message?: unknown };
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

const RIGHTS_REMEDY = "give the key the rights on the page of aws-route53";
/** The zone is not as it was read. */
const CHANGED =
  /but it already exists|but it was not found|do not match the current values|conflicting RRSet|as it conflicts with other records|(exists|already exist) with (the same|a different)/;
/** The call may be accepted without one of its groups. */
const CONTENT = /^(InvalidChangeBatch|InvalidInput|NoSuchHealthCheck)$/;

/** See `RefusalTable`. The reason is the name of the SDK's error. */
export function refusalsOf(isOwnIdentity: boolean): RefusalTable {
  return {
    keyRemedy: isOwnIdentity
      ? "the identity is this program's own: give its Pod a role that is valid (IRSA, Pod Identity)"
      : "correct the Secret of the DNSProvider",
    rows: [
      // "Rate exceeded" has several codes; a zone refuses the next batch while it is busy.
      {
        reason:
          /^(Throttling(Exception)?|ThrottledException|RequestThrottled(Exception)?|RequestLimitExceeded|TooManyRequests(Exception)?|SlowDown|PriorRequestNotComplete)$/,
        is: "throttled",
      },
      { reason: CONTENT, text: CHANGED, is: "changed" },
      { reason: CONTENT, is: "refused" },
      // The key is right and may not do this.
      { reason: /^AccessDenied(Exception)?$/, is: "refused", remedy: RIGHTS_REMEDY },
      // The key is at fault, and no record set.
      {
        reason:
          /^(InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|ExpiredToken(Exception)?|TokenRefreshRequired|RequestExpired|MissingAuthenticationToken|IncompleteSignature|InvalidSignatureException|OptInRequired|CredentialsProviderError)$/,
        is: "key",
      },
      { reason: /^AccessDenied(Exception)?$/, is: "key", remedy: RIGHTS_REMEDY },
      { status: /^403$/, is: "key", remedy: RIGHTS_REMEDY },
    ],
  };
}

/** What the SDK threw, by what the API answered; keeps an OperationError. */
export function toRefusal(error: unknown): unknown {
  if (error instanceof OperationError) return error;
  const {
    Messages,
    name = "",
    $metadata: { httpStatusCode: status } = {},
    $response,
  } = fieldsOf(error);
  return new RefusedCall({
    status: status ?? 0,
    text: textOf(error),
    reason: Messages === undefined ? name : "InvalidChangeBatch",
    retryAfterMs: retryAfterMs($response?.headers ?? {}),
  });
}

/** What the surroundings of the program give; their errors have no common form. */
export async function ofOwnIdentity<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const message = `this program has no identity of AWS: ${shownText(reasonOf(error))}`;
    throw badCredentials(
      `${message}; give its Pod a role (IRSA, Pod Identity), or write an access key into the Secret`,
      error,
    );
  }
}

/** Both forms: a list, and one text `[a, b]` (API reference, "InvalidChangeBatch"). */
function textOf(error: unknown): string {
  const { messages, Messages } = fieldsOf(error);
  const list = [messages, Messages?.Message].flat().filter((one) => typeof one === "string");
  return list.map(withoutIds).join("; ") || reasonOf(error).replace(/^\[|\]$/g, "");
}

function reasonOf(error: unknown): string {
  const text = withoutIds(messageOf(error));
  const { name = "", $metadata: { httpStatusCode: status } = {} } = fieldsOf(error);
  // Words of the SDK for whoever debugs it.
  if (/XML parse error|Deserialization error/.test(text))
    return "the answer is not XML, or not whole";
  if (text !== "" && text !== "UnknownError") return text;
  return name === "Unknown" && status !== undefined ? `HTTP status ${status}` : name;
}

const MESSAGE_CHARACTERS_MAX = 400;

/** A text of AWS as people may read it: no ids, nothing of what was signed, one line, not long. */
export function shownText(text: string): string {
  return shortened(printable(withoutIds(text)), MESSAGE_CHARACTERS_MAX);
}

/**
 * Requests have ids; a status that shows one would change with each try. A wrong signature is told
 * with what was to be signed, the token of the session included.
 */
function withoutIds(text: string): string {
  return text
    .replace(/\s*The (Canonical String|String-to-Sign)\b.*$/is, "")
    .replace(/\s*\(?\b(Request ?ID|RequestId|Status Code|Service)\s*:[^)\]]*\)?/gi, "")
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "…")
    .trim();
}

function fieldsOf(error: unknown): ApiError {
  return typeof error === "object" && error !== null ? error : {};
}
