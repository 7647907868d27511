/** The provider type `aws-route53`: hosted zones of Amazon Route 53, public and private. */
import { ok } from "@zonekeeper/base/result";
import type {
  OpenedSession,
  ProviderEnvironment,
  ProviderSettings,
  ProviderType,
} from "../provider.ts";
import { parseOptions } from "./options.ts";
import { ROUTE53_TYPE, Route53Session } from "./session.ts";

/** Secret: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` …; see options.ts for the rest. */
export const ROUTE53_PROVIDER = {
  type: ROUTE53_TYPE,
  open(settings: ProviderSettings, environment: ProviderEnvironment): OpenedSession {
    const options = parseOptions(settings, environment.hidesTroubles !== true);
    return options.ok ? ok(new Route53Session(options.value, environment)) : options;
  },
} satisfies ProviderType;
