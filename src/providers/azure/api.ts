/** The calls of Azure's resource manager that are used. */
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ProviderEnvironment } from "../provider.ts";
import { type ApiCall, JsonApi } from "../shared/json-api.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { itemsOf, type Listing, listLinked, type Pacing } from "../shared/pages.ts";
import { type RefusalTable, RefusedCall, unlessRefused } from "../shared/refused-call.ts";
import { type Flavour, SETS_PER_PAGE } from "./flavours.ts";
import type { AzureOptions } from "./options.ts";
import { AzureTokens } from "./tokens.ts";

const STATUS_NO_CONTENT = 204;

/** One for each session. Calls may be made concurrently. */
export class AzureApi extends JsonApi<string> {
  readonly #origin: string;
  readonly #version: string;

  constructor(
    options: AzureOptions,
    { apiVersion }: Pick<Flavour, "apiVersion">,
    { http }: Pick<ProviderEnvironment, "http">,
  ) {
    const client = http({ origin: options.origin });
    const proofs = new AzureTokens(options, { http });
    const isOwnIdentity = options.credentials.is === "ambient";
    super({
      proofs,
      route: ({ path }, token) => ({ client, path, headers: { authorization: `Bearer ${token}` } }),
      toRefusal: (answer) => toRefusal(answer, isOwnIdentity),
      close: () => {
        proofs.close();
        client.close();
      },
    });
    this.#origin = options.origin;
    this.#version = apiVersion;
  }

  /** Complete or thrown: RefusedCall, or OperationError where nobody answers. */
  list(path: string, { pace, signal }: Pacing): Promise<Listing> {
    const first = `${this.#withVersion(path)}&$top=${SETS_PER_PAGE}`;
    return listLinked(async (next: string | null) => {
      const { value, nextLink } = await this.get(next ?? first, signal);
      return { items: itemsOf(value), next: this.#nextPath(textOf(nextLink)) };
    }, pace);
  }

  /** One record set; null = there is none. A zone that is not there has no answer to that. */
  getSet(path: string, signal: AbortSignal): Promise<Fields | null> {
    return unlessRefused(() => this.get(this.#withVersion(path), signal), isNoSet);
  }

  /** Changes something. Null = there was nothing to delete. */
  async write(call: ApiCall, signal: AbortSignal): Promise<Fields | null> {
    const sent = { ...call, path: this.#withVersion(call.path) };
    if (call.method !== "DELETE") return this.fields(sent, signal);
    const { status, json } = await this.call(sent, signal);
    return status === STATUS_NO_CONTENT ? null : fieldsOf(json);
  }

  #withVersion(path: string): string {
    return `${path}?api-version=${this.#version}`;
  }

  /** A link to another host would take the token there. */
  #nextPath(link: string | null): string | null {
    if (link === null) return null;
    const url = new URL(link, this.#origin);
    if (url.origin !== new URL(this.#origin).origin)
      throw new Error("the next page is at another host");
    return `${url.pathname}${url.search}`;
  }
}

// What Azure refuses, and what that means.

/** `{"code": …, "message": …}`, or the same in `error`. */
function toRefusal(
  { status, json, text, retryAfterMs }: JsonAnswer,
  isOwnIdentity = false,
): RefusedCall {
  const outer = fieldsOf(json);
  const error = fieldsOf(outer["error"] ?? outer);
  const reason = textOf(error["code"]) ?? "";
  const plain = json === undefined ? text : "";
  // Operations have ids; a status that shows one would change with each try.
  const shown = (textOf(error["message"]) ?? plain).replace(
    /(Operation group ')[^']*|(\/operations\/type\/\w+\/id\/)[\w-]+/gi,
    "$1$2…",
  );
  return new RefusedCall({ status, text: shown, retryAfterMs, reason, isOwnIdentity });
}

const STATUS_NOT_FOUND = 404;

/**
 * The record set is not there (`The resource record 'x' does not exist`, azure-cli#27374). Where
 * the zone is not, the code is `ParentResourceNotFound` or another
 * (terraform-provider-azurerm#21399).
 */
function isNoSet({ status, reason }: RefusedCall): boolean {
  return status === STATUS_NOT_FOUND && reason === "NotFound";
}

const PRECONDITION_FAILED = 412;

/** A record set that was to be new is there. */
export function isExisting(error: unknown): boolean {
  return error instanceof RefusedCall && error.status === PRECONDITION_FAILED;
}

const CONFLICT_REMEDY =
  "where no record shows, delete record sets of the name that are empty in Azure";
/** Of a call that is refused for what it holds. */
const CONTENT = /^(400|409|413|422)$/;

/** See `RefusalTable`. */
export const REFUSALS: RefusalTable = {
  keyRemedy: "correct the Secret of the DNSProvider, or the roles of its application",
  rows: [
    {
      reason: /^(TooManyRequests|(Subscription|Operation|Resource)RequestsThrottled)$/i,
      is: "throttled",
    },
    // Somebody else's call is under way; nothing is wrong with ours.
    { reason: /^(AnotherOperationInProgress|RetryableError)$/i, is: "later" },
    // The same under the code of every conflict (dnscontrol#4363, 2026-06).
    { text: /^Another operation is pending/i, is: "later" },
    { status: /^412$/, is: "changed" },
    // Another record set of the name bars this one.
    {
      status: CONTENT,
      text: /could not be created because/i,
      is: "changed",
      remedy: CONFLICT_REMEDY,
    },
    { status: CONTENT, reason: /CNameNamingRestriction/i, is: "changed", remedy: CONFLICT_REMEDY },
    { status: CONTENT, text: /CNameNamingRestriction/i, is: "changed", remedy: CONFLICT_REMEDY },
    { status: CONTENT, is: "refused" },
  ],
  codeOf: ({ status }) => `Azure${status}`,
};
