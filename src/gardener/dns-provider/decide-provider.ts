/** State and zones of a DNSProvider, from its spec, its Secret and its account's listing. Pure. */
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ZoneListings } from "../../controllers/accounts/account.ts";
import { hasFinalizer } from "../../controllers/objects/finalizers.ts";
import type { CutOf } from "../../controllers/zone-choice/choose-zone.ts";
import type {
  ProviderFacts,
  TenancyRequest,
} from "../../controllers/zone-choice/provider-facts.ts";
import { undelegatedZones } from "../../controllers/zone-choice/undelegated-zones.ts";
import { CLUSTERS_ANNOTATION } from "../../model/annotation-keys.ts";
import { classOf, type DnsClasses, finalizersOf } from "../../model/dns-class.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { ownerIdOf, realmsOf } from "../../model/object-annotations.ts";
import type { Zone } from "../../model/zone.ts";
import { type ProviderSpec, readProviderSpec } from "./provider-spec.ts";
import type { ProviderStatus } from "./provider-status-writer.ts";
import { isListedZone, selectZones, type ZoneSelection } from "./select-zones.ts";

/** The facts of the provider that entries need, and its status. */
export interface ProviderDecision {
  readonly facts: ProviderFacts;
  /** Null = the stored status stays. */
  readonly status: ProviderStatus | null;
  /** Zones and domains that it serves; null = it is not usable. */
  readonly selection: ZoneSelection | null;
  /** Fields of the spec that have no effect, one sentence each; empty unless it is usable. */
  readonly unused: readonly string[];
  /** Sentences about zones that no zone above delegates; empty unless it is usable. */
  readonly undelegated: readonly string[];
}

/** Everything that a provider is decided from. */
export interface ProviderContext {
  readonly object: KubeObject;
  /** Null = the spec cannot be read. */
  readonly spec: ProviderSpec | null;
  /** The open account, or why there is none. */
  readonly account: { readonly id: string; readonly listing: ZoneListings } | AccountTrouble;
  /** Seconds. */
  readonly defaultTtlSeconds: number;
  /** Zones that the account's settings name, also where the settings are wrong; empty = none. */
  readonly namedZones: readonly DnsName[];
  /**
   * Message that its Secret is being deleted: the account then serves deleting entries only. Null =
   * not.
   */
  readonly secretTrouble: string | null;
  /** Delegations, as its zones hold them. */
  readonly cutOf: CutOf;
  /** The other DNSProviders, as far as they are known. */
  readonly others: readonly ProviderFacts[];
}

/** Why there is no account. */
export interface AccountTrouble {
  readonly error: string;
  /** Why, as a code of docs/reference/errors.md. */
  readonly code: string;
  /** True = the DNSProvider itself is wrong. Absent = false. */
  readonly isMistake?: true;
}

/** Decides about a provider. If a listing fails after one that worked, its zones stay (Z-18). */
export function decideProvider(context: ProviderContext): ProviderDecision {
  const { account, spec } = context;
  if ("error" in account || spec === null)
    return invalid(context, "error" in account ? account : UNREADABLE);
  const { listing } = account;
  if (context.secretTrouble !== null)
    return invalid(context, { error: context.secretTrouble, code: "SecretDeleted" });
  if (listing.state === "pending")
    return { ...UNUSABLE, facts: blankFacts(context, "pending", ""), status: null };
  if (listing.state === "failed" && listing.known.length === 0) {
    const error = listing.message ?? "cannot get hosted zones";
    return invalid(context, { error, code: "ZonesNotListed" });
  }
  const selection = selectZones(listing.known, spec, listing.superseded);
  if (!selection.ok) return invalid(context, { error: selection.error, code: "NoZoneSelected" });
  return usable(context, selection.value, { listing, spec });
}

const UNUSABLE = { selection: null, unused: [], undelegated: [] } as const;
const UNREADABLE: AccountTrouble = { error: "the spec cannot be read", code: "ProviderInvalid" };

