/** The row of the gardener registry: markers are Gardener's TXT records. */
import type { RegistryRow } from "../registry.ts";
import { openGardenerOwnership } from "./ownership.ts";

/** `--registry gardener`. */
export const GARDENER_REGISTRY: RegistryRow = {
  name: "gardener",
  doc: "Gardener's comment- TXT records",
  open() {
    return ({ zone, ...can }) => openGardenerOwnership({ apex: zone.name, ...can });
  },
};
