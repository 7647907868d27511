/** The row of the TXT registry: markers in external-dns's format. */
import type { RegistryRow } from "../registry.ts";
import { openTxtOwnership } from "./ownership.ts";

/** `--registry txt`. */
export const TXT_REGISTRY: RegistryRow = {
  name: "txt",
  doc: "TXT records in external-dns's format",
  open({ txt, clusterAliases }) {
    const { markerLocationOf, nameTemplate, ...settings } = txt;
    // The default template is known by identity, so that it is not read twice.
    const isDefault = Object.values(nameTemplate).every((text) => text === "");
    const all = { ...settings, clusterAliases, ...(isDefault ? {} : { nameTemplate }) };
    return ({ zone: { name: apex }, ...can }) => {
      const markerLocation = markerLocationOf[apex] ?? txt.markerLocation;
      return openTxtOwnership({ ...all, ...can, apex, markerLocation });
    };
  },
};
