/** The provider type `coredns-etcd`: zones that CoreDNS answers from etcd. */
import { namedZones, vendorType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { COREDNS_TYPE, CoreDnsSession } from "./session.ts";

/** Secret: `Server`, perhaps `Username` and `Password`; see options.ts for the rest. */
export const COREDNS_PROVIDER = {
  ...vendorType(
    COREDNS_TYPE,
    parseOptions,
    (options, environment) => new CoreDnsSession(options, environment),
  ),
  namedZones,
};
