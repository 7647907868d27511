/** The provider type `infoblox-dns`: zones of an Infoblox Grid (NIOS) by its WAPI. */
import { ok } from "@zonekeeper/base/result";
import type {
  OpenedSession,
  ProviderEnvironment,
  ProviderSettings,
  ProviderType,
} from "../provider.ts";
import { parseOptions } from "./options.ts";
import { InfobloxSession } from "./session.ts";

/** Secret: `USERNAME`, `PASSWORD`; see options.ts for the rest. */
export const INFOBLOX_PROVIDER = {
  type: "infoblox-dns",
  open(settings: ProviderSettings, environment: ProviderEnvironment): OpenedSession {
    const options = parseOptions(settings);
    return options.ok ? ok(new InfobloxSession(options.value, environment)) : options;
  },
} satisfies ProviderType;
