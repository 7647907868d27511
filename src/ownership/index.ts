/**
 * The list of registry formats. A new format is a folder and a line here: `--registry` and its help
 * text are made from the rows. Options that only one format takes name it in the option table.
 */
import { invariant } from "@zonekeeper/base/invariant";
import { isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { TypeAnswers } from "../model/type-answers.ts";
import type { Zone } from "../model/zone.ts";
import { CONFIGMAP_REGISTRY } from "./configmap/registry.ts";
import { GARDENER_REGISTRY } from "./gardener/registry.ts";
import { MESH_REGISTRY } from "./mesh/registry.ts";
import { NOOP_REGISTRY } from "./noop/registry.ts";
import type { Ownership } from "./ownership.ts";
import type { RegistryContext, RegistryRow } from "./registry.ts";
import { TXT_REGISTRY } from "./txt/registry.ts";
import { withOtherFormats } from "./with-other-formats.ts";

/** In the order of the help text. */
export const REGISTRIES: readonly RegistryRow[] = [
  TXT_REGISTRY,
  GARDENER_REGISTRY,
  MESH_REGISTRY,
  CONFIGMAP_REGISTRY,
  NOOP_REGISTRY,
];

/** Opens the registry of a zone, with what its provider can do. */
export type OpenOwnership = (
  zone: Zone,
  capabilities: {
    readonly atomicity: "zone" | "set" | "value";
    readonly starInNames?: boolean;
    readonly flattensApex?: boolean;
    readonly ownTypes?: TypeAnswers;
    /** Absent = a call notices that what it writes has changed. */
    readonly preconditions?: {
      readonly written: { readonly absent: string; readonly exact?: string };
    };
  },
) => Ownership;

/**
 * Opens the format of this name, which must be in the list, with the markers of all other formats
 * respected. Call it once for a term of leadership.
 */
export function openRegistry(
  name: string,
  context: RegistryContext,
  rows: readonly RegistryRow[] = REGISTRIES,
): OpenOwnership {
  const row = rows.find((one) => one.name === name);
  invariant(row, `there is no registry ${name}`);
  const open = row.open(context);
  const { owner, owns, clusterAliases } = context;
  return (zone, { atomicity, preconditions, ...asked }) => {
    const { starInNames = false, flattensApex = false, ownTypes = {} } = asked;
    const isMerging = preconditions?.written.absent === "never";
    let ownIds: ReadonlySet<string> = new Set([owner]);
    const isOwnedByUs = (id: string): boolean => ownIds.has(id);
    const how = { atomic: atomicity === "zone", byValue: atomicity === "value" };
    const compares = !isMerging && preconditions?.written.exact !== "never";
    const can = { ...how, starInNames, flattensApex, ownTypes, isMerging, compares };
    return withOtherFormats(open({ zone, isOwnedByUs, ...can }), {
      apex: zone.name,
      isOwnedByUs,
      actFor: (ids) => {
        ownIds = ids;
      },
      clusterAliases,
      isAllOwnedByUs: (dnsName) => owns.some((domain) => isAtOrBelow(dnsName, domain)),
    });
  };
}
