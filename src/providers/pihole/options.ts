/**
 * Settings of a pihole account: where it is, its password, and the zones that it is asked for.
 * Checks and parses only; problems name the key and never its value.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  CERTIFICATE_CHECK,
  isOrigin,
  originOf,
  type SecretKeys,
  settingsParser,
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
export const parseOptions = settingsParser<PiholeOptions>(
  KEYS,
  { zones: zonesCheck(1) },
  ({ values, fields }) => ({
    server: originOf(values["Server"], ""),
    password: values["Password"] ?? null,
    caCertificate: values["TrustedCaCert"] ?? null,
    zones: zonesOf(fields["zones"]) ?? [],
  }),
);
