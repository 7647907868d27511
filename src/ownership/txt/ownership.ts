/**
 * The TXT registry: markers are TXT records of the zone, next to their records (external-dns's
 * format, Z-7 to Z-13). Reads every format of external-dns, writes one. Never writes a record
 * without its marker, and never changes another owner's marker. A permit is the record by which an
 * owner lets another object claim a record; a part is what one cluster has of a merged record set.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import {
  hasSameData,
  isSameKey,
  type RecordSet,
  type RecordSetKey,
} from "../../model/record-set.ts";
import type {
  Hold,
  KeyChange,
  MarkerTarget,
  NamePlan,
  OwnedRecordSet,
  Precondition,
} from "../../plan/changes.ts";
import { isOfPermitAlone } from "../../plan/claims.ts";
import { selectIndependentRemovals } from "../../plan/decide-unwanted.ts";
import { isPending } from "../../plan/pending.ts";
import { asRead, distinct, preconditionsOf } from "../../plan/preconditions.ts";
import { ANY_TYPE } from "../../plan/rights.ts";
import type { Blocker } from "../../plan/rules.ts";
import type {
  MigrationFeature,
  Ownership,
  PermitFeature,
  Prepared,
  ZoneContent,
  ZoneMarkers,
} from "../ownership.ts";
import { FORGED, heldGroup } from "../shared/held-group.ts";
import { KeptNames, withMore } from "../shared/kept-names.ts";
import { type FoldedKey, fold, type MarkerEntry, toOwned } from "./fold-markers.ts";
import { candidatesAt, dependentNamesOf } from "./marker-candidates.ts";
import { type CollisionContext, excludes, makeRoom } from "./marker-collisions.ts";
import { draftMarker, type MarkerDraft, type WriteOptions } from "./marker-writes.ts";
import { MergedZone, mayHaveMembers, withoutFormerForm } from "./merged-zone.ts";
import { draftMigration, migrationsOf } from "./migrate-markers.ts";
import { LABEL, markerName, TYPED } from "./name-template.ts";
import { type TxtOwnershipOptions, writeOptionsOf } from "./ownership-options.ts";
import { affectedBy, permitsAmong, withPermits } from "./permit.ts";
import { draftPermit } from "./permit-draft.ts";
import { RelatedNames } from "./related-names.ts";
import { isNameNeeded, isObsolete, markersFor, transferBlocker } from "./transfer-markers.ts";
import { asOneGroup, oneStep } from "./write-sequence.ts";

/** Opens the registry of one zone. Keeps no state: the zone is the registry. */
export function openTxtOwnership(options: TxtOwnershipOptions): Ownership {
  return new TxtOwnership(writeOptionsOf(options));
}

/** One name while its group is prepared. */
interface Preparation {
  readonly plan: NamePlan;
  /** With the parts of merged record sets apart. */
  readonly content: MergedZone;
  /** The name's keys with their markers, from the same content. */
  readonly keys: readonly FoldedKey[];
}

class TxtOwnership implements Ownership, ZoneMarkers, PermitFeature, MigrationFeature {
  readonly format = "txt";
  readonly zoneMarkers = this;
  readonly permits = this;
  readonly migration = this;
  readonly merges: boolean;
  readonly beginnings: readonly string[];
  readonly #options: WriteOptions;
  readonly #related: RelatedNames;
  readonly #kept = new KeptNames();
  readonly #affected = new KeptNames();

  constructor(options: WriteOptions) {
    this.#options = options;
    this.merges = options.merges;
    const { nameTemplate, nameTemplates, apex } = options;
    this.#related = new RelatedNames([nameTemplate, TYPED, ...nameTemplates], apex);
    this.beginnings = this.#related.beginnings;
  }

