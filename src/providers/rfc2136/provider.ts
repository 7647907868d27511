/**
 * The provider type `rfc2136`: any server that takes signed UPDATEs and transfers (BIND, Knot,
 * PowerDNS, our own).
 */
import { ok } from "@zonekeeper/base/result";
import type {
  OpenedSession,
  ProviderEnvironment,
  ProviderSettings,
  ProviderType,
} from "../provider.ts";
import { namedZones, parseOptions } from "./options.ts";
import { RFC2136_TYPE, Rfc2136Session } from "./session.ts";

/**
 * Secret: `Server`, `Zone`, `TSIGKeyName`, `TSIGSecret`, `TSIGSecretAlgorithm`, `TLS…`; see
 * options.ts for `providerConfig`.
 */
export const RFC2136_PROVIDER = {
  type: RFC2136_TYPE,
  open(settings: ProviderSettings, environment: ProviderEnvironment): OpenedSession {
    const options = parseOptions(settings);
    return options.ok ? ok(new Rfc2136Session(options.value, environment)) : options;
  },
  namedZones,
} satisfies ProviderType;
