/** The provider type `openstack-designate`: zones of a project in OpenStack's DNS service. */
import { ok } from "@zonekeeper/base/result";
import type {
  OpenedSession,
  ProviderEnvironment,
  ProviderSettings,
  ProviderType,
} from "../provider.ts";
import { parseOptions } from "./options.ts";
import { DESIGNATE_TYPE, DesignateSession } from "./session.ts";

/** Secret: `OS_AUTH_URL` and a user or an application credential; see options.ts. */
export const DESIGNATE_PROVIDER = {
  type: DESIGNATE_TYPE,
  open(settings: ProviderSettings, environment: ProviderEnvironment): OpenedSession {
    const options = parseOptions(settings);
    return options.ok ? ok(new DesignateSession(options.value, environment)) : options;
  },
} satisfies ProviderType;
