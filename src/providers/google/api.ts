/** The calls of the Cloud DNS API v1 that are used. */
import { fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ProviderEnvironment } from "../provider.ts";
import { JsonApi } from "../shared/json-api.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { itemsOf, type Listing, listLinked, type Pacing } from "../shared/pages.ts";
import { type RefusalTable, RefusedCall } from "../shared/refused-call.ts";
import { SETS_PER_PAGE } from "./limits.ts";
import type { GoogleOptions } from "./options.ts";
import { type GoogleGrant, GoogleTokens } from "./tokens.ts";

/** What is listed. */
export interface Listed {
  /** Below the project. */
  readonly path: string;
  /** The field of the answer that has the items. */
  readonly field: string;
  /** `kind` of an answer; one without items is known by it. */
  readonly kind: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** One for each session. Calls may be made concurrently. Paths are below the project. */
export class GoogleApi extends JsonApi<GoogleGrant> {
  /** Throws OperationError. */
  readonly project: () => Promise<string>;

  constructor(options: GoogleOptions, { http }: Pick<ProviderEnvironment, "http">) {
    const client = http({ origin: options.origin });
    const proofs = new GoogleTokens(options, { http });
    const isOwnIdentity = options.credentials.is === "ambient";
    super({
      proofs,
      route: ({ path }, { token, project }) => ({
        client,
        path: `/dns/v1/projects/${encodeURIComponent(project)}${path}`,
        headers: { authorization: `Bearer ${token}` },
      }),
      toRefusal: (answer) => toRefusal(answer, isOwnIdentity),
      close: () => {
        proofs.close();
        client.close();
      },
    });
    this.project = () => proofs.project();
  }

  /** Complete or thrown: RefusedCall, or OperationError where nobody answers. */
  list({ path, field, kind, query }: Listed, { pace, signal }: Pacing): Promise<Listing> {
    return listLinked(async (pageToken: string | null) => {
      const fields = new URLSearchParams({ maxResults: String(SETS_PER_PAGE), ...query });
      if (pageToken !== null) fields.set("pageToken", pageToken);
      const answer = await this.get(`${path}?${fields}`, signal);
      const isEmpty = answer["kind"] === kind && (answer[field] ?? null) === null;
      return {
        items: isEmpty ? [] : itemsOf(answer[field]),
        next: textOf(answer["nextPageToken"]),
      };
    }, pace);
  }
}

// What Cloud DNS refuses, and what that means (docs "Error messages").

const MESSAGES_MAX = 50;

/** `{"error": {code, message, errors: [{message, reason}], status}}`, each perhaps absent. */
function toRefusal(
  { status, json, text, retryAfterMs }: JsonAnswer,
  isOwnIdentity = false,
): RefusedCall {
  const error = fieldsOf(fieldsOf(json)["error"]);
  const errors = (listOf(error["errors"]) ?? []).map(fieldsOf).slice(0, MESSAGES_MAX);
  const messages = errors.flatMap((one) => textOf(one["message"]) ?? []);
  const reasons = new Set(errors.flatMap((one) => textOf(one["reason"]) ?? []));
  const plain = json === undefined ? text : "";
  return new RefusedCall({
    status,
    text: messages.join("; ") || (textOf(error["message"]) ?? plain),
    retryAfterMs,
    reason: reasons.size > 0 ? [...reasons].join(" ") : (textOf(error["status"]) ?? ""),
    isOwnIdentity,
  });
}

/** Statuses of a call that is refused for what it holds, or for how the zone is. */
const CONTENT = /^(400|404|409|412|413|422)$/;

/** See `RefusalTable`. */
export const REFUSALS: RefusalTable = {
  keyRemedy: "correct the Secret of the DNSProvider, or the roles of its service account",
  rows: [
    { reason: /^(userR|r)ateLimitExceeded$|^RESOURCE_EXHAUSTED$/, is: "throttled" },
    // 403 has many reasons; this one is about what the change holds.
    { reason: /^quotaExceeded$/, is: "refused" },
    // The zone is missing, and no element of the change.
    { status: /^404$/, text: /^(?!.*entity\.change\.)/s, is: "later" },
    // Where several elements are at fault their messages say which of them changed.
    { status: /^(409|412)$/, reason: /^\S*$/, is: "changed" },
    {
      status: CONTENT,
      reason:
        /^(alreadyExists|conditionNotMet|preconditionFailed|cnameResourceRecordSetConflict|notFound)$/,
      is: "changed",
    },
    {
      status: CONTENT,
      text: /already exists|Precondition not met|either one CNAME resource record set|does not exist/,
      is: "changed",
    },
    { status: CONTENT, is: "refused" },
  ],
  codeOf: ({ status }) => `Google${status}`,
};
