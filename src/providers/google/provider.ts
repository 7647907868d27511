/** The provider type `google-clouddns`: managed zones of Google Cloud DNS, public and private. */
import { ok } from "@zonekeeper/base/result";
import type {
  OpenedSession,
  ProviderEnvironment,
  ProviderSettings,
  ProviderType,
} from "../provider.ts";
import { parseOptions } from "./options.ts";
import { GOOGLE_TYPE, GoogleSession } from "./session.ts";

/** Secret: `serviceaccount.json`; see options.ts for the rest. */
export const GOOGLE_PROVIDER = {
  type: GOOGLE_TYPE,
  open(settings: ProviderSettings, environment: ProviderEnvironment): OpenedSession {
    const options = parseOptions(settings, environment.hidesTroubles !== true);
    return options.ok ? ok(new GoogleSession(options.value, environment)) : options;
  },
} satisfies ProviderType;
