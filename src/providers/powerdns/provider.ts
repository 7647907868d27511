/** The provider type `powerdns`: zones of PowerDNS Authoritative Server by its HTTP API. */
import { ok } from "@zonekeeper/base/result";
import type {
  OpenedSession,
  ProviderEnvironment,
  ProviderSettings,
  ProviderType,
} from "../provider.ts";
import { parseOptions } from "./options.ts";
import { POWERDNS_TYPE, PowerDnsSession } from "./session.ts";

/** Secret: `Server`, `ApiKey`; see options.ts for the rest. */
export const POWERDNS_PROVIDER = {
  type: POWERDNS_TYPE,
  open(settings: ProviderSettings, environment: ProviderEnvironment): OpenedSession {
    const options = parseOptions(settings);
    return options.ok ? ok(new PowerDnsSession(options.value, environment)) : options;
  },
} satisfies ProviderType;
