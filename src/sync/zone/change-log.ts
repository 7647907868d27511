/**
 * Logs each change that a zone has taken, in one line. What is more than 20 lines a second is
 * counted, and told in one line for each zone.
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { Log, LogFields } from "@zonekeeper/base/ports/log";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { resourceOf } from "../../model/provenance.ts";
import { isSameKey } from "../../model/record-set.ts";
import type { Change, ChangeGroup, KeyChange } from "../../plan/changes.ts";

/** The call that made a change. */
export interface CallFacts {
  readonly zone: DnsName;
  /** DNSProviders of the account, `namespace/name`; empty where they are not known. */
  readonly providers: readonly string[];
  /** Milliseconds from when the batch was due until its outcome was known. */
  readonly tookMs: number;
}

/** Lines in one second; further changes are counted. */
export const CHANGE_LINES_MAX = 20;
const SECOND_MS = 1_000;
/** Characters of all values of one record set; the rest is counted. */
const VALUES_MAX = 200;

const MESSAGES = {
  create: "record created",
  replace: "record changed",
  remove: "record removed",
  marker: "ownership record changed",
} as const;
type Act = keyof typeof MESSAGES;

/** One for all zones of an engine. */
export class ChangeLog {
  readonly #clock: Clock;
  readonly #log: Log;
  #lines = 0;
  #second: Timer | null = null;
  /** What had no line of its own in this second, by zone. */
  readonly #counts = new Map<DnsName, Record<Act, number>>();

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = clock;
    this.#log = log;
  }

  /** The group was applied. */
  applied(group: ChangeGroup, call: CallFacts): void {
    for (const key of group.keys) {
      const act = actOf(key, group);
      if (act === null) continue;
      this.#second ??= this.#clock.setTimer(SECOND_MS, () => this.#endSecond());
      if (this.#lines < CHANGE_LINES_MAX) this.#log.info(MESSAGES[act], fieldsOf(key, call));
      else this.#count(act, call.zone);
      this.#lines += 1;
    }
  }

  /** Tells what was counted. */
  close(): void {
    this.#second?.cancel();
    this.#endSecond();
  }

  #count(act: Act, zone: DnsName): void {
    const counts = this.#counts.get(zone) ?? { create: 0, replace: 0, remove: 0, marker: 0 };
    counts[act] += 1;
    this.#counts.set(zone, counts);
  }

  #endSecond(): void {
    for (const [zone, { create, replace, remove, marker }] of this.#counts) {
      const counts = { created: create, changed: replace, removed: remove, ownership: marker };
      this.#log.info("further changes of this second", { zone, ...counts });
    }
    this.#counts.clear();
    this.#lines = 0;
    this.#second = null;
  }
}

/** Null = this step of a sequence (Z-10) did not write the key, or wrote only its marker. */
function actOf({ key, change }: KeyChange, { changes, rest, resumes }: ChangeGroup): Act | null {
  if (change === null) return rest === undefined && resumes !== true ? "marker" : null;
  const isWritten = changes.some((one) =>
    isSameKey(one.op === "remove" ? one.previous : one.next, key),
  );
  return isWritten ? change.op : null;
}

function fieldsOf(change: KeyChange, call: CallFacts): LogFields {
  const { type, name, setIdentifier } = change.key;
  return {
    ...{ type, name },
    ...(setIdentifier === null ? {} : { setIdentifier }),
    ...(change.change === null ? ownersOf(change) : dataOf(change.change)),
    for: objectOf(change),
    why: change.proof ?? change.reason.code,
    zone: call.zone,
    provider: call.providers.join(","),
    ms: Math.round(call.tookMs),
  };
}

function dataOf(change: Change): LogFields {
  if (change.op === "remove") return { was: textOf(change.previous.values) };
  const { values, ttlSeconds: ttl } = change.next;
  const after = { values: textOf(values), ttl };
  if (change.op === "create") return after;
  const { previous } = change;
  const ttlWas = previous.ttlSeconds === ttl ? {} : { ttlWas: previous.ttlSeconds };
  return { ...after, was: textOf(previous.values), ...ttlWas };
}

/** The object that gets the record, or had it; empty = its marker names none. */
function objectOf({ desired, current }: KeyChange): string {
  return desired === null ? (current?.marker?.resource ?? "") : resourceOf(desired.provenance);
}

function ownersOf({ current, marker }: KeyChange): LogFields {
  const [before, after] = [current?.marker?.owner, marker?.owner];
  return { owner: after ?? "", ...(before === after ? {} : { ownerWas: before ?? "" }) };
}

function textOf(values: readonly string[]): string {
  const text = values.join(",");
  if (text.length <= VALUES_MAX) return text;
  return `${text.slice(0, VALUES_MAX)}… (${values.length} values)`;
}
