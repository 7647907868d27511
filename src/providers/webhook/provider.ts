/** The provider type `external-dns-webhook`: whatever a webhook of external-dns writes to. */

import { ok } from "@zonekeeper/base/result";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type {
  NamedZones,
  OpenedSession,
  ProviderEnvironment,
  ProviderSettings,
  ProviderType,
} from "../provider.ts";
import { zonesOf } from "../shared/settings.ts";
import { parseOptions } from "./options.ts";
import { WEBHOOK_TYPE, WebhookSession } from "./session.ts";

/** Secret: `Server`, perhaps `Token`; see options.ts for the rest. */
export const WEBHOOK_PROVIDER = {
  type: WEBHOOK_TYPE,
  open(settings: ProviderSettings, environment: ProviderEnvironment): OpenedSession {
    const options = parseOptions(settings);
    return options.ok ? ok(new WebhookSession(options.value, environment)) : options;
  },
  namedZones({ config }: ProviderSettings): NamedZones {
    return zonesOf(fieldsOf(config)["zones"]) ?? [];
  },
} satisfies ProviderType;
