/** The provider type `coredns-etcd`: zones that CoreDNS answers from etcd. */
import { namedZones, sessionType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { COREDNS_TYPE, CoreDnsSession } from "./session.ts";

/** Secret: `Server`, perhaps `Username` and `Password`; see options.ts for the rest. */
export const COREDNS_PROVIDER = {
  ...sessionType(COREDNS_TYPE, parseOptions, CoreDnsSession),
  namedZones,
};
