/** The provider type `openstack-designate`: zones of a project in OpenStack's DNS service. */
import { sessionType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { DESIGNATE_TYPE, DesignateSession } from "./session.ts";

/** Secret: `OS_AUTH_URL` and a user or an application credential; see options.ts. */
export const DESIGNATE_PROVIDER = sessionType(DESIGNATE_TYPE, parseOptions, DesignateSession);
