/**
 * A registry that knows the markers of the formats which it does not keep (ADR 0020): what one of
 * them gives to another owner is not adopted and not created over, and no text of a user's is
 * written that any of them would take for a marker. What they say of our own owner ids gives no
 * right and bars nothing: that is how zones move from one format to another.
 */
import { compareText, type DnsName, trustedDnsName } from "../model/dns-name.ts";
import { compareKeys, isSameKey, type RecordSet, recordSetKeyText } from "../model/record-set.ts";
import type {
  ChangeGroup,
  Hold,
  KeyChange,
  Marker,
  NamePlan,
  Outcome,
  OwnedRecordSet,
} from "../plan/changes.ts";
import { holdAt } from "../plan/hold-reasons.ts";
import { selectIndependentRemovals } from "../plan/independent-removals.ts";
import { distinct } from "../plan/preconditions.ts";
import { ANY_TYPE, isMarkedByUntypedMarker, type Marked } from "../plan/rights.ts";
import type { Blocker } from "../plan/rules.ts";
import { FORGED } from "./forged-text.ts";
import { knownFormats, type OtherFormat } from "./other-formats.ts";
import type { Ownership, Prepared, ZoneContent } from "./ownership.ts";
import {
  type PublishedScene,
  permitGrounds,
  publishedTrouble,
  withoutPublished,
} from "./published-permits.ts";

/** What is needed besides the registry itself. */
export interface OthersOptions {
  readonly apex: DnsName;
  /** True for owner ids that are ours. */
  readonly isOurs: (owner: string) => boolean;
  /** True where everything is ours, whoever marked it (`--noop-owns`); default nowhere. */
  readonly isAllOurs?: (name: DnsName) => boolean;
}

/** The registry, bound by the markers of all other formats. Keeps no state of its own. */
export function withOthers(registry: Ownership, options: OthersOptions): Ownership {
  return new AmongOthers(registry, options);
}

class AmongOthers implements Ownership {
  readonly #registry: Ownership;
  readonly #options: OthersOptions;
  readonly #known: readonly OtherFormat[];
  readonly #others: readonly OtherFormat[];
  readonly #scene: PublishedScene;
  /** Absent where the registry has none: whoever asks for a migration is told so. */
  readonly outdated?: NonNullable<Ownership["outdated"]>;

  constructor(registry: Ownership, options: OthersOptions) {
    this.#registry = registry;
    this.#options = options;
    this.#known = knownFormats(options.apex);
    this.#others = this.#known.filter(({ name }) => name !== registry.format);
    this.#scene = { apex: options.apex, formats: this.#others };
    const outdated = registry.outdated?.bind(registry);
    if (outdated !== undefined) this.outdated = outdated;
  }

  get format(): string {
    return this.#registry.format;
  }

  get carriesPermits(): boolean {
    return this.#registry.carriesPermits ?? false;
  }

  get isStale(): boolean {
    return this.#registry.isStale ?? false;
  }

