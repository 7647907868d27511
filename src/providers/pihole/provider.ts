/**
 * The provider type `pihole`: local records of a Pi-hole 6. Its settings are where it is, its
 * password, and the zones that it is asked for; problems name the key and never its value.
 */
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
import { namedZones, sessionType } from "../shared/vendor-type.ts";
import { PIHOLE_TYPE, type PiholeOptions, PiholeSession } from "./session.ts";

const ADDRESS = "write the address of Pi-hole, such as https://pihole.example.org";

/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  Server: { other: "server", missing: ADDRESS, checks: [[isOrigin, "is no address", ADDRESS]] },
  Password: { other: "password", isLoose: true },
  TrustedCaCert: { other: "trustedCaCert", isFile: true, checks: [CERTIFICATE_CHECK] },
  InsecureSkipVerify: { other: "insecureSkipVerify", checks: [trustCheck("TrustedCaCert")] },
};

const parseOptions = settingsParser<PiholeOptions>(
  KEYS,
  { zones: zonesCheck(1) },
  ({ values, fields }) => ({
    server: originOf(values["Server"], ""),
    password: values["Password"] ?? null,
    caCertificate: values["TrustedCaCert"] ?? null,
    zones: zonesOf(fields["zones"]) ?? [],
  }),
);

/** Secret: `Server`, perhaps `Password`. */
export const PIHOLE_PROVIDER = {
  ...sessionType(PIHOLE_TYPE, parseOptions, PiholeSession),
  namedZones,
};
