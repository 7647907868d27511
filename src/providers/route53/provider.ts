/** The provider type `aws-route53`: hosted zones of Amazon Route 53, public and private. */
import { vendorType } from "../shared/vendor-type.ts";
import { parseOptions } from "./options.ts";
import { ROUTE53_TYPE, Route53Session } from "./session.ts";

/** Secret: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` …; see options.ts for the rest. */
export const ROUTE53_PROVIDER = vendorType(
  ROUTE53_TYPE,
  parseOptions,
  (options, environment) => new Route53Session(options, environment),
);
