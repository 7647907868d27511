/**
 * The calls of etcd that are used, by its JSON gateway (`/v3`): ranges, transactions, tokens. A
 * token that is refused is renewed once; nothing else is repeated.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  numberOf,
  textOf,
} from "@zonekeeper/kube/objects/object-fields";
import type { VendorClient } from "../../ports/vendor-http.ts";
import type { ProviderEnvironment } from "../provider.ts";
import { callJson, type JsonAnswer } from "../shared/json-call.ts";
import { type Entry, fieldsIn } from "./convert.ts";
import { isTokenRefused, toRefusal } from "./failures.ts";
import { CALL_TIMEOUT_MS, KEYS_PER_PAGE, PAGES_MAX } from "./limits.ts";
import { Members } from "./members.ts";
import type { CoreDnsOptions } from "./options.ts";
import type { Compare, Transaction } from "./transaction.ts";

/** Where a reading goes on. */
export interface Pacing {
  /** Awaited before each further page. */
  readonly pace: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** All keys, as they were at one revision of the store. */
export interface KeyRange {
  readonly entries: readonly Entry[];
  readonly revision: string;
  readonly calls: number;
}

/** All are POSTs. */
interface EtcdCall {
  readonly path: string;
  readonly body: Fields;
  /** The apex of the zone that it changes; null = it reads, or asks for a token. */
  readonly changes: DnsName | null;
}

/** One for each session. Calls may be made concurrently. */
export class EtcdApi {
  readonly #options: CoreDnsOptions;
  readonly #client: VendorClient;
  readonly #stopped = new AbortController();
  #token: Promise<string> | null = null;

  constructor(options: CoreDnsOptions, { http }: Pick<ProviderEnvironment, "http">) {
    this.#options = options;
    this.#client = new Members(options.servers, options.tls, http);
  }

  /** All keys from `key` up to `end`. Complete or thrown. */
  async range(key: string, end: string, { pace, signal }: Pacing): Promise<KeyRange> {
    const entries: Entry[] = [];
    let from = base64(key);
    let revision = "0";
    for (let calls = 1; calls <= PAGES_MAX; calls++) {
      if (calls > 1) await pace();
      const question = { key: from, range_end: base64(end), limit: KEYS_PER_PAGE, revision };
      const call = { path: "/v3/kv/range", body: question, changes: null };
      const answer = await this.#call(call, signal);
      const items = listOf(answer["kvs"]);
      revision = revisionIn(answer, revision);
      if (items === null) throw new Error("the answer holds no list");
      entries.push(...items.map(toEntry));
      if (answer["more"] !== true) return { entries, revision, calls };
      const last = entries.at(-1);
      if (items.length === 0 || last === undefined) throw new Error("the answer is not whole");
      from = base64(`${last.key}\0`);
    }
    throw new Error("the listing has no end");
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
      ...deletes.map((key) => ({ request_delete_range: { key: base64(key) } })),
      ...puts.map(({ key, fields }) => ({
        request_put: { key: base64(key), value: base64(JSON.stringify(fields)) },
      })),
    ];
    const body = { compare: compares.map(compareBody), success };
    const answer = await this.#call({ path: "/v3/kv/txn", body, changes }, signal);
    // False is left out.
    return answer["succeeded"] === true ? revisionIn(answer, "") : null;
  }

  close(): void {
    this.#stopped.abort();
    this.#client.close();
  }

  async #call(call: EtcdCall, signal: AbortSignal): Promise<Fields> {
    const token = this.#tokenOnce();
    const answer = await this.#send(call, await token, signal);
    if (!isTokenRefused(answer) || this.#options.user === null) return good(answer);
    if (this.#token === token) this.#token = null;
    return good(await this.#send(call, await this.#tokenOnce(), signal));
  }

  /** Empty = none is needed. */
  #tokenOnce(): Promise<string> {
    if (this.#options.user === null) return NO_TOKEN;
    const token = this.#token ?? this.#askToken(this.#options.user);
    this.#token = token;
    token.catch(() => {
      if (this.#token === token) this.#token = null;
    });
    return token;
  }

  async #askToken(user: NonNullable<CoreDnsOptions["user"]>): Promise<string> {
    const { signal } = this.#stopped;
    const call = { path: "/v3/auth/authenticate", body: user, changes: null };
    const answer = await this.#send(call, "", signal);
    const token = textOf(good(answer)["token"]);
    if (token === null) throw new Error("the answer has no token; is Server etcd?");
    return token;
  }

  #send(call: EtcdCall, token: string, signal: AbortSignal): Promise<JsonAnswer> {
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
    return callJson(this.#client, {
      ...call,
      method: "POST",
      headers: token === "" ? {} : { authorization: token },
      signal: AbortSignal.any([signal, this.#stopped.signal, timeout]),
    });
  }
}

const NO_TOKEN = Promise.resolve("");

/** Each of these is 0 where a key is not there; a range of no keys is as one. */
function compareBody({ key, end, is, revision }: Compare): Fields {
  const at = { key: base64(key), ...(end === null ? {} : { range_end: base64(end) }) };
  if (is === "absent") return { ...at, target: "VERSION", result: "EQUAL", version: "0" };
  if (is === "from") return { ...at, target: "MOD", result: "EQUAL", mod_revision: revision };
  const next = String(BigInt(revision) + 1n);
  return { ...at, target: "MOD", result: "LESS", mod_revision: next };
}

function toEntry(value: unknown): Entry {
  const fields = fieldsOf(value);
  const [key, revision] = [textOf(fields["key"]), textIn(fields["mod_revision"])];
  if (key === null || revision === "") throw new Error("the answer is not whole");
  const content = fromBase64(textOf(fields["value"]) ?? "");
  return { key: fromBase64(key), revision, fields: fieldsIn(content) };
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

function good(answer: JsonAnswer): Fields {
  if (!answer.isGood) throw toRefusal(answer);
  if (!isFields(answer.json)) throw new Error("the answer is not JSON, or not whole");
  return answer.json;
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function fromBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (one) => one.charCodeAt(0)));
}
