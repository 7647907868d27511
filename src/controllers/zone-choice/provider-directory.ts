/**
 * The DNSProviders that are known, and which one serves a name. Kept in memory: the provider
 * controller writes what it knows of each (`ProviderFacts`), the controllers of entries and sources
 * ask. Which DNSProviders an object may use is decided here; between those, select-provider.ts
 * does.
 */
import { type DnsName, parentOf } from "@zonekeeper/dns/names/dns-name";
import { splitName } from "@zonekeeper/kube/objects/object-fields";
import { FLAGS_NAMESPACE } from "../../model/external-dns-rules.ts";
import { isSameJson } from "../../model/same-json.ts";
import type { Zone } from "../../model/zone.ts";
import type { ZoneNote } from "../../model/zone-note.ts";
import { NO_TENANCY, type ZoneKey, type ZoneTenancy } from "../../sync/contract/zone.ts";
import type { Applicant } from "./applicant.ts";
import { type CutOf, PRECEDENCE, type Precedence } from "./choose-zone.ts";
import type { ProviderFacts, ProviderTrouble } from "./provider-facts.ts";
import {
  mayServe,
  type NameQuery,
  type Selection,
  selectProvider,
  troubledProviders,
} from "./select-provider.ts";

/** Whether the zone of a status can be reached. */
export type StatusZoneLookup =
  | {
      readonly state: "usable";
      /** `namespace/name` of the DNSProvider that leads there. */
      readonly provider: string;
      readonly key: ZoneKey;
      readonly zone: Zone;
      /** True = the provider no longer lists the zone, and lists another zone of its name. */
      readonly isReplaced: boolean;
    }
  /** The provider exists, but neither its account nor that zone can be reached now. */
  | { readonly state: "unusable" }
  /** The provider exists; another process serves its type. */
  | { readonly state: "other-type" }
  | { readonly state: "gone" };

/** The statement of the status of an entry about its zone. */
interface ZoneOfStatus {
  /** `namespace/name`. */
  readonly provider: string;
  /** Null = it does not say. */
  readonly providerType: string | null;
  /** Id of the zone. */
  readonly zone: string;
}

/** A name, and who asks for it. */
interface ProviderQuery extends NameQuery {
  readonly applicant: Applicant;
}

/** The facts by which it is decided who may use a DNSProvider. */
type UsableFacts = Pick<ProviderFacts, "namespace" | "clusters">;

interface DirectoryOptions {
  readonly anyNamespace: boolean;
  readonly trusts?: (namespace: string) => boolean;
  readonly cutOf: CutOf;
}

/** `#isListed` true = all DNSProviders are known, so that a missing one does not exist. */
export class ProviderDirectory {
  readonly #facts = new Map<string, ProviderFacts>();
  /** DNSProviders of types that other processes serve. */
  readonly #otherTypes = new Map<string, ProviderFacts>();
  readonly #listeners = new Set<(namespace: string) => void>();
  readonly #anyNamespace: boolean;
  readonly #trusts: (namespace: string) => boolean;
  readonly #cutOf: CutOf;
  #isListed = false;

  /**
   * `anyNamespace`: entries may use providers of other namespaces (off by default,
   * docs/safety.md#secrets). `trusts`: whose providers serve objects without a namespace, and go
   * before those of other namespaces; absent = all.
   */
  constructor(options: DirectoryOptions) {
    this.#anyNamespace = options.anyNamespace;
    this.#trusts = options.trusts ?? (() => true);
    this.#cutOf = options.cutOf;
  }

