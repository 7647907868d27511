/**
 * Wraps a registry so that it respects markers (records that state an owner) in the formats of
 * other registries (ADR 0020). A record that such a marker gives to another owner is not adopted
 * and not overwritten. A user's text that any format would read as a marker is not written. Such a
 * marker with one of our own owner ids gives no right and blocks nothing: so a zone can move from
 * one format to another.
 *
 * A *permit* is a TXT record by which the present owner lets another object claim a record; where a
 * marker of another format labels its name, a user of some controller published that text, and it
 * gives no right (published-permits.ts). A marker whose record is not there is *half* of a pair. A
 * record set is *contested* where markers give it to our owner id and to another one.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { compareKeys, isSameKey, type RecordSet, recordSetKeyText } from "../model/record-set.ts";
import type { ChangeGroup, Marker, NamePlan, Outcome, OwnedRecordSet } from "../plan/changes.ts";
import { selectIndependentRemovals } from "../plan/decide-unwanted.ts";
import { distinct } from "../plan/preconditions.ts";
import { ANY_TYPE, isMarkedByUntypedMarker, type Marked } from "../plan/rights.ts";
import type { Blocker } from "../plan/rules.ts";
import { knownFormats, type OtherFormat } from "./other-formats.ts";
import type {
  ExternalStore,
  MigrationFeature,
  OtherFormatsFeature,
  Ownership,
  PermitFeature,
  Prepared,
  ZoneContent,
  ZoneMarkers,
} from "./ownership.ts";
import {
  type PublishedPermitContext,
  publishedPermitPreconditions,
  publishedPermitTrouble,
  withoutPublishedPermits,
} from "./published-permits.ts";
import type { ClusterAliases } from "./registry.ts";
import { FORGED, heldGroup, holdsOf } from "./shared/held-group.ts";
import { KeptNames, withMore } from "./shared/kept-names.ts";

/** What is needed besides the registry itself. */
export interface OtherFormatsOptions {
  readonly apex: DnsName;
  /** True for our owner ids. */
  readonly isOwnedByUs: (owner: string) => boolean;
  /** True where every record is ours, whatever markers say (`--noop-owns`); default nowhere. */
  readonly isAllOwnedByUs?: (name: DnsName) => boolean;
  /** Called with the owner ids that are ours from now on; absent = they are always the same. */
  readonly actFor?: (ids: ReadonlySet<string>) => void;
  /** Default none. */
  readonly clusterAliases?: ClusterAliases;
}

/** The registry with the markers of all other formats respected. Keeps no state of its own. */
export function withOtherFormats(registry: Ownership, options: OtherFormatsOptions): Ownership {
  return new OwnershipWithOtherFormats(registry, options);
}

class OwnershipWithOtherFormats implements Ownership, ZoneMarkers, OtherFormatsFeature {
  readonly zoneMarkers = this;
  readonly otherFormats = this;
  readonly permits: PermitFeature | undefined;
  readonly migration: MigrationFeature | undefined;
  readonly externalStore: ExternalStore | undefined;
  readonly merges: boolean | undefined;
  readonly actFor: Ownership["actFor"];
  readonly #registry: Ownership;
  readonly #options: OtherFormatsOptions;
  readonly #known: readonly OtherFormat[];
  readonly #others: readonly OtherFormat[];
  readonly #permitContext: PublishedPermitContext;
  readonly #kept = new KeptNames();

  constructor(registry: Ownership, options: OtherFormatsOptions) {
    this.permits = registry.permits;
    this.merges = registry.merges;
    this.migration = registry.migration;
    this.externalStore = this.#withOthers(registry.externalStore);
    this.actFor = options.actFor;
    this.#registry = registry;
    this.#options = options;
    this.#known = knownFormats(options.apex);
    this.#others = this.#known.filter(({ name }) => name !== registry.format);
    this.#permitContext = { apex: options.apex, formats: this.#others };
  }

  get format(): string {
    return this.#registry.format;
  }

