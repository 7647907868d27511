/**
 * Records that an object published at a name which it no longer lists, and which are held (by the
 * fuse, say): their object is told, for nobody else can be. Whoever lists a name hears by the
 * ordinary report.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import { holdReason } from "../../plan/hold-reasons.ts";
import { objectIn } from "../../plan/rights.ts";
import type { ZoneState } from "../cache/zone-state.ts";
import type { NameReport, UnwantedRecordsListener } from "../contract/contribution-report.ts";
import type { ZoneKey } from "../contract/zone.ts";
import type { NameLedger } from "../zone/name-ledger.ts";

/** What is looked at: one zone. */
export interface UnwantedInput {
  readonly key: ZoneKey;
  readonly state: ZoneState | null;
  readonly ledger: NameLedger;
}

interface UnwantedRecord {
  readonly object: ObjectKey;
  readonly report: NameReport;
}

/** What is left over in all zones; bounded by their names. */
export class UnwantedRecords {
  readonly #at = new Map<string, UnwantedRecord>();
  readonly #listeners = new Set<UnwantedRecordsListener>();

  /** Answers how to stop listening. */
  onChange(listener: UnwantedRecordsListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A name was looked at. `isListed`: an object lists it, in whatever zone. */
  settled(input: UnwantedInput, name: DnsName, isListed: boolean): void {
    this.#put(`${idOf(input.key)}${name}`, isListed ? null : unwantedAt(input, name));
  }

  /** Names of a zone at which something is left over as far as is known. */
  *namesIn(key: ZoneKey): Iterable<DnsName> {
    const id = idOf(key);
    for (const [at, { report }] of this.#at) if (at.startsWith(id)) yield report.name;
  }

  /** What is in a closed zone is nobody's business. */
  closed(key: ZoneKey): void {
    for (const id of [...this.#at.keys()]) if (id.startsWith(idOf(key))) this.#put(id, null);
  }

  #put(id: string, next: UnwantedRecord | null): void {
    const before = this.#at.get(id) ?? null;
    if (JSON.stringify(before) === JSON.stringify(next)) return;
    if (next === null) this.#at.delete(id);
    else this.#at.set(id, next);
    if (before !== null) this.#tell(before.object);
    if (next !== null && (before === null || keyOf(before) !== keyOf(next)))
      this.#tell(next.object);
  }

  #tell(object: ObjectKey): void {
    const key = objectKeyText(object);
    const names = [...this.#at.values()].filter((one) => keyOf(one) === key);
    for (const listener of this.#listeners)
      listener(
        object,
        names.map(({ report }) => report),
      );
  }
}

/** A hold that passes by itself is not worth telling. */
function unwantedAt({ state, ledger }: UnwantedInput, name: DnsName): UnwantedRecord | null {
  const hold = ledger
    .planAt(name)
    ?.holds.find(({ code }) => holdReason(code)?.resolvedBy !== "nobody");
  const set = state?.owned.at(name).find((one) => one.data !== null && state.owned.isClaimed(one));
  const object = objectIn(set?.marker ?? null);
  if (hold === undefined || set?.data === null || set === undefined || object === null) return null;
  const { code, message } = hold;
  const report = { name, code, message, sets: [set.data], isPublished: true };
  return { object, report: { ...report, state: "held" } };
}

function keyOf({ object }: UnwantedRecord): string {
  return objectKeyText(object);
}

function idOf({ account, zone }: ZoneKey): string {
  return `${account}|${zone}|`;
}
