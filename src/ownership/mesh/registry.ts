/** The row of the mesh registry: markers are texts at the names themselves. */
import type { RegistryRow } from "../registry.ts";
import { openMeshOwnership } from "./ownership.ts";

/** `--registry mesh`. */
export const MESH_REGISTRY: RegistryRow = {
  name: "mesh",
  doc: "plain TXT records as dns-sync has them",
  open() {
    return ({ zone, ...can }) => openMeshOwnership({ apex: zone.name, ...can });
  },
};