  async read(sets: readonly RecordSet[]): Promise<readonly OwnedRecordSet[]> {
    const { clusterAliases = new Map() } = this.#options;
    const read = withPresentClusters(await this.#registry.read(sets), clusterAliases);
    const views = withoutPublishedPermits(read, sets, this.#permitContext);
    const found = this.#others.flatMap((format) => this.#foreignMarkersIn(format, sets));
    if (found.length === 0) return views;
    const claims = this.#others.flatMap((format) => this.#foreignClaimsOf(format, { found, sets }));
    return merged(
      views.map((view) => this.#contestedIfShared(view, found)),
      claims,
    );
  }

  /** The store; a resync is also told the owners in markers of other formats. */
  #withOthers(store: ExternalStore | undefined): ExternalStore | undefined {
    if (store === undefined) return undefined;
    return {
      get isStale() {
        return store.isStale;
      },
      refresh: () => store.refresh(),
      recordIntents: (groups) => store.recordIntents(groups),
      resync: (sets) => store.resync(sets, this.#otherOwners(sets)),
    };
  }

  #otherOwners(sets: readonly RecordSet[]): ReadonlyMap<string, string> {
    const found = this.#others.flatMap((format) => this.#foreignMarkersIn(format, sets));
    return new Map(
      this.#others
        .flatMap((format) => this.#foreignClaimsOf(format, { found, sets }))
        .map(({ view, marker }) => [recordSetKeyText(view), marker.owner]),
    );
  }

  learn(sets: readonly RecordSet[]): void {
    this.#kept.forget();
    this.#registry.zoneMarkers?.learn(sets);
    for (const set of sets)
      if (set.type === "TXT") for (const format of this.#others) format.learn(set);
  }

  affected(name: string): readonly string[] {
    const own = this.#registry.affected(name);
    const markerName = trustedDnsName(name);
    const more: string[] = [];
    for (const format of this.#others)
      for (const one of format.labelled(markerName)) {
        if (!own.includes(one)) more.push(one);
        // A permit at that name gives no right while there is a marker for it.
        if (this.permits !== undefined && one !== markerName)
          more.push(...this.#registry.affected(one));
      }
    return more.length === 0 ? own : [...new Set([...own, ...more])];
  }

  get beginnings(): readonly string[] | undefined {
    return this.#registry.zoneMarkers?.beginnings;
  }

  related(name: string, unused?: ReadonlySet<string>): readonly string[] {
    return this.#kept.of(name, unused, () => {
      const owner = trustedDnsName(name);
      const markers = this.#others.flatMap((format) => format.markerNames(owner));
      const more = [...this.affected(name), ...markers];
      return withMore(this.#registry.related(name, unused), more);
    });
  }

  markersIn(set: RecordSet, data: readonly RecordSet[]): readonly Marked[] {
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

  dependentNames(name: string): readonly string[] {
    return this.#registry.zoneMarkers?.dependentNames(name) ?? [];
  }

  refuses(recordSet: RecordSet): Blocker | null {
    if (recordSet.type !== "TXT") return null;
    if (this.#hasMarkerForm(recordSet)) return FORGED;
    return this.#registry.zoneMarkers?.refuses(recordSet) ?? null;
  }

  blockerOf(created: RecordSet, content: ZoneContent): Blocker | null {
    return this.#registry.zoneMarkers?.blockerOf(created, content) ?? null;
  }

  async prepare(plan: NamePlan, content: ZoneContent): Promise<Prepared> {
    for (const change of plan.changes) {
      const message = publishedPermitTrouble(change, content, this.#permitContext);
      if (message !== null)
        return heldGroup(plan, { code: "ForeignRecord", message }, (one) => one === change);
    }
    const prepared = await this.#prepareWithoutForged(plan, content);
    return this.#withPermitPreconditions(prepared, content);
  }

  #withPermitPreconditions(prepared: Prepared, content: ZoneContent): Prepared {
    if (!prepared.ok) return prepared;
    const { group } = prepared;
    const more = publishedPermitPreconditions(group.keys, content, this.#permitContext);
    if (more.length === 0) return prepared;
    const preconditions = distinct([...group.preconditions, ...more]);
    return { ...prepared, group: { ...group, preconditions } };
  }

  /**
   * Records that are proven to be unwanted are removed, also while a text of the name is refused.
   */
  async #prepareWithoutForged(plan: NamePlan, content: ZoneContent): Promise<Prepared> {
    // Also a text that exists already while only its owner changes.
    const forged = plan.changes.filter(
      ({ desired }) =>
        desired?.type === "TXT" && this.#hasMarkerForm({ ...desired, ttlSeconds: 0 }),
    );
    if (forged.length === 0) return this.#registry.prepare(plan, content);
    const holds = holdsOf(plan, FORGED, (change) => forged.includes(change));
    const removals = selectIndependentRemovals(plan, content);
    if (removals.length === 0) return { ok: false, holds };
    const part = await this.#registry.prepare({ ...plan, changes: removals }, content);
    if (!part.ok) return { ok: false, holds };
    const waiting = holds.filter(
      (_, index) => !removals.some((one) => one === plan.changes[index]),
    );
    return { ...part, holds: [...(part.holds ?? []), ...waiting] };
  }

  confirm(group: ChangeGroup, outcome: Outcome): Promise<void> {
    return this.#registry.confirm(group, outcome);
  }

  #foreignMarkersIn(format: OtherFormat, sets: readonly RecordSet[]): readonly ForeignMarker[] {
    return sets.flatMap((set): readonly ForeignMarker[] => {
      const owners = set.type === "TXT" ? format.ownersIn(set) : [];
      const owner = owners.find((one) => !this.#options.isOwnedByUs(one));
      return owner === undefined ? [] : [{ format, set, owner }];
    });
  }

  /**
   * A text of ours may share its record set with a marker of another owner: the text is not written
   * until that marker is gone (Z-9).
   */
  #contestedIfShared(view: OwnedRecordSet, found: readonly ForeignMarker[]): OwnedRecordSet {
    const { marker, contested } = view;
    if (marker === null || contested || !this.#options.isOwnedByUs(marker.owner)) return view;
    const foreign = view.data === null ? undefined : found.find(({ set }) => isSameKey(set, view));
    if (foreign === undefined || this.#isAllOwnedByUs(view.name)) return view;
    return { ...view, contested: true, owners: [marker.owner, foreign.owner].sort(compareText) };
  }

  #isAllOwnedByUs(name: DnsName): boolean {
    return this.#options.isAllOwnedByUs?.(name) ?? false;
  }

  /** Record sets that markers of this format give to other owners. */
  #foreignClaimsOf(
    format: OtherFormat,
    {
      found,
      sets,
    }: { readonly found: readonly ForeignMarker[]; readonly sets: readonly RecordSet[] },
  ): readonly ForeignClaim[] {
    const isForeign = (owner: string): boolean => !this.#options.isOwnedByUs(owner);
    const markers = found.flatMap((one) => (one.format === format ? [one.set] : []));
    if (markers.length === 0) return [];
    const names = new Set(markers.flatMap((set) => [set.name, ...format.namesIn(set)]));
    return format
      .read(sets.filter(({ name }) => names.has(name)))
      .filter(({ name }) => !this.#isAllOwnedByUs(name))
      .flatMap((view): readonly ForeignClaim[] => {
        const { marker, owners = [marker.owner] } = view;
        const owner = owners.find(isForeign);
        if (owner === undefined) return [];
        return [{ view, marker: { ...marker, owner, format: format.name } }];
      });
  }

  #hasMarkerForm(text: RecordSet): boolean {
    return this.#known.some((format) => format.hasMarkerForm(text));
  }
}

/** A record set with a marker of another format that names another owner. */
interface ForeignMarker {
  readonly format: OtherFormat;
  readonly set: RecordSet;
  readonly owner: string;
}

/** One record set with the marker of another format that gives it to another owner. */
interface ForeignClaim {
  readonly view: OwnedRecordSet;
  readonly marker: Marker;
}

/**
 * The views with markers of other formats on records that the zone's own registry has no owner for.
 * A marker whose record is not in the zone becomes a view without data, unless the registry knows
 * an owner of that record.
 */
function merged(
  views: readonly OwnedRecordSet[],
  claims: readonly ForeignClaim[],
): readonly OwnedRecordSet[] {
  const markerOfData = new Map<string, Marker>();
  const halves = new Map<string, OwnedRecordSet>();
  const marked = views.filter(({ marker }) => marker !== null);
  for (const { view, marker } of claims) {
    const { name, type, setIdentifier, data } = view;
    const key = recordSetKeyText(view);
    if (data !== null && !markerOfData.has(key)) markerOfData.set(key, marker);
    const isTaken = data !== null || marked.some((one) => isHalfOf(one, view));
    if (isTaken || halves.has(key)) continue;
    halves.set(key, { name, type, setIdentifier, data: null, marker, contested: false });
  }
  const whole = views.map((view): OwnedRecordSet => {
    const marker = view.marker === null ? markerOfData.get(recordSetKeyText(view)) : undefined;
    return marker === undefined || view.data === null ? view : { ...view, marker };
  });
  return [...whole, ...halves.values()].sort(compareKeys);
}

/**
 * True when the marker of another format without its record (`half`) is about this record. The
 * markers of old versions of external-dns name no type (ANY_TYPE).
 */
function isHalfOf({ name, type }: OwnedRecordSet, half: OwnedRecordSet): boolean {
  if (half.name !== name) return false;
  return half.type === ANY_TYPE ? isMarkedByUntypedMarker(type) : half.type === type;
}

/** The views with the present ids; labels stay as they were read. */
function withPresentClusters(
  views: readonly OwnedRecordSet[],
  aliases: ClusterAliases,
): readonly OwnedRecordSet[] {
  if (aliases.size === 0) return views;
  return views.map((view) => {
    const { marker } = view;
    const cluster = aliases.get(marker?.cluster ?? "");
    return marker === null || cluster === undefined
      ? view
      : { ...view, marker: { ...marker, cluster } };
  });
}
