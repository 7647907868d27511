/**
 * Targets that a status or an annotation of another object reports, as record values. Who reads a
 * status cannot correct it: addresses win over host names, and what other hosts cannot reach is
 * refused.
 */
import { type AddressNet, isInNet } from "../../model/addresses.ts";
import type { Problem } from "../../model/problem.ts";
import { isAddressText, isImplausible } from "./target-form.ts";
import { readTargets, type TypedValues } from "./targets.ts";

/** Targets, and how messages name where they come from. */
export interface ReportedTargets {
  /** Addresses and host names. */
  readonly targets: readonly string[];
  /** `the load balancer`, `Gateway infra/public`. */
  readonly reporter: string;
  /** `kind/namespace/name` of the object that is published. */
  readonly subject: string;
  readonly field: string;
}

/** Which targets are published, and how. */
export interface TargetRules {
  /** One host name is looked up, too. */
  readonly asksForAddresses: boolean;
  /** Addresses in these are left out. */
  readonly excluded: readonly AddressNet[];
}

/** `typed` is empty where nothing is reported. `remarks` hold nothing back. */
export type TargetsRead =
  | { readonly typed: readonly TypedValues[]; readonly remarks: readonly Problem[] }
  | { readonly problem: Problem };

/**
 * Addresses win over host names, inside one element (Gardener external-dns-management, target
 * extraction) and between them (external-dns since 0.14).
 */
export function reportedTargets(
  reported: ReportedTargets,
  { asksForAddresses, excluded }: TargetRules,
): TargetsRead {
  const { targets, reporter, subject, field } = reported;
  const trouble = (code: string, message: string): Problem => ({ code, subject, message, field });
  const kept = targets.filter((target) => !excluded.some((net) => isInNet(target, net)));
  if (kept.length === 0 && targets.length > 0) {
    const message = `${reporter} reports ${targets.join(", ")}, which --exclude-target-net excludes; give it an address in another network, or narrow the option`;
    return { problem: trouble("ImplausibleTarget", message) };
  }
  const addresses = kept.filter(isAddressText);
  const published = [...new Set(addresses.length > 0 ? addresses : kept)];
  const implausible = published.find(isImplausible);
  if (implausible !== undefined) {
    const message = `${reporter} reports ${implausible}, which other hosts cannot reach; correct what its controller publishes`;
    return { problem: trouble("ImplausibleTarget", message) };
  }
  const typed = readTargets(published, asksForAddresses);
  if (!typed.ok) return { problem: { ...typed.error, subject, field } };
  const ignored = addresses.length > 0 ? kept.filter((target) => !isAddressText(target)) : [];
  if (ignored.length === 0) return { typed: typed.value, remarks: [] };
  const message = `${reporter} reports ${ignored.join(", ")} besides addresses; the addresses are published, and no host name can be beside them`;
  return { typed: typed.value, remarks: [trouble("MixedTargets", message)] };
}
