/** The provider type `google-clouddns`: managed zones of Google Cloud DNS, public and private. */
import { sessionType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { GOOGLE_TYPE, GoogleSession } from "./session.ts";

/** Secret: `serviceaccount.json`; see options.ts for the rest. */
export const GOOGLE_PROVIDER = sessionType(GOOGLE_TYPE, parseOptions, GoogleSession);
