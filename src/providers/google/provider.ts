/** The provider type `google-clouddns`: managed zones of Google Cloud DNS, public and private. */
import { vendorType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { GOOGLE_TYPE, GoogleSession } from "./session.ts";

/** Secret: `serviceaccount.json`; see options.ts for the rest. */
export const GOOGLE_PROVIDER = vendorType(
  GOOGLE_TYPE,
  parseOptions,
  (options, environment) => new GoogleSession(options, environment),
);
