/** The row of the registry that records nothing. */
import type { RegistryRow } from "../registry.ts";
import { openNoopOwnership } from "./ownership.ts";

/** `--registry noop`. */
export const NOOP_REGISTRY: RegistryRow = {
  name: "noop",
  doc: "nowhere: records are created and never changed",
  open({ owner, owns }) {
    return ({ atomic }) => openNoopOwnership({ owner, owns, atomic });
  },
};
