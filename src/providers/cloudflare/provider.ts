/** The provider type `cloudflare-dns`: zones of Cloudflare, by its API of records with ids. */
import { vendorType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { CLOUDFLARE_TYPE, CloudflareSession } from "./session.ts";

/** Secret: `CLOUDFLARE_API_TOKEN`; see options.ts for the rest. */
export const CLOUDFLARE_PROVIDER = vendorType(
  CLOUDFLARE_TYPE,
  parseOptions,
  (options, environment) => new CloudflareSession(options, environment),
);
