/**
 * Settings of a pihole account: where it is, its password, and the zones that it is asked for.
 * Checks and parses only; problems name the key and never its value.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import type { Problem } from "../../model/problem.ts";
import type { ProviderSettings } from "../provider.ts";
import {
  CERTIFICATE_CHECK,
  isOrigin,
  originOf,
  readConfig,
  readSecret,
  type SecretKeys,
  trustCheck,
  zonesCheck,
  zonesOf,
} from "../shared/settings.ts";

/** Settings that were checked. */
export interface PiholeOptions {
  /** `http[s]://host[:port]`, without a path. */
  readonly server: string;
  /** That of the web interface, or of an application; null = it has none. */
  readonly password: string | null;
  /** PEM; null = the certificates that this program trusts anyway. */
  readonly caCertificate: string | null;
  /** Without duplicates; one at least. */
  readonly zones: readonly DnsName[];
}

const ADDRESS = "write the address of Pi-hole, such as https://pihole.example.org";

/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  Server: { other: "server", missing: ADDRESS, checks: [[isOrigin, "is no address", ADDRESS]] },
  Password: { other: "password", isLoose: true },
  TrustedCaCert: { other: "trustedCaCert", isFile: true, checks: [CERTIFICATE_CHECK] },
  InsecureSkipVerify: { other: "insecureSkipVerify", checks: [trustCheck("TrustedCaCert")] },
};

/** All problems at once. */
export function parseOptions({
  secret,
  config,
}: ProviderSettings): Result<PiholeOptions, readonly Problem[]> {
  const problems: Problem[] = [];
  const values = readSecret(secret, KEYS, problems);
  // Without zones the check of the field says what is missing.
  const given = config ?? {};
  const asked = isFields(given) ? { zones: [], ...given } : given;
  const { zones } = readConfig(asked, { zones: zonesCheck(1) }, problems);
  const { Server, Password: password = null, TrustedCaCert: caCertificate = null } = values;
  if (problems.length > 0) return fail(problems);
  return ok({ server: originOf(Server, ""), password, caCertificate, zones: zonesOf(zones) ?? [] });
}
