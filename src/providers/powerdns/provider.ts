/** The provider type `powerdns`: zones of PowerDNS Authoritative Server by its HTTP API. */
import { sessionType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { POWERDNS_TYPE, PowerDnsSession } from "./session.ts";

/** Secret: `Server`, `ApiKey`; see options.ts for the rest. */
export const POWERDNS_PROVIDER = sessionType(POWERDNS_TYPE, parseOptions, PowerDnsSession);