/** The facts of a provider before its first reconcile. */
export function unknownFacts(object: KubeObject): ProviderFacts {
  const read = readProviderSpec(object);
  const spec = read.ok ? read.value : null;
  const account = { error: "", code: "" };
  const nothing = { account, namedZones: [], secretTrouble: null, cutOf: () => null, others: [] };
  return blankFacts({ object, spec, defaultTtlSeconds: 0, ...nothing }, "pending", "");
}

/**
 * The facts of a provider whose class is no longer ours: no entry may select it, and it still leads
 * to the records that entries have in its zones.
 */
export function leftFacts(object: KubeObject, { facts }: ProviderDecision): ProviderFacts {
  const message = `its class is ${classOf(object)}`;
  return { ...facts, message, hasLeft: true, deleting: true };
}

/**
 * Which entries have our finalizer and name the provider: some that are being `deleting`, for which
 * it must stay; only `living` ones, which may be about to be deleted (Z-19); none; or not known.
 */
export type Holders = "none" | "living" | "deleting" | "unknown";

/** Entries whose status names this provider and that have our finalizer. */
export function holdersOf(view: ClusterView, provider: string, classes: DnsClasses): Holders {
  const entries = view.list(DNS_ENTRY);
  if (entries.state === "unknown") return "unknown";
  if (entries.state === "absent") return "none";
  const finalizers = finalizersOf(classes);
  const held = entries.value.filter(
    (entry) =>
      hasFinalizer(entry, finalizers) && fieldsOf(entry["status"])["provider"] === provider,
  );
  if (held.some((entry) => entry.metadata.deletionTimestamp !== undefined)) return "deleting";
  return held.length > 0 ? "living" : "none";
}

function usable(
  context: ProviderContext,
  selection: ZoneSelection,
  { listing, spec }: { readonly listing: ZoneListings; readonly spec: ProviderSpec },
): ProviderDecision {
  const { included: zones } = selection.zones;
  const troubles = listing.troubles.filter(({ zone }) => zones.some(({ id }) => id === zone));
  const listed = listing.message === null ? [] : [listing.message];
  const notes = [...listed, ...troubles.map((one) => one.message), ...selection.warnings];
  const isFailing = listing.message?.startsWith("cannot") === true || troubles.length > 0;
  const operation = notes.length === 0 ? ["provider operational"] : notes;
  const message = [...operation, ...spec.unused].join("; ");
  const facts: ProviderFacts = {
    ...blankFacts(context, "ready", message),
    zones,
    replaced: listing.superseded.filter((id) => zones.every((zone) => zone.id !== id)),
    unproven: troubles.filter(({ code }) => code === "MaybeSameZone").map(({ zone }) => zone),
    explicit: explicitZones(zones, spec, listing),
    ...selection.domains,
  };
  const state = isFailing ? "Error" : "Ready";
  const undelegated = undelegatedZones(facts, context.others, context.cutOf);
  const shown = {
    state,
    message: [message, ...undelegated].join("; "),
    isMistake: false,
    code: isFailing ? (troubles[0]?.code ?? "ZonesNotListed") : "Operational",
  } as const;
  const status = { ...statusOf(context, shown), selection };
  return { facts, status, selection, unused: spec.unused, undelegated };
}

/** Zones that a user named: they serve their names, delegated or not (Z-18). */
function explicitZones(
  zones: readonly Zone[],
  { zones: ids, domains }: ProviderSpec,
  { isConfigured }: ZoneListings,
): readonly string[] {
  const isNamed = ({ id, name }: Zone): boolean =>
    isConfigured || isListedZone(id, ids.include) || domains.include.includes(name);
  return zones.filter(isNamed).map(({ id }) => id);
}

function invalid(
  context: ProviderContext,
  { error: message, code, isMistake }: AccountTrouble,
): ProviderDecision {
  const shown = { state: "Error", message, code, isMistake: isMistake === true } as const;
  const facts = blankFacts(context, "invalid", message);
  return { ...UNUSABLE, facts, status: statusOf(context, shown) };
}

