/**
 * The provider type `rfc2136`: any server that takes signed UPDATEs and transfers (BIND, Knot,
 * PowerDNS, our own).
 */
import { sessionType } from "../shared/vendor-type.ts";
import { namedZones, parseOptions } from "./options.ts";
import { RFC2136_TYPE, Rfc2136Session } from "./session.ts";

/**
 * Secret: `Server`, `Zone`, `TSIGKeyName`, `TSIGSecret`, `TSIGSecretAlgorithm`, `TLS…`; see
 * options.ts for `providerConfig`.
 */
export const RFC2136_PROVIDER = {
  ...sessionType(RFC2136_TYPE, parseOptions, Rfc2136Session),
  namedZones,
};
