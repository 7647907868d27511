/** The provider type `pihole`: local records of a Pi-hole 6. */
import { namedZones, sessionType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { PIHOLE_TYPE, PiholeSession } from "./session.ts";

/** Secret: `Server`, perhaps `Password`; see options.ts for the rest. */
export const PIHOLE_PROVIDER = {
  ...sessionType(PIHOLE_TYPE, parseOptions, PiholeSession),
  namedZones,
};
