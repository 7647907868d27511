/** The provider type `cloudflare-dns`: zones of Cloudflare, by its API of records with ids. */
import { ok } from "@zonekeeper/base/result";
import type {
  OpenedSession,
  ProviderEnvironment,
  ProviderSettings,
  ProviderType,
} from "../provider.ts";
import { parseOptions } from "./options.ts";
import { CLOUDFLARE_TYPE, CloudflareSession } from "./session.ts";

/** Secret: `CLOUDFLARE_API_TOKEN`; see options.ts for the rest. */
export const CLOUDFLARE_PROVIDER = {
  type: CLOUDFLARE_TYPE,
  open(settings: ProviderSettings, environment: ProviderEnvironment): OpenedSession {
    const options = parseOptions(settings);
    return options.ok ? ok(new CloudflareSession(options.value, environment)) : options;
  },
} satisfies ProviderType;
