/**
 * The open accounts. DNSProviders with equal type, settings and secret share one account, so that
 * they share its calls and its limits; its holders are these DNSProviders, and it is closed with
 * the last one. Keeps secrets in memory only as long as it takes to open a session; ids of accounts
 * are hashes, messages never hold a value of a secret.
 */
import { hexText } from "@zonekeeper/base/bytes";
import { invariant } from "@zonekeeper/base/invariant";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { isSameJson } from "../../model/same-json.ts";
import type {
  ProviderEnvironment,
  ProviderSession,
  ProviderSettings,
  ProviderType,
} from "../../providers/provider.ts";
import type { WayFacts } from "../../sync/contract/zone.ts";
import { Account, type AccountPorts } from "./account.ts";
import { type CountRequest, countedSession } from "./counted-session.ts";
import { type AccountEnvironment, environmentFor } from "./guarded-environment.ts";

/** Everything that accounts are made from. */
export interface AccountsOptions {
  /** Provider types by name. */
  readonly types: ReadonlyMap<string, ProviderType>;
  readonly environment: AccountEnvironment;
  readonly ports: AccountPorts;
  /** Called with the holders of an account whose zones may have changed. */
  readonly onChange: (holders: readonly string[]) => void;
}

/** A DNSProvider that uses an account. */
export interface Holder {
  /** `namespace/name`. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly createdAtMs: number;
  /** DNSProviders whose zones it declares (by an annotation) to be the same zones as its own. */
  readonly sameAs: readonly string[];
  /** DNSProviders whose zones it declares to be other ones, even where their names are equal. */
  readonly otherThan: readonly string[];
}

/** How many DNSProviders share an open account. */
export interface AccountUse {
  readonly type: string;
  /** Names the account in metrics: a hash of the first holder's name. */
  readonly label: string;
  readonly providers: number;
}

interface Opened {
  readonly type: string;
  readonly session: ProviderSession;
  /** True = the holder's namespace may name any address; equal for all holders of one account. */
  readonly isTrusted: boolean;
}

interface Shared {
  readonly account: Account;
  readonly type: string;
  readonly label: string;
  /** By id. */
  readonly holders: Map<string, Holder>;
}

/**
 * Reference-counted accounts. A holder holds one account at most.
 */
export class Accounts {
  readonly #options: AccountsOptions;
  readonly #shared = new Map<string, Shared>();

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  /**
   * The account for these settings. If the holder had another account, it is released first: two
   * accounts must never write one zone for one DNSProvider. An error says what is wrong with the
   * settings; then the holder has no account.
   */
  async acquire(
    holder: Holder,
    type: string,
    settings: ProviderSettings,
  ): Promise<Result<Account>> {
    const namespace = holder.id.split("/", 1)[0] ?? "";
    const environment = environmentFor(namespace, this.#options.environment);
    const id = this.#idOf(type, settings, environment);
    const present = this.#shared.get(id);
    if (present?.holders.has(holder.id) === true) return ok(joined(present, holder));
    await this.release(holder.id);
    const shared = this.#shared.get(id);
    if (shared !== undefined) return ok(joined(shared, holder));
    const session = await this.#openSession(type, settings, environment);
    if (!session.ok) return session;
    // Another holder may have opened the account meanwhile.
    const opened = this.#shared.get(id);
    if (opened !== undefined) {
      session.value.close();
      return ok(joined(opened, holder));
    }
    const isTrusted = environment.hidesTroubles !== true;
    return ok(this.#share(id, holder, { type, session: session.value, isTrusted }));
  }

  /** The open accounts, for metrics. */
  uses(): readonly AccountUse[] {
    return [...this.#shared.values()].map(({ type, label, holders }) => ({
      type,
      label,
      providers: holders.size,
    }));
  }

  /** An open account by id, or null. */
  get(id: string): Account | null {
    return this.#shared.get(id)?.account ?? null;
  }

