/**
 * Accounts shared by the DNSProviders that have equal type, settings and secret. Keeps secrets in
 * memory only as long as it takes to open a session; ids are hashes, messages never hold a value.
 */
import { fail, ok, type Result } from "../../model/result.ts";
import type {
  ProviderEnvironment,
  ProviderSession,
  ProviderSettings,
  ProviderType,
} from "../../providers/provider.ts";
import { Account, type AccountPorts } from "./account.ts";

/** What accounts are made from. */
export interface AccountsOptions {
  /** Provider types by name. */
  readonly types: ReadonlyMap<string, ProviderType>;
  readonly environment: ProviderEnvironment;
  readonly ports: AccountPorts;
  /** Called with the holders of an account whose zones may have changed. */
  readonly onChange: (holders: readonly string[]) => void;
}

interface Shared {
  readonly account: Account;
  readonly holders: Set<string>;
}

/**
 * Reference-counted accounts. A holder (`namespace/name` of a DNSProvider) holds one account at
 * most.
 */
export class Accounts {
  readonly #options: AccountsOptions;
  readonly #shared = new Map<string, Shared>();

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  /**
   * The account for these settings. If the holder had another account, that is closed first: two
   * actors must never write one zone for it. An error says what is wrong with the settings; then
   * the holder has no account.
   */
  async acquire(
    holder: string,
    type: string,
    settings: ProviderSettings,
  ): Promise<Result<Account>> {
    const id = this.#idOf(type, settings);
    const present = this.#shared.get(id);
    if (present?.holders.has(holder) === true) return ok(present.account);
    await this.release(holder);
    const shared = this.#shared.get(id);
    if (shared !== undefined) {
      shared.holders.add(holder);
      return ok(shared.account);
    }
    const session = this.#openSession(type, settings);
    if (!session.ok) return session;
    return ok(this.#share(id, holder, session.value));
  }

  /** An open account by id, or null. */
  get(id: string): Account | null {
    return this.#shared.get(id)?.account ?? null;
  }

  /**
   * The holder needs no account any more. Resolves when its zones are closed, if it was the last
   * holder.
   */
  async release(holder: string): Promise<void> {
    for (const [id, shared] of [...this.#shared]) {
      if (!shared.holders.delete(holder) || shared.holders.size > 0) continue;
      this.#shared.delete(id);
      await shared.account.close();
    }
  }

  /** Closes all accounts. */
  async close(): Promise<void> {
    const all = [...this.#shared.values()];
    this.#shared.clear();
    await Promise.all(all.map((shared) => shared.account.close()));
  }

  #share(id: string, holder: string, session: ProviderSession): Account {
    const holders = new Set([holder]);
    const account = new Account(id, session, {
      ports: this.#options.ports,
      onChange: () => this.#options.onChange([...holders]),
    });
    this.#shared.set(id, { account, holders });
    account.start();
    return account;
  }

  #openSession(type: string, settings: ProviderSettings): Result<ProviderSession> {
    const provider = this.#options.types.get(type);
    if (provider === undefined) {
      const known = [...this.#options.types.keys()].sort().join(", ");
      return fail(`provider type "${type}" is not supported; known types: ${known}`);
    }
    const session = provider.open(settings, this.#options.environment);
    if (session.ok) return session;
    return fail(session.error.map((problem) => problem.message).join("; "));
  }

  /** SHA-256 over type, sorted secret and settings; the first 128 bits in hex. */
  #idOf(type: string, settings: ProviderSettings): string {
    const text = JSON.stringify([type, sortedJson(settings.secret), sortedJson(settings.config)]);
    const bytes = new TextEncoder().encode(text);
    const digest = this.#options.environment.crypto.hash("sha256", bytes);
    const hex = [...digest.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0"));
    return `${type}:${hex.join("")}`;
  }
}

/** A JSON value with the fields of every object in sorted order. */
function sortedJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedJson);
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sortedJson(item)]);
}
