/** The provider type `alicloud-dns`: public zones of Alibaba Cloud DNS. */
import { ok } from "@zonekeeper/base/result";
import type {
  OpenedSession,
  ProviderEnvironment,
  ProviderSettings,
  ProviderType,
} from "../provider.ts";
import { parseOptions } from "./options.ts";
import { ALIDNS_TYPE, AliDnsSession } from "./session.ts";

/** Secret: `ACCESS_KEY_ID` and `ACCESS_KEY_SECRET`; see options.ts for the rest. */
export const ALIDNS_PROVIDER = {
  type: ALIDNS_TYPE,
  open(settings: ProviderSettings, environment: ProviderEnvironment): OpenedSession {
    const options = parseOptions(settings, environment.hidesTroubles !== true);
    return options.ok ? ok(new AliDnsSession(options.value, environment)) : options;
  },
} satisfies ProviderType;
