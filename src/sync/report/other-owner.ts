/**
 * Notes for the person who started the program. A question: do records that objects want in a zone
 * have one other owner id, although they were written for these very objects? Then `--owner` is
 * probably another one than before. And a note where other installations may use our owner id
 * (`default`, ADR 0119) and write records with it. Reads the zone actor.
 */
import type { Log } from "@zonekeeper/base/ports/log";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isMarkOf } from "../../model/provenance.ts";
import { type DesiredRecordSet, isSameKey } from "../../model/record-set.ts";
import { ORPHANED } from "../../plan/absence-hold-reasons.ts";
import type { Hold, OwnedRecordSet } from "../../plan/changes.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/**
 * The question; null = the foreign records that hold changes are not all of one owner, or the zone
 * has markers of ours and no marker of that owner names the object that wants the record.
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

/** Names in the note about an owner id that others may have. */
const EXAMPLES_MAX = 5;

/**
 * Who else may have an owner id that others may have (ADR 0119), by the markers of records that no
 * object here will ask for; null = nobody is seen.
 */
export function sharedOwnerNote(actor: ZoneActor, owner: string): string | null {
  const { state, apex, ledger } = actor;
  const found = ledger.openPlans().flatMap(({ name, holds }) => {
    const held = holds.filter(({ code }) => ORPHANED.has(code));
    const isHeld = (set: OwnedRecordSet): boolean => held.some(({ key }) => isSameKey(key, set));
    const [first] = state?.owned.at(name).filter(isHeld) ?? [];
    return first === undefined ? [] : [{ name, marker: first.marker }];
  });
  if (found.length === 0) return null;
  const shown = found.slice(0, EXAMPLES_MAX).map(({ name, marker }) => {
    const cluster = marker?.cluster ?? null;
    const where = cluster === null ? "" : ` of cluster ${cluster}`;
    return `${name} (${marker?.resource ?? "no object"}${where})`;
  });
  const clusters = [...new Set(found.flatMap(({ marker }) => marker?.cluster ?? []))].sort();
  const of = clusters.length === 0 ? "" : ` (clusters ${clusters.join(", ")})`;
  const more = found.length > EXAMPLES_MAX ? ", …" : "";
  return `names of ${apex} with the owner id ${owner} that no object here asks for: ${found.length}${of}: ${shown.join(", ")}${more}. Others may write them; zonekeeper ownership orphans lists all`;
}

/** What the log works with. */
interface OwnerLogOptions {
  readonly log: Log;
  readonly identity: { readonly mainOwner: string };
  /** Others may have the owner id; absent = it is this installation's. */
  readonly isOwnerShared?: boolean;
}

/** Logs the question, and the note, once for each zone. */
export class OtherOwnerLog {
  readonly #log: Log;
  readonly #mainOwner: string;
  readonly #isShared: boolean;
  readonly #asked = new WeakSet<ZoneActor>();
  readonly #noted = new WeakSet<ZoneActor>();

  constructor({ log, identity, isOwnerShared = false }: OwnerLogOptions) {
    this.#log = log;
    this.#mainOwner = identity.mainOwner;
    this.#isShared = isOwnerShared;
  }

  /** A round planned these names. */
  settled(actor: ZoneActor, names: ReadonlySet<DnsName> | "all"): void {
    const { ledger, apex } = actor;
    if (!ledger.isAllPlanned) return;
    if (this.#isShared && !this.#noted.has(actor)) {
      this.#noted.add(actor);
      const note = sharedOwnerNote(actor, this.#mainOwner);
      if (note !== null)
        this.#log.warn("others may have the owner id", { zone: apex, reason: note });
    }
    if (this.#asked.has(actor)) return;
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
  // Left out: foreign data beside a marker of ours, because the owner id is not the reason there.
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
