/** The row of the TXT registry: markers in external-dns's format. */
import type { RegistryRow } from "../registry.ts";
import type { NameTemplate } from "./name-template.ts";
import { openTxtOwnership } from "./ownership.ts";

/** `--registry txt`. */
export const TXT_REGISTRY: RegistryRow = {
  name: "txt",
  doc: "TXT records in external-dns's format",
  open({ txt, clusterAliases }) {
    return ({ zone: { name: apex }, ...can }) =>
      openTxtOwnership({
        apex,
        clusterAliases,
        ...can,
        ...(isDefault(txt.nameTemplate) ? {} : { nameTemplate: txt.nameTemplate }),
        readAlso: txt.readAlso,
        markerLocation: txt.markerLocationOf[apex] ?? txt.markerLocation,
        encryption: txt.encryption,
        signing: txt.signing,
      });
  },
};

/** The default template is known by identity, so that it is not read twice. */
function isDefault({ prefix, suffix, wildcard }: NameTemplate): boolean {
  return prefix === "" && suffix === "" && wildcard === "";
}
