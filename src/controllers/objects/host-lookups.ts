/**
 * Looks up the host names that objects list as targets, each host once however many objects list
 * it, and gives these objects record sets of addresses in place of the names. A look-up that fails,
 * has no answer, or answers an address that cannot be one of the host changes nothing of what is
 * published (Z-31).
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import { type BackOffRange, steadyBackOffMs } from "@zonekeeper/base/timing/back-off";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { HostAddresses, Resolver } from "../../ports/resolver.ts";
import type { Found } from "../../sources/source.ts";
import { credible, isEmpty } from "./host-addresses.ts";
import { type KnownHost, LookedUpSets, type PublishedAt } from "./looked-up-sets.ts";

/** Milliseconds after which a resolver has not answered. */
const PATIENCE_MS = 10_000;
/** Look-ups under way. */
const ASKING_MAX = 32;
/** Milliseconds between two tries of a host whose last look-up failed. */
const TRIES: BackOffRange = { firstMs: 5_000, maxMs: 600_000 };

/** Everything that it works with. */
export interface HostLookupsOptions {
  readonly clock: Clock;
  readonly resolver: Resolver;
}

/** An object whose record sets may be made from host names. */
export interface LookupObject {
  /** For all clusters and kinds. */
  readonly id: string;
  readonly found: Found<DesiredRecordSet>;
  readonly publishedAt: PublishedAt;
  /** Called when an answer changes the record sets of the object. */
  readonly again: () => void;
}

interface Host extends KnownHost {
  readonly name: DnsName;
  answer: HostAddresses | null;
  /** Why the last look-up failed; null = it did not. */
  trouble: string | null;
  failures: number;
  timer: Timer | null;
  isAsking: boolean;
}

/** The hosts of one object, each with the interval of its look-ups in seconds. */
interface User {
  readonly hosts: ReadonlyMap<string, number>;
  readonly again: () => void;
}

/** Runs until stopped. */
export class HostLookups {
  readonly #options: HostLookupsOptions;
  readonly #hosts = new Map<string, Host>();
  readonly #users = new Map<string, User>();
  readonly #usersOf = new Map<string, Set<string>>();
  readonly #sets = new LookedUpSets();
  /** Hosts to look up, in the order in which they became due. */
  readonly #due = new Set<Host>();
  #asking = 0;
  #isStopped = false;

  constructor(options: HostLookupsOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#isStopped = true;
    for (const id of [...this.#users.keys()]) this.forget(id);
  }

  /** The object is gone, or lists no hosts. */
  forget(id: string): void {
    this.#sets.forget(id);
    this.#dropUser(id, new Map());
    this.#users.delete(id);
  }

  /** Looks the hosts of the object up now, although their interval is not over. */
  refresh(id: string): void {
    for (const name of this.#users.get(id)?.hosts.keys() ?? []) {
      const host = this.#hosts.get(name);
      if (host === undefined || host.isAsking) continue;
      host.timer?.cancel();
      this.#enqueue(host);
    }
  }

  /**
   * The findings of the source about the object, with addresses where it lists hosts to look up;
   * null = it lists none. A name for which no host has answered yet waits.
   */
  resolved({ id, found, publishedAt, again }: LookupObject): Found<DesiredRecordSet> | null {
    const hosts = hostsOf(found.items);
    if (hosts.size === 0) {
      if (this.#users.has(id)) this.forget(id);
      return null;
    }
    this.#dropUser(id, hosts);
    this.#users.set(id, { hosts, again });
    for (const name of hosts.keys()) this.#addUser(id, name);
    const known = (host: string): KnownHost => this.#hosts.get(host) ?? UNKNOWN;
    return this.#sets.resolved(id, found, { known, publishedAt });
  }

  /** Whether it has host names to look up. */
  isUsedBy(id: string): boolean {
    return this.#users.has(id);
  }

  #addUser(id: string, name: string): void {
    const users = this.#usersOf.get(name);
    if (users !== undefined) {
      users.add(id);
      return;
    }
    this.#usersOf.set(name, new Set([id]));
    const known = { ...UNKNOWN, name: trustedDnsName(name) };
    const host = { ...known, failures: 0, timer: null, isAsking: false };
    this.#hosts.set(name, host);
    this.#enqueue(host);
  }

  /**
   * The object no longer lists the hosts that are not in `kept`; one that no object lists is
   * forgotten.
   */
  #dropUser(id: string, kept: ReadonlyMap<string, number>): void {
    for (const name of this.#users.get(id)?.hosts.keys() ?? []) {
      if (kept.has(name)) continue;
      const users = this.#usersOf.get(name);
      users?.delete(id);
      if (users?.size === 0) this.#forgetHost(name);
    }
  }

  #forgetHost(name: string): void {
    this.#usersOf.delete(name);
    const host = this.#hosts.get(name);
    if (host === undefined) return;
    host.timer?.cancel();
    this.#due.delete(host);
    this.#hosts.delete(name);
  }