  async read(sets: readonly RecordSet[]): Promise<readonly OwnedRecordSet[]> {
    const read = await this.#registry.read(sets);
    const views = withoutPublished(read, sets, this.#scene);
    const found = this.#others.flatMap((format) => this.#theirsIn(format, sets));
    if (found.length === 0) return views;
    const said = this.#others.flatMap((format) => this.#saidBy(format, { found, sets }));
    return merged(
      views.map((view) => this.#withGuest(view, found)),
      said,
    );
  }

  survey(sets: readonly RecordSet[]): void {
    this.#registry.survey?.(sets);
    for (const set of sets)
      if (set.type === "TXT") for (const format of this.#others) format.learn(set);
  }

  affected(name: string): readonly string[] {
    const own = this.#registry.affected(name);
    const place = trustedDnsName(name);
    const more: string[] = [];
    for (const format of this.#others)
      for (const one of format.labelled(place)) {
        if (!own.includes(one)) more.push(one);
        // A permit at that name loses its right, or has it again.
        if (this.carriesPermits && one !== place) more.push(...this.#registry.affected(one));
      }
    return more.length === 0 ? own : [...new Set([...own, ...more])];
  }

  related(name: string): readonly string[] {
    const owner = trustedDnsName(name);
    const places = this.#others.flatMap((format) => format.places(owner));
    return [...new Set([...this.#registry.related(name), ...this.affected(name), ...places])];
  }

  markerOfOtherFormat(set: RecordSet, data: readonly RecordSet[]): readonly Marked[] {
    if (set.type !== "TXT") return [];
    return this.#others
      .filter((format) => format.ownersIn(set).length > 0)
      .flatMap((format) =>
        format
          .read([set, ...data])
          .map((one) => ({ ...one, marker: { ...one.marker, format: format.name } })),
      )
      .filter(({ marker }) => marker.record !== null && isSameKey(marker.record, set));
  }

  permitsAmong(sets: readonly RecordSet[]): readonly string[] {
    return this.#registry.permitsAmong?.(sets) ?? [];
  }

  dependentNames(name: string): readonly string[] {
    return this.#registry.dependentNames?.(name) ?? [];
  }

  refuses(wish: RecordSet): Blocker | null {
    if (wish.type !== "TXT") return null;
    return this.#isLike(wish) ? FORGED : (this.#registry.refuses?.(wish) ?? null);
  }

  blockerOf(created: RecordSet, content: ZoneContent): Blocker | null {
    return this.#registry.blockerOf?.(created, content) ?? null;
  }

  async prepare(plan: NamePlan, content: ZoneContent): Promise<Prepared> {
    for (const change of plan.changes) {
      const message = publishedTrouble(change, content, this.#scene);
      if (message !== null)
        return heldWhole(plan, { failed: change, code: "ForeignRecord", message });
    }
    return this.#withGrounds(await this.#prepareUnforged(plan, content), content);
  }

  #withGrounds(prepared: Prepared, content: ZoneContent): Prepared {
    if (!prepared.ok) return prepared;
    const { group } = prepared;
    const grounds = permitGrounds(group.keys, content, this.#scene);
    if (grounds.length === 0) return prepared;
    const preconditions = distinct([...group.preconditions, ...grounds]);
    return { ...prepared, group: { ...group, preconditions } };
  }

  /** What is proven to be unwanted goes, also while a text of the name is refused. */
  async #prepareUnforged(plan: NamePlan, content: ZoneContent): Promise<Prepared> {
    const forged = plan.changes.filter((change) => this.#isForged(change));
    if (forged.length === 0) return this.#registry.prepare(plan, content);
    const holds = plan.changes.map((change) =>
      refusal(change, { ...FORGED, isOwn: forged.includes(change) }),
    );
    const going = selectIndependentRemovals(plan, content);
    if (going.length === 0) return { ok: false, holds };
    const part = await this.#registry.prepare({ ...plan, changes: going }, content);
    if (!part.ok) return { ok: false, holds };
    const waiting = holds.filter((_, index) => !going.some((one) => one === plan.changes[index]));
    return { ...part, holds: [...(part.holds ?? []), ...waiting] };
  }

  async begin(groups: readonly ChangeGroup[]): Promise<void> {
    await this.#registry.begin?.(groups);
  }

  confirm(group: ChangeGroup, outcome: Outcome): Promise<void> {
    return this.#registry.confirm(group, outcome);
  }

  async refresh(): Promise<readonly string[]> {
    return (await this.#registry.refresh?.()) ?? [];
  }

  async resync(sets: readonly RecordSet[]): Promise<void> {
    await this.#registry.resync?.(sets);
  }

  #theirsIn(format: OtherFormat, sets: readonly RecordSet[]): readonly Theirs[] {
    return sets.flatMap((set): readonly Theirs[] => {
      const owners = set.type === "TXT" ? format.ownersIn(set) : [];
      const owner = owners.find((one) => !this.#options.isOurs(one));
      return owner === undefined ? [] : [{ format, set, owner }];
    });
  }

  /**
   * A marker of another owner in a text of ours is his: nobody writes the text until it is gone
   * (Z-9).
   */
  #withGuest(view: OwnedRecordSet, found: readonly Theirs[]): OwnedRecordSet {
    const { marker, contested } = view;
    if (marker === null || contested || !this.#options.isOurs(marker.owner)) return view;
    const guest = view.data === null ? undefined : found.find(({ set }) => isSameKey(set, view));
    if (guest === undefined || this.#isFree(view.name)) return view;
    return { ...view, contested: true, owners: [marker.owner, guest.owner].sort(compareText) };
  }

  #isFree(name: DnsName): boolean {
    return this.#options.isAllOurs?.(name) ?? false;
  }

  /** What the format's markers give to others; it is read only where such a marker stands. */
  #saidBy(
    format: OtherFormat,
    { found, sets }: { readonly found: readonly Theirs[]; readonly sets: readonly RecordSet[] },
  ): readonly Said[] {
    const isOthers = (owner: string): boolean => !this.#options.isOurs(owner);
    const theirs = found.flatMap((one) => (one.format === format ? [one.set] : []));
    if (theirs.length === 0) return [];
    const names = new Set(theirs.flatMap((set) => [set.name, ...format.namesIn(set)]));
    return format
      .read(sets.filter(({ name }) => names.has(name)))
      .filter(({ name }) => !this.#isFree(name))
      .flatMap((view): readonly Said[] => {
        const { marker, owners = [marker.owner] } = view;
        const owner = owners.find(isOthers);
        if (owner === undefined) return [];
        return [{ view, marker: { ...marker, owner, format: format.name } }];
      });
  }

  /**
   * Looked at whenever the text is wanted, also where it stands already and only the owner changes.
   */
  #isForged({ desired }: KeyChange): boolean {
    if (desired === null || desired.type !== "TXT") return false;
    const { name, type, setIdentifier, values, properties, routingPolicy } = desired;
    return this.#isLike({
      ...{ name, type, setIdentifier, values, properties, routingPolicy },
      ttlSeconds: 0,
    });
  }

  #isLike(text: RecordSet): boolean {
    return this.#known.some((format) => format.isLike(text));
  }
}

/** A marker of another format that names another owner, where it stands. */
interface Theirs {
  readonly format: OtherFormat;
  readonly set: RecordSet;
  readonly owner: string;
}

/** One record set with the marker of another format that gives it to another owner. */
interface Said {
  readonly view: OwnedRecordSet;
  readonly marker: Marker;
}

/** The zone's own registry comes first; what it gives to nobody is whose the others say. */
function merged(
  views: readonly OwnedRecordSet[],
  said: readonly Said[],
): readonly OwnedRecordSet[] {
  const standing = new Map<string, Marker>();
  const halves = new Map<string, OwnedRecordSet>();
  const marked = views.filter(({ marker }) => marker !== null);
  for (const { view, marker } of said) {
    const { name, type, setIdentifier, data } = view;
    const key = recordSetKeyText(view);
    if (data !== null && !standing.has(key)) standing.set(key, marker);
    const isTaken = data !== null || marked.some((one) => isSaidOf(view, one));
    if (isTaken || halves.has(key)) continue;
    halves.set(key, { name, type, setIdentifier, data: null, marker, contested: false });
  }
  const whole = views.map((view): OwnedRecordSet => {
    const marker = view.marker === null ? standing.get(recordSetKeyText(view)) : undefined;
    return marker === undefined || view.data === null ? view : { ...view, marker };
  });
  return [...whole, ...halves.values()].sort(compareKeys);
}

/**
 * True when the half pair of another format is about what the zone's registry knows the owner of.
 */
function isSaidOf(half: OwnedRecordSet, { name, type }: OwnedRecordSet): boolean {
  if (half.name !== name) return false;
  return half.type === ANY_TYPE ? isMarkedByUntypedMarker(type) : half.type === type;
}

/** A group is never split: its neighbours at the name wait with the text. */
function refusal(
  { key, desired }: KeyChange,
  { code, message, isOwn }: Blocker & { readonly isOwn: boolean },
): Hold {
  return holdAt(key, {
    code,
    message: isOwn ? message : `waits for another record of the name: ${message}`,
    provenance: desired?.provenance ?? null,
  });
}

function heldWhole(
  { changes }: NamePlan,
  { failed, ...bar }: Blocker & { readonly failed: KeyChange },
): Prepared {
  const holds = changes.map((change) => refusal(change, { ...bar, isOwn: change === failed }));
  return { ok: false, holds };
}
