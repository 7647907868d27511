/** The provider type `aws-route53`: hosted zones of Amazon Route 53, public and private. */
import { sessionType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { ROUTE53_TYPE, Route53Session } from "./session.ts";

/** Secret: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` …; see options.ts for the rest. */
export const ROUTE53_PROVIDER = sessionType(ROUTE53_TYPE, parseOptions, Route53Session);
