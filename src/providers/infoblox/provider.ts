/** The provider type `infoblox-dns`: zones of an Infoblox Grid (NIOS) by its WAPI. */
import { sessionType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { INFOBLOX_TYPE, InfobloxSession } from "./session.ts";

/** Secret: `USERNAME`, `PASSWORD`; see options.ts for the rest. */
export const INFOBLOX_PROVIDER = sessionType(INFOBLOX_TYPE, parseOptions, InfobloxSession);
