/**
 * The pauses of an operator: of single names, of zones or of all, set by options at the start or
 * by commands at run time. Pauses by command survive restarts. While they cannot be read, every
 * zone counts as paused: a kill switch must not be lost.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { Log, LogFields } from "@zonekeeper/base/ports/log";
import { timeText } from "@zonekeeper/base/time-text";
import { Turns } from "@zonekeeper/base/turns";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { StateStore } from "../../ports/stores.ts";
import type { WriteGate } from "../../ports/write-gate.ts";

/** Pauses by options: they last until an operator resumes the zone, or until the next start. */
export interface GivenPauses {
  readonly all: boolean;
  readonly zones: readonly DnsName[];
}

/** What a registry of pauses works with. */
export interface PauseRegistryOptions {
  /** Unique for the owner, e.g. `pause/team-a`. */
  readonly key: string;
  readonly state: StateStore;
  readonly given: GivenPauses;
  readonly clock: Clock;
  readonly log: Log;
}

/** The pauses of now. */
export interface PauseStatus {
  /** Why all zones are paused; null = they are not. */
  readonly all: string | null;
  /** Sorted by name. */
  readonly zones: readonly { readonly zone: DnsName; readonly reason: string }[];
  /** Single names, sorted. */
  readonly names: readonly { readonly name: DnsName; readonly reason: string }[];
}

/** One zone by its apex, or one name; null = everything. */
export type PauseScope = DnsName | NameScope | null;

/** One name, in whatever zone. A former version takes it for a zone that does not exist. */
export type NameScope = `name ${DnsName}`;

/** Milliseconds between two tries to read the stored pauses. */
export const PAUSE_RETRY_MS = 10_000;
/** Zones and names that may be paused one by one. */
export const PAUSES_MAX = 1_000;

/** Unix milliseconds by scope. */
type Pauses = ReadonlyMap<PauseScope, number>;

/** The pauses of one term of leadership. Methods may be called concurrently. */
export class PauseRegistry {
  readonly #options: PauseRegistryOptions;
  readonly #listeners = new Set<() => void>();
  readonly #given: Set<PauseScope>;
  /** Null = not read yet, or not readable. */
  #stored: Pauses | null = null;
  /** Paused by this process and not stored (yet). */
  readonly #unstored = new Map<PauseScope, number>();
  #trouble = "they are being read";
  #firstRead: Promise<void> | null = null;
  readonly #turns = new Turns();
  #retry: Timer | null = null;
  #isClosed = false;

  constructor(options: PauseRegistryOptions) {
    this.#options = options;
    const { all, zones } = options.given;
    this.#given = new Set<PauseScope>([...(all ? [null] : []), ...zones]);
  }

