/** The provider type `cloudflare-dns`: zones of Cloudflare, by its API of records with ids. */
import { sessionType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { CLOUDFLARE_TYPE, CloudflareSession } from "./session.ts";

/** Secret: `CLOUDFLARE_API_TOKEN`; see options.ts for the rest. */
export const CLOUDFLARE_PROVIDER = sessionType(CLOUDFLARE_TYPE, parseOptions, CloudflareSession);
