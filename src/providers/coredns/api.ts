/** The calls of etcd that are used, by its JSON gateway (`/v3`): ranges, transactions, tokens. */
import { base64Text, fromBase64 } from "@zonekeeper/base/bytes";
import { invariant } from "@zonekeeper/base/invariant";
import { OperationError } from "@zonekeeper/base/operation-error";
import type { HttpResponse, HttpTls } from "@zonekeeper/base/ports/http";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf, numberOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { OpenVendorHttp, VendorClient, VendorRequest } from "../../ports/vendor-http.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { unsent } from "../shared/failed-calls.ts";
import { isRefusedHere } from "../shared/guarded-http.ts";
import { JsonApi, NEVER_RENEWED } from "../shared/json-api.ts";
import type { JsonAnswer } from "../shared/json-call.ts";
import { itemsOf, listLinked, type Pacing } from "../shared/pages.ts";
import { explainCall, type RefusalTable, RefusedCall } from "../shared/refused-call.ts";
import { KeptToken } from "../shared/renewed-token.ts";
import { type EtcdEntry, fieldsIn } from "./convert.ts";
import { KEYS_PER_PAGE } from "./limits.ts";
import type { CoreDnsOptions } from "./options.ts";
import type { Transaction } from "./transaction.ts";

/** All keys, as they were at one revision of the store. */
export interface KeyRange {
  readonly entries: readonly EtcdEntry[];
  readonly revision: string;
  readonly calls: number;
}

/** One for each session. Calls may be made concurrently. */
export class EtcdApi {
  /** Asks for tokens, or where none is needed for all. */
  readonly #plain: JsonApi<null>;
  readonly #api: Pick<JsonApi<string>, "fields" | "close">;

  constructor({ servers, tls, user }: CoreDnsOptions, { http }: Pick<ProviderEnvironment, "http">) {
    const client = new Members(servers, tls, http);
    const common = { toRefusal };
    const headers = {};
    this.#plain = new JsonApi({
      ...NEVER_RENEWED,
      ...common,
      route: ({ path }) => ({ client, path, headers }),
      close: () => client.close(),
    });
    this.#api =
      user === null
        ? this.#plain
        : new JsonApi<string>({
            ...common,
            proofs: new KeptToken(() => this.#askToken(user)),
            isProofRefused: isTokenRefused,
            route: ({ path }, authorization) => ({ client, path, headers: { authorization } }),
            close: () => this.#plain.close(),
          });
  }

  /** All keys from `key` up to `end`. Complete or thrown. */
  async range(key: string, end: string, { pace, signal }: Pacing): Promise<KeyRange> {
    let revision = "0";
    const { items, calls } = await listLinked(async (next: string | null) => {
      const from = next ?? base64Text(key);
      const question = { key: from, range_end: base64Text(end), limit: KEYS_PER_PAGE, revision };
      const answer = await this.#post("/v3/kv/range", question, { changes: null, signal });
      revision = revisionIn(answer, revision);
      const entries = itemsOf(answer["kvs"] ?? []).map(toEntry);
      if (answer["more"] !== true) return { items: entries, next: null };
      const last = entries.at(-1);
      if (last === undefined) throw new Error("the answer is not whole");
      return { items: entries, next: base64Text(`${last.key}\0`) };
    }, pace);
    return { entries: items, revision, calls };
  }

  /**
   * `changes`: the zone's apex. Answers the revision that it made; null = the compares failed, and
   * nothing was done.
   */
  async commit(
    { compares, puts, deletes }: Pick<Transaction, "compares" | "puts" | "deletes">,
    changes: DnsName,
    signal: AbortSignal,
  ): Promise<string | null> {
    const success = [
      ...deletes.map((key) => ({ request_delete_range: { key: base64Text(key) } })),
      ...puts.map(({ key, fields }) => ({
        request_put: { key: base64Text(key), value: base64Text(JSON.stringify(fields)) },
      })),
    ];
    const body = { compare: compares, success };
    const answer = await this.#post("/v3/kv/txn", body, { changes, signal });
    const revision = revisionIn(answer, "");
    // False is left out.
    return answer["succeeded"] === true ? revision : null;
  }

  close(): void {
    this.#api.close();
  }

  async #askToken(user: NonNullable<CoreDnsOptions["user"]>): Promise<string> {
    const path = "/v3/auth/authenticate";
    const call = { method: "POST", path, body: user, changes: null } as const;
    try {
      const { token } = await this.#plain.fields(call, new AbortController().signal);
      const found = textOf(token);
      if (found === null) throw new Error("the answer has no token; is Server etcd?");
      return found;
    } catch (error) {
      throw unsent(explainCall(error, "no token was given", REFUSALS));
    }
  }

  #post(
    path: string,
    body: Fields,
    { changes, signal }: { readonly changes: DnsName | null; readonly signal: AbortSignal },
  ): Promise<Fields> {
    return this.#api.fields({ method: "POST", path, body, changes }, signal);
  }
}

