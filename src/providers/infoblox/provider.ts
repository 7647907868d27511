/** The provider type `infoblox-dns`: zones of an Infoblox Grid (NIOS) by its WAPI. */
import { vendorType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { INFOBLOX_TYPE, InfobloxSession } from "./session.ts";

/** Secret: `USERNAME`, `PASSWORD`; see options.ts for the rest. */
export const INFOBLOX_PROVIDER = vendorType(
  INFOBLOX_TYPE,
  parseOptions,
  (options, environment) => new InfobloxSession(options, environment),
);
