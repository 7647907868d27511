/**
 * What a failed call means: for the call as a whole, and for each group of a batch. The answer to a
 * bad batch names the record sets that are at fault (ChangeResourceRecordSets, InvalidChangeBatch).
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import { printable, shortened } from "../../model/printable.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import {
  outcomesOfFailure,
  refusedTogether,
  retryAfterMs,
  throttled,
} from "../shared/failed-calls.ts";
import { toName } from "./text.ts";

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

/** "Rate exceeded" has several codes; a zone that is busy with the last batch refuses the next. */
const TOO_MANY =
  /^(Throttling(Exception)?|ThrottledException|RequestThrottled(Exception)?|RequestLimitExceeded|TooManyRequests(Exception)?|SlowDown|PriorRequestNotComplete)$/;
/** The key is at fault, and no record set. */
const BAD_KEY =
  /^(InvalidClientTokenId|UnrecognizedClientException|SignatureDoesNotMatch|ExpiredToken(Exception)?|TokenRefreshRequired|RequestExpired|MissingAuthenticationToken|IncompleteSignature|InvalidSignatureException|OptInRequired|CredentialsProviderError)$/;
/** The key is right and may not do this. */
const NO_RIGHT = /^AccessDenied(Exception)?$/;
const RIGHTS_REMEDY = "give the key the rights on the page of aws-route53";
const OWN_REMEDY =
  "the identity is this program's own: give its Pod a role that is valid (IRSA, Pod Identity)";
const MESSAGE_CHARACTERS_MAX = 400;
const STATUS_FORBIDDEN = 403;
const STATUS_TOO_MANY = 429;
const STATUS_SERVER = 500;

/** For reading calls, and as far as a whole batch is concerned. Keeps an OperationError. */
export function explain(error: unknown, what: string, isOwnIdentity: boolean): OperationError {
  if (error instanceof OperationError) return error;
  const { name = "", $metadata: { httpStatusCode: status } = {} } = fieldsOf(error);
  const message = `${what}: ${textOf(error)}`;
  if (TOO_MANY.test(name) || status === STATUS_TOO_MANY)
    return throttled(message, waitOf(error), error);
  const remedy = remedyOf(name, status, isOwnIdentity);
  return new OperationError({
    code: remedy === null ? "ProviderUnavailable" : "ProviderCredentials",
    message: remedy === null ? message : `${message}; ${remedy}`,
    retry: "backoff",
    // An answer with a client's fault is one before anything was done.
    nothingSent: remedy !== null || (status !== undefined && status < STATUS_SERVER),
    cause: error,
  });
}

/** Null = nobody has to do anything. */
function remedyOf(name: string, status: number | undefined, isOwn: boolean): string | null {
  if (BAD_KEY.test(name)) return isOwn ? OWN_REMEDY : "correct the Secret of the DNSProvider";
  return NO_RIGHT.test(name) || status === STATUS_FORBIDDEN ? RIGHTS_REMEDY : null;
}

/** What the surroundings of the program give; their errors have no common form. */
export async function ofOwnIdentity<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const message = `this program has no identity of AWS: ${textOf(error)}`;
    throw new OperationError({
      code: "ProviderCredentials",
      message: `${message}; give its Pod a role (IRSA, Pod Identity), or write an access key into the Secret`,
      retry: "backoff",
      nothingSent: true,
      cause: error,
    });
  }
}

function waitOf(error: unknown): number | null {
  return retryAfterMs(fieldsOf(error).$response?.headers ?? {});
}

/** The call is refused, and may be accepted without one of its groups. */
const REFUSED = /^(InvalidChangeBatch|InvalidInput|AccessDenied(Exception)?|NoSuchHealthCheck)$/;

/** One outcome for each group; throws where the account is to wait. */
export function outcomesOf(
  error: unknown,
  groups: readonly ChangeGroup[],
  isOwnIdentity: boolean,
): readonly Outcome[] {
  if (REFUSED.test(codeOf(error))) return refused(error, groups);
  return outcomesOfFailure(explain(error, "the changes were not made", isOwnIdentity), groups);
}

