/**
 * Logs each change that a zone has taken, in one line. Beyond 20 lines a second changes are only
 * counted, and the counts are logged in one line for each zone.
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { Log, LogFields } from "@zonekeeper/base/ports/log";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ZoneChange } from "../contract/zone-change.ts";

/** Lines in one second; further changes are counted. */
export const CHANGE_LINES_MAX = 20;
const SECOND_MS = 1_000;
/** Characters of all values of one record set; the rest is counted. */
const VALUES_MAX = 200;

const MESSAGES: Readonly<Record<ZoneChange["is"], string>> = {
  created: "record created",
  changed: "record changed",
  removed: "record removed",
  marker: "ownership record changed",
};

/** The log of all zones of an engine. */
export class ChangeLog {
  readonly #clock: Clock;
  readonly #log: Log;
  #lines = 0;
  #second: Timer | null = null;
  /** Changes without a line of their own in this second, by zone. */
  readonly #counts = new Map<DnsName, Record<ZoneChange["is"], number>>();

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Logs changes that a zone has taken. */
  applied(changes: readonly ZoneChange[]): void {
    for (const change of changes) {
      this.#second ??= this.#clock.setTimer(SECOND_MS, () => this.#endSecond());
      const { is, zone } = change;
      const counts = this.#counts.get(zone) ?? { created: 0, changed: 0, removed: 0, marker: 0 };
      if (this.#lines < CHANGE_LINES_MAX) this.#log.info(MESSAGES[is], fieldsOf(change));
      else this.#counts.set(zone, { ...counts, [is]: counts[is] + 1 });
      this.#lines += 1;
    }
  }

  /** Logs what was only counted so far. */
  close(): void {
    this.#second?.cancel();
    this.#endSecond();
  }

  #endSecond(): void {
    for (const [zone, { marker: ownership, ...counts }] of this.#counts)
      this.#log.info("further changes of this second", { zone, ...counts, ownership });
    this.#counts.clear();
    this.#lines = 0;
    this.#second = null;
  }
}

function fieldsOf(change: ZoneChange): LogFields {
  const { type, name, setIdentifier, object, why, zone, providers, owners, callMs } = change;
  return {
    ...{ type, name },
    ...(setIdentifier === undefined ? {} : { setIdentifier }),
    ...(owners === undefined ? dataOf(change) : { owner: owners[1] }),
    ...(owners === undefined || owners[0] === owners[1] ? {} : { ownerWas: owners[0] }),
    for: object,
    why,
    zone,
    provider: providers.join(","),
    ms: Math.round(callMs),
  };
}

function dataOf({ before, after }: ZoneChange): LogFields {
  const was = before === undefined ? {} : { was: textOf(before.values) };
  if (after === undefined) return was;
  const { values, ttlSeconds: ttl } = after;
  const ttlWas =
    before === undefined || before.ttlSeconds === ttl ? {} : { ttlWas: before.ttlSeconds };
  return { values: textOf(values), ttl, ...was, ...ttlWas };
}

function textOf(values: readonly string[]): string {
  const text = values.join(",");
  if (text.length <= VALUES_MAX) return text;
  return `${text.slice(0, VALUES_MAX)}… (${values.length} values)`;
}
