/**
 * Settings of an external-dns-webhook account: where it is, what it is asked with, and its zones.
 * Checks and parses only; problems name the key and never its value.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import {
  CERTIFICATE_CHECK,
  isOrigin,
  isSafeOrigin,
  originOf,
  type SecretKeys,
  secretProblem,
  settingsParser,
  zonesCheck,
  zonesOf,
} from "../shared/settings.ts";

/** Settings that were checked. */
export interface WebhookOptions {
  /** `http[s]://host[:port]`, without a path. */
  readonly server: string;
  /** Sent as `Authorization: Bearer`; null = none. */
  readonly token: string | null;
  /** PEM; null = the certificates that this program trusts anyway. */
  readonly caCertificate: string | null;
  /**
   * Empty = those that the webhook names itself; the root = these, or all names where it names
   * none. Without duplicates.
   */
  readonly zones: readonly DnsName[];
}

const ADDRESS = "write the address of the webhook, such as https://webhook.example.org:8888";

/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  Server: {
    other: "server",
    missing: ADDRESS,
    checks: [[isOrigin, "is no address", ADDRESS]],
  },
  Token: "token",
  TrustedCaCert: { other: "trustedCaCert", isFile: true, checks: [CERTIFICATE_CHECK] },
};

/** All problems at once. */
export const parseOptions = settingsParser<WebhookOptions>(
  KEYS,
  { zones: zonesCheck(0) },
  ({ values, fields: { zones }, problems }) => {
    const { Server: server, Token: token = null, TrustedCaCert: caCertificate = null } = values;
    if (token !== null && isOrigin(server) && !isSafeOrigin(server))
      problems.push(secretProblem("Token", "would be sent as it is", "write an https address"));
    return { server: originOf(server, ""), token, caCertificate, zones: zonesOf(zones) ?? [] };
  },
);