/** Nothing was sent. */
const UNSENT: ReadonlySet<string> = new Set(["ConnectFailed", "ConnectTimeout"]);

/**
 * The members of an etcd cluster as one HTTP client: one is asked until it does not answer, then
 * the next. A call that may have arrived is never sent to another member: whoever made it reads.
 */
export class Members implements VendorClient {
  readonly #clients: readonly VendorClient[];
  /** The one that is asked. */
  #current = 0;

  constructor(origins: readonly string[], tls: HttpTls | null, http: OpenVendorHttp) {
    this.#clients = origins.map((origin) => http({ origin, ...(tls === null ? {} : { tls }) }));
  }

  /** Rejects with the trouble of the last one where none can be reached. */
  async send(request: VendorRequest): Promise<HttpResponse> {
    for (let tries = 1; ; tries++) {
      const asked = this.#current;
      const client = this.#clients[asked];
      invariant(client !== undefined, "the options name a server");
      try {
        return await client.send(request);
      } catch (error) {
        // By a dry run or a pause: no member was asked.
        if (request.signal.aborted || (error instanceof OperationError && isRefusedHere(error)))
          throw error;
        if (this.#current === asked) this.#current = (asked + 1) % this.#clients.length;
        const isUnsent = error instanceof OperationError && UNSENT.has(error.code);
        if (!isUnsent) throw error;
        const { length: count } = this.#clients;
        const last = `none of the ${count} addresses of Server can be reached, the last one`;
        if (count > 1 && tries >= count) throw unsent(error, `${last}: ${error.message}`);
        if (tries >= count) throw error;
      }
    }
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }
}

function toEntry(value: unknown): EtcdEntry {
  const fields = fieldsOf(value);
  const [key, revision] = [textOf(fields["key"]), textIn(fields["mod_revision"])];
  if (key === null || revision === "") throw new Error("the answer is not whole");
  const content = decoded(textOf(fields["value"]) ?? "");
  return { key: decoded(key), revision, fields: fieldsIn(content) };
}

function revisionIn(answer: Fields, otherwise: string): string {
  const revision = textIn(fieldsOf(answer["header"])["revision"]);
  if (otherwise !== "" && otherwise !== "0") return otherwise;
  if (revision === "") throw new Error("the answer has no revision; is Server etcd?");
  return revision;
}

/** 64 bits come as text; some gateways send numbers. */
function textIn(value: unknown): string {
  return textOf(value) ?? String(numberOf(value) ?? "");
}

function decoded(base64: string): string {
  return new TextDecoder().decode(fromBase64(base64));
}

// What etcd refuses, and what that means.

/** Code of gRPC that the gateway passes on (`code`). */
const UNKNOWN_USER = "16";

/** What another server answers to the path, method or form of a call. */
const STRANGE: ReadonlySet<number> = new Set([404, 405, 406, 415]);

/** `{"error", "message", "code"}`; later versions have no `error`. */
function toRefusal({ status, json, text, retryAfterMs }: JsonAnswer): RefusedCall {
  const fields = fieldsOf(json);
  const shown = textOf(fields["message"]) ?? textOf(fields["error"]);
  const plain = json === undefined ? text : "";
  const reason = String(numberOf(fields["code"]) ?? "");
  const isOther = shown === null && STRANGE.has(status);
  const other = `HTTP status ${status}; is Server the address of etcd?`;
  return new RefusedCall({
    status,
    text: isOther ? other : (shown ?? plain),
    retryAfterMs,
    reason,
  });
}

/** A token that counts no more (`etcdserver: invalid auth token`). */
function isTokenRefused({ status, json }: JsonAnswer): boolean {
  return status === 401 || String(numberOf(fieldsOf(json)["code"]) ?? "") === UNKNOWN_USER;
}

/** See `RefusalTable`. The reason is a code of gRPC: 3 invalid, 7 denied, 9 not met. */
export const REFUSALS: RefusalTable = {
  keyRemedy: "correct Username and Password in the Secret, or the user's role in etcd",
  rows: [
    // The gateway answers each of these with a status of its own, and 3 for a wrong password.
    {
      text: /authentication (failed|is not enabled)|permission denied|user name|auth token/,
      is: "key",
    },
    { reason: /^7$/, is: "key" },
    { reason: /^[39]$/, is: "refused" },
  ],
  codeOf: ({ status }) => `Etcd${status}`,
};
