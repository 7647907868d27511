/** What a DNSProvider is worth, from its spec, its Secret and the listing of its account. Pure. */

import type { Listing } from "../../controllers/accounts/account.ts";
import type { ProviderFacts } from "../../controllers/zone-choice/provider-facts.ts";
import { finalizerOf } from "../../model/dns-class.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import type { KubeObject } from "../../model/kubernetes.ts";
import { fieldsOf } from "../../model/object-fields.ts";
import type { Zone } from "../../model/zone.ts";
import type { ClusterView } from "../../ports/cluster-view.ts";
import type { ProviderSpec } from "./provider-spec.ts";
import type { ProviderVerdict } from "./provider-status.ts";
import { selectZones, type ZoneSelection } from "./select-zones.ts";

/**
 * Its place in the directory and what its status shows; a null verdict leaves the status as it is.
 */
export interface ProviderDecision {
  readonly facts: ProviderFacts;
  readonly verdict: ProviderVerdict | null;
  /** Null unless it is usable. */
  readonly selection: ZoneSelection | null;
}

/** What is known about the account of a provider. */
export interface ProviderWorld {
  readonly object: KubeObject;
  /** Null = the spec cannot be read. */
  readonly spec: ProviderSpec | null;
  /** The open account, or why there is none. */
  readonly account: { readonly id: string; readonly listing: Listing } | { readonly error: string };
  /** Seconds. */
  readonly defaultTtlSeconds: number;
}

/** Judges a provider. A listing that fails after one that worked takes nothing away (Z-18). */
export function decideProvider(world: ProviderWorld): ProviderDecision {
  const { account, spec } = world;
  if ("error" in account || spec === null)
    return invalid(world, "error" in account ? account.error : "the spec cannot be read");
  const { listing } = account;
  if (listing.state === "pending")
    return { facts: blankFacts(world, "pending", ""), verdict: null, selection: null };
  if (listing.state === "failed" && listing.known.length === 0)
    return invalid(world, listing.message ?? "cannot get hosted zones");
  const selection = selectZones(listing.known, spec, listing.superseded);
  if (!selection.ok) return invalid(world, selection.error);
  return usable(world, selection.value, { listing, spec });
}

/** The facts of a provider that nobody has looked at yet. */
export function unknownFacts(object: KubeObject, spec: ProviderSpec | null): ProviderFacts {
  const world = { object, spec, account: { error: "" }, defaultTtlSeconds: 0 };
  return blankFacts(world, "pending", "");
}

/**
 * How entries hold a provider: `deleting` ones bind it, `living` ones may be about to be deleted
 * (Z-19).
 */
export type Holders = "none" | "living" | "deleting" | "unknown";

/** Who was published through this provider and still holds our finalizer. */
export function holdersOf(view: ClusterView, provider: string, dnsClass: string): Holders {
  const entries = view.list(DNS_ENTRY);
  if (entries.state === "unknown") return "unknown";
  if (entries.state === "absent") return "none";
  const finalizer = finalizerOf(dnsClass);
  const held = entries.value.filter(
    (entry) =>
      entry.metadata.finalizers?.includes(finalizer) === true &&
      fieldsOf(entry["status"])["provider"] === provider,
  );
  if (held.some((entry) => entry.metadata.deletionTimestamp !== undefined)) return "deleting";
  return held.length > 0 ? "living" : "none";
}

function usable(
  world: ProviderWorld,
  selection: ZoneSelection,
  { listing, spec }: { readonly listing: Listing; readonly spec: ProviderSpec },
): ProviderDecision {
  const notes = [...(listing.message === null ? [] : [listing.message]), ...selection.warnings];
  const isFailing = listing.message?.startsWith("cannot") === true;
  const message = notes.length === 0 ? "provider operational" : notes.join("; ");
  const facts: ProviderFacts = {
    ...blankFacts(world, "ready", message),
    zones: selection.zones.included,
    replaced: listing.superseded.filter((id) =>
      selection.zones.included.every((zone) => zone.id !== id),
    ),
    explicit: explicitZones(selection.zones.included, spec, listing),
    included: selection.domains.included,
    excluded: selection.domains.excluded,
  };
  const state = isFailing ? "Error" : "Ready";
  return { facts, verdict: { ...verdictOf(world, state, message), selection }, selection };
}

/** Zones that somebody named: they are wanted where they are, delegated or not (Z-18). */
function explicitZones(
  zones: readonly Zone[],
  { zones: ids, domains }: ProviderSpec,
  { isConfigured }: Listing,
): readonly string[] {
  const isNamed = ({ id, name }: Zone): boolean =>
    isConfigured || ids.include.includes(id) || domains.include.includes(name);
  return zones.filter(isNamed).map(({ id }) => id);
}

function invalid(world: ProviderWorld, message: string): ProviderDecision {
  return {
    facts: blankFacts(world, "invalid", message),
    verdict: verdictOf(world, "Error", message),
    selection: null,
  };
}

function verdictOf(
  world: ProviderWorld,
  state: ProviderVerdict["state"],
  message: string,
): ProviderVerdict {
  const defaultTtlSeconds = world.spec?.defaultTtlSeconds ?? world.defaultTtlSeconds;
  return { state, message, selection: null, defaultTtlSeconds };
}

function blankFacts(
  world: ProviderWorld,
  state: ProviderFacts["state"],
  message: string,
): ProviderFacts {
  const { metadata } = world.object;
  const namespace = metadata.namespace ?? "";
  return {
    id: `${namespace}/${metadata.name}`,
    namespace,
    state,
    message,
    deleting: metadata.deletionTimestamp !== undefined,
    zones: [],
    explicit: [],
    ...accountFacts(world.account),
    ...specFacts(world.spec),
  };
}

function accountFacts(
  account: ProviderWorld["account"],
): Pick<ProviderFacts, "account" | "known" | "replaced"> {
  if ("error" in account) return { account: null, known: [], replaced: [] };
  const { known, superseded } = account.listing;
  return { account: account.id, known, replaced: superseded };
}

type SpecFacts = Pick<ProviderFacts, "type" | "included" | "excluded" | "defaultTtlSeconds">;

function specFacts(spec: ProviderSpec | null): SpecFacts {
  if (spec === null) return { type: "", included: [], excluded: [], defaultTtlSeconds: null };
  const { type, domains, defaultTtlSeconds } = spec;
  return { type, included: domains.include, excluded: domains.exclude, defaultTtlSeconds };
}
