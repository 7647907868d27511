/** What flags of external-dns say of its sources, as a command line gives them. */
import { fromExternalDns } from "../../../src/config/external-dns/translate.ts";
import type { ExternalDnsRules } from "../../../src/model/external-dns-rules.ts";
import { EXTERNAL_DNS_SOURCES } from "../../../src/sources/external-dns-rows.ts";

const BASE = [
  ...["--provider=rfc2136", "--rfc2136-host=192.0.2.53", "--rfc2136-zone=example.org"],
  ...["--rfc2136-insecure", "--source=service", "--txt-owner-id=me"],
];

/** Throws with all that is wrong; the provider is rfc2136, unless a flag names another one. */
export function rulesByFlags(...flags: readonly string[]): ExternalDnsRules {
  const isOther = flags.some((one) => one.startsWith("--provider="));
  const read = fromExternalDns({
    args: [...(isOther ? BASE.slice(-2) : BASE), ...flags],
    environment: { CF_API_TOKEN: "t".repeat(40) },
    ownNames: new Set(),
    readFile: () => null,
    sources: EXTERNAL_DNS_SOURCES.map(({ name }) => name),
  });
  if (!read.ok) throw new Error(read.error.map(({ message }) => message).join("; "));
  return read.value.config.rules;
}