  #enqueue(host: Host): void {
    this.#due.add(host);
    this.#askNext();
  }

  #askNext(): void {
    for (const host of this.#due) {
      if (this.#isStopped || this.#asking >= ASKING_MAX) return;
      this.#due.delete(host);
      this.#asking += 1;
      void this.#ask(host).finally(() => {
        this.#asking -= 1;
        this.#askNext();
      });
    }
  }

  async #ask(host: Host): Promise<void> {
    host.isAsking = true;
    const answer = await this.#answerOf(host.name);
    host.isAsking = false;
    // Meanwhile the last object may have dropped the host.
    if (this.#hosts.get(host.name) !== host) return;
    const before = JSON.stringify([host.answer, host.trouble]);
    host.trouble = typeof answer === "string" ? answer : null;
    // clause: last-answer-outlives-failure
    host.answer = typeof answer === "string" ? host.answer : answer;
    host.failures = host.trouble === null ? 0 : host.failures + 1;
    host.timer = this.#options.clock.setTimer(this.#waitMs(host), () => this.#enqueue(host));
    if (before === JSON.stringify([host.answer, host.trouble])) return;
    for (const id of this.#usersOf.get(host.name) ?? []) this.#users.get(id)?.again();
  }

  /** The shortest interval that an object asks for; after a failure, sooner. */
  #waitMs({ name, failures }: Host): number {
    const seconds = [...(this.#usersOf.get(name) ?? [])].map(
      (id) => this.#users.get(id)?.hosts.get(name) ?? Number.POSITIVE_INFINITY,
    );
    const intervalMs = 1_000 * Math.min(...seconds);
    return failures === 0 ? intervalMs : Math.min(intervalMs, steadyBackOffMs(TRIES, failures));
  }

  /** The addresses, or why there are none. */
  #answerOf(host: DnsName): Promise<HostAddresses | string> {
    return new Promise((resolve, reject) => {
      const timer = this.#options.clock.setTimer(PATIENCE_MS, () =>
        resolve(`no answer in ${PATIENCE_MS / 1_000} s`),
      );
      this.#options.resolver.addressesOf(host).then(
        (given) => {
          timer.cancel();
          const answer = /* clause: answer-is-credible */ credible(given);
          const none = isEmpty(given)
            ? "it has no address"
            : "all its addresses are loopback or link-local";
          // clause: empty-answer-is-a-failure
          resolve(isEmpty(answer) ? none : answer);
        },
        (error: unknown) => {
          timer.cancel();
          if (error instanceof OperationError) resolve(messageOf(error));
          else reject(error);
        },
      );
    });
  }
}

const UNKNOWN: KnownHost = { answer: null, trouble: null };

/** Hosts of an object, with the shortest interval that it asks for, in seconds. */
function hostsOf(items: readonly DesiredRecordSet[]): ReadonlyMap<string, number> {
  const hosts = new Map<string, number>();
  for (const { lookup, values } of items) {
    if (lookup === undefined) continue;
    for (const host of values)
      hosts.set(
        host,
        Math.min(hosts.get(host) ?? Number.POSITIVE_INFINITY, lookup.intervalSeconds),
      );
  }
  return hosts;
}
