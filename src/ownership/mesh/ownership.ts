/** The registry in dns-sync's plain form, mended, for zones that a mesh's clients read. */
import type { Ownership } from "../ownership.ts";
import { NameOwnership, type NameOwnershipOptions } from "../shared/name-ownership.ts";
import { meshFormat } from "./format.ts";

/** Opens the registry of one zone. */
export function openMeshOwnership(options: NameOwnershipOptions): Ownership {
  return new NameOwnership(options, meshFormat(options.apex));
}
