/** The provider type `external-dns-webhook`: whatever a webhook of external-dns writes to. */
import { namedZones, sessionType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { WEBHOOK_TYPE, WebhookSession } from "./session.ts";

/** Secret: `Server`, perhaps `Token`; see options.ts for the rest. */
export const WEBHOOK_PROVIDER = {
  ...sessionType(WEBHOOK_TYPE, parseOptions, WebhookSession),
  namedZones,
};
