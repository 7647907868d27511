/**
 * The registry in Gardener's format, for zones that Gardener's controller or one of its successors
 * has marked.
 */
import type { Ownership } from "../ownership.ts";
import type { RegistryRow } from "../registry.ts";
import { NameOwnership, type NameOwnershipOptions } from "../shared/name-ownership.ts";
import { gardenerFormat } from "./format.ts";

/** `--registry gardener`. */
export const GARDENER_REGISTRY: RegistryRow = {
  name: "gardener",
  doc: "Gardener's comment- TXT records",
  open() {
    return ({ zone, ...can }) => openGardenerOwnership({ apex: zone.name, ...can });
  },
};

/** Opens the registry of one zone. */
export function openGardenerOwnership(options: NameOwnershipOptions): Ownership {
  return new NameOwnership(options, gardenerFormat(options.apex));
}
