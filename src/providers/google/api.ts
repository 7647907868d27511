/** The calls of the Cloud DNS API v1 that are used, over the HTTP port. It repeats nothing. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, isFields, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { VendorClient } from "../../ports/vendor-http.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { callJson } from "../shared/json-call.ts";
import { withRenewedToken } from "../shared/renewed-token.ts";
import { toRefusal } from "./failures.ts";
import { CALL_TIMEOUT_MS, PAGES_MAX, SETS_PER_PAGE } from "./limits.ts";
import type { GoogleOptions } from "./options.ts";
import { GoogleTokens } from "./tokens.ts";

/** What is listed. */
export interface ListRequest {
  /** Below the project. */
  readonly path: string;
  /** The field of the answer that has the items. */
  readonly field: string;
  /** `kind` of an answer; one without items is known by it. */
  readonly kind: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Awaited before each further page. */
  readonly pace: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** All pages. */
export interface Listing {
  readonly items: readonly unknown[];
  readonly calls: number;
}

/** A call that writes. */
interface ChangeCall {
  readonly body: Fields;
  /** The zone's apex. */
  readonly changes: DnsName;
}

const READS = { body: null, changes: null } as const;

/** One for each session. Calls may be made concurrently. */
export class GoogleApi {
  readonly #client: VendorClient;
  readonly #tokens: GoogleTokens;
  readonly #isOwnIdentity: boolean;
  readonly #project: string;
  readonly #stopped = new AbortController();

  constructor(options: GoogleOptions, { http }: Pick<ProviderEnvironment, "http">) {
    this.#client = http({ origin: options.origin });
    this.#tokens = new GoogleTokens(options, { http });
    this.#isOwnIdentity = options.credentials.is === "ambient";
    this.#project = encodeURIComponent(options.project);
  }

  /** Complete or thrown: RefusedCall, or OperationError where nobody answers. */
  async list({ path, field, kind, query, pace, signal }: ListRequest): Promise<Listing> {
    const items: unknown[] = [];
    let pageToken: string | null = null;
    for (let calls = 1; calls <= PAGES_MAX; calls++) {
      if (calls > 1) await pace();
      const fields = new URLSearchParams({ maxResults: String(SETS_PER_PAGE), ...query });
      if (pageToken !== null) fields.set("pageToken", pageToken);
      const answer = await this.#call(`${path}?${fields}`, READS, signal);
      const isEmpty = answer["kind"] === kind && (answer[field] ?? null) === null;
      const page = isEmpty ? [] : answer[field];
      if (!Array.isArray(page)) throw new Error("the answer holds no list");
      items.push(...page);
      pageToken = textOf(answer["nextPageToken"]) || null;
      if (pageToken === null) return { items, calls };
    }
    throw new Error("the listing has no end");
  }

  /** One thing. */
  async get(path: string, signal: AbortSignal): Promise<Fields> {
    return this.#call(path, READS, signal);
  }

  /** Changes something. */
  async post(path: string, change: ChangeCall, signal: AbortSignal): Promise<Fields> {
    return this.#call(path, change, signal);
  }

  close(): void {
    this.#stopped.abort();
    this.#tokens.close();
    this.#client.close();
  }

  async #call(
    path: string,
    { body, changes }: ChangeCall | typeof READS,
    signal: AbortSignal,
  ): Promise<Fields> {
    const answer = await withRenewedToken(this.#tokens, (token) =>
      callJson(this.#client, {
        method: body === null ? "GET" : "POST",
        path: `/dns/v1/projects/${this.#project}${path}`,
        headers: { authorization: `Bearer ${token}` },
        body,
        changes,
        signal: AbortSignal.any([
          ...[signal, this.#stopped.signal],
          AbortSignal.timeout(CALL_TIMEOUT_MS),
        ]),
      }),
    );
    if (!answer.isGood) throw toRefusal(answer, this.#isOwnIdentity);
    if (!isFields(answer.json)) throw new Error("the answer is not JSON, or not whole");
    return fieldsOf(answer.json);
  }
}