  /** The account that the holder holds, or null. */
  heldBy(holder: string): Account | null {
    const held = [...this.#shared.values()].find(({ holders }) => holders.has(holder));
    return held?.account ?? null;
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

  #share(id: string, holder: Holder, { type, session, isTrusted }: Opened): Account {
    const holders = new Map([[holder.id, holder]]);
    const label = this.#labelOf(type, holder);
    const counted = countedSession(session, countAs(this.#options.ports.metrics, type, label));
    const account = new Account(id, counted, {
      ports: this.#options.ports,
      hooks: {
        onChange: () => this.#options.onChange([...holders.keys()]),
        facts: () => factsOf([...holders.values()], isTrusted),
      },
    });
    this.#shared.set(id, { account, type, label, holders });
    account.start();
    return account;
  }

  async #openSession(
    type: string,
    settings: ProviderSettings,
    environment: ProviderEnvironment,
  ): Promise<Result<ProviderSession>> {
    const provider = this.#options.types.get(type);
    invariant(provider !== undefined, `provider type ${type} is one of this program`);
    const session = await provider.open(settings, environment);
    if (session.ok) return session;
    return fail(session.error.map((problem) => problem.message).join("; "));
  }

  /**
   * Names an account in metrics, which anybody may read: a hash of its first holder, not of its
   * secret, so that no password can be tried against it. The same after a restart and with a new
   * secret.
   */
  #labelOf(type: string, holder: Holder): string {
    const taken = new Set([...this.#shared.values()].map(({ label }) => label));
    for (let tries = 0; ; tries += 1) {
      const label = this.#hashOf([type, holder.id, ...(tries === 0 ? [] : [tries])]);
      if (!taken.has(label)) return label;
    }
  }

  /**
   * SHA-256 over type, sorted secret and settings; the first 128 bits in hex. A session that must
   * not reach internal addresses (`hidesTroubles`) is never shared with one that may.
   */
  #idOf(type: string, settings: ProviderSettings, environment: ProviderEnvironment): string {
    const { secret, config } = settings;
    const guard = environment.hidesTroubles === true ? ["guarded"] : [];
    const { part = "" } = this.#options.environment;
    const more = [...guard, ...(part === "" ? [] : [part])];
    const hash = this.#hashOf([type, sortedJson(secret), sortedJson(config), ...more]);
    return `${type}:${hash}`;
  }

  /** 32 hex digits. */
  #hashOf(values: readonly unknown[]): string {
    const bytes = new TextEncoder().encode(JSON.stringify(values));
    const digest = this.#options.environment.crypto.hash("sha256", bytes);
    return hexText(digest.slice(0, 16));
  }
}

/** The metrics have Gardener's names, so that its dashboards show them. */
function countAs(metrics: Metrics, providertype: string, accounthash: string): CountRequest {
  return (requesttype, zone, by = 1) => {
    const labels = { providertype, accounthash, requesttype };
    metrics.count("external_dns_management_total_provider_requests", labels, by);
    if (zone !== null)
      metrics.count("external_dns_management_requests_per_zone", { ...labels, zone }, by);
  };
}

/** Adds the holder to the account, or replaces what the account knew of it. */
function joined({ account, holders }: Shared, holder: Holder): Account {
  const before = holders.get(holder.id);
  holders.set(holder.id, holder);
  if (!isSameJson(before, holder)) account.factsChanged();
  return account;
}

/**
 * Only the oldest of all holders may declare zones the same or other ones: provider types that need
 * no secret let anybody become a holder of somebody's account.
 */
function factsOf(holders: readonly Holder[], isTrusted: boolean): WayFacts {
  const byAge = [...holders].sort(
    (one, other) => one.createdAtMs - other.createdAtMs || (one.id < other.id ? -1 : 1),
  );
  const [oldest] = byAge;
  return {
    isTrusted,
    sinceMs: oldest?.createdAtMs ?? Number.POSITIVE_INFINITY,
    providers: byAge.map(({ id }) => id),
    sameAs: oldest?.sameAs ?? [],
    otherThan: oldest?.otherThan ?? [],
  };
}

/** A JSON value with the fields of every object in sorted order. */
function sortedJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedJson);
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sortedJson(item)]);
}
