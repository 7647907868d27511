/**
 * The registry in dns-sync's plain form, mended, for zones that a mesh's clients read: markers are
 * texts at the names themselves.
 */
import type { Ownership } from "../ownership.ts";
import type { RegistryRow } from "../registry.ts";
import { NameOwnership, type NameOwnershipOptions } from "../shared/name-ownership.ts";
import { meshFormat } from "./format.ts";

/** `--registry mesh`. */
export const MESH_REGISTRY: RegistryRow = {
  name: "mesh",
  doc: "plain TXT records as dns-sync has them",
  open() {
    return ({ zone, ...can }) => openMeshOwnership({ apex: zone.name, ...can });
  },
};

/** Opens the registry of one zone. */
export function openMeshOwnership(options: NameOwnershipOptions): Ownership {
  return new NameOwnership(options, meshFormat(options.apex));
}
