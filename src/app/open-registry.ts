/** Opens the registry that the configuration names, for one zone. */

import type { GardenerOptions } from "../gardener/controllers.ts";
import { openTxtOwnership } from "../ownership/txt/ownership.ts";

/** TXT markers in external-dns's format, written with the owner id of this group. */
export function txtRegistry(owner: string): GardenerOptions["openOwnership"] {
  return (zone, capabilities) =>
    openTxtOwnership({
      apex: zone.name,
      isOurs: (candidate) => candidate === owner,
      atomic: capabilities.atomicity === "zone",
    });
}