  read(sets: readonly RecordSet[]): Promise<readonly OwnedRecordSet[]> {
    if (sets.some((set) => mayHaveMembers(set, this.#options))) return this.#readMerged(sets);
    return this.#readPlain(sets);
  }

  #readPlain(sets: readonly RecordSet[]): Promise<readonly OwnedRecordSet[]> {
    const owned = fold(sets, this.#options).map((key) => toOwned(key, this.#options.isOwnedByUs));
    return Promise.resolve(withPermits(owned, sets, this.#options));
  }

  async #readMerged(sets: readonly RecordSet[]): Promise<readonly OwnedRecordSet[]> {
    const byName = new Map<string, RecordSet[]>(sets.map(({ name }) => [name, []]));
    for (const set of sets) byName.get(set.name)?.push(set);
    const zone = new MergedZone({ at: (name) => byName.get(name) ?? [] }, this.#options);
    const owned = await this.#readPlain([...byName.keys()].flatMap((name) => zone.at(name)));
    return owned.map((one) => {
      const record = one.marker?.record ?? null;
      const isBroken = record !== null && zone.isBroken(record);
      return /* clause: parts-that-do-not-fit-are-nobodys */ isBroken
        ? { ...one, contested: true }
        : one;
    });
  }

  affected(name: string): readonly string[] {
    return this.#affected.of(name, undefined, () =>
      affectedBy(trustedDnsName(name), this.#options),
    );
  }

  namesOfPermits(sets: readonly RecordSet[]): readonly string[] {
    return permitsAmong(sets, this.#options.apex);
  }

  related(name: string, unused?: ReadonlySet<string>): readonly string[] {
    return this.#kept.of(name, unused, () => {
      const more = [...this.affected(name), ...this.dependentNames(name)];
      return withMore(this.#related.of(trustedDnsName(name), unused), more);
    });
  }

  /** Nothing to learn: the configured name templates say every marker name. */
  learn(): void {}

  dependentNames(name: string): readonly string[] {
    return dependentNamesOf(trustedDnsName(name), this.#options);
  }

  refuses(recordSet: RecordSet): Blocker | null {
    return this.#isForged(recordSet) ? FORGED : null;
  }

  blockerOf(created: RecordSet, raw: ZoneContent): Blocker | null {
    const content = new MergedZone(raw, this.#options);
    const present = content.at(created.name);
    if (!present.some((set) => excludes(created, set, this.#options))) return null;
    const keys = this.#keysOf(created.name, content);
    const isData = (set: RecordSet): boolean =>
      keys.some(({ data }) => data !== null && isSameKey(data, set));
    const markers = present.filter((set) => !isData(set));
    const room = makeRoom([{ op: "create", next: created }], {
      ...this.#collisionsIn(content),
      obstacles: { at: () => markers },
    });
    return "code" in room ? room : null;
  }

  prepare(plan: NamePlan, raw: ZoneContent): Promise<Prepared> {
    const content = new MergedZone(raw, this.#options);
    const keys = this.#keysOf(plan.name, content);
    return Promise.resolve(this.#prepareWhatCan({ plan, content, keys }));
  }

  /**
   * The whole group; where it cannot be written (a record cannot be marked), a group of only the
   * removals that are proven and do not depend on the others.
   */
  #prepareWhatCan(preparation: Preparation): Prepared {
    const whole = this.#assemble(preparation);
    const { plan, content } = preparation;
    if (whole.ok) return whole;
    const mayGo = (change: KeyChange): boolean => !("code" in this.#draft(change, preparation));
    // clause: independent-removals-may-go
    const going = selectIndependentRemovals(plan, content).filter(mayGo);
    const part = this.#assemble({ ...preparation, plan: { ...plan, changes: going } });
    if (going.length === 0 || !part.ok) return whole;
    const isHeld = (hold: Hold) => !going.some(({ key }) => isSameKey(key, hold.key));
    return { ...part, holds: whole.holds.filter(isHeld) };
  }

  outdated(name: DnsName, raw: ZoneContent, target: MarkerTarget): NamePlan {
    const content = new MergedZone(raw, this.#options);
    const context = { target, present: content };
    return { name, ...migrationsOf(this.#keysOf(name, content), context, this.#options) };
  }

  /** Nothing is kept, so nothing is to be confirmed. */
  async confirm(): Promise<void> {}

  #keysOf(name: DnsName, content: ZoneContent): readonly FoldedKey[] {
    return this.#keysAround(name, content).filter((key) => key.name === name);
  }

  #keysAround(name: DnsName, content: ZoneContent): readonly FoldedKey[] {
    const sets = this.related(name, content.unusedBeginnings).flatMap((one) => content.at(one));
    return fold(sets, this.#options);
  }

  /**
   * Data and marker writes in one group, or the next write of a sequence (Z-10), with their
   * preconditions.
   */
  #assemble(preparation: Preparation): Prepared {
    const { plan, content } = preparation;
    const data = plan.changes.flatMap(({ change }) => change ?? []);
    const settled: Exclude<MarkerDraft, Blocker>[] = [];
    for (const change of plan.changes) {
      const draft = this.#draft(change, preparation);
      if ("code" in draft) return heldGroup(plan, draft, (one) => one === change);
      settled.push(draft);
    }
    const before = settled.flatMap((draft) => draft.before);
    const markers = settled.flatMap((draft) => draft.writes);
    const room = makeRoom([...data, ...before, ...markers], this.#collisionsIn(content));
    if ("code" in room) return heldGroup(plan, room);

    const maybeLate = settled.some((draft) => draft.maybeLate === true);
    const writes = { data, before, maybeLate, markers, moves: room.moves };
    const grounds = [
      ...settled.flatMap((draft) => draft.preconditions),
      // The key is as it was read (its data, nothing, or for a TXT another name's marker): for
      // writes of markers alone, and in a sequence for each write.
      ...plan.changes.flatMap(({ key, change }) => {
        const isImplied = change !== null && this.#options.atomic;
        return key.type === ANY_TYPE || isImplied ? [] : [asRead(key, content)];
      }),
      ...plan.changes.flatMap(({ key }) => this.#markerPreconditions(key, content)),
    ];
    const group = this.#options.atomic ? { changes: asOneGroup(writes) } : oneStep(writes);
    // clause: loaded-records-are-preconditions
    const preconditions = distinct([...preconditionsOf(group.changes, content), ...grounds]);
    const prepared = { name: plan.name, keys: plan.changes, ...group, preconditions };
    const joined = content.joined(prepared);
    return "code" in joined ? heldGroup(plan, joined) : { ok: true, group: joined };
  }

  #collisionsIn(content: ZoneContent): CollisionContext {
    return {
      present: content,
      obstacles: content,
      options: this.#options,
      keysAround: (set) =>
        candidatesAt(set.name, this.#options).flatMap((one) => this.#keysOf(one.name, content)),
      isOwnedByUs: this.#options.isOwnedByUs,
    };
  }

  /**
   * The names that a marker of the key may have are as they were read: no other writer claimed it
   * meanwhile.
   */
  #markerPreconditions(key: RecordSetKey, content: ZoneContent): readonly Precondition[] {
    return [...new Set([this.#options.nameTemplate, TYPED, LABEL])].flatMap(
      (template): readonly Precondition[] => {
        const name = markerName(template, key, this.#options);
        return name === null ? [] : [asRead({ ...key, name, type: "TXT" }, content)];
      },
    );
  }

  /** The writes of marker and permit that a change brings along, or why it is not written. */
  #draft(change: KeyChange, preparation: Preparation): MarkerDraft {
    const { content: present, keys } = preparation;
    const { migration: target } = change;
    const found = keys.filter((key) => isSameKey(key, change.key));
    if (target !== undefined) {
      const key = found.find(({ markers }) => markers.length > 0);
      return key === undefined ? NOTHING : draftMigration(key, { target, present }, this.#options);
    }
    // A change of a permit alone does not depend on the marker and its owner.
    const marker = isOfPermitAlone(change) ? NOTHING : this.#marker(change, found, preparation);
    if ("code" in marker) return marker;
    const permit = draftPermit(change, { ...this.#options, present });
    if ("code" in permit) return permit;
    const writes = [...marker.writes, ...permit.writes];
    const preconditions = [...marker.preconditions, ...permit.preconditions];
    return { ...marker, writes, preconditions };
  }

  /** `found`: the key of the change, with its markers. */
  #marker(
    change: KeyChange,
    found: readonly FoldedKey[],
    { plan, content }: Preparation,
  ): MarkerDraft {
    const isInterrupted = ({ owner, labels }: MarkerEntry) =>
      change.current?.marker === null && isPending(labels) && this.#options.isOwnedByUs(owner);
    const competing = found
      .flatMap((key) => key.markers)
      .filter((entry) => !isInterrupted(entry) && entry.owner !== change.ends);
    const around = () => this.#keysAround(plan.name, content);
    const trouble =
      this.#troubleWith(change, competing, content) ??
      transferBlocker(change, around, this.#options);
    if (trouble !== null) return trouble;
    const obsolete = (entry: MarkerEntry) =>
      isNameNeeded(entry, plan) ||
      /* clause: obsolete-marker-goes */ isObsolete(entry, change, found);
    const entries = markersFor(change, plan, found);
    const present = withoutFormerForm(change, plan, content);
    return draftMarker({ change, entries, obsolete, present }, this.#options);
  }

  /**
   * Why the change is not written: the zone is not as it was planned for, or the text has the form
   * of a marker. Null = it may be.
   */
  #troubleWith(
    { change, current }: KeyChange,
    entries: readonly MarkerEntry[],
    content: ZoneContent,
  ): Blocker | null {
    const owner = current?.marker?.owner ?? null;
    if (entries.some((entry) => entry.owner !== owner))
      return { code: "Contested", message: "another marker claims the record" };
    if (change === null) return null;
    const isAsRead = (set: RecordSet): boolean =>
      content.at(set.name).some((one) => isSameKey(one, set) && hasSameData(one, set));
    if (change.op !== "create" && !isAsRead(change.previous))
      return {
        code: "MarkerShared",
        message: `a marker shares the record set of the text at ${change.previous.name}: move the text to another name in its object, or remove the marker if its owner is gone`,
      };
    if (change.op !== "remove" && this.#isForged(change.next)) return FORGED;
    return null;
  }

  /**
   * A user's text must never give rights: only the program writes markers
   * (docs/safety.md#user-texts).
   */
  #isForged({ type, name, values }: RecordSet): boolean {
    if (type !== "TXT") return false;
    const texts = values.map((value) => this.#options.codec.read(value));
    if (texts.some((text) => text !== null && text !== "unreadable")) return true;
    const isTyped = () => candidatesAt(name, this.#options).some((one) => one.type !== null);
    return texts.includes("unreadable") && isTyped();
  }
}

const NOTHING = { before: [], writes: [], preconditions: [] } as const;
