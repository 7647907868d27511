/**
 * Settings of an external-dns-webhook account: where it is, what it is asked with, and its zones.
 * Checks and parses only; problems name the key and never its value.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { Problem } from "../../model/problem.ts";
import type { ProviderSettings } from "../provider.ts";
import {
  type FieldChecks,
  isOrigin,
  isSafeOrigin,
  readConfig,
  readSecret,
  type SecretKeys,
  type SecretValues,
  secretProblem,
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
  /** Empty = those that the webhook names itself. Without duplicates. */
  readonly zones: readonly DnsName[];
}

/** Keys of the Secret, each with its other spelling. */
const KEYS: SecretKeys = {
  Server: "server",
  Token: "token",
  TrustedCaCert: { other: "trustedCaCert", isFile: true },
};
const CA = "TrustedCaCert";
const REMEDY = "write the address of the webhook, such as https://webhook.example.org:8888";

/** What each field must be. */
const CONFIG_CHECKS: FieldChecks = {
  zones: zonesCheck(0),
};

/** All problems at once. */
export function parseOptions({
  secret,
  config,
}: ProviderSettings): Result<WebhookOptions, readonly Problem[]> {
  const problems: Problem[] = [];
  const values = readSecret(secret, KEYS, problems);
  const { zones } = readConfig(config, CONFIG_CHECKS, problems);
  const options = {
    server: serverOf(values, problems),
    token: values["Token"] ?? null,
    caCertificate: caOf(values[CA], problems),
    zones: zonesOf(zones) ?? [],
  };
  return problems.length > 0 ? fail(problems) : ok(options);
}

function serverOf({ Server: server, Token: token }: SecretValues, problems: Problem[]): string {
  if (!isOrigin(server)) {
    const trouble = server === undefined ? "is missing" : "is no address";
    problems.push(secretProblem("Server", trouble, REMEDY));
    return "";
  }
  if (token !== undefined && !isSafeOrigin(server))
    problems.push(secretProblem("Token", "would be sent as it is", "write an https address"));
  return server.replace(/\/$/, "");
}

function caOf(pem: string | undefined, problems: Problem[]): string | null {
  if (pem !== undefined && !/-----BEGIN CERTIFICATE-----[\s\S]+-----END/.test(pem))
    problems.push(secretProblem(CA, "is no PEM text", "write it with its BEGIN and END lines"));
  return pem ?? null;
}