  /** For providers: why nothing may be written to a zone now. */
  readonly writeGate: WriteGate = (zone) => {
    const all = this.#reason(null);
    if (all !== null) return all;
    if (this.#stored === null)
      return `it is not known which zones are paused, so all are: ${this.#trouble}`;
    return zone === null ? null : this.#reason(zone);
  };

  /** Why nothing is written at the name although its zone is not paused; null = it is written. */
  reasonAt(name: DnsName): string | null {
    return this.#reason(`name ${name}`);
  }

  /** Resolves when the stored pauses were read for the first time, or could not be read. */
  known(): Promise<void> {
    this.#firstRead ??= this.#turns.take(() => this.#read());
    return this.#firstRead;
  }

  /** Calls the listener after each change; the answer ends the subscription. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * From the moment of the call on, nothing is written. Resolves when the pauses are stored and
   * survive a restart. Rejects with OperationError when they could not be stored; this process is
   * paused all the same.
   */
  pause(...scopes: readonly PauseScope[]): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    for (const scope of scopes) {
      this.#unstored.set(scope, nowMs);
      this.#options.log.info("paused by a person", subjectOf(scope));
    }
    this.#notify();
    return this.#turns.take(async () => {
      const rows = scopes.flatMap((scope) => {
        const sinceMs = this.#unstored.get(scope);
        return sinceMs === undefined ? [] : ([[scope, sinceMs]] as const);
      });
      await this.#change((pauses) => new Map([...rows, ...pauses]));
      for (const scope of scopes) this.#unstored.delete(scope);
    });
  }

  /**
   * Ends a pause by option or command; false when there was none. Resolves when the end is stored;
   * nothing is written before. The end of the pause of all zones leaves the pauses of single zones.
   * Rejects with OperationError when the pauses cannot be read or stored.
   */
  resume(scope: PauseScope): Promise<boolean> {
    return this.#turns.take(async () => {
      await this.#change((pauses) => pauses);
      if (this.#reason(scope) === null) return false;
      await this.#change((pauses) => new Map([...pauses].filter(([other]) => other !== scope)));
      this.#given.delete(scope);
      this.#unstored.delete(scope);
      this.#options.log.info("pause ended by a person", subjectOf(scope));
      this.#notify();
      return true;
    });
  }

  status(): PauseStatus {
    const all = [...this.#given, ...this.#unstored.keys(), ...(this.#stored?.keys() ?? [])];
    const scopes = [...new Set(all)].filter((scope) => scope !== null).sort(compareText);
    const rows = scopes.map((scope) => ({ scope, reason: this.#reason(scope) ?? "" }));
    return {
      all: this.writeGate(null),
      zones: rows.flatMap(({ scope, reason }) =>
        isNameScope(scope) ? [] : [{ zone: scope, reason }],
      ),
      names: rows.flatMap(({ scope, reason }) =>
        isNameScope(scope) ? [{ name: nameIn(scope), reason }] : [],
      ),
    };
  }

  /** Ends the timer; paused zones stay paused. */
  close(): void {
    this.#isClosed = true;
    this.#retry?.cancel();
  }

  #reason(scope: PauseScope): string | null {
    const sinceMs = this.#unstored.get(scope) ?? this.#stored?.get(scope);
    if (sinceMs === undefined && !this.#given.has(scope)) return null;
    const [what, flag, option] = pauseTexts(scope);
    const how = sinceMs === undefined ? `by ${option}` : `since ${timeText(sinceMs)}`;
    return `${what} paused ${how}; zonekeeper resume ${flag} ends it`;
  }

  /**
   * The stored pauses decide. They are read before each change, for another leader may have written
   * them.
   */
  async #change(change: (pauses: Pauses) => Pauses): Promise<void> {
    const { state, key } = this.#options;
    const text = await state.read(key);
    const next = change(readPauses(text, key));
    if (next.size > PAUSES_MAX) throw tooMany();
    const nextText = JSON.stringify([...next]);
    if (nextText !== (text ?? "[]")) await state.write(key, nextText);
    this.#stored = next;
  }

  async #read(): Promise<void> {
    const { state, key, clock, log } = this.#options;
    try {
      this.#stored = readPauses(await state.read(key), key);
      const { all, zones, names } = this.status();
      const ofScopes = [...zones, ...names].map(({ reason }) => reason);
      const reasons = [...(all === null ? [] : [all]), ...ofScopes];
      for (const reason of reasons) log.info("nothing is written", { reason });
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      log.error("the stored pauses cannot be read, so every zone counts as paused", {
        key,
        why: messageOf(error),
      });
      this.#trouble = messageOf(error);
      this.#stored = null;
      this.#retry?.cancel();
      if (!this.#isClosed)
        this.#retry = clock.setTimer(
          PAUSE_RETRY_MS,
          () => void this.#turns.take(() => this.#read()),
        );
    }
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** A text that cannot be parsed does not mean that nothing is paused: a person has to decide. */
function readPauses(text: string | null, key: string): Pauses {
  if (text === null) return new Map();
  try {
    const rows: unknown = JSON.parse(text);
    if (!Array.isArray(rows)) throw new TypeError("no list");
    return new Map(rows.map(rowOf));
  } catch {
    throw new OperationError({
      code: "StateUnusable",
      message: `the stored pauses ${key} are not readable; delete them to go on with nothing paused`,
      retry: "backoff",
    });
  }
}

function isNameScope(scope: PauseScope): scope is NameScope {
  return scope?.startsWith("name ") === true;
}

function nameIn(scope: NameScope): DnsName {
  return trustedDnsName(scope.slice("name ".length));
}

/** For the log. */
function subjectOf(scope: PauseScope): LogFields {
  return isNameScope(scope) ? { name: nameIn(scope) } : { zone: scope ?? "all" };
}

/** What is paused, which flag of `resume` ends that, and which option begins it. */
function pauseTexts(scope: PauseScope): readonly [what: string, flag: string, option: string] {
  if (scope === null) return ["all zones are", "--all", "--pause"];
  if (!isNameScope(scope)) return [`zone ${scope} is`, `--zone ${scope}`, "--paused-zones"];
  return [`${nameIn(scope)} is`, `--name ${nameIn(scope)}`, ""];
}

/** `[scope, Unix milliseconds]`. Throws for anything else. */
function rowOf(row: unknown): readonly [PauseScope, number] {
  const [scope, sinceMs]: readonly unknown[] = Array.isArray(row) ? row : [];
  if (typeof sinceMs !== "number") throw new TypeError("no time");
  if (scope === null) return [null, sinceMs];
  if (typeof scope !== "string") throw new TypeError("no zone");
  if (!scope.startsWith("name ")) return [trustedDnsName(scope), sinceMs];
  return [`name ${trustedDnsName(scope.slice("name ".length))}`, sinceMs];
}

function tooMany(): OperationError {
  return new OperationError({
    code: "TooManyPauses",
    message: `more than ${PAUSES_MAX} zones and names would be paused one by one; pause a whole zone, or everything with zonekeeper pause --all`,
    retry: "never",
  });
}
