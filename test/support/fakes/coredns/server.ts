/**
 * A stateful fake of etcd's JSON gateway for offline tests (`/v3/kv/range`, `/v3/kv/txn`,
 * `/v3/auth/authenticate`); the real server is in test/real. Statuses and texts are those that
 * 3.4.23 answered when it was tried.
 */
import { type FakeAnswer, FakeApi, type FakeCall } from "../fake-api.ts";

/** A key as the store has it. */
interface Stored {
  readonly value: string;
  readonly modRevision: number;
}

interface Compare {
  readonly key: string;
  readonly range_end?: string;
  readonly target: "VERSION" | "MOD";
  readonly result: "EQUAL" | "LESS";
  readonly version?: string;
  readonly mod_revision?: string;
}

interface Operation {
  readonly request_put?: { readonly key: string; readonly value: string };
  readonly request_delete_range?: { readonly key: string };
}

/** A running fake. */
export class FakeEtcd extends FakeApi {
  readonly #keys = new Map<string, Stored>();
  #revision = 1;
  /** Null = nobody is asked who they are. */
  user: { readonly name: string; readonly password: string } | null = null;
  /** `--max-txn-ops`. */
  operationsMax = 128;
  /** Keys of one answer. */
  keysPerPage = 100_000;
  #tokens = 0;
  readonly #given = new Set<string>();

  /** Keys with their values, sorted. */
  get keys(): readonly (readonly [string, string])[] {
    return [...this.#keys].map(([key, { value }]) => [key, value] as const).sort();
  }

  put(key: string, value: string): void {
    this.#revision += 1;
    this.#keys.set(key, { value, modRevision: this.#revision });
  }

  remove(key: string): void {
    this.#revision += 1;
    this.#keys.delete(key);
  }

  /** No token that was given counts any more. */
  revokeTokens(): void {
    this.#given.clear();
  }

  protected answer({ url, headers, body }: FakeCall): FakeAnswer {
    const json = JSON.parse(body) as Record<string, never>;
    if (url.pathname === "/v3/auth/authenticate") return this.#authenticate(json);
    if (this.user !== null && !this.#given.has(String(headers.authorization)))
      return refusal(401, 16, "etcdserver: invalid auth token");
    if (url.pathname === "/v3/kv/range") return this.#range(json);
    if (url.pathname === "/v3/kv/txn") return this.#commit(json);
    return { status: 404, text: "Not Found" };
  }

  #authenticate({ name, password }: Record<string, unknown>): FakeAnswer {
    if (this.user === null) return refusal(400, 9, "etcdserver: authentication is not enabled");
    if (name !== this.user.name || password !== this.user.password)
      return refusal(400, 3, "etcdserver: authentication failed, invalid user ID or password");
    this.#tokens += 1;
    const token = `simple-token.${this.#tokens}`;
    this.#given.add(token);
    return { status: 200, body: { header: this.#header(), token } };
  }

  #range({ key, range_end, limit }: Record<string, string>): FakeAnswer {
    const found = this.#between(text(key), text(range_end));
    const page = found.slice(0, Math.min(Number(limit) || found.length, this.keysPerPage));
    const kvs = page.map(([one, { value, modRevision }]) => ({
      key: btoa(one),
      value: Buffer.from(value).toString("base64"),
      mod_revision: String(modRevision),
      create_revision: String(modRevision),
      version: "1",
    }));
    const more = page.length < found.length;
    return {
      status: 200,
      // What is empty, 0 or false is left out.
      body: {
        header: this.#header(),
        ...(kvs.length === 0 ? {} : { kvs, count: String(found.length) }),
        ...(more ? { more } : {}),
      },
    };
  }

  #commit({
    compare = [],
    success = [],
  }: {
    compare?: Compare[];
    success?: Operation[];
  }): FakeAnswer {
    if (Math.max(compare.length, success.length) > this.operationsMax)
      return refusal(400, 3, "etcdserver: too many operations in txn request");
    const written = success.map(({ request_put: put, request_delete_range: gone }) =>
      text(put?.key ?? gone?.key),
    );
    if (new Set(written).size < written.length)
      return refusal(400, 3, "etcdserver: duplicate key given in txn request");
    if (!compare.every((one) => this.#holds(one)))
      return { status: 200, body: { header: this.#header(), responses: [] } };
    this.#revision += 1;
    for (const { request_put: put, request_delete_range: gone } of success)
      if (put === undefined) this.#keys.delete(text(gone?.key));
      else this.#keys.set(text(put.key), { value: text(put.value), modRevision: this.#revision });
    return { status: 200, body: { header: this.#header(), succeeded: true, responses: [] } };
  }

  /** A range of no keys compares as a key that is not there, with version and revision 0. */
  #holds({ key, range_end, target, result, version, mod_revision }: Compare): boolean {
    const found = range_end === undefined ? [] : this.#between(text(key), text(range_end));
    const one = this.#keys.get(text(key));
    const stored =
      range_end === undefined ? (one === undefined ? [] : [one]) : found.map(([, it]) => it);
    const numbers = stored.map(({ modRevision }) => (target === "VERSION" ? 1 : modRevision));
    const wanted = Number(target === "VERSION" ? version : mod_revision);
    return (numbers.length === 0 ? [0] : numbers).every((number) =>
      result === "EQUAL" ? number === wanted : number < wanted,
    );
  }

  #between(from: string, end: string): readonly (readonly [string, Stored])[] {
    return [...this.#keys]
      .filter(([key]) => key >= from && key < end)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }

  #header(): Readonly<Record<string, string>> {
    return { cluster_id: "1", member_id: "2", revision: String(this.#revision), raft_term: "3" };
  }
}

function text(base64: string | undefined): string {
  return Buffer.from(base64 ?? "", "base64").toString();
}

function refusal(status: number, code: number, message: string): FakeAnswer {
  return { status, body: { error: message, message, code } };
}