function statusOf(
  context: ProviderContext,
  shown: Omit<ProviderStatus, "selection" | "defaultTtlSeconds" | "rateLimit">,
): ProviderStatus {
  const defaultTtlSeconds = context.spec?.defaultTtlSeconds ?? context.defaultTtlSeconds;
  const rateLimit = context.spec?.limits.rateLimit ?? null;
  return { ...shown, selection: null, defaultTtlSeconds, rateLimit };
}

function blankFacts(
  context: ProviderContext,
  state: ProviderFacts["state"],
  message: string,
): ProviderFacts {
  const { metadata } = context.object;
  const namespace = metadata.namespace ?? "";
  return {
    id: `${namespace}/${metadata.name}`,
    namespace,
    state,
    message,
    deleting: metadata.deletionTimestamp !== undefined,
    zones: [],
    explicit: [],
    unproven: [],
    realms: realmsOf(context.object),
    ownerId: ownerIdOf(context.object),
    clusters: clustersOf(context.object),
    tenancy: readTenancy(context.object),
    ...accountFacts(context.account),
    ...specFacts(context, state),
  };
}

function accountFacts(
  account: ProviderContext["account"],
): Pick<ProviderFacts, "account" | "known" | "replaced"> {
  if ("error" in account) return { account: null, known: [], replaced: [] };
  const { known, superseded } = account.listing;
  return { account: account.id, known, replaced: superseded };
}

type SpecFacts = Pick<
  ProviderFacts,
  "type" | "included" | "excluded" | "defaultTtlSeconds" | "entriesMax" | "rateLimit"
>;

/**
 * Facts of the spec. Of an `invalid` provider the domains are guessed, so that its names are not
 * given to another one: those of the spec, of its settings, or of its last status.
 */
function specFacts(
  { object, spec, namedZones }: ProviderContext,
  state: ProviderFacts["state"],
): SpecFacts {
  if (spec === null) return NO_SPEC;
  const { type, domains, defaultTtlSeconds, limits } = spec;
  const guesses = state === "invalid" ? [namedZones, domainsServedBefore(object)] : [];
  const sources = [domains.include, ...guesses];
  const included = sources.find((names) => names.length > 0) ?? [];
  return { type, included, excluded: domains.exclude, defaultTtlSeconds, ...limits };
}

const NO_SPEC: SpecFacts = {
  ...{ type: "", included: [], excluded: [] },
  ...{ defaultTtlSeconds: null, entriesMax: null, rateLimit: null },
};

function nameIn(text: string): readonly DnsName[] {
  const name = parseDnsName(text);
  return name.ok ? [name.value] : [];
}

/** `status.domains.included`, written when its zones were known last. */
function domainsServedBefore({ status }: KubeObject): readonly DnsName[] {
  const { included } = fieldsOf(fieldsOf(status)["domains"]);
  return (listOf(included) ?? []).flatMap((text) => (typeof text === "string" ? nameIn(text) : []));
}

/** The further clusters that its annotation names, sorted. */
function clustersOf({ metadata }: KubeObject): readonly string[] {
  const ids = metadata.annotations?.[CLUSTERS_ANNOTATION]?.split(",") ?? [];
  return ids
    .map((id) => id.trim())
    .filter(Boolean)
    .sort();
}

/** `true`: objects of each namespace may publish next to the names of others in the zone. */
export const SHARED_NAMES_ANNOTATION = "zonekeeper.dev/shared-names";
/**
 * Names, separated by commas: zone cuts, wildcards and `_…` names that may be published although
 * others have names there.
 */
export const ALLOW_DELEGATION_ANNOTATION = "zonekeeper.dev/allow-delegation";

/** Reads both annotations; a text that cannot be read allows nothing. */
export function readTenancy({ metadata }: KubeObject): TenancyRequest {
  const textOf = (key: string): string => metadata.annotations?.[key]?.trim().toLowerCase() ?? "";
  const delegations = textOf(ALLOW_DELEGATION_ANNOTATION).split(",");
  return {
    sharedNames: textOf(SHARED_NAMES_ANNOTATION) === "true",
    delegations: delegations.flatMap((text) => nameIn(text.trim())),
  };
}
