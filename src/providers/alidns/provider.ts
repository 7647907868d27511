/** The provider type `alicloud-dns`: public zones of Alibaba Cloud DNS. */
import { sessionType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { ALIDNS_TYPE, AliDnsSession } from "./session.ts";

/** Secret: `ACCESS_KEY_ID` and `ACCESS_KEY_SECRET`; see options.ts for the rest. */
export const ALIDNS_PROVIDER = sessionType(ALIDNS_TYPE, parseOptions, AliDnsSession);