/** The groups that the messages name have them; nothing is wrong with the others. */
function refused(error: unknown, groups: readonly ChangeGroup[]): readonly Outcome[] {
  const code = codeOf(error);
  const messages = messagesOf(error);
  const found = groups.map((group) => messages.filter((message) => isAbout(message, group)));
  const isNamed = found.some((mine) => mine.length > 0);
  return groups.map(({ name }, index): Outcome => {
    const mine = isNamed ? (found[index] ?? []) : messages;
    if (mine.length === 0) return refusedTogether(name);
    const reason = shownText(mine.join("; "));
    const message = NO_RIGHT.test(code) ? `${reason}; ${RIGHTS_REMEDY}` : reason;
    return mine.every((text) => CHANGED.test(text))
      ? { name, status: "precondition-failed", message }
      : { name, status: "rejected", code, message };
  });
}

const EMULATOR_HINT =
  "the endpoint is not AWS's: if it is an emulator such as moto or LocalStack, set emulator: true in providerConfig";

/** Where a refusal may mean that the endpoint does not take what Route 53 takes. */
export function withEmulatorHint(outcome: Outcome): Outcome {
  if (outcome.status !== "rejected" && outcome.status !== "precondition-failed") return outcome;
  return { ...outcome, message: `${outcome.message}; ${EMULATOR_HINT}` };
}

/** The zone is not as it was read. */
const CHANGED =
  /but it already exists|but it was not found|do not match the current values|conflicting RRSet|as it conflicts with other records|(exists|already exist) with (the same|a different)/;
/**
 * `name='a.example.org.', type='A'`, `of type A with DNS name a.example.org.` and `with DNS name
 * a.example.org., type A, SetIdentifier …`.
 */
const SUBJECTS =
  /name='(?<name>[^']*)',\s*type='(?<type>[A-Z0-9]+)'|type (?<kind>[A-Z0-9]+) with DNS name (?<dns>\S+)|DNS name (?<member>[^\s,]+), type (?<memberType>[A-Z0-9]+)/g;

function isAbout(message: string, group: ChangeGroup): boolean {
  const sets = setsOf(group);
  for (const { groups: found = {} } of message.matchAll(SUBJECTS)) {
    const name = toName(found["name"] ?? found["dns"] ?? found["member"] ?? "");
    const type = found["type"] ?? found["kind"] ?? found["memberType"];
    if (sets.some((set) => set.name === name && set.type === type)) return true;
  }
  return false;
}

function setsOf({ changes, preconditions }: ChangeGroup): readonly RecordSet[] {
  return [
    ...changes.flatMap((change) => [
      ...(change.op === "create" ? [] : [change.previous]),
      ...(change.op === "remove" ? [] : [change.next]),
    ]),
    ...preconditions.flatMap((one) => (one.is === "exact" ? [one.set] : [])),
  ];
}

/** Both forms: a list, and one text `[a, b]` (API reference, "InvalidChangeBatch"). */
function messagesOf(error: unknown): readonly string[] {
  const { messages, Messages } = fieldsOf(error);
  const list = [messages, Messages?.Message].flat().filter((one) => typeof one === "string");
  if (list.length > 0) return list.map(withoutIds);
  const text = reasonOf(error).replace(/^\[|\]$/g, "");
  // A comma inside a message is followed by no such beginning.
  return text.split(/, (?=Tried to |RRSet |Invalid |InvalidChangeBatch|The |A |Duplicate )/);
}

function textOf(error: unknown): string {
  return shownText(reasonOf(error));
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

function codeOf(error: unknown): string {
  const { name = "", Messages } = fieldsOf(error);
  return Messages === undefined ? name : "InvalidChangeBatch";
}

function fieldsOf(error: unknown): ApiError {
  return typeof error === "object" && error !== null ? error : {};
}