  /** Calls `listener` with the namespace whose entries may select differently; empty = all. */
  onChange(listener: (namespace: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get(id: string): ProviderFacts | null {
    return this.#facts.get(id) ?? null;
  }

  /**
   * Owner id of the records of a provider, also of one that another process serves; null = the
   * default.
   */
  ownerIdOf(id: string): string | null {
    return (this.#facts.get(id) ?? this.#otherTypes.get(id))?.ownerId ?? null;
  }

  /** All but the one of this id. */
  others(id: string): readonly ProviderFacts[] {
    return [...this.#facts.values()].filter((facts) => facts.id !== id);
  }

  /** Equal facts change nothing. */
  set(facts: ProviderFacts): void {
    this.#otherTypes.delete(facts.id);
    this.#put(this.#facts, facts);
  }

  /** The provider serves no name here: its type is another process's. */
  setOtherType(facts: ProviderFacts): void {
    this.#facts.delete(facts.id);
    this.#put(this.#otherTypes, facts);
  }

  remove(id: string): void {
    const facts = this.#facts.get(id) ?? this.#otherTypes.get(id);
    this.#facts.delete(id);
    this.#otherTypes.delete(id);
    if (facts !== undefined) this.#tell(facts.namespace);
  }

  /** Whether the list of DNSProviders has been complete once. */
  setListed(isListed: boolean): void {
    if (this.#isListed === isListed) return;
    this.#isListed = isListed;
    this.#tell("");
  }

  /** Delegations changed: other zones may serve names, where zones are nested (Z-18). */
  cutsChanged(): void {
    const known = [...this.#facts.values()].flatMap((facts) => facts.known);
    const apexes = new Set<DnsName>(known.map(({ name }) => name));
    if ([...apexes].some((apex) => isBelowAny(apex, apexes))) this.#tell("");
  }

  /** The provider and zone of a name (or why there is none). */
  select(asked: ProviderQuery): Selection {
    const { applicant } = asked;
    const near = [...this.#facts.values()].filter((facts) => this.#mayUse(applicant, facts));
    const query = {
      ...asked,
      precedenceOf: (facts: ProviderFacts): Precedence => this.#precedenceOf(applicant, facts),
    };
    const usable = near.filter((facts) => hasRealm(facts, applicant));
    const selection = selectProvider(query, usable, this.#cutOf);
    if (selection.kind === "zone") return selection;
    // clause: providers-are-all-listed
    if (!this.#isListed) return { kind: "undecided", reason: "" };
    if (selection.kind !== "none") return selection;
    if (near.some(({ namespace }) => namespace === FLAGS_NAMESPACE))
      return { ...selection, isByFlags: true };
    const otherCluster = this.#ofOtherCluster(query);
    if (otherCluster !== null) return { ...selection, otherCluster };
    if (near.length === usable.length) return selection;
    const other = selectProvider(query, near, this.#cutOf);
    // clause: missing-realm-is-reported
    return other.kind === "zone" ? { ...selection, otherRealm: other.provider } : selection;
  }

  /** The DNSProvider that would serve the name of a further cluster, if it were for that one. */
  #ofOtherCluster(query: ProviderQuery): string | null {
    const { cluster, ...applicant } = query.applicant;
    if (cluster === undefined) return null;
    const near = [...this.#facts.values()].filter((facts) => this.#mayUse(applicant, facts));
    const selection = selectProvider(query, near, this.#cutOf);
    return selection.kind === "zone" ? selection.provider.id : null;
  }

  #mayUse(applicant: Applicant, facts: UsableFacts): boolean {
    return (
      /* clause: namespace-restriction-is-off */ this.#anyNamespace ||
      /* clause: provider-serves-own-namespace */ this.#precedenceOf(applicant, facts) ===
        PRECEDENCE.own
    );
  }

  /**
   * Objects without a namespace may use trusted providers as their own: only the administrators of
   * the cluster can make such objects.
   */
  #precedenceOf(
    { namespaces, cluster }: Applicant,
    { namespace, clusters = [] }: UsableFacts,
  ): Precedence {
    const isTrusted = this.#trusts(namespace);
    const isForCluster =
      cluster === undefined || clusters.includes(cluster) || clusters.includes("*");
    const isNear = (asking: string): boolean =>
      asking === namespace ||
      (asking === "" && /* clause: trusted-serve-cluster-objects */ isTrusted);
    if (
      /* clause: namespace-of-further-cluster */ isForCluster &&
      /* clause: owner-has-a-namespace */ namespaces.length > 0 &&
      /* clause: each-owner-is-in-the-namespace */ namespaces.every(isNear)
    )
      return PRECEDENCE.own;
    // clause: trusted-namespaces-come-first
    return isTrusted ? PRECEDENCE.trusted : PRECEDENCE.other;
  }

  /**
   * Whether the zone that an entry notes as its own (annotation, `model/zone-note.ts`) is believed.
   * Whoever may write the entry may write the note, so that it must name a zone that could be
   * selected for `name`. `name` null = the entry is being deleted, and the note leads to removals
   * only.
   */
  mayNote({ provider, zone }: ZoneNote, applicant: Applicant, name: DnsName | null): boolean {
    const [namespace] = splitName(provider);
    // clause: note-leads-to-own-namespace
    if (!this.#mayUse(applicant, { namespace })) return false;
    if (name === null) return true;
    const facts = this.#facts.get(provider);
    // clause: note-leads-to-selectable-zone
    return facts !== undefined && hasRealm(facts, applicant) && mayServe(facts, name, zone);
  }

  /** Providers that serve nothing now, sorted; `name` given = only those that may serve it. */
  troubles(name: DnsName | null): readonly ProviderTrouble[] {
    return troubledProviders([...this.#facts.values()], name);
  }

  /** Whether the first listing of an open account's zones has not ended yet. */
  isListingZones(): boolean {
    return [...this.#facts.values()].some(
      ({ state, account }) => state === "pending" && account !== null,
    );
  }

  /**
   * The zone that the status of an entry names. `remover` = the entry's applicant, if the entry is
   * being deleted: where its own DNSProvider does not lead to the zone any more, another one that
   * serves the zone does, whichever domains it includes (as in Gardener's reference).
   */
  findStatusZone(status: ZoneOfStatus, remover: Applicant | null = null): StatusZoneLookup {
    const own = this.#ownStatusZone(status);
    const facts = this.#facts.get(status.provider);
    const mayReturn =
      /* clause: unusable-provider-is-awaited */ own.state === "unusable" &&
      facts?.state !== "ready";
    if (remover === null || own.state === "usable" || own.state === "other-type" || mayReturn)
      return own;
    return /* clause: other-provider-removes */ this.#fallback(status, remover) ?? own;
  }

  #ownStatusZone({ provider, zone: id }: ZoneOfStatus): StatusZoneLookup {
    if (this.#otherTypes.has(provider)) return { state: "other-type" };
    const facts = this.#facts.get(provider);
    if (facts === undefined) return { state: this.#isListed ? "gone" : "unusable" };
    const zone = facts.known.find((candidate) => candidate.id === id);
    if (facts.account === null || zone === undefined) return { state: "unusable" };
    const isReplaced = facts.replaced.includes(id);
    const key = { account: facts.account, zone: id };
    return { state: "usable", provider, key, zone, isReplaced };
  }

  /**
   * Only zones that a provider serves are open, and none that is blocked. A provider whose zone is
   * proven not to be a copy of another one (`unproven`, Z-18) comes first.
   */
  #fallback({ providerType, zone: id }: ZoneOfStatus, remover: Applicant): StatusZoneLookup | null {
    const ways = [...this.#facts.values()]
      .filter(
        (facts) =>
          /* clause: remover-has-same-type */ facts.type === providerType &&
          /* clause: entry-may-use-remover */ this.#mayUse(remover, facts),
      )
      .flatMap(({ id: provider, account, zones, unproven }) => {
        const zone =
          account === null
            ? undefined
            : /* clause: remover-serves-the-zone */ zones.find((one) => one.id === id);
        if (account === null || zone === undefined) return [];
        const key = { account, zone: id };
        return [{ provider, key, zone, isProven: !unproven.includes(id) }];
      });
    const way =
      /* clause: proven-way-comes-first */ ways.find(({ isProven }) => isProven) ?? ways[0];
    return way === undefined ? null : { state: "usable", ...way, isReplaced: false };
  }

  /**
   * The statements of the DNSProviders of a zone about its tenants (namespaces: Z-26, Z-28).
   * `ways`: the accounts that lead into the zone. With several DNSProviders, a name is shared or
   * delegated only if each of them says so.
   */
  tenancyOf(ways: readonly ZoneKey[]): ZoneTenancy {
    const serving = this.serving(ways);
    const [first, ...others] = serving.map(({ tenancy }) => tenancy);
    if (first === undefined) return NO_TENANCY;
    const all = [first, ...others];
    return {
      sharedNames: all.every(({ sharedNames }) => sharedNames),
      delegations: first.delegations.filter((name) =>
        others.every(({ delegations }) => delegations.includes(name)),
      ),
      namespaces: [...new Set(serving.map(({ namespace }) => namespace))].sort(),
    };
  }

  /** The DNSProviders whose accounts lead into the zone. */
  serving(ways: readonly ZoneKey[]): readonly ProviderFacts[] {
    return [...this.#facts.values()].filter(({ account, zones }) =>
      ways.some((key) => account === key.account && zones.some(({ id }) => id === key.zone)),
    );
  }

  /** Whether an account that has this zone is open. */
  isReachable(key: ZoneKey): boolean {
    return [...this.#facts.values()].some(
      (facts) => facts.account === key.account && facts.known.some((zone) => zone.id === key.zone),
    );
  }

  #put(map: Map<string, ProviderFacts>, facts: ProviderFacts): void {
    const before = map.get(facts.id);
    if (isSameJson(before, facts)) return;
    map.set(facts.id, facts);
    // While its zones are listed for the first time nothing is decided; how that ends is told.
    // clause: provider-listing-anew-is-noticed
    const wasPending =
      before === undefined
        ? /* clause: later-provider-is-awaited */ !this.#isListed
        : before.state === "pending";
    if (/* clause: first-listing-end-is-noticed */ facts.state !== "pending" || !wasPending)
      this.#tell(facts.namespace);
  }

  #tell(namespace: string): void {
    // clause: unrestricted-entries-are-enqueued
    for (const listener of this.#listeners) listener(this.#anyNamespace ? "" : namespace);
  }
}

function hasRealm(facts: ProviderFacts, { realms }: Applicant): boolean {
  // clause: provider-serves-its-realms
  return facts.realms.some((realm) => realms.includes(realm));
}

function isBelowAny(name: DnsName, apexes: ReadonlySet<DnsName>): boolean {
  // clause: nested-zones-are-delegated
  for (let at = parentOf(name); at !== null; at = parentOf(at)) if (apexes.has(at)) return true;
  return false;
}
