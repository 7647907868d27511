/**
 * Whether what objects want in a zone belongs to one other owner id, although it was written for
 * these very objects: then `--owner` is probably another one than before. Reads the zone actor.
 */
import type { Log } from "@zonekeeper/base/ports/log";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isMarkOf } from "../../model/provenance.ts";
import { type DesiredRecordSet, isSameKey } from "../../model/record-set.ts";
import type { Hold, OwnedRecordSet } from "../../plan/changes.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/**
 * A question for whoever started the program; null = the records that are held are not all of one
 * other owner, or the zone has markers of ours and none of theirs names the object that wants it.
 */
export function otherOwnerQuestion(actor: ZoneActor, mainOwner: string): string | null {
  const { state, apex, index, ledger, identity } = actor;
  if (state === null) return null;
  // Ids that wait are of this installation, too: no order takes from them.
  const owners = new Set([mainOwner, ...identity.owners, ...(identity.waiting?.keys() ?? [])]);
  const foreign = ledger.openPlans().flatMap(({ name, holds }) => {
    const wanted = index.wanted(name);
    // The record is known to be another owner's: the claim waits for its permit.
    return markedForeign(holds, state.owned.at(name), owners)
      .filter((set) => !wanted.some((one) => isSameKey(one, set) && one.transfer?.claim === true))
      .map((set) => ({ set, wanted }));
  });
  const [other = "", ...more] = new Set(foreign.map(({ set }) => set.marker?.owner ?? ""));
  if (other === "" || more.length > 0) return null;
  const question = `is --owner right? If it is: zonekeeper transfer --from ${other} --to ${mainOwner} --force`;
  if (state.owned.markedNames === 0)
    return `all records that objects want in ${apex} and that have an owner belong to "${other}", none to "${mainOwner}": ${question}`;
  const count = foreign.filter(isForItsObject).length;
  if (count === 0) return null;
  return `records that objects want in ${apex} belong to "${other}", and ${count} of them to the same objects as here: ${question}`;
}

/** Logs the question once for each zone. */
export class OtherOwnerLog {
  readonly #log: Log;
  readonly #mainOwner: string;
  readonly #asked = new WeakSet<ZoneActor>();

  constructor(log: Log, mainOwner: string) {
    this.#log = log;
    this.#mainOwner = mainOwner;
  }

  /** What became of these names is known. */
  settled(actor: ZoneActor, names: ReadonlySet<DnsName> | "all"): void {
    const { ledger, apex } = actor;
    if (this.#asked.has(actor) || !ledger.isAllPlanned) return;
    const isHeld = (name: DnsName): boolean => foreignOf(ledger.planAt(name)?.holds ?? []) !== null;
    if (names !== "all" && ![...names].some(isHeld)) return;
    const reason = otherOwnerQuestion(actor, this.#mainOwner);
    if (reason === null) return;
    this.#asked.add(actor);
    this.#log.warn("records that objects want belong to another owner", { zone: apex, reason });
  }
}

/** Holds for records of others; null = there are none. */
function foreignOf(holds: readonly Hold[]): readonly Hold[] | null {
  const foreign = holds.filter(({ code }) => code === "ForeignRecord");
  return foreign.length === 0 ? null : foreign;
}

/** Record sets of other owners for which something is held. A half-written one of ours is none. */
function markedForeign(
  holds: readonly Hold[],
  current: readonly OwnedRecordSet[],
  owners: ReadonlySet<string>,
): readonly OwnedRecordSet[] {
  const foreign = foreignOf(holds) ?? [];
  // A marker of ours may stand beside data that is not ours: nobody is to be asked about that.
  return current.filter(
    (set) =>
      set.marker !== null &&
      !owners.has(set.marker.owner) &&
      foreign.some(({ key }) => isSameKey(key, set)),
  );
}

/** The marker names the object that wants the record now: nobody but this program wrote it. */
function isForItsObject({ set, wanted }: ForeignSet): boolean {
  return wanted.some((one) => isSameKey(one, set) && isMarkOf(set.marker, one.provenance));
}

interface ForeignSet {
  readonly set: OwnedRecordSet;
  readonly wanted: readonly DesiredRecordSet[];
}
