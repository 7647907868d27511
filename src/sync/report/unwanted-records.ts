/**
 * Held records of an object at names that no object lists (held by the fuse, for example). They are
 * reported to that object. An object that lists the name gets an ordinary report instead.
 */
import { type Clock, Slices } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type ObjectKey, objectKeyText } from "../../model/provenance.ts";
import { isSameJson } from "../../model/same-json.ts";
import { holdReason } from "../../plan/hold-reasons.ts";
import { objectIn } from "../../plan/rights.ts";
import type { NameReport, UnlistedReport } from "../contract/contribution.ts";
import { type ZoneKey, zoneKeyText } from "../contract/zone.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

interface UnwantedRecord {
  readonly object: ObjectKey;
  readonly report: NameReport;
}

/** The held records of all zones; bounded by their names. */
export class UnwantedRecords {
  readonly #clock: Clock;
  readonly #at = new Map<string, UnwantedRecord>();
  /** The same reports by object, because a zone that was taken over has very many. */
  readonly #byObject = new Map<string, Map<string, NameReport>>();
  readonly #tell: (report: UnlistedReport) => void;

  constructor(clock: Clock, tell: (report: UnlistedReport) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /**
   * Names of a zone were planned. `open` = all open zones. Only names with a hold, now or at their
   * last plan, can have such records. Ends early when the zone is closed.
   */
  async settled(
    actor: ZoneActor,
    names: ReadonlySet<DnsName> | "all",
    open: () => readonly ZoneActor[],
  ): Promise<void> {
    const slices = new Slices(this.#clock);
    const { key, ledger } = actor;
    const prefix = `${zoneKeyText(key)}|`;
    const known = new Set<DnsName>();
    for (const [id, { report }] of this.#at) if (id.startsWith(prefix)) known.add(report.name);
    for (const name of names === "all" ? new Set([...known, ...ledger.heldNames()]) : names) {
      if (!known.has(name) && ledger.planAt(name) === null) continue;
      if (slices.isOver) await slices.next();
      const zones = open();
      if (!zones.includes(actor)) return;
      const isListed = zones.some(({ index }) => index.isListed(name));
      this.#put(`${prefix}${name}`, isListed ? null : unwantedAt(actor, name));
    }
  }

  /** Forgets a zone that was closed. */
  closed(key: ZoneKey): void {
    const prefix = `${zoneKeyText(key)}|`;
    for (const id of [...this.#at.keys()]) if (id.startsWith(prefix)) this.#put(id, null);
  }

  #put(id: string, next: UnwantedRecord | null): void {
    const before = this.#at.get(id) ?? null;
    if (isSameJson(before, next)) return;
    const former = before && objectKeyText(before.object);
    const present = next && objectKeyText(next.object);
    if (former !== null && former !== present) this.#drop(former, id);
    if (next === null || present === null) this.#at.delete(id);
    else {
      const names = this.#byObject.get(present) ?? new Map<string, NameReport>();
      this.#byObject.set(present, names.set(id, next.report));
      this.#at.set(id, next);
    }
    if (before !== null) this.#report(before.object);
    if (next !== null && former !== present) this.#report(next.object);
  }

  #drop(object: string, id: string): void {
    const names = this.#byObject.get(object);
    names?.delete(id);
    if (names?.size === 0) this.#byObject.delete(object);
  }

  #report(object: ObjectKey): void {
    const unlisted = [...(this.#byObject.get(objectKeyText(object))?.values() ?? [])];
    this.#tell({ object, unlisted });
  }
}

/** Null = the name has no record of an object, or only a hold that ends by itself. */
function unwantedAt({ state, ledger }: ZoneActor, name: DnsName): UnwantedRecord | null {
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
